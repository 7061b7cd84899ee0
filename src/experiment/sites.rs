//! The sites that questions are asked of, built where they are not there yet.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use campanile_corpus::Granularity;
use campanile_eval::plan::{PlannedConfiguration, PlannedSet, Source};
use campanile_ingest::Severity;
use campanile_model_store::Store;
use campanile_text::Language;

use super::fingerprint;
use crate::build::{self, Plan};
use crate::commands::model::find_or_fetch;
use crate::config;

/// A site that is there.
pub struct Site {
    /// Where it lies.
    pub folder: PathBuf,
    /// A name for all that its answers depend on.
    pub fingerprint: String,
    /// The language of its documents.
    pub language: Language,
}

/// The site of a set in the way of a configuration; built if it is not there yet.
///
/// # Errors
/// Where the documents are not there, the settings make no sense, or the build fails.
pub fn provide(
    set: &PlannedSet,
    configuration: &PlannedConfiguration,
    parts: &BTreeSet<Granularity>,
    work: &Path,
) -> anyhow::Result<Site> {
    match &set.source {
        Source::Site(folder) => there(folder),
        Source::Documents(documents) => built(set, documents, configuration, parts, work),
    }
}

fn there(folder: &Path) -> anyhow::Result<Site> {
    let path = folder.join("campanile.json");
    let manifest =
        std::fs::read(&path).with_context(|| format!("`{}` holds no site", folder.display()))?;
    let read = campanile_bundle::Manifest::decode(&manifest)?;
    Ok(Site {
        folder: folder.to_owned(),
        fingerprint: fingerprint::of(&[&manifest]),
        language: read.analyzer,
    })
}

fn built(
    set: &PlannedSet,
    documents: &Path,
    configuration: &PlannedConfiguration,
    parts: &BTreeSet<Granularity>,
    work: &Path,
) -> anyhow::Result<Site> {
    if !documents.is_dir() {
        bail!("`{}` is no folder", documents.display());
    }
    let mut overrides = configuration.settings.build.clone();
    let names: Vec<toml::Value> =
        parts.iter().map(toml::Value::try_from).collect::<Result<_, _>>()?;
    if !names.is_empty() {
        let chunks = overrides.entry("chunks").or_insert_with(|| toml::Table::new().into());
        if let toml::Value::Table(chunks) = chunks {
            chunks.entry("parts").or_insert_with(|| names.into());
        }
    }
    let (config, settings) = config::load_with(documents, &overrides)?;
    let version = env!("CARGO_PKG_VERSION");
    let content = fingerprint::of_folder(documents)?;
    let fingerprint =
        fingerprint::of(&[version.as_bytes(), content.as_bytes(), settings.as_bytes()]);
    let folder = work.join("sites").join(format!("{}-{fingerprint}", set.name));
    if folder.join("campanile.json").exists() {
        return there(&folder);
    }
    eprintln!("Building the site of `{}` for `{}`", set.name, configuration.name);
    let store = Store::open(None)?;
    let encoder = find_or_fetch(&store, &config.encoder.model)?;
    let writer = config.propositions.by_model();
    let writer = writer.map(|name| find_or_fetch(&store, name)).transpose()?;
    std::fs::create_dir_all(work.join("sites"))
        .with_context(|| format!("cannot create {}", work.display()))?;
    let plan = Plan {
        docs: documents,
        output: &folder,
        config: &config,
        encoder: &encoder,
        prose: None,
        writer: writer.as_ref(),
        fresh: false,
        strict: false,
        index_only: true,
        report: None,
    };
    build::build(&plan, &mut |finding| {
        if finding.severity() == Severity::Failure {
            eprintln!("not read: {finding}");
        }
    })?;
    there(&folder)
}
