//! The models that read two texts at once, for the page: reader, reranker, checker.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use campanile_bundle::{BundleWriter, Digest, ModelEntry, WriteError};
use campanile_model::quantize::{AdapterBits, Precision, SHARD_BYTES, Storage, smaller_adapter};
use campanile_model::{Adapter, AdapterTask, ModelError, Side, SideAdapter};
use campanile_model_store::Store;
use campanile_retrieve::{ADAPTER_FILE, LOW_RANK, PairTask};

use crate::config::ModelChoice;
use crate::model_source::{ModelSource, licence};
use crate::{LoadError, Plan};

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

/// The bits of an adapter's values in the page (docs/concepts/neural-core.md).
const ADAPTER_BITS: AdapterBits = AdapterBits::Eight;

/// A model for the page.
pub struct PairModelFiles {
    /// The task that it is for.
    pub task: PairTask,
    /// The model's name.
    pub name: String,
    /// Its licence, as far as it is known.
    pub licence: String,
    /// The sentence that its licence asks for wherever it is passed on.
    pub attribution: Option<&'static str>,
    architecture: String,
    files: Vec<File>,
}

/// A file's name and content.
type File = (String, Cow<'static, [u8]>);

impl PairModelFiles {
    /// Writes its files into the site.
    pub fn add(&self, writer: &mut BundleWriter) -> Result<ModelEntry, WriteError> {
        let about = [self.name.as_str(), &self.architecture, &self.licence];
        writer.add_model(about, self.files.clone())
    }
}

/// The models that the settings name.
///
/// # Errors
/// Where one that was named by its path cannot be read, is for another task, or changes another encoder than
/// the site's. One that comes with the command and does not fit the encoder is left out.
pub fn chosen(plan: &Plan) -> Result<Vec<PairModelFiles>, LoadError> {
    let mut models = Vec::new();
    for task in PairTask::ALL {
        let found = match plan.config.models.of(task) {
            ModelChoice::None => None,
            ModelChoice::BuiltIn => built_in(plan, task)?,
            ModelChoice::Path(path) => {
                let found = at_path(plan, task, &plan.docs.join(path));
                let about = format!("`models.{task}` is `{}`", path.display());
                Some(found.map_err(|error| error.of(about))?)
            }
        };
        models.extend(found);
    }
    Ok(models)
}

fn built_in(plan: &Plan, task: PairTask) -> Result<Option<PairModelFiles>, ModelError> {
    let Some(found) = BUILT_IN.iter().find(|known| known.task == task) else { return Ok(None) };
    if !fits(plan, Adapter::read(found.bytes)?.trunk()) {
        return Ok(None);
    }
    let files = adapter(task, found.bytes, found.licence)?;
    Ok(Some(PairModelFiles { attribution: Some(ATTRIBUTION), ..files }))
}

fn at_path(plan: &Plan, task: PairTask, path: &Path) -> Result<PairModelFiles, LoadError> {
    if path.is_dir() {
        return published(task, path);
    }
    let (bytes, read) = read_adapter(task, path)?;
    check_encoder(plan, read.trunk(), path)?;
    Ok(adapter(task, &bytes, "not stated")?)
}

/// The file at `path`, which holds an adapter for this task.
fn read_adapter(task: PairTask, path: &Path) -> Result<(Vec<u8>, Adapter), LoadError> {
    let (bytes, adapter) = adapter_file(path, Adapter::read)?;
    match task_of(adapter.task()) {
        found if found == task => Ok((bytes, adapter)),
        other => Err(LoadError::OtherTask(path.to_owned(), other)),
    }
}

/// The bytes of an adapter's file, and what `read` makes of them.
pub fn adapter_file<T>(
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, ModelError>,
) -> Result<(Vec<u8>, T), LoadError> {
    let bytes = read_file(path)?;
    let adapter = read(&bytes).map_err(|error| LoadError::NoAdapter(path.to_owned(), error))?;
    Ok((bytes, adapter))
}

fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    fs::read(path).map_err(|error| LoadError::Read(path.to_owned(), error))
}

fn adapter(task: PairTask, bytes: &[u8], licence: &str) -> Result<PairModelFiles, ModelError> {
    Ok(PairModelFiles {
        task,
        name: format!("campanile-{task}"),
        licence: licence.to_owned(),
        attribution: None,
        architecture: LOW_RANK.to_owned(),
        files: vec![(ADAPTER_FILE.to_owned(), for_page(bytes)?)],
    })
}

