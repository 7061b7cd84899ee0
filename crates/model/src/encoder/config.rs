//! The numbers that fix a BERT encoder's shape.

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::limits::{LAYER_LIMIT, POSITION_LIMIT};

/// The fields of a Hugging Face `config.json` that a BERT encoder needs; others are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EncoderConfig {
    /// Word pieces in the vocabulary.
    pub vocab_size: usize,
    /// Width of a token's vector, and of the result: 384 for all-MiniLM-L6-v2.
    pub hidden_size: usize,
    /// Transformer layers.
    pub num_hidden_layers: usize,
    /// Attention heads; they divide `hidden_size`.
    pub num_attention_heads: usize,
    /// Width inside the feed-forward block.
    pub intermediate_size: usize,
    /// Learned positions: the most tokens that the weights allow.
    pub max_position_embeddings: usize,
    /// Added to the variance in layer normalisation.
    pub layer_norm_eps: f64,
    /// The activation inside the feed-forward block; `gelu` is the one that is run.
    #[serde(default = "default_activation")]
    pub hidden_act: String,
    /// The most tokens of a text that are read, special tokens among them.
    ///
    /// Sentence encoders are trained on shorter texts than their positions allow
    /// (`max_seq_length` in `sentence_bert_config.json`); 256 for all-MiniLM-L6-v2.
    #[serde(default = "default_max_tokens", alias = "max_seq_length")]
    pub max_tokens: usize,
}

fn default_activation() -> String {
    "gelu".to_owned()
}

fn default_max_tokens() -> usize {
    256
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
        let positive = [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("max_tokens", self.max_tokens),
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
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(ModelError::config(format!(
                "`hidden_size` {} is not a multiple of `num_attention_heads` {}",
                self.hidden_size, self.num_attention_heads
            )));
        }
        if self.hidden_act != "gelu" {
            return Err(ModelError::config(format!(
                "`hidden_act` is \"{}\"; only \"gelu\" is run",
                self.hidden_act
            )));
        }
        Ok(())
    }

    /// The most tokens of a text that are read: the smaller of the two limits.
    pub fn token_limit(&self) -> usize {
        self.max_tokens.min(self.max_position_embeddings)
    }

    /// The names of the tensors that the encoder reads; a file may hold others.
    pub fn tensor_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            super::weights::EMBEDDING_TENSORS.iter().map(|name| (*name).to_owned()).collect();
        for layer in 0..self.num_hidden_layers {
            let tensors = super::weights::LAYER_TENSORS.iter();
            names.extend(tensors.map(|name| super::weights::layer_tensor(layer, name)));
        }
        names
    }
}
