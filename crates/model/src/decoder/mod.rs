//! A small language model: a prompt in, text out, token by token.

mod answer_text;
mod backend;
mod choice;
mod config;
mod config_json;
mod cpu;
mod generate;
mod known_answer;
pub mod names;
mod prompt;
mod rotary;
mod sampling;

use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::Tokenizer;

pub use backend::{BackendFuture, DecoderBackend, Penalty};
pub use choice::{LogitProcessor, TokenConstraint};
pub use config::{Architecture, DecoderConfig, TokenIds};
pub use cpu::{CpuDecoder, Helpers, Part, Rows, RowsLoader};
pub use generate::{Finish, GenerateOptions, Generated, Generation};
pub use known_answer::{KNOWN_ANSWER_FILE, KnownAnswer};
pub use rotary::{RopeScaling, Rotary};
pub use sampling::{RandomSampling, RepetitionPenalty, Sampling};

/// A decoder of the Llama or Qwen family with the conversation that it is in.
///
/// It owns what does not depend on the device: which tokens are cached, how the next one is
/// chosen, what ends an answer. The arithmetic is a [`DecoderBackend`]'s.
pub struct Decoder {
    config: DecoderConfig,
    tokenizer: Tokenizer,
    backend: Box<dyn DecoderBackend>,
    /// The tokens whose keys and values the backend holds, from position 0 on.
    cached: Vec<u32>,
}

impl Decoder {
    /// Puts a decoder together on the CPU; reads one tensor at a time from `weights`.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together, or a tensor is missing,
    /// damaged or of another shape.
    pub fn load(
        config: &DecoderConfig,
        tokenizer: Tokenizer,
        weights: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        // Before any weight is read: a wrong file should not cost a minute first.
        check_vocabulary(config, &tokenizer)?;
        Self::with_backend(config, tokenizer, Box::new(CpuDecoder::load(config, weights)?))
    }

    /// Puts a decoder together on a device that holds the weights already.
    ///
    /// # Errors
    /// [`ModelError::Config`] where the configuration does not fit together or has fewer tokens
    /// than the tokenizer.
    pub fn with_backend(
        config: &DecoderConfig,
        tokenizer: Tokenizer,
        backend: Box<dyn DecoderBackend>,
    ) -> Result<Self, ModelError> {
        config.check()?;
        check_vocabulary(config, &tokenizer)?;
        Ok(Self { config: config.clone(), tokenizer, backend, cached: Vec::new() })
    }

    /// Begins an answer to `prompt`; nothing is computed yet.
    ///
    /// # Errors
    /// [`ModelError::ContextTooLong`] where the prompt fills the model, [`ModelError::Tokenizer`]
    /// where it is empty or of another vocabulary, and [`ModelError::Options`].
    pub fn start(
        &mut self,
        prompt: &[u32],
        options: &GenerateOptions,
    ) -> Result<Generation<'_>, ModelError> {
        Generation::new(self, prompt, options)
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The configuration.
    pub fn config(&self) -> &DecoderConfig {
        &self.config
    }

    /// Returns the device that the decoder runs on, in a word: `cpu`, `webgpu`.
    pub fn device(&self) -> &str {
        self.backend.device()
    }

    /// Returns `true` if a token ends an answer: the model's own end, or any other control token, since
    /// none of them is text.
    fn ends_answer(&self, id: u32) -> bool {
        // A control token in the middle of an answer means that the model has begun another's turn.
        self.config.end_tokens().contains(&id) || self.tokenizer.is_special(id)
    }
}

fn check_vocabulary(config: &DecoderConfig, tokenizer: &Tokenizer) -> Result<(), ModelError> {
    if tokenizer.vocabulary_size() <= config.vocab_size {
        return Ok(());
    }
    Err(ModelError::config(format!(
        "`vocab_size` is {}, tokenizer.json has {} tokens; the two are not of one model",
        config.vocab_size,
        tokenizer.vocabulary_size()
    )))
}
