//! The report of an experiment: for a person who was not there.
//!
//! [`ExperimentReport::new`] turns the records of an [`Experiment`] and what
//! statistics make of them ([`Evidence`]) into numbers and sentences; [`ExperimentReport::page`],
//! [`markdown`](ExperimentReport::markdown) and [`json`](ExperimentReport::json) write the same in
//! three ways. The page is one file: style, script and plots are inside, nothing is requested, and all
//! text from documents is escaped. The same input gives the same bytes.

mod cases;
mod evidence;
mod figures;
mod gather;
mod metrics;
mod model;
mod page;
mod plot;
mod sentences;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use thiserror::Error;

pub use super::judge::{Report, Share};
pub use evidence::{
    CONFIDENCE_PERCENT, Comparison, Curve, Evidence, EvidenceError, Interval, Reliability,
    ReliabilityBin, SIGNIFICANCE, SetEvidence, evidence,
};
pub use metrics::{Metric, Subject};
pub use model::{
    Breakdown, Case, CasePassage, CaseStage, Cell, Change, ConfigurationEntry, Depth,
    ExperimentReport, Group, Latency, LossCount, Other, ProseRow, QuestionRow, QuestionRun, Row,
    SetReport,
};
pub use sentences::{Piece, PieceKind, Sentence};

use crate::experiment::Experiment;

/// The names of the files in the report's folder.
const FILES: [&str; 3] = ["report.html", "report.md", "report.json"];

/// The settings of a report: what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSettings {
    /// The metrics of the main tables in their order; where it is empty, up to six are chosen.
    pub metrics: Vec<String>,
    /// The most failures that are told in full, in all sets together.
    pub cases: usize,
    /// The most questions of a set that the page lists; the JSON has them all.
    pub questions: usize,
}

impl Default for ReportSettings {
    fn default() -> Self {
        Self { metrics: Vec::new(), cases: 200, questions: 500 }
    }
}

/// Why a report cannot be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The page's template.
    #[error("the report's page cannot be written: {0}")]
    Page(#[from] minijinja::Error),
    /// The numbers.
    #[error("the report's numbers cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// A file or its folder.
    #[error("cannot write `{path}`: {source}")]
    File {
        /// The file.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
}

impl ExperimentReport {
    /// Gathers what an experiment showed.
    pub fn new(experiment: &Experiment, evidence: &Evidence, settings: &ReportSettings) -> Self {
        let configurations = gather::configurations(experiment);
        // Each set has its share of the cases.
        let cases = settings.cases / experiment.sets.len().max(1);
        let settings = ReportSettings { cases, ..settings.clone() };
        let set = |set| gather::set_report(experiment, set, &configurations, evidence, &settings);
        Self {
            generator: concat!("campanile ", env!("CARGO_PKG_VERSION")),
            title: experiment.title.clone(),
            made: experiment.made.clone(),
            machine: experiment.machine.clone(),
            command: experiment.command.clone(),
            sets: experiment.sets.iter().map(set).collect(),
            prose: experiment.prose.iter().flat_map(model::ProseRow::of).collect(),
            configurations,
        }
    }

    /// The metrics of the main tables of all sets, in the order of their names: what configurations are to
    /// be compared in.
    pub fn main_metrics(experiment: &Experiment, settings: &ReportSettings) -> Vec<String> {
        let mut main = BTreeSet::new();
        for set in &experiment.sets {
            let runs = experiment.runs_of(&set.name);
            let names: BTreeSet<&str> = runs.flat_map(|run| run.metrics()).collect();
            let metrics = metrics::describe(&names, &settings.metrics);
            main.extend(metrics.into_iter().filter(|metric| metric.main).map(|metric| metric.name));
        }
        main.into_iter().collect()
    }

    /// Returns the sentences at the top of the report, one a line, below the name of their set.
    pub fn summary(&self) -> String {
        let mut lines = Vec::new();
        for set in &self.sets {
            lines.push(format!("{}:", set.name));
            lines.extend(set.summary.iter().map(|sentence| format!("  {}", sentence.text())));
        }
        lines.join("\n")
    }

    /// The report as one HTML file that needs nothing else, in light and dark and on paper.
    ///
    /// # Errors
    /// Where the template is broken.
    pub fn page(&self, settings: &ReportSettings) -> Result<String, ReportError> {
        Ok(page::page(self, settings)?)
    }

    /// The report as Markdown: summary, tables, the numbers of the plots, the worst failures in short.
    ///
    /// # Errors
    /// Where the template is broken.
    pub fn markdown(&self) -> Result<String, ReportError> {
        Ok(page::markdown(self)?)
    }

    /// All numbers as JSON.
    ///
    /// # Errors
    /// Where a number cannot be written.
    pub fn json(&self) -> Result<String, ReportError> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// Writes `report.html`, `report.md` and `report.json`; each appears whole or not at all.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn write(&self, folder: &Path, settings: &ReportSettings) -> Result<(), ReportError> {
        let contents = [self.page(settings)?, self.markdown()?, self.json()?];
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |source| ReportError::File { path, source }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        for (name, content) in FILES.iter().zip(contents) {
            let path = folder.join(name);
            let part = folder.join(format!("{name}.part"));
            fs::write(&part, content)
                .and_then(|()| fs::rename(&part, &path))
                .map_err(failed(&path))?;
        }
        Ok(())
    }
}
