//! Reads every document; one bad file never stops the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use campanile_corpus::Document;
use campanile_ingest::{Finding, IngestError, IngestOptions, Isolation, Severity};
use rayon::prelude::*;

use crate::build::{Plan, website};
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
    /// Pages of the website that are not there, and why.
    pub not_fetched: Vec<String>,
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

/// A folder that is read.
struct Source {
    root: PathBuf,
    /// Its files, relative to it.
    files: Vec<PathBuf>,
    /// The public addresses of files that have one.
    links: BTreeMap<String, String>,
    /// What stands in front of the paths of its documents.
    prefix: &'static str,
}

/// Reads all documents of the plan's folder and its website, in parallel, in the order of their
/// paths.
pub fn read_all(plan: &Plan, report: &mut dyn FnMut(&Finding)) -> anyhow::Result<Read> {
    let options = options(&plan.config.documents);
    let isolation = isolation(&plan.config.documents)?;
    let (sources, mut findings, not_fetched) = sources(plan)?;
    findings.retain(|finding| finding.path() != config::FILE_NAME);
    let work: Vec<(&Source, &PathBuf)> = sources
        .iter()
        .flat_map(|source| source.files.iter().map(move |path| (source, path)))
        .collect();
    let bar = console::counting_bar(work.len(), "Reading", "files");
    let results: Vec<_> = work
        .par_iter()
        .map(|(source, path)| {
            let result = isolation.read(&source.root, path, &options);
            bar.inc(1);
            result
        })
        .collect();
    bar.finish_and_clear();

    let mut documents = Vec::new();
    let mut files = Vec::with_capacity(work.len());
    for ((source, path), mut reading) in work.into_iter().zip(results) {
        let path = path.to_string_lossy().replace('\\', "/");
        for document in &mut reading.documents {
            document.path.insert_str(0, source.prefix);
            document.link = document.link.take().or_else(|| source.links.get(&path).cloned());
        }
        files.push(FileOutcome {
            path: format!("{}{path}", source.prefix),
            documents: reading.documents.len(),
            findings: reading.findings,
        });
        documents.extend(reading.documents);
    }
    documents.sort_by(|left: &Document, right| left.path.cmp(&right.path));
    let all = || findings.iter().chain(files.iter().flat_map(|file| &file.findings));
    all().for_each(|finding| report(finding));
    let of = |severity| all().filter(|finding| finding.severity() == severity).count();
    let (failed, warnings) = (of(Severity::Failure), of(Severity::Warning));
    Ok(Read { documents, files, passed_over: findings, failed, warnings, not_fetched })
}

/// The folders to read, what was passed over in them, and what of a website is not there.
fn sources(plan: &Plan) -> anyhow::Result<(Vec<Source>, Vec<Finding>, Vec<String>)> {
    let documents = &plan.config.documents;
    let Some(website) = &plan.config.website else {
        let (source, findings) = folder(plan.docs, &documents.exclude)?;
        return Ok((vec![source], findings, Vec::new()));
    };
    let fetched = website::fetched(plan.docs, website)?;
    let (pages, mut findings) = folder(&fetched.folder, &[])?;
    let pages = Source { links: fetched.links, prefix: "website/", ..pages };
    // The folder may hold nothing but the settings.
    let local = match folder(plan.docs, &documents.exclude) {
        Ok((source, more)) => {
            findings.extend(more);
            Some(source)
        }
        Err(IngestError::NoDocuments { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok((local.into_iter().chain([pages]).collect(), findings, fetched.skipped))
}

fn folder(root: &Path, exclude: &[String]) -> Result<(Source, Vec<Finding>), IngestError> {
    let discovery = campanile_ingest::discover(root)?;
    let files = discovery.files.into_iter().filter(|path| !excluded(path, exclude)).collect();
    let root = root.to_owned();
    Ok((Source { root, files, links: BTreeMap::new(), prefix: "" }, discovery.findings))
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
