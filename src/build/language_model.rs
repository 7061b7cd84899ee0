//! Gets a language model ready for the page: from its published file to shards.

use std::fs;

use anyhow::Context as _;
use campanile_model::gguf::{GgufFile, convert};
use campanile_model::quantize::SHARD_BYTES;
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
