//! Gets a language model ready: from its published file to what the page has, or to be run here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use campanile_bundle::{Bundle, Digest, DirectoryFetch};
use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, convert};
use campanile_model::quantize::{Precision, SHARD_BYTES};
use campanile_model::{
    ChatTemplate, Decoder, DecoderAdapter, DecoderConfig, KNOWN_ANSWER_FILE, KnownAnswer,
    ModelError, Shards, Tokenizer,
};
use campanile_model_store::{InstalledFile, InstalledModel};
use futures_lite::future::block_on;
use serde::Deserialize;

use crate::LoadError;
use crate::config::{Config, ModelChoice};
use crate::observer::Observer;
use crate::pair_models::adapter_file;

/// Made by `training/`, as those of [`pair_models`](crate::pair_models) are.
const BUILT_IN: &[u8] = include_bytes!("../../../training/adapters/prose.safetensors");

/// Known answers that were computed in advance: a list of `{ "files", "prompt", "answer" }`.
const KEPT_ANSWERS: &str = include_str!("known_answers.json");

/// The answer that a model has to know, and whose.
#[derive(Deserialize)]
struct KeptAnswer {
    /// [`fingerprint`] of its files.
    files: String,
    #[serde(flatten)]
    known: KnownAnswer,
}

/// The known answer of the model of these files, if it was computed in advance: for the model that the guide names, with and
/// without the adapter that comes with the command. So its sites are built without the feature `tokenizers`, and without
/// loading it.
///
/// # Errors
/// Where the list is damaged, which a test would have found.
pub fn kept_answer(files: &[(String, Vec<u8>)]) -> Result<Option<KnownAnswer>, LoadError> {
    let kept: Vec<KeptAnswer> = serde_json::from_str(KEPT_ANSWERS)?;
    let files = fingerprint(files);
    Ok(kept.into_iter().find(|kept| kept.files == files).map(|kept| kept.known))
}

/// What keeps apart any two lists of files: SHA-256 of their names and hashes.
pub fn fingerprint(files: &[(String, Vec<u8>)]) -> String {
    let lines = files.iter().map(|(name, bytes)| format!("{} {name}\n", Digest::of(bytes)));
    Digest::of(lines.collect::<String>().as_bytes()).to_string()
}

/// The language model of a site.
pub struct SiteModel {
    /// Its architecture by name.
    pub architecture: String,
    /// Its files, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// The template of the prompt that its adapter was trained with.
    pub template: Option<String>,
    /// The adapter's licence, as far as it is known, where there is an adapter.
    pub adapter_licence: Option<&'static str>,
}

/// A model as a site has it: changed by the adapter that the settings name, and with an answer that it has to know.
///
/// # Errors
/// As [`converted`]; where an adapter that was named by its path cannot be read or changes another model.
pub fn of_site(
    model: &InstalledModel,
    config: &Config,
    docs: &Path,
    observer: &dyn Observer,
) -> Result<SiteModel, LoadError> {
    let adapter = chosen(model, config, docs)
        .map_err(|error| error.of("`prose.adapter` cannot be had".to_owned()))?;
    let file = opened(model)?;
    let mut published = file.published()?;
    let architecture = published.architecture.clone();
    let mut files = Vec::new();
    if let Some(adapter) = &adapter {
        published.tensors = adapter.read.changed(published.tensors)?;
    }
    published.write(Precision::INT8, SHARD_BYTES, |name, bytes| {
        files.push((name.to_owned(), bytes));
        Ok::<_, ModelError>(())
    })?;
    let known = match kept_answer(&files)? {
        Some(known) => Some(known),
        None => {
            let (mut decoder, _) = of_files(&model.name, files.iter().cloned().collect())?;
            block_on(decoder.known_answer())?
        }
    };
    match known {
        Some(known) => files.push((KNOWN_ANSWER_FILE.to_owned(), serde_json::to_vec(&known)?)),
        None => observer.remark(&format!(
            "warning: `{}` is undecided about all that it is asked, so pages cannot find out whether a device \
             computes it rightly",
            model.name
        )),
    }
    Ok(SiteModel {
        architecture,
        files,
        template: adapter.as_ref().and_then(|it| it.read.template()).map(str::to_owned),
        adapter_licence: adapter.as_ref().map(|it| it.licence),
    })
}

/// An adapter that fits.
struct Chosen {
    read: DecoderAdapter,
    licence: &'static str,
}

