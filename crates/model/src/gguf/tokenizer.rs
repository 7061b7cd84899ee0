//! A `tokenizer.json` from the vocabulary that a GGUF file carries, and from the rules that it only names.

use serde_json::{Map, Value as Json, json};

use super::reader::GgufFile;
use super::value::Value;
use crate::error::ModelError;

/// Kinds of token, as the file numbers them.
pub(super) const CONTROL: usize = 3;
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
    // Of two equal keys the last one stays, and the id of the first would be no token's.
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

/// The rules that are known, with the names under which llama.cpp writes them.
const KNOWN: [(&str, Rules); 7] = [
    ("default", Rules::Default),
    ("gpt-2", Rules::Gpt2),
    ("smollm", Rules::SmolLm),
    ("qwen2", Rules::Qwen2),
    ("deepseek-r1-qwen", Rules::Qwen2),
    ("llama-bpe", Rules::Llama3),
    ("llama3", Rules::Llama3),
];

/// Words with a leading space, and digits without limit: the rules of GPT-2.
const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)";

/// A set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// The rules that llama.cpp takes where a file names none.
    Default,
    /// GPT-2's.
    Gpt2,
    /// Every digit alone, then GPT-2's.
    SmolLm,
    /// Every digit alone, contractions in either case, line ends kept together.
    Qwen2,
    /// As Qwen's, with up to three digits together.
    Llama3,
}

impl Rules {
    /// The rules that a file names.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the known ones.
    pub(super) fn of(file: &GgufFile) -> Result<Self, ModelError> {
        let Some(value) = file.get("tokenizer.ggml.pre") else {
            return Ok(Self::Default);
        };
        let name = value.as_text().unwrap_or_default();
        KNOWN.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules).ok_or_else(|| {
            let known = KNOWN.map(|(known, _)| format!("\"{known}\"")).join(", ");
            ModelError::config(format!(
                "the GGUF file cuts texts by the rules \"{name}\"; known are {known}"
            ))
        })
    }

    /// Returns the step that changes a text before it is cut.
    pub(super) fn normalizer(self) -> Json {
        match self {
            Self::Qwen2 => json!({ "type": "NFC" }),
            _ => Json::Null,
        }
    }

    /// Returns `true` if a piece that is a token as a whole is taken without merging.
    fn ignores_merges(self) -> bool {
        self == Self::Llama3
    }

    /// The steps of the cutting; the last writes bytes as the vocabulary has them.
    pub(super) fn pre_tokenizer(self) -> Json {
        let mut steps: Vec<Json> = Vec::new();
        match self {
            Self::Gpt2 => {}
            Self::SmolLm => steps.push(json!({ "type": "Digits", "individual_digits": true })),
            Self::Default => {
                let patterns = [r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"];
                steps.extend(patterns.map(split));
            }
            Self::Qwen2 => steps.push(split(&modern(r"\p{N}"))),
            Self::Llama3 => steps.push(split(&modern(r"\p{N}{1,3}"))),
        }
        // `use_regex` cuts by GPT-2's rules once more, which is right only where those are the rules.
        let plain = matches!(self, Self::Gpt2 | Self::SmolLm);
        steps.push(json!({
            "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": plain
        }));
        json!({ "type": "Sequence", "pretokenizers": steps })
    }
}

/// The rules of newer vocabularies, which differ in how digits are taken.
fn modern(digits: &str) -> String {
    format!(
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
}

/// Cuts out what a pattern matches; what lies between stays in one piece.
fn split(pattern: &str) -> Json {
    json!({
        "type": "Split", "pattern": { "Regex": pattern }, "behavior": "Isolated", "invert": false
    })
}
