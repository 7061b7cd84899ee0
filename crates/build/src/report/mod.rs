//! The report of a build, for the person who keeps the documents: as JSON and as a page.
//!
//! The same documents and settings give the same report: it holds no times.

mod numbers;
mod triage;

use std::path::{Path, PathBuf};
use std::{fs, io};

use campanile_corpus::{Because, Document, Dropped, word_count};
use campanile_ingest::{Finding, Severity};
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, HtmlEscape, context};
use serde::Serialize;
use thiserror::Error;

use crate::Plan;
use crate::documents::FileOutcome;
use crate::propositions::Authorship;
use crate::quality::Prepared;

pub use numbers::{FoldedPassage, Folding, Numbers};
pub use triage::{Triage, Triaged};

/// The names of the files in the report's folder.
const JSON: &str = "report.json";
const PAGE: &str = "report.html";

/// The reason why a report cannot be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The file system refused: what was to be done, with which file or folder.
    #[error("cannot {} `{}`", .0, .1.display())]
    Io(&'static str, PathBuf, #[source] io::Error),
    /// The numbers cannot be put into JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// They cannot be put into the page.
    #[error("the report cannot be written")]
    Page(#[from] minijinja::Error),
}

/// All that is told.
#[derive(Debug, Serialize)]
pub struct Report {
    generator: &'static str,
    title: String,
    language: &'static str,
    totals: Totals,
    /// What to look at first.
    first: Triage,
    numbers: Numbers,
    files: Vec<File>,
    /// Folders, and kinds of files, that were passed over.
    passed_over: Vec<Remark>,
    /// Pages of the website that are not there, and why.
    pub not_fetched: Vec<String>,
    /// Values of metadata that are not understood; `campanile lint` tells more.
    pub metadata_problems: Vec<String>,
    documents: Vec<DocumentEntry>,
    /// Pieces of text that were left out as noise.
    dropped: Vec<DroppedEntry>,
    /// Passages that others stand for.
    folded: Vec<FoldedPassage>,
    editions: Vec<EditionEntry>,
    /// Who wrote the propositions, where a language model was asked.
    pub propositions: Option<Authorship>,
}

#[derive(Debug, Serialize)]
struct Totals {
    files: usize,
    files_not_read: usize,
    warnings: usize,
    documents: usize,
    sections: usize,
    tables: usize,
    pages: usize,
    words: usize,
}

#[derive(Debug, Serialize)]
struct File {
    path: String,
    is_read: bool,
    documents: usize,
    remarks: Vec<Remark>,
}

#[derive(Debug, Serialize)]
struct Remark {
    severity: Severity,
    message: String,
}

#[derive(Debug, Serialize)]
struct DocumentEntry {
    path: String,
    title: String,
    link: Option<String>,
    sections: usize,
    tables: usize,
    pages: usize,
    words: usize,
    /// The path of the newer edition that takes its place.
    replaced_by: Option<String>,
}

#[derive(Debug, Serialize)]
struct DroppedEntry {
    document: String,
    reason: String,
    excerpt: String,
}

#[derive(Debug, Serialize)]
struct EditionEntry {
    older: String,
    newer: String,
    because: String,
}

impl Report {
    /// Gathers what the steps of a build found.
    pub fn new(
        plan: &Plan,
        files_found: &[FileOutcome],
        passed_over: &[Finding],
        prepared: Prepared,
        folding: Folding,
        numbers: Numbers,
    ) -> Self {
        let path = |index: usize| {
            prepared.documents.get(index).map_or_else(String::new, |document| document.path.clone())
        };
        let editions: Vec<EditionEntry> = prepared
            .editions
            .iter()
            .map(|edition| EditionEntry {
                older: path(edition.older),
                newer: path(edition.newer),
                because: reason(&edition.because),
            })
            .collect();
        let documents: Vec<DocumentEntry> =
            prepared.documents.iter().map(|document| entry(document, &editions)).collect();
        let files: Vec<File> = files_found.iter().map(file).collect();
        let noticed = files_found.iter().flat_map(|file| &file.findings);
        let first = Triage::new(passed_over.iter().chain(noticed));
        let sum = |of: fn(&DocumentEntry) -> usize| documents.iter().map(of).sum();
        Self {
            generator: concat!("campanile ", env!("CARGO_PKG_VERSION")),
            title: plan.config.site.title.clone(),
            language: plan.config.site.language.code(),
            totals: Totals {
                files: files.len(),
                files_not_read: files.iter().filter(|file| !file.is_read).count(),
                warnings: files
                    .iter()
                    .flat_map(|file| &file.remarks)
                    .filter(|remark| remark.severity == Severity::Warning)
                    .count(),
                documents: documents.len(),
                sections: sum(|document| document.sections),
                tables: sum(|document| document.tables),
                pages: sum(|document| document.pages),
                words: sum(|document| document.words),
            },
            first,
            numbers,
            files,
            passed_over: passed_over.iter().map(remark).collect(),
            not_fetched: Vec::new(),
            metadata_problems: Vec::new(),
            documents,
            dropped: prepared.dropped.into_iter().map(dropped).collect(),
            folded: folding.passages,
            editions,
            propositions: None,
        }
    }

    /// Writes both files; each appears whole or not at all.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        fs::create_dir_all(folder).map_err(|error| {
            ReportError::Io("make the report's folder", folder.to_owned(), error)
        })?;
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        let page = render(self)?;
        for (name, content) in [(JSON, json), (PAGE, page.into_bytes())] {
            let path = folder.join(name);
            let part = folder.join(format!("{name}.part"));
            fs::write(&part, content)
                .and_then(|()| fs::rename(&part, &path))
                .map_err(|error| ReportError::Io("write", path, error))?;
        }
        Ok(())
    }
}

