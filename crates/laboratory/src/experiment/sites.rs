//! The sites that questions are asked of: planned from documents and settings, and built where they are not there yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, bail};
use campanile_build::config::Config;
use campanile_build::{Plan, config};
use campanile_bundle::{MANIFEST_PATH, Manifest};
use campanile_corpus::Granularity;
use campanile_eval::SitePassages;
use campanile_eval::plan::{Answers, PlannedConfiguration, PlannedSet, Source};
use campanile_ingest::Severity;
use campanile_model_store::{InstalledModel, Store};
use campanile_terminal::console::{Watching, this_program};
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::site::SiteEngine;
use campanile_terminal::tell;
use campanile_text::Language;
use futures_lite::future::block_on;

use super::{fingerprint_of, fingerprint_of_folder};

/// A site that is there.
pub(crate) struct Site {
    /// The folder that it lies in.
    pub(crate) folder: PathBuf,
    /// A name for all that its answers depend on.
    pub(crate) fingerprint: String,
    /// The language of its documents.
    pub(crate) language: Language,
    passages: Mutex<Option<Arc<SitePassages>>>,
}

impl Site {
    /// Its passages, read by the first worker that asks and shared by all, whatever the configuration.
    ///
    /// # Errors
    /// Where a part of the site is damaged.
    pub(crate) fn passages(&self, engine: &SiteEngine) -> anyhow::Result<Arc<SitePassages>> {
        let mut kept = self.passages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(passages) = &*kept {
            return Ok(Arc::clone(passages));
        }
        let passages = Arc::new(block_on(SitePassages::read(engine))?);
        *kept = Some(Arc::clone(&passages));
        Ok(passages)
    }
}

/// The sites of one experiment. What several configurations share is looked at once.
pub(crate) struct Sites<'a> {
    /// The folder that keeps what is built.
    work: &'a Path,
    /// Who writes prose.
    language_model: &'a str,
    /// The fingerprints of folders of documents.
    documents: BTreeMap<PathBuf, String>,
    /// Sites by their folders.
    open: BTreeMap<PathBuf, Rc<Site>>,
}

impl<'a> Sites<'a> {
    /// None yet; what is built is kept under `work`. Sites for prose bring the model of this name.
    pub(crate) fn new(work: &'a Path, language_model: &'a str) -> Self {
        Self { work, language_model, documents: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// The site of a set in the way of a configuration; built if it is not there yet.
    ///
    /// # Errors
    /// Where the documents are not there, the settings make no sense, or the build fails.
    pub(crate) fn provide(
        &mut self,
        set: &PlannedSet,
        configuration: &PlannedConfiguration,
        parts: &BTreeSet<Granularity>,
    ) -> anyhow::Result<Rc<Site>> {
        let folder = match &set.source {
            Source::Site(folder) => folder.clone(),
            Source::Documents(documents) => {
                let planned = self.planned(set, documents, configuration, parts)?;
                if !planned.is_there() {
                    tell!("Building the site of `{}` for `{}`", set.name, configuration.name);
                    planned.build()?;
                }
                planned.folder
            }
        };
        if let Some(open) = self.open.get(&folder) {
            return Ok(Rc::clone(open));
        }
        let site = Rc::new(there(&folder)?);
        self.open.insert(folder, Rc::clone(&site));
        Ok(site)
    }

    /// Checks that a configuration makes sense, as far as can be told without building anything: what is wrong
    /// with the last of them is to be said before hours have gone into the others.
    ///
    /// # Errors
    /// Where the site or the documents are not there, the settings make no sense, or a model is not known.
    pub(crate) fn check(
        &mut self,
        set: &PlannedSet,
        configuration: &PlannedConfiguration,
        parts: &BTreeSet<Granularity>,
    ) -> anyhow::Result<()> {
        match &set.source {
            Source::Site(folder) => drop(there(folder)?),
            Source::Documents(documents) => {
                let planned = self.planned(set, documents, configuration, parts)?;
                if !planned.is_there() {
                    planned.models()?;
                }
            }
        }
        Ok(())
    }

    fn planned<'d>(
        &mut self,
        set: &PlannedSet,
        documents: &'d Path,
        configuration: &PlannedConfiguration,
        parts: &BTreeSet<Granularity>,
    ) -> anyhow::Result<PlannedSite<'d>> {
        let content = self.content(documents)?;
        let prose =
            (configuration.settings.answers == Some(Answers::Prose)).then_some(self.language_model);
        PlannedSite::new(set, documents, &content, configuration, parts, prose, self.work)
    }

