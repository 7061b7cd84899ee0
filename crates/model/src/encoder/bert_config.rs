//! The numbers that fix the shape of a BERT or RoBERTa network.

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::limits::{LAYER_LIMIT, POSITION_LIMIT};

/// The fields of a Hugging Face `config.json` that describe the network; others are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BertConfig {
    /// Which of the two ways to number positions and to name tensors.
    #[serde(default)]
    pub model_type: Architecture,
    /// Tokens in the vocabulary.
    pub vocab_size: usize,
    /// Width of a token's vector: 384 for all-MiniLM-L6-v2.
    pub hidden_size: usize,
    /// Transformer layers.
    pub num_hidden_layers: usize,
    /// Attention heads; they divide `hidden_size`.
    pub num_attention_heads: usize,
    /// Width inside the feed-forward block.
    pub intermediate_size: usize,
    /// Learned positions: rows of the table in the weights.
    pub max_position_embeddings: usize,
    /// Learned segments; where the file is silent, as many as the weights hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_vocab_size: Option<usize>,
    /// The padding token, from which RoBERTa counts its positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pad_token_id: Option<u32>,
    /// Added to the variance in layer normalisation.
    pub layer_norm_eps: f64,
    /// The activation inside the feed-forward block.
    #[serde(default)]
    pub hidden_act: Activation,
    /// The way in which positions enter; learned vectors added to the tokens' are the only one that is run.
    #[serde(default)]
    pub position_embedding_type: PositionEmbedding,
}

/// The networks that are run: both are BERT (Devlin et al. 2019), but for their inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// Positions count from 0, a pair's second text is segment 1.
    #[default]
    Bert,
    /// Positions count from the padding token's id plus 1, segments are not told apart
    /// (Liu et al. 2019).
    #[serde(alias = "xlm-roberta", alias = "camembert")]
    Roberta,
}

/// The activations that are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// `x · Φ(x)`, exactly.
    #[default]
    Gelu,
    /// The same, approximated through the hyperbolic tangent.
    #[serde(alias = "gelu_pytorch_tanh", alias = "gelu_fast")]
    GeluNew,
    /// The larger of `x` and 0.
    Relu,
}

/// The ways of telling positions apart that are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PositionEmbedding {
    /// A learned vector for each position.
    #[default]
    Absolute,
}

impl BertConfig {
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
            ("type_vocab_size", self.type_vocab_size.unwrap_or(1)),
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
        if self.positions() == 0 {
            return Err(ModelError::config(format!(
                "`max_position_embeddings` {} leaves no position beyond `pad_token_id` {}",
                self.max_position_embeddings,
                self.padding_token()
            )));
        }
        Ok(())
    }

    /// The most tokens that the network can read.
    pub fn positions(&self) -> usize {
        self.max_position_embeddings.saturating_sub(self.first_position())
    }

    /// The row of the position table for a text's first token.
    pub(super) fn first_position(&self) -> usize {
        match self.model_type {
            Architecture::Bert => 0,
            Architecture::Roberta => self.padding_token() as usize + 1,
        }
    }

    /// The padding token's id, with the architecture's own default.
    pub(super) fn padding_token(&self) -> u32 {
        self.pad_token_id.unwrap_or(match self.model_type {
            Architecture::Bert => 0,
            Architecture::Roberta => 1,
        })
    }
}
