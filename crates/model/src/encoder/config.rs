//! The configurations of a BERT or RoBERTa network, of a sentence encoder and of a classifier.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::classifier::head_tensor_names;
use super::trunk_weights;
use crate::config_file::{LAYER_LIMIT, POSITION_LIMIT, check_sizes, from_json};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

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

impl Architecture {
    /// The name in a manifest: `bert` or `roberta`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::Roberta => "roberta",
        }
    }
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
        check_sizes(&[
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("type_vocab_size", self.type_vocab_size.unwrap_or(1)),
        ])?;
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

// The limit of the default encoder; others bring theirs in a file that is read beside this one.
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
        let config: Self = from_json(bytes)?;
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

/// Labels beyond which a configuration is taken for damaged.
// Cross-encoders have one label and inference models three: above this the file is damaged.
const LABEL_LIMIT: usize = 4096;

/// The configuration of a cross-encoder or of a model of natural language inference, from a
/// Hugging Face `config.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassifierConfig {
    /// The network below the head.
    #[serde(flatten)]
    pub network: BertConfig,
    /// The most tokens of a pair that are read, special tokens among them; where the file is
    /// silent, as many as there are positions.
    #[serde(default, alias = "max_seq_length", skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// The labels' names by number; two unnamed ones where the file is silent, as the reference
    /// has it.
    #[serde(default = "default_labels")]
    pub id2label: BTreeMap<usize, String>,
}

fn default_labels() -> BTreeMap<usize, String> {
    (0..2).map(|label| (label, format!("LABEL_{label}"))).collect()
}

impl ClassifierConfig {
    /// Reads the bytes of a `config.json` and checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let config: Self = from_json(bytes)?;
        config.check()?;
        Ok(config)
    }

    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn check(&self) -> Result<(), ModelError> {
        self.network.check()?;
        if self.max_tokens == Some(0) {
            return Err(ModelError::config("`max_tokens` must be above 0"));
        }
        let labels = self.id2label.len();
        if labels == 0 || labels > LABEL_LIMIT || !self.id2label.keys().copied().eq(0..labels) {
            return Err(ModelError::config(format!(
                "`id2label` has {labels} labels; run are 1 to {LABEL_LIMIT}, numbered from 0 without a gap"
            )));
        }
        Ok(())
    }

    /// The most tokens of a pair that are read.
    pub fn token_limit(&self) -> usize {
        let positions = self.network.positions();
        self.max_tokens.map_or(positions, |tokens| tokens.min(positions))
    }

    /// The names of the tensors that the classifier reads from `source`; it may hold others.
    pub fn tensor_names(&self, source: &dyn TensorSource) -> Vec<String> {
        let mut names = trunk_weights::tensor_names(&self.network, source);
        names.extend(head_tensor_names(&self.network, source));
        names
    }
}
