//! A small language model: a prompt in, text out, token by token.

mod cache;
mod config;
mod detokenizer;
mod forward;
mod generate;
mod known_answer;
mod rotary;
mod schedule;
mod weights;

use burn::tensor::Device;

pub use config::{DecoderConfig, TokenIds};
pub use generate::{Finish, GenerateOptions, Generated, Generation};
pub use known_answer::{KnownAnswer, SMOLLM2_135M_INSTRUCT};

use self::schedule::Shapes;
use self::weights::Weights;
use crate::chat::{ChatMessage, ChatTemplate};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::Tokenizer;

/// A decoder of the Llama architecture on any device that burn runs on.
///
/// Weights are `f32` on the device, whatever they were in their file.
pub struct Decoder {
    config: DecoderConfig,
    tokenizer: Tokenizer,
    weights: Weights,
    shapes: Shapes,
    device: Device,
}

impl Decoder {
    /// Puts a decoder together on `device`; reads one tensor at a time from `weights`.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together, or a tensor is missing,
    /// damaged or of another shape.
    pub fn load(
        config: &DecoderConfig,
        tokenizer: Tokenizer,
        weights: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let shapes = if *device == Device::flex() { Shapes::Exact } else { Shapes::Padded };
        config.check()?;
        if tokenizer.vocabulary_size() > config.vocab_size {
            return Err(ModelError::config(format!(
                "`vocab_size` is {}, tokenizer.json has {} tokens; the two are not of one model",
                config.vocab_size,
                tokenizer.vocabulary_size()
            )));
        }
        Ok(Self {
            weights: Weights::load(config, weights, device)?,
            config: config.clone(),
            tokenizer,
            shapes,
            device: device.clone(),
        })
    }

    /// Pads as for a GPU, whatever the device, so that a test without one covers that path.
    #[doc(hidden)]
    #[must_use]
    pub fn with_padded_shapes(mut self) -> Self {
        self.shapes = Shapes::Padded;
        self
    }

    /// Begins an answer to `prompt`; nothing is computed yet.
    ///
    /// # Errors
    /// [`ModelError::ContextTooLong`] where the prompt fills the model, and
    /// [`ModelError::Tokenizer`] where it is empty or of another vocabulary.
    pub fn start(
        &mut self,
        prompt: &[u32],
        options: &GenerateOptions,
    ) -> Result<Generation<'_>, ModelError> {
        Generation::new(self, prompt, options)
    }

    /// The tokens of a conversation, ready for the model's reply.
    ///
    /// Whatever looks like a control token inside of a message is taken out first: a document
    /// that is quoted there cannot end the message or speak for somebody else.
    ///
    /// # Errors
    /// [`ModelError::ChatTemplate`] where the template cannot be filled in.
    pub fn chat_tokens(
        &self,
        template: &ChatTemplate,
        messages: &[ChatMessage],
    ) -> Result<Vec<u32>, ModelError> {
        let special = self.tokenizer.special_texts();
        let cleaned: Vec<ChatMessage> =
            messages.iter().map(|message| message.without(&special)).collect();
        self.tokenizer.encode(&template.render(&cleaned)?)
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The configuration.
    pub fn config(&self) -> &DecoderConfig {
        &self.config
    }

    /// Whether a token ends an answer: the model's own end, or any other control token, since
    /// none of them is text.
    fn ends_answer(&self, id: u32) -> bool {
        let end = self.config.eos_token_id.as_ref();
        end.is_some_and(|ids| ids.contains(id)) || self.tokenizer.is_special(id)
    }
}
