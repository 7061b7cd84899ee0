//! Gets a language model ready: from its published file to shards for the page, or to be run here.

use std::collections::BTreeMap;
use std::fs;

use anyhow::Context as _;
use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, convert};
use campanile_model::quantize::SHARD_BYTES;
use campanile_model::{ChatTemplate, Decoder, DecoderConfig, Shards, Tokenizer};
use campanile_model_store::InstalledModel;

/// The page's files of a model, by name; quantised blocks stay as they were published.
///
/// # Errors
/// Where the file cannot be read or is of an architecture that the page cannot run.
pub fn converted(model: &InstalledModel) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let published = model
        .files
        .iter()
        .find(|file| file.name.ends_with(".gguf"))
        .context("the model has no .gguf file")?;
    let bytes = fs::read(&published.path).with_context(|| {
        format!(
            "cannot read the model file `{}`\n  way out: `campanile model fetch {}` mends it",
            published.path.display(),
            model.name
        )
    })?;
    let file = GgufFile::new(bytes)?;
    Ok(convert(&file, SHARD_BYTES)?.into_iter().collect())
}

/// The model on this machine's processor, from the same files as the page has, and how it wants
/// conversations written.
///
/// # Errors
/// As [`converted`], and where the model has no chat template: it follows no instructions then.
pub fn loaded(model: &InstalledModel) -> anyhow::Result<(Decoder, ChatTemplate)> {
    let files = converted(model)
        .with_context(|| format!("cannot load the language model `{}`", model.name))?;
    of_files(&model.name, files.into_iter().collect())
}

/// The model of these files, by name: what a site ships.
///
/// # Errors
/// As [`loaded`].
pub fn of_files(
    name: &str,
    mut files: BTreeMap<String, Vec<u8>>,
) -> anyhow::Result<(Decoder, ChatTemplate)> {
    let load = || -> anyhow::Result<(Decoder, ChatTemplate)> {
        let mut take =
            |name: &str| files.remove(name).with_context(|| format!("it has no `{name}`"));
        let config = DecoderConfig::from_json(&take("config.json")?)?;
        let tokenizer = Tokenizer::from_json(&take("tokenizer.json")?)?;
        let template = ChatTemplate::new(&String::from_utf8(take(CHAT_TEMPLATE_FILE)?)?)?;
        let weights = Shards::new(files.into_values().collect())?;
        Ok((Decoder::load(&config, tokenizer, &weights)?, template))
    };
    load().with_context(|| format!("cannot load the language model `{name}`"))
}