    /// The fingerprint of a folder of documents.
    fn content(&mut self, documents: &Path) -> anyhow::Result<String> {
        if let Some(known) = self.documents.get(documents) {
            return Ok(known.clone());
        }
        if !documents.is_dir() {
            bail!("`{}` is no folder", documents.display());
        }
        let content = fingerprint_of_folder(documents)?;
        self.documents.insert(documents.to_owned(), content.clone());
        Ok(content)
    }
}

fn there(folder: &Path) -> anyhow::Result<Site> {
    let manifest = std::fs::read(folder.join(MANIFEST_PATH))
        .with_context(|| format!("`{}` holds no site", folder.display()))?;
    let read = Manifest::decode(&manifest)?;
    Ok(Site {
        folder: folder.to_owned(),
        fingerprint: fingerprint_of(&[&manifest]),
        language: read.analyzer,
        passages: Mutex::default(),
    })
}

/// The models that a site is built with.
pub(crate) struct Models {
    encoder: InstalledModel,
    prose: Option<InstalledModel>,
    writer: Option<InstalledModel>,
}

/// A site of some documents, with the settings of a configuration over their own.
pub(crate) struct PlannedSite<'a> {
    /// The folder that it lies in once it is built; the name follows from documents and settings.
    pub(crate) folder: PathBuf,
    documents: &'a Path,
    config: Config,
}

impl<'a> PlannedSite<'a> {
    /// The site of documents whose fingerprint is `content`, below `work`, with the language model `prose` if one is to
    /// write.
    ///
    /// # Errors
    /// Where the settings make no sense.
    pub(crate) fn new(
        set: &PlannedSet,
        documents: &'a Path,
        content: &str,
        configuration: &PlannedConfiguration,
        parts: &BTreeSet<Granularity>,
        prose: Option<&str>,
        work: &Path,
    ) -> anyhow::Result<Self> {
        let overrides = with_parts(&configuration.settings.build, parts)?;
        let mut config = config::load_with(documents, &overrides)?;
        config.prose.model = prose.map(str::to_owned);
        // All settings, those too that nobody wrote down: a default may change from one version to the next.
        let settings = format!("{config:?}");
        let version = env!("CARGO_PKG_VERSION");
        let fingerprint =
            fingerprint_of(&[version.as_bytes(), content.as_bytes(), settings.as_bytes()]);
        let folder = work.join("sites").join(format!("{}-{fingerprint}", set.name));
        Ok(Self { folder, documents, config })
    }

    /// Returns `true` if an earlier run has built it.
    pub(crate) fn is_there(&self) -> bool {
        self.folder.join(MANIFEST_PATH).exists()
    }

    /// The encoder, the model that writes prose and the one that writes propositions, if they do.
    ///
    /// # Errors
    /// Where one is not known, or is not here and cannot be fetched.
    pub(crate) fn models(&self) -> anyhow::Result<Models> {
        let store = Store::open(None)?;
        let encoder = find_or_fetch(&store, &self.config.encoder.model)?;
        let writer = self.config.propositions.by_model();
        let [prose, writer] = [self.config.prose.model.as_deref(), writer]
            .map(|name| name.map(|name| find_or_fetch(&store, name)).transpose());
        Ok(Models { encoder, prose: prose?, writer: writer? })
    }

    /// Builds it.
    ///
    /// # Errors
    /// Where a model is missing or the build fails.
    pub(crate) fn build(&self) -> anyhow::Result<()> {
        let Models { encoder, prose, writer } = self.models()?;
        if let Some(sites) = self.folder.parent() {
            std::fs::create_dir_all(sites)
                .with_context(|| format!("cannot create {}", sites.display()))?;
        }
        let plan = Plan {
            prose: prose.as_ref(),
            writer: writer.as_ref(),
            file_program: Some(&this_program()?),
            observer: &Watching { from: Severity::Failure },
            ..Plan::new(self.documents, &self.folder, &self.config, &encoder)
        };
        campanile_build::build(&plan)?;
        Ok(())
    }
}

/// The settings of a configuration with the smaller units that other configurations need of the site,
/// unless it names its own.
fn with_parts(build: &toml::Table, parts: &BTreeSet<Granularity>) -> anyhow::Result<toml::Table> {
    let mut overrides = build.clone();
    let names: Vec<toml::Value> =
        parts.iter().map(toml::Value::try_from).collect::<Result<_, _>>()?;
    if !names.is_empty() {
        let chunks = overrides.entry("chunks").or_insert_with(|| toml::Table::new().into());
        if let toml::Value::Table(chunks) = chunks {
            chunks.entry("parts").or_insert_with(|| names.into());
        }
    }
    Ok(overrides)
}
