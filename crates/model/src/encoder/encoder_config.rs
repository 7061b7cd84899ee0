//! The configuration of a sentence encoder: its network, and how token vectors become one vector.

use serde::{Deserialize, Serialize};

use super::bert_config::BertConfig;
use super::trunk_weights;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

/// The configuration of a sentence encoder.
///
/// It is read from a Hugging Face `config.json`, whose fields describe the network alone. What
/// sentence-transformers keeps in further files may stand beside them in the same object:
/// [`EncoderConfig::from_model_files`] gathers it, and serialised the whole is again one
/// `config.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncoderConfig {
    /// The network.
    #[serde(flatten)]
    pub network: BertConfig,
    /// The most tokens of a text that are read, special tokens among them.
    ///
    /// Sentence encoders are trained on shorter texts than their positions allow
    /// (`max_seq_length` in `sentence_bert_config.json`); 256 for all-MiniLM-L6-v2.
    #[serde(default = "default_max_tokens", alias = "max_seq_length")]
    pub max_tokens: usize,
    /// The way in which the token vectors of a text become one.
    #[serde(default, alias = "pooling_mode")]
    pub pooling: Pooling,
    /// `true` if vectors are scaled to length 1, as comparing them by inner product asks for.
    #[serde(default = "default_normalize")]
    pub normalize: bool,
    /// The words that are put before texts.
    #[serde(default, skip_serializing_if = "Prefixes::is_empty")]
    pub prefixes: Prefixes,
}

/// The way in which the token vectors of a text become one vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// Their mean, special tokens included: MiniLM, e5.
    #[default]
    Mean,
    /// The first token's: bge.
    Cls,
}

/// Words that a model was trained to find before each text, by the text's part in a search.
///
/// e5 models expect `query: ` and `passage: `.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prefixes {
    /// Before a question.
    pub query: String,
    /// Before a text that is searched.
    #[serde(alias = "document")]
    pub passage: String,
}

impl Prefixes {
    /// Returns `true` if nothing is put before any text.
    pub fn is_empty(&self) -> bool {
        self.query.is_empty() && self.passage.is_empty()
    }
}

fn default_max_tokens() -> usize {
    256
}

fn default_normalize() -> bool {
    true
}

impl EncoderConfig {
    /// Reads the bytes of a `config.json` and checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let config: Self =
            serde_json::from_slice(bytes).map_err(|e| ModelError::config(e.to_string()))?;
        config.check()?;
        Ok(config)
    }

    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn check(&self) -> Result<(), ModelError> {
        self.network.check()?;
        if self.max_tokens == 0 {
            return Err(ModelError::config("`max_tokens` must be above 0"));
        }
        Ok(())
    }

    /// The most tokens of a text that are read: the smaller of the two limits.
    pub fn token_limit(&self) -> usize {
        self.max_tokens.min(self.network.positions())
    }

    /// The names of the tensors that the encoder reads from `source`; it may hold others.
    pub fn tensor_names(&self, source: &dyn TensorSource) -> Vec<String> {
        trunk_weights::tensor_names(&self.network, source)
    }
}
