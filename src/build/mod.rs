//! `campanile build` behind its command line: documents in, a site out.
//!
//! The steps run in one direction and hand plain values on: read, cut into chunks, embed, index,
//! write. Nothing is written into the site's folder before the last step.

mod chunks;
mod documents;
mod embed;
mod language_model;
mod page_encoder;
mod site;
mod vector_cache;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use campanile_ingest::Finding;
use campanile_model_store::InstalledModel;
use serde::Serialize;

use crate::config::Config;

/// What a build needs to know.
pub struct Plan<'a> {
    /// The documents' folder.
    pub docs: &'a Path,
    /// The site's folder.
    pub output: &'a Path,
    /// The settings.
    pub config: &'a Config,
    /// The encoder's files.
    pub encoder: &'a InstalledModel,
    /// The language model's files, where the site ships one.
    pub prose: Option<&'a InstalledModel>,
    /// Embed everything anew.
    pub fresh: bool,
    /// A document that cannot be read fails the build.
    pub strict: bool,
    /// Write the index without the page.
    pub index_only: bool,
}

/// What a build did.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Documents in the site.
    pub documents: usize,
    /// Files that could not be read.
    pub failed: usize,
    /// Remarks about documents that were read.
    pub warnings: usize,
    /// Passages.
    pub chunks: usize,
    /// Passages embedded by this build; the others' vectors were known.
    pub embedded: usize,
    /// Bytes a reader downloads for keyword search: page, module and index, models not counted.
    pub index_bytes: u64,
    /// Bytes of the models a reader may download.
    pub model_bytes: u64,
    /// Seconds for all of it.
    pub seconds: f64,
    /// The site's folder.
    pub site: PathBuf,
}

/// Runs a build; findings about documents go to `report` as they are known.
///
/// # Errors
/// Where there is no document at all, a model cannot be loaded, the site cannot be written, or
/// (with `strict`) a document cannot be read.
pub fn build(plan: &Plan, report: &mut dyn FnMut(&Finding)) -> anyhow::Result<Summary> {
    let started = Instant::now();
    let read = documents::read_all(plan, report)?;
    if read.documents.is_empty() {
        bail!(
            "`{}` holds no document that could be read\n  way out: put Markdown (.md), HTML (.html) \
             or plain text (.txt) files there",
            plan.docs.display()
        );
    }
    if plan.strict && read.failed > 0 {
        bail!(
            "{} could not be read, and --strict was given",
            crate::console::count(read.failed, "document")
        );
    }
    let embedder = embed::Embedder::load(plan.encoder)?;
    let chunked = chunks::cut(&read.documents, &embedder, &plan.config.chunks);
    let vectors = embed::vectors(plan, &embedder, &chunked)?;
    let written = site::write(plan, &embedder, &read.documents, &chunked, &vectors.rows)
        .with_context(|| format!("cannot write the site `{}`", plan.output.display()))?;
    Ok(Summary {
        documents: read.documents.len(),
        failed: read.failed,
        warnings: read.warnings,
        chunks: chunked.len(),
        embedded: vectors.embedded,
        index_bytes: written.index_bytes,
        model_bytes: written.model_bytes,
        seconds: started.elapsed().max(Duration::from_millis(1)).as_secs_f64(),
        site: plan.output.to_owned(),
    })
}
