//! Reads every document; one bad file never stops the others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use campanile_corpus::Document;
use campanile_ingest::{Finding, IngestOptions, Isolation, Severity};
use rayon::prelude::*;

use crate::build::Plan;
use crate::config::DocumentsConfig;
use crate::{config, console};

/// What came of reading.
pub struct Read {
    /// The documents, ordered by path.
    pub documents: Vec<Document>,
    /// What became of each file, ordered by path.
    pub files: Vec<FileOutcome>,
    /// What was noticed about the folder rather than about one file.
    pub passed_over: Vec<Finding>,
    /// Files that could not be read.
    pub failed: usize,
    /// Remarks about documents that were read.
    pub warnings: usize,
}

/// What became of one file.
pub struct FileOutcome {
    /// Its path in the documents' folder.
    pub path: String,
    /// How many documents it held.
    pub documents: usize,
    /// What was noticed.
    pub findings: Vec<Finding>,
}

/// Reads all documents of the plan's folder, in parallel, in the order of their paths.
pub fn read_all(plan: &Plan, report: &mut dyn FnMut(&Finding)) -> anyhow::Result<Read> {
    let options = options(&plan.config.documents);
    let isolation = isolation(&plan.config.documents)?;
    let mut discovery = campanile_ingest::discover(plan.docs)?;
    let mut findings = std::mem::take(&mut discovery.findings);
    findings.retain(|finding| finding.path() != config::FILE_NAME);
    let paths: Vec<PathBuf> = discovery
        .files
        .into_iter()
        .filter(|path| !excluded(path, &plan.config.documents.exclude))
        .collect();
    let bar = console::counting_bar(paths.len(), "Reading", "documents");
    let results: Vec<_> = paths
        .par_iter()
        .map(|path| {
            let result = isolation.read(plan.docs, path, &options);
            bar.inc(1);
            result
        })
        .collect();
    bar.finish_and_clear();

    let mut documents = Vec::new();
    let mut files = Vec::with_capacity(paths.len());
    for (path, reading) in paths.iter().zip(results) {
        files.push(FileOutcome {
            path: path.to_string_lossy().replace('\\', "/"),
            documents: reading.documents.len(),
            findings: reading.findings,
        });
        documents.extend(reading.documents);
    }
    let all = || findings.iter().chain(files.iter().flat_map(|file| &file.findings));
    all().for_each(|finding| report(finding));
    let of = |severity| all().filter(|finding| finding.severity() == severity).count();
    let (failed, warnings) = (of(Severity::Failure), of(Severity::Warning));
    Ok(Read { documents, files, passed_over: findings, failed, warnings })
}

fn options(config: &DocumentsConfig) -> IngestOptions {
    IngestOptions {
        max_file_bytes: (config.max_file_mb * 1e6) as u64,
        max_text_bytes: (config.max_text_mb * 1e6) as u64,
        ..IngestOptions::default()
    }
}

/// Each file is read by this program, in a process of its own.
fn isolation(config: &DocumentsConfig) -> anyhow::Result<Isolation> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(Isolation {
        command: (program, vec!["read-document".into()]),
        time: Duration::from_secs_f64(config.max_seconds),
        memory_bytes: (config.max_memory_mb * 1e6) as u64,
    })
}

fn excluded(path: &Path, rules: &[String]) -> bool {
    rules.iter().any(|rule| path.starts_with(rule.trim_end_matches('/')))
}
