//! Reads every document; one bad file never stops the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use campanile_corpus::Document;
use campanile_ingest::site::Beside;
use campanile_ingest::{
    Finding, IngestError, IngestOptions, Isolation, Kind, Noticed, Ocr, Reading, RecordRule,
    Severity, site, slashed,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::config::{Config, DocumentsConfig, WebsiteOptions};
use crate::observer::{Observer, Stage};
use crate::written;

/// Documents as they were read, and what came of reading them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Documents {
    /// The documents, ordered by path.
    #[serde(skip)]
    pub documents: Vec<Document>,
    /// Files that describe documents, relative to the documents' folder.
    pub sidecars: Vec<PathBuf>,
    /// The outcome of each file, ordered by path.
    pub files: Vec<FileOutcome>,
    /// Findings about the folder rather than about one file.
    pub passed_over: Vec<Finding>,
    /// Files that could not be read.
    pub failed: usize,
    /// Remarks about documents that were read.
    pub warnings: usize,
    /// Pages of the website that are not there, and why.
    pub not_fetched: Vec<String>,
}

/// The outcome of reading one file.
#[derive(Debug, Serialize, Deserialize)]
pub struct FileOutcome {
    /// Its path in the documents' folder.
    pub path: String,
    /// The number of documents that it held.
    pub documents: usize,
    /// Findings about it.
    pub findings: Vec<Finding>,
}

/// The reason why there are no documents to build from.
#[derive(Debug, Error)]
pub enum DocumentsError {
    /// The folder cannot be read, or holds nothing that can be.
    #[error(transparent)]
    Folder(#[from] IngestError),
    /// The website cannot be fetched.
    #[cfg(feature = "website")]
    #[error("cannot fetch the website in `[website]`")]
    Website(#[from] campanile_website::WebsiteError),
    /// No page of the website could be had; the first reason for it.
    #[error(
        "no page of the website in `[website]` could be had{}\n  \
         way out: look whether the address is right and this machine has a network; what earlier builds fetched is kept",
        .0.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default()
    )]
    NoPage(Option<String>),
    /// There is no folder to keep a website's pages in.
    #[error("no cache folder is known: set HOME or XDG_CACHE_HOME")]
    NoCacheFolder,
    /// Nothing here fetches a website.
    #[error(
        "`[website]` names a website, and this `campanile` was compiled without what fetches one\n  \
         way out: a release has it, and so has `cargo install --path . --features website`"
    )]
    NotCompiled,
    /// No document of this folder could be read.
    #[error("`{}` holds no document that could be read\n  way out: put {} files there", .0.display(), Kind::list())]
    NoneRead(PathBuf),
    /// So many documents could not be read, in a build that wants all of them ([`Plan::strict`](crate::Plan::strict)).
    #[error("{} {} could not be read, and --strict was given", .0, if *.0 == 1 { "document" } else { "documents" })]
    SomeUnread(usize),
}

/// A folder that is read.
struct Source {
    root: PathBuf,
    /// Its files, relative to it.
    files: Vec<PathBuf>,
    /// The public addresses of files that have one.
    links: BTreeMap<String, String>,
    /// The beginning of the paths of its documents.
    prefix: &'static str,
}

impl From<Vec<Document>> for Documents {
    /// Documents that come from elsewhere than a folder's files.
    fn from(documents: Vec<Document>) -> Self {
        let documents = by_path(documents);
        let outcome = |document: &Document| FileOutcome {
            path: document.path.clone(),
            documents: 1,
            findings: Vec::new(),
        };
        Self { files: documents.iter().map(outcome).collect(), documents, ..Self::default() }
    }
}

