//! The errors between a model's bytes and its answer.

use thiserror::Error;

/// Why a model could not be read or run: what was expected, what was found, where, and what to do.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A weight that the architecture needs is not in the files.
    #[error(
        "the model's files hold no tensor `{name}` ({present} others are there); fetch the model again, or check that it is the architecture its config.json names"
    )]
    MissingTensor {
        /// Full name of the tensor.
        name: String,
        /// The number of tensors that the files do hold.
        present: usize,
    },
    /// A weight has another shape than the configuration asks for.
    #[error(
        "tensor `{name}` has the shape {found:?}, config.json asks for {expected:?}; the two files are not of one model"
    )]
    Shape {
        /// Full name of the tensor.
        name: String,
        /// The shape that follows from the configuration.
        expected: Vec<usize>,
        /// The shape in the file.
        found: Vec<usize>,
    },
    /// A tensor's bytes do not fit its declared shape and encoding, or the encoding is not known.
    #[error("tensor `{name}`: {reason}; fetch the model again")]
    Tensor {
        /// Full name of the tensor.
        name: String,
        /// The fault, in words.
        reason: String,
    },
    /// A text has tokens whose vectors have not been loaded.
    #[error("parts {parts:?} of the table of token vectors have not been loaded")]
    WordsMissing {
        /// The numbers of the parts, ascending: see [`crate::ROWS_IN_PART`].
        parts: Vec<usize>,
    },
    /// A file of weights is damaged or cut short.
    #[error("weights file `{shard}` cannot be read: {reason}; fetch the model again")]
    Shard {
        /// The file's name, or its number among the files given.
        shard: String,
        /// The fault, in words.
        reason: String,
    },
    /// `config.json` is damaged or describes a model that this crate does not run.
    #[error("config.json: {reason}")]
    Config {
        /// The fault, and what would be right.
        reason: String,
    },
    /// `tokenizer.json` is damaged, or the tokenizer refused a text.
    #[error("tokenizer: {reason}")]
    Tokenizer {
        /// The tokenizer's own message.
        reason: String,
    },
    /// An adapter is damaged, of a later version, or of another encoder.
    #[error("adapter: {reason}")]
    Adapter {
        /// The fault: what was expected and what was found.
        reason: String,
    },
    /// A GGUF file is damaged, cut short, or uses what this crate does not read.
    #[error("GGUF file, byte {offset}: {reason}; fetch the model again")]
    Gguf {
        /// The place in the file, in bytes from its start.
        offset: usize,
        /// The fault: what was expected there and what was found.
        reason: String,
    },
    /// A model's chat template is damaged or cannot be filled in.
    #[error("chat template: {reason}")]
    ChatTemplate {
        /// The template engine's own message.
        reason: String,
    },
    /// A prompt leaves no room for an answer.
    #[error(
        "the prompt has {tokens} tokens, and the model reads {limit} in all, its answer included; give it less evidence"
    )]
    ContextTooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// The most tokens that the model can hold.
        limit: usize,
    },
    /// The options of an answer make no sense.
    #[error("the options of an answer: {reason}")]
    Options {
        /// The fault, and what would be right.
        reason: String,
    },
    /// No token can follow: the highest logit is no number.
    #[error(
        "no token can follow, the highest logit is {best:?}; either every token was forbidden, or the device computes wrongly"
    )]
    NoToken {
        /// The highest logit.
        best: Option<f32>,
    },
    /// A model computed something else than is known to be right, so its device cannot be trusted.
    #[error(
        "the device computes wrongly: to a known prompt the model answered with the tokens {found:?} in place of {expected:?}; run the model on the CPU"
    )]
    WrongAnswer {
        /// The tokens that are right.
        expected: Vec<u32>,
        /// The tokens that came.
        found: Vec<u32>,
    },
    /// The device failed while it computed or while results were read back.
    #[error("the device stopped while {doing}: {reason}; load the model again")]
    Device {
        /// The step that the model was at.
        doing: &'static str,
        /// The device's own message.
        reason: String,
    },
}

impl ModelError {
    /// An error about one tensor.
    pub(crate) fn tensor(name: &str, reason: impl Into<String>) -> Self {
        Self::Tensor { name: name.to_owned(), reason: reason.into() }
    }

    /// An error about the configuration.
    pub(crate) fn config(reason: impl Into<String>) -> Self {
        Self::Config { reason: reason.into() }
    }

    /// An error about what is asked of an answer.
    pub(crate) fn options(reason: impl Into<String>) -> Self {
        Self::Options { reason: reason.into() }
    }

    /// An error about an adapter.
    pub(crate) fn adapter(reason: impl std::fmt::Display) -> Self {
        Self::Adapter { reason: reason.to_string() }
    }

    /// An error about a place in a GGUF file.
    pub(crate) fn gguf(offset: usize, reason: impl Into<String>) -> Self {
        Self::Gguf { offset, reason: reason.into() }
    }

    /// An error about a chat template.
    pub(crate) fn chat_template(reason: impl std::fmt::Display) -> Self {
        Self::ChatTemplate { reason: reason.to_string() }
    }

    /// An error from the tokenizer.
    pub(crate) fn tokenizer(reason: impl std::fmt::Display) -> Self {
        Self::Tokenizer { reason: reason.to_string() }
    }

    /// An error from the device.
    pub(crate) fn device(doing: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Device { doing, reason: reason.to_string() }
    }
}
