//! Cuts a text before a vocabulary's merges: by the rules that it was made with, which a GGUF file gives by
//! name only.

use serde_json::{Value as Json, json};

use super::reader::GgufFile;
use crate::error::ModelError;

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
    pub(super) fn ignores_merges(self) -> bool {
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