/// The adapter that the settings name. The one that comes with the command has learned one task and one prompt: it is left out
/// where the model is another, or is to put questions in other words too, or has a department's own prompt.
fn chosen(
    model: &InstalledModel,
    config: &Config,
    docs: &Path,
) -> Result<Option<Chosen>, LoadError> {
    let published = weights(model)?;
    let path = match &config.prose.adapter {
        ModelChoice::None => return Ok(None),
        ModelChoice::BuiltIn => {
            let read = DecoderAdapter::read(BUILT_IN)?;
            let rewords = config.search.phrasings > 0 || config.search.hypothetical;
            let is_its_task = !rewords && config.prose.template.is_none();
            let fits = is_its_task && read.trunk() == published.sha256;
            let licence = "Apache-2.0";
            return Ok(fits.then_some(Chosen { read, licence }));
        }
        ModelChoice::Path(path) => docs.join(path),
    };
    let (_, read) = adapter_file(&path, DecoderAdapter::read)?;
    if read.trunk() != published.sha256 {
        return Err(LoadError::other_model(&path, "language model", &model.name));
    }
    Ok(Some(Chosen { read, licence: "not stated" }))
}

/// The file that its authors publish.
fn weights(model: &InstalledModel) -> Result<&InstalledFile, LoadError> {
    let published = model.files.iter().find(|file| file.name.ends_with(".gguf"));
    published.ok_or(LoadError::NoGguf)
}

fn opened(model: &InstalledModel) -> Result<GgufFile, LoadError> {
    let path = &weights(model)?.path;
    let bytes = fs::read(path).map_err(|error| LoadError::installed(model, path, error))?;
    Ok(GgufFile::new(bytes)?)
}

/// The page's files of a model, by name; quantised blocks stay as they were published.
///
/// # Errors
/// Where the file cannot be read or is of an architecture that the page cannot run.
pub fn converted(model: &InstalledModel) -> Result<Vec<(String, Vec<u8>)>, LoadError> {
    Ok(convert(&opened(model)?, SHARD_BYTES)?.into_iter().collect())
}

/// The model on this machine's processor, as it was published, and how it wants conversations written.
///
/// # Errors
/// As [`converted`], and where the model has no chat template: it follows no instructions then.
pub fn loaded(model: &InstalledModel) -> Result<(Decoder, ChatTemplate), LoadError> {
    let files = converted(model).map_err(|error| not_loaded(error, &model.name))?;
    of_files(&model.name, files.into_iter().collect())
}

/// The language model that a built site brings, to be run here.
///
/// # Errors
/// Where it brings none, which ends with the `way_out`, or a file of it is damaged.
pub fn shipped(site: &Path, way_out: &str) -> Result<(Decoder, ChatTemplate), LoadError> {
    let bundle = block_on(Bundle::open(DirectoryFetch::new(site)))?;
    let Some(entry) = &bundle.manifest().prose else {
        return Err(LoadError::NotShipped(site.to_owned(), way_out.to_owned()));
    };
    let mut files = BTreeMap::new();
    for file in &entry.files {
        files.insert(file.name.clone(), block_on(bundle.model_file(file))?.to_vec());
    }
    of_files(&entry.name, files)
}

/// The model of these files, by name.
///
/// # Errors
/// As [`loaded`].
fn of_files(
    name: &str,
    mut files: BTreeMap<String, Vec<u8>>,
) -> Result<(Decoder, ChatTemplate), LoadError> {
    let load = || -> Result<(Decoder, ChatTemplate), LoadError> {
        let mut take =
            |name: &str| files.remove(name).ok_or_else(|| LoadError::NoFile(name.to_owned()));
        let config = DecoderConfig::from_json(&take("config.json")?)?;
        let tokenizer = Tokenizer::from_json(&take("tokenizer.json")?)?;
        let template = String::from_utf8(take(CHAT_TEMPLATE_FILE)?)
            .map_err(|error| ModelError::ChatTemplate { reason: error.to_string() })?;
        let template = ChatTemplate::new(&template)?;
        files.retain(|name, _| name.ends_with(".safetensors"));
        let weights = Shards::new(files.into_values().collect())?;
        Ok((Decoder::load(&config, tokenizer, &weights)?, template))
    };
    load().map_err(|error| not_loaded(error, name))
}

fn not_loaded(error: LoadError, name: &str) -> LoadError {
    error.of(format!("cannot load the language model `{name}`"))
}
