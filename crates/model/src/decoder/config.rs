//! The numbers that fix a decoder's shape.

use serde::{Deserialize, Serialize};

use super::config_json::ConfigJson;
use super::rotary::RopeScaling;
use crate::config_file::{LAYER_LIMIT, POSITION_LIMIT, check_sizes};
use crate::error::ModelError;

/// The architectures that are run: all normalise by root mean square, turn positions by halves,
/// share keys among groups of queries and gate their feed-forward block with SiLU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Architecture {
    /// Llama (Touvron et al. 2023), SmolLM2 among others.
    Llama,
    /// Qwen2 and Qwen2.5: queries, keys and values have biases.
    Qwen2,
    /// Qwen3: each head of queries and keys is normalised before positions turn it.
    Qwen3,
}

impl Architecture {
    /// All of them, for messages.
    pub const ALL: [Self; 3] = [Self::Llama, Self::Qwen2, Self::Qwen3];

    /// The name in `model_type` of a `config.json` and in `general.architecture` of a GGUF file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
        }
    }

    /// The architecture of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|architecture| architecture.name() == name)
    }
}

/// The fields of a Hugging Face `config.json` that a decoder needs.
///
/// Reading accepts `rope_scaling` as well as the newer `rope_parameters`, and refuses what would
/// change the arithmetic and is not run; writing gives a `config.json` that reads as the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ConfigJson", into = "ConfigJson")]
pub struct DecoderConfig {
    /// The architecture: `model_type` in the file.
    pub architecture: Architecture,
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
    /// Width of a head.
    pub head_dim: usize,
    /// Added to the mean square in normalisation.
    pub rms_norm_eps: f64,
    /// Base of the rotary positions' wavelengths.
    pub rope_theta: f64,
    /// The stretching of rotary positions for texts longer than those of the training.
    pub rope_scaling: Option<RopeScaling>,
    /// The most tokens of a prompt and its answer together.
    pub max_position_embeddings: usize,
    /// `true` if the output matrix is the table of token vectors.
    pub tie_word_embeddings: bool,
    /// `true` if all four projections of attention have a bias. Qwen2 has three of the four whatever this
    /// says.
    pub attention_bias: bool,
    /// The token that begins a text, where there is one.
    pub bos_token_id: Option<u32>,
    /// The tokens that end an answer.
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
    /// The tokens.
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Self::One(id) => std::slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }

    /// Returns `true` if `id` is among them.
    pub fn contains(&self, id: u32) -> bool {
        self.as_slice().contains(&id)
    }
}

impl DecoderConfig {
    /// Reads the bytes of a `config.json` and checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ModelError> {
        let config = Self::try_from(ConfigJson::from_json(bytes)?)?;
        config.check()?;
        Ok(config)
    }

    /// Adds the tokens that end an answer according to the bytes of a `generation_config.json`:
    /// for chat models it often names more of them than `config.json`.
    ///
    /// # Errors
    /// [`ModelError::Config`] where the bytes are damaged.
    pub fn add_end_tokens(&mut self, generation_config: &[u8]) -> Result<(), ModelError> {
        #[derive(Deserialize)]
        struct GenerationConfig {
            #[serde(default)]
            eos_token_id: Option<TokenIds>,
        }
        let more: GenerationConfig = serde_json::from_slice(generation_config)
            .map_err(|e| ModelError::config(format!("generation_config.json: {e}")))?;
        let mut ids = self.end_tokens().to_vec();
        // All of both files: a chat model that only knows the end of a text goes on after its reply as the user.
        ids.extend(more.eos_token_id.iter().flat_map(TokenIds::as_slice));
        ids.sort_unstable();
        ids.dedup();
        if !ids.is_empty() {
            self.eos_token_id = Some(TokenIds::Many(ids));
        }
        Ok(())
    }

    /// Checks that the numbers fit together.
    ///
    /// # Errors
    /// [`ModelError::Config`] that names the field.
    pub fn check(&self) -> Result<(), ModelError> {
        check_sizes(&[
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("intermediate_size", self.intermediate_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("num_key_value_heads", self.num_key_value_heads),
            ("head_dim", self.head_dim),
            ("max_position_embeddings", self.max_position_embeddings),
        ])?;
        if self.num_hidden_layers > LAYER_LIMIT {
            return Err(ModelError::config(format!(
                "`num_hidden_layers` is {}; at most {LAYER_LIMIT} are run",
                self.num_hidden_layers
            )));
        }
        if self.max_position_embeddings > POSITION_LIMIT {
            return Err(ModelError::config(format!(
                "`max_position_embeddings` is {}; at most {POSITION_LIMIT} are run",
                self.max_position_embeddings
            )));
        }
        for (field, value) in [("rms_norm_eps", self.rms_norm_eps), ("rope_theta", self.rope_theta)]
        {
            if !(value.is_finite() && value > 0.0) {
                return Err(ModelError::config(format!("`{field}` is {value}; above 0 is run")));
            }
        }
        // Zero is caught above, in words that a reader of the file understands.
        if !self.head_dim.is_multiple_of(2) {
            return Err(ModelError::config(format!(
                "`head_dim` is {}, which rotary positions cannot halve",
                self.head_dim
            )));
        }
        if !self.num_attention_heads.is_multiple_of(self.num_key_value_heads) {
            return Err(ModelError::config(format!(
                "`num_attention_heads` {} is not a multiple of `num_key_value_heads` {}",
                self.num_attention_heads, self.num_key_value_heads
            )));
        }
        if let Some(id) = self.end_tokens().iter().find(|&&id| id as usize >= self.vocab_size) {
            return Err(ModelError::config(format!(
                "`eos_token_id` {id} is beyond `vocab_size` {}",
                self.vocab_size
            )));
        }
        self.rope_scaling.as_ref().map_or(Ok(()), |scaling| scaling.check(self.head_dim))
    }

    /// The tokens that end an answer.
    pub fn end_tokens(&self) -> &[u32] {
        self.eos_token_id.as_ref().map_or(&[], TokenIds::as_slice)
    }

    /// Returns `true` if the projections to queries, keys and values have biases.
    pub(crate) fn has_query_key_value_bias(&self) -> bool {
        self.architecture == Architecture::Qwen2 || self.attention_bias
    }

    /// Returns `true` if the projection out of attention has a bias.
    pub(crate) fn has_attention_output_bias(&self) -> bool {
        self.architecture != Architecture::Qwen2 && self.attention_bias
    }

    /// Returns `true` if each head of queries and keys is normalised.
    pub(crate) fn has_query_key_norm(&self) -> bool {
        self.architecture == Architecture::Qwen3
    }
}
