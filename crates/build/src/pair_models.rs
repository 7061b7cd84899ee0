//! The models that read two texts at once, for the page: reader, reranker, checker.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use campanile_bundle::{BundleWriter, Digest, ModelEntry};
use campanile_model::quantize::{Precision, SHARD_BYTES};
use campanile_model::{Adapter, AdapterTask, QueryAdapter};
use campanile_model_store::Store;
use campanile_retrieve::{ADAPTER_FILE, LOW_RANK, PairTask};

use crate::config::ModelChoice;
use crate::model_source::{ModelSource, licence};
use crate::{Plan, page_encoder};

/// An adapter that comes with the command.
struct BuiltIn {
    task: PairTask,
    bytes: &'static [u8],
    licence: &'static str,
}

/// Made by `training/`, which says of each what it learned from and how well it does.
const BUILT_IN: [BuiltIn; 2] = [
    BuiltIn {
        task: PairTask::Reader,
        bytes: include_bytes!("../../../training/adapters/reader.safetensors"),
        licence: "CC-BY-SA-4.0",
    },
    BuiltIn {
        task: PairTask::Checker,
        bytes: include_bytes!("../../../training/adapters/checker.safetensors"),
        licence: "CC-BY-SA-4.0",
    },
];

/// Whose data the adapters that come with the command learned from, and under which licences.
pub const ATTRIBUTION: &str = include_str!("../../../training/adapters/LICENCES.txt");

/// A model for the page.
pub struct PairModelFiles {
    /// What it is for.
    pub task: PairTask,
    /// What it is called.
    pub name: String,
    /// Its licence, as far as it is known.
    pub licence: String,
    /// What its licence asks to be said wherever it is passed on.
    pub attribution: Option<&'static str>,
    architecture: String,
    files: Vec<(String, Cow<'static, [u8]>)>,
}

impl PairModelFiles {
    /// Writes its files into the site.
    pub fn add(&self, writer: &mut BundleWriter) -> anyhow::Result<ModelEntry> {
        let about = [self.name.as_str(), &self.architecture, &self.licence];
        Ok(writer.add_model(about, self.files.clone())?)
    }
}

/// The models that the settings name.
///
/// # Errors
/// Where one that was named by its path cannot be read, is for another task, or changes another encoder than
/// the site's. One that comes with the command and does not fit the encoder is left out.
pub fn chosen(plan: &Plan) -> anyhow::Result<Vec<PairModelFiles>> {
    let mut models = Vec::new();
    for task in PairTask::ALL {
        let found = match plan.config.models.of(task) {
            ModelChoice::None => None,
            ModelChoice::BuiltIn => built_in(plan, task)?,
            ModelChoice::Path(path) => Some(
                at_path(plan, task, &plan.docs.join(path))
                    .with_context(|| format!("`models.{task}` is `{}`", path.display()))?,
            ),
        };
        models.extend(found);
    }
    Ok(models)
}

fn built_in(plan: &Plan, task: PairTask) -> anyhow::Result<Option<PairModelFiles>> {
    let Some(found) = BUILT_IN.iter().find(|known| known.task == task) else { return Ok(None) };
    let fits = fits(plan, Adapter::read(found.bytes)?.trunk());
    Ok(fits.then(|| PairModelFiles {
        attribution: Some(ATTRIBUTION),
        ..adapter(task, found.bytes.into(), found.licence)
    }))
}

fn at_path(plan: &Plan, task: PairTask, path: &Path) -> anyhow::Result<PairModelFiles> {
    if path.is_dir() {
        return published(task, path);
    }
    let (bytes, read) = read_adapter(task, path)?;
    check_encoder(plan, read.trunk(), path)?;
    Ok(adapter(task, bytes.into(), "not stated"))
}

/// The file at `path`, which holds an adapter for this task.
fn read_adapter(task: PairTask, path: &Path) -> anyhow::Result<(Vec<u8>, Adapter)> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let read = Adapter::read(&bytes)
        .with_context(|| format!("`{}` is no adapter that can be used", path.display()))?;
    if task_of(read.task()) != task {
        bail!("the adapter `{}` is a {}", path.display(), task_of(read.task()));
    }
    Ok((bytes, read))
}

fn adapter(task: PairTask, bytes: Cow<'static, [u8]>, licence: &str) -> PairModelFiles {
    PairModelFiles {
        task,
        name: format!("campanile-{task}"),
        licence: licence.to_owned(),
        attribution: None,
        architecture: LOW_RANK.to_owned(),
        files: vec![(ADAPTER_FILE.to_owned(), bytes)],
    }
}