fn reason(because: &Because) -> String {
    match because {
        Because::Declared => "one of them says so".to_owned(),
        Because::Series(series) => format!("both belong to the series \"{series}\""),
        Because::Edition { newer, older } => format!("{newer} comes after {older}"),
    }
}

fn file(outcome: &FileOutcome) -> File {
    File {
        path: outcome.path.clone(),
        is_read: !outcome.findings.iter().any(Finding::is_failure),
        documents: outcome.documents,
        remarks: outcome.findings.iter().map(remark).collect(),
    }
}

fn remark(finding: &Finding) -> Remark {
    Remark { severity: finding.severity(), message: finding.to_string() }
}

fn entry(document: &Document, editions: &[EditionEntry]) -> DocumentEntry {
    let newer = editions.iter().find(|edition| edition.older == document.path);
    DocumentEntry {
        path: document.path.clone(),
        title: document.title.clone(),
        link: document.link.clone(),
        sections: document.sections.len(),
        tables: document.tables.len(),
        pages: document.pages.len(),
        words: word_count(&document.text),
        replaced_by: newer.map(|edition| edition.newer.clone()),
    }
}

fn dropped(dropped: Dropped) -> DroppedEntry {
    DroppedEntry {
        document: dropped.document,
        reason: dropped.reason.describe().to_owned(),
        excerpt: dropped.excerpt,
    }
}

const TEMPLATE: &str = include_str!("report.html");
/// The look that all reports share: colours, tables, cards. Goes into a `style` element.
pub const STYLE: &str = include_str!("report.css");

/// The page. All that comes from documents is escaped.
pub fn render(report: &Report) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("round1", |value: f64| format!("{value:.1}"));
    environment.add_filter("percent", |value: f64| format!("{:.0} %", value * 100.0));
    environment.add_filter("code", |text: &str| Value::from_safe_string(code_marked(text)));
    environment.add_template("report", TEMPLATE)?;
    let template = environment.get_template("report")?;
    let style = Value::from_safe_string(STYLE.to_owned());
    template.render(context! { report, style })
}

/// HTML of a message with the names between backticks set as code. An odd number of backticks means that a quotation has one: then none is a mark.
fn code_marked(message: &str) -> String {
    let escape = |text: &str| HtmlEscape(text).to_string();
    let pieces: Vec<&str> = message.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return escape(message);
    }
    let piece = |(place, text): (usize, &&str)| match place % 2 {
        0 => escape(text),
        _ => format!("<code>{}</code>", escape(text)),
    };
    pieces.iter().enumerate().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::code_marked;

    #[test]
    fn names_in_messages_are_set_as_code_and_nothing_in_them_is_markup() {
        let cases = [
            ("`a<b>.md` is empty", "<code>a&lt;b&gt;.md</code> is empty"),
            ("`a.md`: left out \"<i>\"", "<code>a.md</code>: left out &quot;&lt;i&gt;&quot;"),
            ("`a.md`: left out the ` sign", "`a.md`: left out the ` sign"),
            ("nothing & no name", "nothing &amp; no name"),
        ];
        for (message, html) in cases {
            assert_eq!(code_marked(message), html);
        }
    }
}
