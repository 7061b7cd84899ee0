//! A `tokenizer.json` from the vocabulary that a GGUF file carries.

use serde_json::{Map, Value as Json, json};

use super::pre_tokenizer::Rules;
use super::reader::GgufFile;
use super::value::Value;
use crate::error::ModelError;

/// Kinds of token, as the file numbers them.
const CONTROL: usize = 3;
const USER_DEFINED: usize = 4;

/// Builds the file for a byte-level BPE vocabulary.
///
/// # Errors
/// [`ModelError::Config`] where a part is missing or of a kind that is not run.
pub(super) fn tokenizer_json(file: &GgufFile) -> Result<Json, ModelError> {
    let model = file.need("tokenizer.ggml.model", Value::as_text)?;
    if model != "gpt2" {
        return Err(ModelError::config(format!(
            "the GGUF file's tokenizer is of kind \"{model}\"; \"gpt2\" (byte-level BPE) is run"
        )));
    }
    let rules = Rules::of(file)?;
    let tokens = texts(file, "tokenizer.ggml.tokens")?;
    let merges = texts(file, "tokenizer.ggml.merges")?;
    let vocabulary: Map<String, Json> =
        tokens.iter().enumerate().map(|(id, token)| ((*token).to_owned(), json!(id))).collect();
    if vocabulary.len() != tokens.len() {
        return Err(ModelError::config("the GGUF file's vocabulary has the same token twice"));
    }
    Ok(json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added_tokens(file, &tokens)?,
        "normalizer": rules.normalizer(),
        "pre_tokenizer": rules.pre_tokenizer(),
        "post_processor": null,
        "decoder": {
            "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true
        },
        "model": {
            "type": "BPE",
            "dropout": null,
            "unk_token": null,
            "continuing_subword_prefix": null,
            "end_of_word_suffix": null,
            "fuse_unk": false,
            "byte_fallback": false,
            "ignore_merges": rules.ignores_merges(),
            "vocab": vocabulary,
            "merges": merges,
        },
    }))
}

/// Tokens that are found in a text as they are written, before any rule.
fn added_tokens(file: &GgufFile, tokens: &[&str]) -> Result<Vec<Json>, ModelError> {
    let kinds = file.need("tokenizer.ggml.token_type", Value::as_array)?;
    let listed = tokens.iter().zip(kinds).enumerate();
    Ok(listed
        .filter_map(|(id, (token, kind))| {
            let kind = kind.as_usize()?;
            (kind == CONTROL || kind == USER_DEFINED).then(|| {
                json!({
                    "id": id,
                    "content": token,
                    "single_word": false,
                    "lstrip": false,
                    "rstrip": false,
                    "normalized": false,
                    "special": kind == CONTROL,
                })
            })
        })
        .collect())
}

fn texts<'a>(file: &'a GgufFile, key: &str) -> Result<Vec<&'a str>, ModelError> {
    let values = file.need(key, Value::as_array)?;
    values
        .iter()
        .map(|value| {
            value.as_text().ok_or_else(|| {
                ModelError::config(format!("the GGUF file's `{key}` holds more than text"))
            })
        })
        .collect()
}
