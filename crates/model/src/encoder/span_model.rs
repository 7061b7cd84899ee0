//! A network that finds the starts and ends of answers.

use super::check_tokenizer;
use super::classifier_config::ClassifierConfig;
use super::trunk::Trunk;
use super::trunk_weights::{Linear, tensor_names};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::Tokenizer;

/// The head's name, as the reference has it.
const HEAD: &str = "qa_outputs";

/// A BERT or RoBERTa network with a head that gives every token the logit of an answer's start and
/// of its end ([Devlin et al. 2019](https://arxiv.org/abs/1810.04805)), on the CPU. A
/// [`Reader`](crate::Reader) reads with it.
pub struct SpanModel {
    config: ClassifierConfig,
    tokenizer: Tokenizer,
    pub(crate) trunk: Trunk,
    pub(crate) span: Linear,
}

impl SpanModel {
    /// Puts a model together; reads one tensor at a time from `weights`.
    ///
    /// # Errors
    /// [`ModelError`] where the configuration does not fit together or fits not the tokenizer,
    /// or a tensor is missing, damaged or of another shape.
    pub fn load(
        config: &ClassifierConfig,
        tokenizer: Tokenizer,
        weights: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        config.check()?;
        let reserved = tokenizer.pair_special_tokens();
        check_tokenizer(&config.network, &tokenizer, config.token_limit(), reserved)?;
        Ok(Self {
            trunk: Trunk::load(&config.network, weights)?,
            span: Linear::load(HEAD, config.network.hidden_size, 2, weights)?,
            config: config.clone(),
            tokenizer,
        })
    }

    /// The names of the tensors that it reads from `source`; it may hold others.
    pub fn tensor_names(config: &ClassifierConfig, source: &dyn TensorSource) -> Vec<String> {
        let mut names = tensor_names(&config.network, source);
        names.extend([format!("{HEAD}.weight"), format!("{HEAD}.bias")]);
        names
    }

    /// The most tokens of a question and a passage that are read at once, special tokens among them.
    pub fn max_tokens(&self) -> usize {
        self.config.token_limit()
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }
}
