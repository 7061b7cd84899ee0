//! The numbers that fix a Llama decoder's shape.

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::limits::{LAYER_LIMIT, POSITION_LIMIT};

/// The fields of a Hugging Face `config.json` that a Llama decoder needs; others are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecoderConfig {
    /// The architecture; `llama` is the one that is run.
    pub model_type: String,
    /// Tokens in the vocabulary.
    pub vocab_size: usize,
    /// Width of a token's vector between layers.
    pub hidden_size: usize,
    /// Width inside the feed-forward block.
    pub intermediate_size: usize,
    /// Transformer layers.
    pub num_hidden_layers: usize,
    /// Heads that ask.
    pub num_attention_heads: usize,
    /// Heads that are asked: each serves `num_attention_heads / num_key_value_heads` of the others.
    pub num_key_value_heads: usize,
    /// Width of a head; `hidden_size / num_attention_heads` where it is not given.
    #[serde(default)]
    pub head_dim: Option<usize>,
    /// Added to the mean square in normalisation.
    pub rms_norm_eps: f64,
    /// Base of the rotary positions' wavelengths.
    pub rope_theta: f64,
    /// Stretched rotary positions, which are not run: must be absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope_scaling: Option<serde_json::Value>,
    /// The most tokens of a prompt and its answer together.
    pub max_position_embeddings: usize,
    /// Whether the output matrix is the table of token vectors.
    #[serde(default)]
    pub tie_word_embeddings: bool,
    /// The token that begins a text, where there is one.
    #[serde(default)]
    pub bos_token_id: Option<u32>,
    /// The tokens that end an answer.
    #[serde(default)]
    pub eos_token_id: Option<TokenIds>,
}

/// One token or several: files have both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TokenIds {
    /// One token.
    One(u32),
    /// Several.
    Many(Vec<u32>),
}

impl From<u32> for TokenIds {
    fn from(id: u32) -> Self {
        Self::One(id)
    }
}

impl TokenIds {
    /// Whether `id` is among them.
    pub fn contains(&self, id: u32) -> bool {
        match self {
            Self::One(only) => *only == id,
            Self::Many(ids) => ids.contains(&id),
        }
    }
}

impl DecoderConfig {
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
        let positive = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("intermediate_size", self.intermediate_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("num_key_value_heads", self.num_key_value_heads),
            ("head_dim", self.head_width()),
            ("max_position_embeddings", self.max_position_embeddings),
        ];
        for (field, value) in positive {
            if value == 0 {
                return Err(ModelError::config(format!("`{field}` must be above 0")));
            }
        }
        if self.num_hidden_layers > LAYER_LIMIT || self.max_position_embeddings > POSITION_LIMIT {
            return Err(ModelError::config(format!(
                "{} layers and {} positions; at most {LAYER_LIMIT} and {POSITION_LIMIT} are run",
                self.num_hidden_layers, self.max_position_embeddings
            )));
        }
        if self.model_type != "llama" {
            return Err(ModelError::config(format!(
                "`model_type` is \"{}\"; only \"llama\" is run",
                self.model_type
            )));
        }
        if self.rope_scaling.as_ref().is_some_and(|v| !v.is_null()) {
            return Err(ModelError::config("`rope_scaling` is not run"));
        }
        if !self.head_width().is_multiple_of(2) {
            return Err(ModelError::config(format!(
                "`head_dim` is {}, which rotary positions cannot halve",
                self.head_width()
            )));
        }
        if !self.num_attention_heads.is_multiple_of(self.num_key_value_heads) {
            return Err(ModelError::config(format!(
                "`num_attention_heads` {} is not a multiple of `num_key_value_heads` {}",
                self.num_attention_heads, self.num_key_value_heads
            )));
        }
        Ok(())
    }

    /// Width of a head.
    pub fn head_width(&self) -> usize {
        self.head_dim
            .unwrap_or_else(|| self.hidden_size.checked_div(self.num_attention_heads).unwrap_or(0))
    }

    /// The names of the tensors that the decoder reads, in the order in which it reads them.
    pub fn tensor_names(&self) -> Vec<String> {
        let mut names = vec![super::weights::EMBEDDING.to_owned()];
        for layer in 0..self.num_hidden_layers {
            let parts = super::weights::LAYER_TENSORS.iter();
            names.extend(parts.map(|part| super::weights::layer_tensor(layer, part)));
        }
        names.push(super::weights::FINAL_NORM.to_owned());
        if !self.tie_word_embeddings {
            names.push(super::weights::OUTPUT.to_owned());
        }
        names
    }
}