/// Reads all documents of a folder and of the website that its settings name, in parallel, in the order of their paths.
/// `program` is the one that reads a file in a process of its own, when it is called with `read-document` and calls
/// [`campanile_ingest::serve`]. Without one, files are read in this process, where a bad one can take all the time and memory.
///
/// # Errors
/// Where the folder or the website cannot be read, or there is nothing in them.
pub fn read_all(
    docs: &Path,
    config: &Config,
    program: Option<&Path>,
    observer: &dyn Observer,
) -> Result<Documents, DocumentsError> {
    let options = options(&config.documents, &config.records, docs);
    let isolation = program.map(|program| isolation(&config.documents, program));
    let Sources { folders, sidecars, mut findings, mut laid_beside, not_fetched } =
        sources(docs, config, observer)?;
    findings.retain(|finding| finding.path != crate::config::FILE_NAME);
    let work: Vec<(&Source, &PathBuf)> = folders
        .iter()
        .flat_map(|source| source.files.iter().map(move |path| (source, path)))
        .collect();
    let reading = observer.begin(&Stage::counted("Reading", work.len(), "files"));
    let mut results: Vec<_> = work
        .par_iter()
        .map(|(source, path)| {
            let result = match &isolation {
                Some(isolation) => isolation.read(&source.root, path, &options),
                None => read_here(&source.root, path, &options),
            };
            reading.advance(1);
            result
        })
        .collect();
    drop(reading);

    let taken_in = taken_in(&work, &results);
    let repeats = repeats(&folders, &mut results, &config.documents.include);
    let mut documents = Vec::new();
    let mut files = Vec::with_capacity(work.len());
    for (place, ((source, path), mut reading)) in work.into_iter().zip(results).enumerate() {
        let path = path.to_string_lossy().replace('\\', "/");
        if let Some(kind) = repeats.get(&place) {
            laid_beside.push((format!("{}{path}", source.prefix), *kind));
            continue;
        }
        if let Some(page) = taken_in.get(&(source.prefix, path.clone())) {
            reading.documents.clear();
            let noticed = Noticed::TakenIn(format!("`{page}`"));
            reading.findings = vec![Finding { path: path.clone(), noticed }];
        }
        for document in &mut reading.documents {
            document.path.insert_str(0, source.prefix);
            document.link = document.link.take().or_else(|| source.links.get(&path).cloned());
            if let Some(language) = site::language_of(&path) {
                let stated = document.metadata.entry("language".to_owned());
                stated.or_insert_with(|| language.into());
            }
        }
        files.push(FileOutcome {
            path: format!("{}{path}", source.prefix),
            documents: reading.documents.len(),
            findings: reading.findings,
        });
        documents.extend(reading.documents);
    }
    findings.extend(site::finding(&laid_beside));
    let documents = by_path(documents);
    let all: Vec<&Finding> =
        findings.iter().chain(files.iter().flat_map(|file| &file.findings)).collect();
    observer.findings(&all);
    let of = |severity| all.iter().filter(|finding| finding.severity() == severity).count();
    let (failed, warnings) = (of(Severity::Failure), of(Severity::Warning));
    Ok(Documents {
        documents,
        sidecars,
        files,
        passed_over: findings,
        failed,
        warnings,
        not_fetched,
    })
}

/// The files that say nothing which the other files of their folder do not say, by their places in `results`; the pages
/// that remain get their titles. What the settings name is read.
fn repeats(
    folders: &[Source],
    results: &mut [Reading],
    include: &[String],
) -> BTreeMap<usize, Beside> {
    let mut found = BTreeMap::new();
    let mut start = 0;
    for source in folders {
        let end = start + source.files.len();
        let Some(of_folder) = results.get_mut(start..end) else { continue };
        site::name_pages(of_folder);
        let repeats = site::repeats(&source.root, of_folder).into_iter();
        let is_meant = |(place, _): &(usize, Beside)| {
            source.files.get(*place).is_some_and(|path| !is_named(path, include))
        };
        found.extend(repeats.filter(is_meant).map(|(place, kind)| (start + place, kind)));
        start = end;
    }
    found
}

/// The files whose words stand in other pages, each with the first of those.
fn taken_in(
    work: &[(&Source, &PathBuf)],
    results: &[Reading],
) -> BTreeMap<(&'static str, String), String> {
    let mut taken_in = BTreeMap::new();
    for ((source, path), reading) in work.iter().zip(results) {
        for file in &reading.taken_in {
            let page = path.to_string_lossy().replace('\\', "/");
            // Two pages that take each other in would both be gone.
            if !taken_in.contains_key(&(source.prefix, page.clone())) {
                taken_in.entry((source.prefix, file.clone())).or_insert(page);
            }
        }
    }
    taken_in
}

/// Folders and files to read.
struct Sources {
    folders: Vec<Source>,
    /// Files that describe documents of the documents' folder, relative to it.
    sidecars: Vec<PathBuf>,
    findings: Vec<Finding>,
    /// Files that a generator laid beside its pages, which are not read.
    laid_beside: Vec<(String, Beside)>,
    not_fetched: Vec<String>,
}

