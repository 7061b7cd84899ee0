//! A sequence classifier: two texts in, a number for each label out.

use super::classifier_config::ClassifierConfig;
use super::classifier_head::Head;
use super::trunk::{Pass, Trunk};
use super::{check_tokenizer, parallel};
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::Tokenizer;

/// The head looks at the first token's vector alone.
pub(crate) const FIRST: Pass<'static> = Pass { changes: None, first_only: true };

/// A BERT or RoBERTa network that reads two texts at once and judges the pair, on the CPU.
///
/// A cross-encoder (one label) says how well a passage answers a question; a model of natural
/// language inference (three labels) whether a text follows from, contradicts or leaves open
/// another.
pub struct SequenceClassifier {
    config: ClassifierConfig,
    labels: Vec<String>,
    tokenizer: Tokenizer,
    pub(crate) trunk: Trunk,
    pub(crate) head: Head,
}

impl SequenceClassifier {
    /// Puts a classifier together; reads one tensor at a time from `weights`.
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
        let labels: Vec<String> = config.id2label.values().cloned().collect();
        Ok(Self {
            trunk: Trunk::load(&config.network, weights)?,
            head: Head::load(&config.network, labels.len(), weights)?,
            config: config.clone(),
            labels,
            tokenizer,
        })
    }

    /// One logit for each of [`SequenceClassifier::labels`], pair by pair in the order given.
    ///
    /// A pair with more than [`SequenceClassifier::max_tokens`] tokens loses the ends of its
    /// texts, the longer one's first. Natively all cores take part.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn logits(&self, pairs: &[(&str, &str)]) -> Result<Vec<Vec<f32>>, ModelError> {
        let sequences = parallel::try_map(pairs, |(first, second)| {
            self.tokenizer.pair_sequence(first, second, self.max_tokens())
        })?;
        self.trunk.each(FIRST, &sequences, |_, rows| self.head.logits(rows))
    }

    /// The labels' names.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The most tokens of a pair that are read, special tokens among them.
    pub fn max_tokens(&self) -> usize {
        self.config.token_limit()
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }
}
