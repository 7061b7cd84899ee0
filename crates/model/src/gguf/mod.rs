//! GGUF files, as llama.cpp writes them, and how they become a model of ours.
//!
//! A GGUF file is one piece of a hundred megabytes and more, holds its own kind of tokenizer and
//! permutes some weights. [`convert`] reads it once, when a site is built, and writes what a page
//! can load: safetensors shards with the same quantised blocks, a `config.json`, a
//! `tokenizer.json` and a chat template.

mod config;
mod reader;
mod tensors;
mod tokenizer;
mod value;

use std::collections::BTreeMap;

use crate::config_file::to_json;
use crate::decoder::DecoderConfig;
use crate::error::ModelError;
use crate::published::Published;
use crate::quantize::Precision;
use config::decoder_config;
use tensors::GgufTensors;
use tokenizer::tokenizer_json;

pub use reader::GgufFile;
pub use value::Value;

/// The file that holds the chat template of a converted model.
pub const CHAT_TEMPLATE_FILE: &str = "chat_template.jinja";

/// Converts a file into the files of a model of ours, by name: `config.json`, `tokenizer.json`,
/// `chat_template.jinja` where there is one, and `model-00001.safetensors` and so on of at most
/// `shard_bytes` each.
///
/// Quantised blocks are kept byte for byte; matrices that are not quantised become
/// [`crate::Encoding::Q8_0`]. The same file gives the same bytes.
///
/// # Errors
/// [`ModelError`] where the file is of another architecture, or a part of it is missing.
pub fn convert(
    file: &GgufFile,
    shard_bytes: usize,
) -> Result<BTreeMap<String, Vec<u8>>, ModelError> {
    let mut files = BTreeMap::new();
    // Most weights arrive quantised; 8 bits for the rest lose nothing that a benchmark would show
    // (docs/concepts/neural-core.md).
    file.published()?.write(Precision::INT8, shard_bytes, |name, bytes| {
        files.insert(name.to_owned(), bytes);
        Ok::<_, ModelError>(())
    })?;
    Ok(files)
}

impl GgufFile {
    /// The configuration of the decoder in this file.
    ///
    /// # Errors
    /// [`ModelError::Config`] where it is not one that is run.
    pub fn decoder_config(&self) -> Result<DecoderConfig, ModelError> {
        decoder_config(self)
    }

    /// The tokenizer in this file as a `tokenizer.json`.
    ///
    /// # Errors
    /// [`ModelError::Config`] where it is of a kind that is not run, or a part is missing.
    pub fn tokenizer_json(&self) -> Result<Vec<u8>, ModelError> {
        to_json(&tokenizer_json(self)?)
    }

    /// The chat template in this file.
    pub fn chat_template(&self) -> Option<&str> {
        self.get("tokenizer.chat_template").and_then(Value::as_text)
    }

    /// The model in this file, ready to be written.
    ///
    /// # Errors
    /// As [`convert`].
    pub fn published(&self) -> Result<Published<'_>, ModelError> {
        let config = self.decoder_config()?;
        let mut small = vec![
            ("config.json".to_owned(), to_json(&config)?),
            ("tokenizer.json".to_owned(), self.tokenizer_json()?),
        ];
        if let Some(template) = self.chat_template() {
            small.push((CHAT_TEMPLATE_FILE.to_owned(), template.as_bytes().to_vec()));
        }
        let names = config.tensor_names();
        let architecture = config.architecture.name().to_owned();
        let tensors = Box::new(GgufTensors { file: self, config });
        Ok(Published { architecture, small, names, tensors })
    }
}

#[cfg(test)]
mod tests;
