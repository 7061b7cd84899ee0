//! The offline pipeline: documents in, a static site out.
//!
//! A site is a folder of files that answers questions by itself, in a browser, without a server. This crate writes one. It reads
//! the documents, leaves out noise, cuts them into passages, folds those that say the same, embeds them, learns what searches
//! them before the encoder is there, indexes them, and writes index, models and page. The steps run in one direction and hand
//! plain values on; nothing is written into the site's folder before the last step. The same documents, settings and models
//! give the same bytes.
//!
//! [`build`] does all of it for a folder, as `campanile build` does. [`assemble`] begins with documents that come from elsewhere,
//! which is what a documentation tool's plugin wants (`examples/build_site.rs`). [`parts`] has other machines embed. An [`Observer`] is told what happens.
//!
//! A [`BuildError`] is of a kind: settings, documents, a model, the device, the site. Its message says what is wrong, most with
//! the way out, and its sources say why; print them all. Settings that cannot be read are a [`config::ConfigError`].
//!
//! # Example
//!
//! Settings are read as `campanile.toml` has them. A key that is not known is an error with its line.
//!
//! ```
//! use campanile_build::config::Config;
//!
//! let config: Config = toml::from_str("[site]\ntitle = \"Ask the handbook\"\n")?;
//! assert_eq!(config.site.title, "Ask the handbook");
//! assert!(toml::from_str::<Config>("[site]\ntitel = \"Ask\"\n").is_err());
//! # Ok::<(), toml::de::Error>(())
//! ```

pub mod campus;
mod chat_model;
pub mod config;
mod device;
pub mod documents;
mod embed;
mod error;
pub mod instant;
mod kept;
pub mod language_model;
mod late;
pub mod metadata;
pub mod model_source;
mod observer;
mod originals;
mod page;
mod page_encoder;
mod pair_models;
pub mod parts;
mod pipeline;
mod propositions;
mod quality;
mod report;
pub mod single_file;
mod site;
mod units;
#[cfg(feature = "website")]
mod website;
pub mod written;

use std::path::{Path, PathBuf};
use std::time::Instant;

use campanile_bundle::EmbeddingDevice;
use campanile_model_store::InstalledModel;
use serde::Serialize;

use crate::config::Config;
use crate::documents::{Documents, DocumentsError};
use crate::parts::BroughtVectors;
use pipeline::Machine;

pub use chat_model::{ChatModel, Written, write_phrasings};
pub use device::DeviceError;
pub use error::{BuildError, LearningError, LoadError};
pub use observer::{Observer, Progress, Silent, Stage};
pub use page::Page;
pub use propositions::PropositionError;
pub use report::{ReportError, STYLE as REPORT_STYLE, Triage, Triaged};
pub use site::SiteError;

/// The documents, settings and models of a build, and where its results go.
pub struct Plan<'a> {
    /// The documents' folder: paths in the settings start there, and what builds keep for the next one is kept by its name.
    pub docs: &'a Path,
    /// The site's folder.
    pub output: &'a Path,
    /// The settings.
    pub config: &'a Config,
    /// The encoder's files.
    pub encoder: &'a InstalledModel,
    /// The language model's files, where the site ships one.
    pub prose: Option<&'a InstalledModel>,
    /// The language model that helps to write propositions, where one does.
    pub writer: Option<&'a InstalledModel>,
    /// Embed everything anew, and ask the language model anew.
    pub fresh: bool,
    /// A document that cannot be read fails the build.
    pub strict: bool,
    /// The page; without it the index is written alone.
    pub page: Option<Page<'a>>,
    /// Folder to write the report into.
    pub report: Option<&'a Path>,
    /// Vectors that were computed elsewhere: with them nothing is embedded here, and a text without one is an error.
    pub vectors: Option<&'a BroughtVectors>,
    /// The program that reads a file in a process of its own ([`documents::read_all`]).
    pub file_program: Option<&'a Path>,
    /// Is told what happens.
    pub observer: &'a dyn Observer,
}