/// A model of its own, from a folder as its authors publish it, or an encoder with the adapter that belongs to it.
fn published(task: PairTask, folder: &Path) -> anyhow::Result<PairModelFiles> {
    let store = Store::open(None)?;
    let (path, source) = ModelSource::open(folder, &store)?;
    let model = source.published()?;
    let mut files = Vec::new();
    let own = own_adapter(task, &path)?;
    // An encoder that a reader brings along has the form that the site's own has.
    let precision = if own.is_some() { page_encoder::PRECISION } else { Precision::INT8 };
    model.write(precision, SHARD_BYTES, |name, content| {
        files.push((name.to_owned(), Cow::Owned(content)));
        anyhow::Ok(())
    })?;
    files.extend(own);
    Ok(PairModelFiles {
        task,
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        licence: licence(&path, &source, &store).unwrap_or_else(|| "not stated".to_owned()),
        attribution: None,
        architecture: model.architecture,
        files,
    })
}

/// The adapter beside an encoder's files, where there is one.
fn own_adapter(
    task: PairTask,
    folder: &Path,
) -> anyhow::Result<Option<(String, Cow<'static, [u8]>)>> {
    let path = folder.join(ADAPTER_FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let (bytes, adapter) = read_adapter(task, &path)?;
    let weights = folder.join("model.safetensors");
    let found =
        fs::read(&weights).with_context(|| format!("cannot read `{}`", weights.display()))?;
    if Digest::of(&found).to_string() != adapter.trunk() {
        bail!(
            "the adapter `{}` changes another encoder than the one beside it\n  way out: export both again, \
             see training/README.md",
            path.display()
        );
    }
    Ok(Some((ADAPTER_FILE.to_owned(), Cow::Owned(bytes))))
}

/// Returns `true` if an adapter of this trunk changes the site's encoder.
pub fn fits(plan: &Plan, trunk: &str) -> bool {
    plan.encoder.weights_sha256() == Some(trunk)
}

/// Fails where the adapter at `path`, of this trunk, changes another encoder than the site's.
pub fn check_encoder(plan: &Plan, trunk: &str, path: &Path) -> anyhow::Result<()> {
    if !fits(plan, trunk) {
        bail!(
            "the adapter `{}` changes another encoder than `{}`\n  way out: train it anew for this one, \
             see training/README.md",
            path.display(),
            plan.encoder.name
        );
    }
    Ok(())
}

fn task_of(task: AdapterTask) -> PairTask {
    match task {
        AdapterTask::Reader => PairTask::Reader,
        AdapterTask::Reranker => PairTask::Reranker,
        AdapterTask::Checker => PairTask::Checker,
    }
}

/// Made by `training/`, as those of [`pair_models`](crate::pair_models) are.
const QUERY_ADAPTER: &[u8] = include_bytes!("../../../training/adapters/query.safetensors");

/// The adapter of a site. A build embeds passages and needs no more of it than its file.
pub struct QueryAdapterFile {
    /// The file, which was read once.
    pub bytes: Cow<'static, [u8]>,
    /// Its licence, as far as it is known.
    pub licence: &'static str,
    /// What its licence asks to be said wherever it is passed on.
    pub attribution: Option<&'static str>,
}

/// The adapter that the settings name.
///
/// # Errors
/// Where one that was named by its path cannot be read or changes another encoder than the site's. The one that comes with
/// the command is left out where it does not fit the encoder.
pub fn query_adapter(plan: &Plan) -> anyhow::Result<Option<QueryAdapterFile>> {
    let path = match &plan.config.encoder.query_adapter {
        ModelChoice::None => return Ok(None),
        ModelChoice::BuiltIn => {
            let fits = fits(plan, QueryAdapter::read(QUERY_ADAPTER)?.trunk());
            return Ok(fits.then(|| QueryAdapterFile {
                bytes: QUERY_ADAPTER.into(),
                licence: "Apache-2.0",
                attribution: Some(ATTRIBUTION),
            }));
        }
        ModelChoice::Path(path) => plan.docs.join(path),
    };
    let read = || -> anyhow::Result<QueryAdapterFile> {
        let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let adapter = QueryAdapter::read(&bytes)
            .with_context(|| format!("`{}` is no adapter that can be used", path.display()))?;
        check_encoder(plan, adapter.trunk(), &path)?;
        Ok(QueryAdapterFile { bytes: bytes.into(), licence: "not stated", attribution: None })
    };
    read().map(Some).context("`encoder.query_adapter` cannot be had")
}
