//! Reads every document; one bad file never stops the others.

use std::path::{Path, PathBuf};

use campanile_corpus::Document;
use campanile_ingest::{Finding, IngestError, IngestOptions, Reading, Severity};
use rayon::prelude::*;

use crate::build::Plan;
use crate::{config, console};

/// What came of reading.
pub struct Read {
    /// The documents, ordered by path.
    pub documents: Vec<Document>,
    /// Files that could not be read.
    pub failed: usize,
    /// Remarks about documents that were read.
    pub warnings: usize,
}

/// Reads all documents of the plan's folder, in parallel, in the order of their paths.
pub fn read_all(plan: &Plan, report: &mut dyn FnMut(&Finding)) -> Result<Read, IngestError> {
    let options =
        IngestOptions { max_file_bytes: (plan.config.documents.max_file_mb * 1e6) as u64 };
    let mut discovery = campanile_ingest::discover(plan.docs)?;
    let mut findings = std::mem::take(&mut discovery.findings);
    findings.retain(|finding| finding.path() != config::FILE_NAME);
    let paths: Vec<PathBuf> = discovery
        .files
        .into_iter()
        .filter(|path| !excluded(path, &plan.config.documents.exclude))
        .collect();
    let bar = console::counting_bar(paths.len(), "Reading", "documents");
    let results: Vec<Reading> = paths
        .par_iter()
        .map(|path| {
            let result = read_one(plan.docs, path, &options);
            bar.inc(1);
            result
        })
        .collect();
    bar.finish_and_clear();

    let mut documents = Vec::new();
    for reading in results {
        documents.extend(reading.documents);
        findings.extend(reading.findings);
    }
    for finding in &findings {
        report(finding);
    }
    let of = |severity| findings.iter().filter(|finding| finding.severity() == severity).count();
    Ok(Read { documents, failed: of(Severity::Failure), warnings: of(Severity::Warning) })
}

fn read_one(docs: &Path, path: &Path, options: &IngestOptions) -> Reading {
    campanile_ingest::read(docs, path, options).unwrap_or_else(|error| Reading {
        findings: vec![Finding::failed(name(path), &error)],
        ..Reading::default()
    })
}

fn name(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn excluded(path: &Path, rules: &[String]) -> bool {
    rules.iter().any(|rule| path.starts_with(rule.trim_end_matches('/')))
}