fn sources(
    docs: &Path,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Sources, DocumentsError> {
    let mut exclude = config.documents.exclude.clone();
    // They speak to a model, or were made of the documents, and are none themselves.
    let prose = config.prose.prompt.iter().chain(&config.prose.examples);
    let written = config.questions.file.as_deref().map(written::files);
    for file in prose.chain(written.iter().flatten()) {
        let inside = file.strip_prefix(docs).or_else(|_| file.strip_prefix("."));
        exclude.push(inside.unwrap_or(file).to_string_lossy().into_owned());
    }
    let (exclude, include) = (exclude.as_slice(), config.documents.include.as_slice());
    let Some(website) = &config.website else {
        return Ok(folder(docs, exclude, include)?);
    };
    let mut sources = of_website(docs, website, observer)?;
    match folder(docs, exclude, include) {
        Ok(local) => {
            sources.folders.extend(local.folders);
            sources.findings.extend(local.findings);
            sources.laid_beside.extend(local.laid_beside);
            sources.sidecars = local.sidecars;
        }
        // The folder may hold nothing but the settings.
        Err(IngestError::NoDocuments { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(sources)
}

#[cfg(not(feature = "website"))]
fn of_website(_: &Path, _: &WebsiteOptions, _: &dyn Observer) -> Result<Sources, DocumentsError> {
    Err(DocumentsError::NotCompiled)
}

#[cfg(feature = "website")]
fn of_website(
    docs: &Path,
    website: &WebsiteOptions,
    observer: &dyn Observer,
) -> Result<Sources, DocumentsError> {
    let fetched = crate::website::fetched(docs, website, observer)?;
    if fetched.links.is_empty() {
        return Err(DocumentsError::NoPage(fetched.skipped.into_iter().next()));
    }
    let mut sources = folder(&fetched.folder, &[], &[])?;
    sources.not_fetched = fetched.skipped;
    sources.sidecars.clear();
    for pages in &mut sources.folders {
        // Others may lie there that came from an address which the settings had before.
        pages.files.retain(|file| fetched.links.contains_key(&slashed(file)));
        pages.links.clone_from(&fetched.links);
        pages.prefix = "website/";
    }
    Ok(sources)
}

fn folder(root: &Path, exclude: &[String], include: &[String]) -> Result<Sources, IngestError> {
    let discovery = campanile_ingest::discover(root)?;
    let is_included = |path: &PathBuf| !is_named(path, exclude);
    let mut files: Vec<PathBuf> = discovery.files.into_iter().filter(is_included).collect();
    let mut laid_beside = site::laid_beside(root, &files);
    laid_beside.retain(|(path, _)| !is_named(path, include));
    let is_beside: BTreeSet<&PathBuf> = laid_beside.iter().map(|(path, _)| path).collect();
    files.retain(|path| !is_beside.contains(path));
    let source = Source { root: root.to_owned(), files, links: BTreeMap::new(), prefix: "" };
    Ok(Sources {
        folders: vec![source],
        sidecars: discovery.sidecars.into_iter().filter(is_included).collect(),
        findings: discovery.findings,
        laid_beside: laid_beside.into_iter().map(|(path, kind)| (slashed(&path), kind)).collect(),
        not_fetched: Vec::new(),
    })
}

fn options(config: &DocumentsConfig, records: &[RecordRule], root: &Path) -> IngestOptions {
    IngestOptions {
        records: records.to_vec(),
        max_file_bytes: (config.max_file_mb * 1e6) as u64,
        max_text_bytes: (config.max_text_mb * 1e6) as u64,
        max_inflated_bytes: (config.max_inflated_mb * 1e6) as u64,
        max_pages: config.max_pages,
        ocr: config.ocr.then(|| Ocr { languages: config.ocr_languages.clone(), ..Ocr::default() }),
        anchors: config.anchors.rule(root),
        mail_signatures: config.mail_signatures,
    }
}

fn isolation(config: &DocumentsConfig, program: &Path) -> Isolation {
    Isolation {
        command: (program.to_owned(), vec!["read-document".into()]),
        time: Duration::from_secs_f64(config.max_seconds),
        memory_bytes: (config.max_memory_mb * 1e6) as u64,
    }
}

fn by_path(mut documents: Vec<Document>) -> Vec<Document> {
    documents.sort_by(|left, right| left.path.cmp(&right.path));
    documents
}

fn read_here(root: &Path, path: &Path, options: &IngestOptions) -> Reading {
    campanile_ingest::read(root, path, options).unwrap_or_else(|error| Reading {
        findings: vec![Finding::failed(slashed(path), &error)],
        ..Reading::default()
    })
}

/// Returns `true` for a file that settings name, or that is in a folder they name.
fn is_named(path: &Path, rules: &[String]) -> bool {
    rules.iter().any(|rule| path.starts_with(rule.trim_end_matches('/')))
}