impl<'a> Plan<'a> {
    /// The plan of an index without page and language model, for the documents of `docs`. Nobody is told what happens, and files
    /// are read in this process.
    pub fn new(
        docs: &'a Path,
        output: &'a Path,
        config: &'a Config,
        encoder: &'a InstalledModel,
    ) -> Self {
        Self {
            docs,
            output,
            config,
            encoder,
            prose: None,
            writer: None,
            fresh: false,
            strict: false,
            page: None,
            report: None,
            vectors: None,
            file_program: None,
            observer: &Silent,
        }
    }
}

/// The counts and times of a build that has been done.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Documents in the site.
    pub documents: usize,
    /// Files that could not be read.
    pub failed: usize,
    /// Remarks about documents that were read.
    pub warnings: usize,
    /// Things that look wrong about the documents' metadata: `campanile lint` names them.
    pub metadata_mistakes: usize,
    /// Passages.
    pub chunks: usize,
    /// Sentences, list items and table rows of the passages.
    pub sentences: usize,
    /// Statements made from the passages.
    pub propositions: usize,
    /// Questions of FAQs and written ones, each found beside its answer.
    pub questions: usize,
    /// Those of them that were written at the desk.
    pub written_questions: usize,
    /// Written questions that rest on text which the documents no longer have, each after its document's path.
    pub stale_questions: Vec<(String, String)>,
    /// Those of the propositions that a language model wrote.
    pub propositions_by_model: usize,
    /// Pieces of text left out as noise.
    pub dropped: usize,
    /// Passages that others stand for.
    pub folded: usize,
    /// Documents that newer editions replace.
    pub replaced: usize,
    /// Texts embedded by this build; the others' vectors were known.
    pub embedded: usize,
    /// Seconds for that.
    pub embedding_seconds: f64,
    /// The device that computed the vectors, where it was not the processor.
    pub embedded_on: Option<EmbeddingDevice>,
    /// The search by meaning before the encoder is there, or why there is none.
    pub instant: instant::Outcome,
    /// Bytes a reader downloads for keyword search: page, module and index, models not counted.
    pub index_bytes: u64,
    /// Bytes of the models a reader may download.
    pub model_bytes: u64,
    /// Original files that are published with the site.
    pub originals: usize,
    /// Their bytes.
    pub original_bytes: u64,
    /// Seconds for all of it.
    pub seconds: f64,
    /// The site's folder.
    pub site: PathBuf,
    /// The report's folder.
    pub report: Option<PathBuf>,
}

/// Reads the documents of the plan's folder and builds their site.
///
/// # Errors
/// Where there is no document at all, a model cannot be loaded, the site cannot be written, or
/// (with `strict`) a document cannot be read.
pub fn build(plan: &Plan) -> Result<Summary, BuildError> {
    let started = Instant::now();
    // First, so that who asks for a graphics card and has none knows it before a website is fetched.
    let machine = Machine::start(plan)?;
    let read = read(plan)?;
    machine.assemble(read, started)
}

/// Reads the documents of the plan's folder; none at all is an error.
fn read(plan: &Plan) -> Result<Documents, BuildError> {
    let read = documents::read_all(plan.docs, plan.config, plan.file_program, plan.observer)?;
    if read.documents.is_empty() {
        return Err(DocumentsError::NoneRead(plan.docs.to_owned()).into());
    }
    if plan.strict && read.failed > 0 {
        return Err(DocumentsError::SomeUnread(read.failed).into());
    }
    Ok(read)
}

/// Builds the site of documents that were read elsewhere.
///
/// # Errors
/// Where a model cannot be loaded or the site cannot be written.
pub fn assemble(plan: &Plan, documents: Documents) -> Result<Summary, BuildError> {
    let started = Instant::now();
    Machine::start(plan)?.assemble(documents, started)
}