/// An adapter's file as the page has it.
fn for_page(bytes: &[u8]) -> Result<Cow<'static, [u8]>, ModelError> {
    smaller_adapter(bytes, ADAPTER_BITS).map(Cow::Owned)
}

/// A model of its own, from a folder as its authors publish it, or an encoder with the adapter that belongs to it.
fn published(task: PairTask, folder: &Path) -> Result<PairModelFiles, LoadError> {
    let store = Store::open(None)?;
    let (path, source) = ModelSource::open(folder, &store)?;
    let model = source.published()?;
    let mut files = Vec::new();
    let own = own_adapter(task, &path)?;
    // An encoder's token vectors are half of it, and 4 bits do them little harm.
    let embeddings = if own.is_some() { Storage::Int4 } else { Storage::Int8 };
    let precision = Precision { embeddings, ..Precision::INT8 };
    model.write(precision, SHARD_BYTES, |name, content| {
        files.push((name.to_owned(), Cow::Owned(content)));
        Ok::<_, ModelError>(())
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
fn own_adapter(task: PairTask, folder: &Path) -> Result<Option<File>, LoadError> {
    let path = folder.join(ADAPTER_FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let (bytes, adapter) = read_adapter(task, &path)?;
    let weights = folder.join("model.safetensors");
    if Digest::of(&read_file(&weights)?).to_string() != adapter.trunk() {
        let than = "encoder than the one beside it".to_owned();
        return Err(LoadError::OtherModel { path, than, way_out: "export both again" });
    }
    Ok(Some((ADAPTER_FILE.to_owned(), Cow::Owned(bytes))))
}

/// Returns `true` if an adapter of this trunk changes the site's encoder.
pub fn fits(plan: &Plan, trunk: &str) -> bool {
    plan.encoder.weights_sha256() == Some(trunk)
}

/// Fails where the adapter at `path`, of this trunk, changes another encoder than the site's.
pub fn check_encoder(plan: &Plan, trunk: &str, path: &Path) -> Result<(), LoadError> {
    if !fits(plan, trunk) {
        return Err(LoadError::other_model(path, "encoder", &plan.encoder.name));
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
const PASSAGE_ADAPTER: &[u8] = include_bytes!("../../../training/adapters/passage.safetensors");

/// The adapter of a site. A build embeds passages and needs no more of it than its file.
pub struct QueryAdapterFile {
    /// The file, which was read once.
    pub bytes: Cow<'static, [u8]>,
    /// Its licence, as far as it is known.
    pub licence: &'static str,
    /// The sentence that its licence asks for wherever it is passed on.
    pub attribution: Option<&'static str>,
}

/// The adapter that the settings name.
///
/// # Errors
/// Where one that was named by its path cannot be read or changes another encoder than the site's. The one that comes with
/// the command is left out where it does not fit the encoder.
pub fn query_adapter(plan: &Plan) -> Result<Option<QueryAdapterFile>, LoadError> {
    let path = match &plan.config.encoder.query_adapter {
        ModelChoice::None => return Ok(None),
        ModelChoice::BuiltIn => {
            if !fits(plan, SideAdapter::read(Side::Query, QUERY_ADAPTER)?.trunk()) {
                return Ok(None);
            }
            return Ok(Some(QueryAdapterFile {
                bytes: for_page(QUERY_ADAPTER)?,
                licence: "CC-BY-SA-4.0",
                attribution: Some(ATTRIBUTION),
            }));
        }
        ModelChoice::Path(path) => plan.docs.join(path),
    };
    let read = || -> Result<QueryAdapterFile, LoadError> {
        let (bytes, adapter) = adapter_file(&path, |bytes| SideAdapter::read(Side::Query, bytes))?;
        check_encoder(plan, adapter.trunk(), &path)?;
        Ok(QueryAdapterFile { bytes: for_page(&bytes)?, licence: "not stated", attribution: None })
    };
    read().map(Some).map_err(|error| error.of("`encoder.query_adapter` cannot be had".to_owned()))
}

/// The adapter by which a build embeds passages: the one that learned to lie where the built-in adapter puts questions, so it
/// goes with that alone. None where the encoder is another.
///
/// # Errors
/// Where it is damaged.
pub fn passage_adapter(plan: &Plan) -> Result<Option<&'static [u8]>, LoadError> {
    let goes_with = matches!(plan.config.encoder.query_adapter, ModelChoice::BuiltIn);
    let trunk =
        || SideAdapter::read(Side::Passage, PASSAGE_ADAPTER).map(|it| fits(plan, it.trunk()));
    Ok((goes_with && trunk()?).then_some(PASSAGE_ADAPTER))
}
