//! Gets a language model ready: from its published file to what the page has, or to be run here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use campanile_bundle::{Bundle, DirectoryFetch};
use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, convert};
use campanile_model::quantize::{Precision, SHARD_BYTES};
use campanile_model::{
    ChatTemplate, Decoder, DecoderAdapter, DecoderConfig, KNOWN_ANSWER_FILE, Shards, Tokenizer,
};
use campanile_model_store::{InstalledFile, InstalledModel};
use futures_lite::future::block_on;

use crate::config::{Config, ModelChoice};
use crate::observer::Observer;

/// Made by `training/`, as those of [`pair_models`](crate::pair_models) are.
const BUILT_IN: &[u8] = include_bytes!("../../../training/adapters/prose.safetensors");

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
) -> anyhow::Result<SiteModel> {
    let adapter = chosen(model, config, docs).context("`prose.adapter` cannot be had")?;
    let file = opened(model)?;
    let mut published = file.published()?;
    let architecture = published.architecture.clone();
    let mut files = Vec::new();
    if let Some(adapter) = &adapter {
        published.tensors = adapter.read.changed(published.tensors)?;
    }
    published.write(Precision::INT8, SHARD_BYTES, |name, bytes| {
        files.push((name.to_owned(), bytes));
        anyhow::Ok(())
    })?;
    let (mut decoder, _) = of_files(&model.name, files.iter().cloned().collect())?;
    match block_on(decoder.known_answer())? {
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
fn chosen(model: &InstalledModel, config: &Config, docs: &Path) -> anyhow::Result<Option<Chosen>> {
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
    let bytes = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let read = DecoderAdapter::read(&bytes)
        .with_context(|| format!("`{}` is no adapter that can be used", path.display()))?;
    if read.trunk() != published.sha256 {
        bail!(
            "the adapter `{}` changes another language model than `{}`\n  way out: train it anew for this one, \
             see training/README.md",
            path.display(),
            model.name
        );
    }
    Ok(Some(Chosen { read, licence: "not stated" }))
}

/// The file that its authors publish.
fn weights(model: &InstalledModel) -> anyhow::Result<&InstalledFile> {
    let published = model.files.iter().find(|file| file.name.ends_with(".gguf"));
    published.context("the model has no .gguf file")
}

fn opened(model: &InstalledModel) -> anyhow::Result<GgufFile> {
    let published = weights(model)?;
    let bytes = fs::read(&published.path).with_context(|| {
        format!(
            "cannot read the model file `{}`\n  way out: `campanile model fetch {}` mends it",
            published.path.display(),
            model.name
        )
    })?;
    Ok(GgufFile::new(bytes)?)
}

/// The page's files of a model, by name; quantised blocks stay as they were published.
///
/// # Errors
/// Where the file cannot be read or is of an architecture that the page cannot run.
pub fn converted(model: &InstalledModel) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    Ok(convert(&opened(model)?, SHARD_BYTES)?.into_iter().collect())
}

/// The model on this machine's processor, as it was published, and how it wants conversations written.
///
/// # Errors
/// As [`converted`], and where the model has no chat template: it follows no instructions then.
pub fn loaded(model: &InstalledModel) -> anyhow::Result<(Decoder, ChatTemplate)> {
    let files = converted(model)
        .with_context(|| format!("cannot load the language model `{}`", model.name))?;
    of_files(&model.name, files.into_iter().collect())
}

/// The language model that a built site brings, to be run here.
///
/// # Errors
/// Where it brings none, which ends with the `way_out`, or a file of it is damaged.
pub fn shipped(site: &Path, way_out: &str) -> anyhow::Result<(Decoder, ChatTemplate)> {
    let bundle = block_on(Bundle::open(DirectoryFetch::new(site)))?;
    let entry = bundle.manifest().prose.as_ref().with_context(|| {
        format!("the site `{}` ships no language model\n  way out: {way_out}", site.display())
    })?;
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
) -> anyhow::Result<(Decoder, ChatTemplate)> {
    let load = || -> anyhow::Result<(Decoder, ChatTemplate)> {
        let mut take =
            |name: &str| files.remove(name).with_context(|| format!("it has no `{name}`"));
        let config = DecoderConfig::from_json(&take("config.json")?)?;
        let tokenizer = Tokenizer::from_json(&take("tokenizer.json")?)?;
        let template = ChatTemplate::new(&String::from_utf8(take(CHAT_TEMPLATE_FILE)?)?)?;
        files.retain(|name, _| name.ends_with(".safetensors"));
        let weights = Shards::new(files.into_values().collect())?;
        Ok((Decoder::load(&config, tokenizer, &weights)?, template))
    };
    load().with_context(|| format!("cannot load the language model `{name}`"))
}
