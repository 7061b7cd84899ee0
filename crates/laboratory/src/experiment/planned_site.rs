//! The site that a configuration asks for, before it is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use campanile_build::Plan;
use campanile_build::config::{self, Config};
use campanile_corpus::Granularity;
use campanile_eval::plan::{PlannedConfiguration, PlannedSet};
use campanile_ingest::Severity;
use campanile_model_store::{InstalledModel, Store};
use campanile_terminal::models::find_or_fetch;
use campanile_terminal::watching::{Watching, this_program};

use super::fingerprint;

/// What a site is built with.
pub struct Models {
    encoder: InstalledModel,
    prose: Option<InstalledModel>,
    writer: Option<InstalledModel>,
}

/// A site of some documents, with the settings of a configuration over their own.
pub struct PlannedSite<'a> {
    /// Where it lies once it is built; the name follows from documents and settings.
    pub folder: PathBuf,
    documents: &'a Path,
    config: Config,
}

impl<'a> PlannedSite<'a> {
    /// The site of documents whose fingerprint is `content`, below `work`, with the language model `prose` if one is to
    /// write.
    ///
    /// # Errors
    /// Where the settings make no sense.
    pub fn new(
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
            fingerprint::of(&[version.as_bytes(), content.as_bytes(), settings.as_bytes()]);
        let folder = work.join("sites").join(format!("{}-{fingerprint}", set.name));
        Ok(Self { folder, documents, config })
    }

    /// Whether an earlier run has built it.
    pub fn is_there(&self) -> bool {
        self.folder.join("campanile.json").exists()
    }

    /// The encoder, the model that writes prose and the one that writes propositions, if they do.
    ///
    /// # Errors
    /// Where one is not known, or is not here and cannot be fetched.
    pub fn models(&self) -> anyhow::Result<Models> {
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
    pub fn build(&self) -> anyhow::Result<()> {
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
