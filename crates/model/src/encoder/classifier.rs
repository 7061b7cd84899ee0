//! Whole models with a head for a task: sequence classifiers, and models that find the starts and ends of answers.

use campanile_kernels::tanh;

use super::config::{Architecture, BertConfig, ClassifierConfig, Pooling};
use super::sentence_encoder::pool;
use super::trunk::{Pass, Trunk};
use super::trunk_weights::{self, Linear, prefix};
use super::{check_tokenizer, try_map};
use crate::adapter::ReaderHeads;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;
use crate::tokenizer::Tokenizer;

/// The head looks at the first token's vector alone.
pub(crate) const FIRST: Pass<'static> = Pass { changes: None, first_only: true, observer: None };

/// A network that reads two texts at once, without its head.
pub(crate) struct PairModel {
    pub(crate) tokenizer: Tokenizer,
    pub(crate) trunk: Trunk,
    /// The most tokens of both texts that are read, special tokens among them.
    pub(crate) max_tokens: usize,
}

impl PairModel {
    fn load(
        config: &ClassifierConfig,
        tokenizer: Tokenizer,
        weights: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        config.check()?;
        let max_tokens = config.token_limit();
        check_tokenizer(&config.network, &tokenizer, max_tokens, tokenizer.pair_special_tokens())?;
        Ok(Self { trunk: Trunk::load(&config.network, weights)?, tokenizer, max_tokens })
    }
}

/// A BERT or RoBERTa network that reads two texts at once and judges the pair, on the CPU.
///
/// A cross-encoder (one label) says how well a passage answers a question; a model of natural
/// language inference (three labels) whether a text follows from, contradicts or leaves open
/// another.
pub struct SequenceClassifier {
    pub(crate) model: PairModel,
    pub(crate) head: Head,
    labels: Vec<String>,
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
        let labels: Vec<String> = config.id2label.values().cloned().collect();
        Ok(Self {
            model: PairModel::load(config, tokenizer, weights)?,
            head: Head::load(&config.network, labels.len(), weights)?,
            labels,
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
        let PairModel { tokenizer, trunk, max_tokens } = &self.model;
        let sequences =
            try_map(pairs, |(first, second)| tokenizer.pair_sequence(first, second, *max_tokens))?;
        trunk.each(FIRST, &sequences, |_, rows| self.head.logits(rows))
    }

    /// The labels' names.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The most tokens of a pair that are read, special tokens among them.
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.model.tokenizer
    }
}

/// Two products with a hyperbolic tangent between, which both architectures have, under
/// different names.
pub(crate) struct Head {
    dense: Linear,
    output: Linear,
    hidden: usize,
    labels: usize,
}

/// A head that makes logits of the vectors of a pair.
pub(crate) enum PairHead<'a> {
    /// One product with the vector that they are pooled into.
    Linear(&'a Linear, Pooling),
    /// A classifier's own.
    Classifier(&'a Head),
}

impl PairHead<'_> {
    /// The logits of a text with these token vectors.
    pub(crate) fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        match self {
            Self::Linear(head, pooling) => head.of(&pool(rows, head.inputs(), *pooling, false)),
            Self::Classifier(head) => head.logits(rows),
        }
    }
}

/// The names of the two products' tensors, without their endings.
fn parts(config: &BertConfig, source: &dyn TensorSource) -> [String; 2] {
    match config.model_type {
        Architecture::Bert => {
            [format!("{}pooler.dense", prefix(config, source)), "classifier".to_owned()]
        }
        Architecture::Roberta => ["classifier.dense".to_owned(), "classifier.out_proj".to_owned()],
    }
}

/// The names of the head's tensors in `source`.
pub(super) fn head_tensor_names(config: &BertConfig, source: &dyn TensorSource) -> Vec<String> {
    let parts = parts(config, source);
    parts.iter().flat_map(|part| [format!("{part}.weight"), format!("{part}.bias")]).collect()
}

impl Head {
    /// A head with `labels` outputs.
    pub(super) fn load(
        config: &BertConfig,
        labels: usize,
        source: &dyn TensorSource,
    ) -> Result<Self, ModelError> {
        let hidden = config.hidden_size;
        let [dense, output] = parts(config, source);
        Ok(Self {
            dense: Linear::load(&dense, hidden, hidden, source)?,
            output: Linear::load(&output, hidden, labels, source)?,
            hidden,
            labels,
        })
    }

    /// The logits of a text with these token vectors; zeros where there are none.
    pub(crate) fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        let Some(first) = rows.get(..self.hidden) else { return Ok(vec![0.0; self.labels]) };
        let mut pooled = self.dense.of(first)?;
        tanh(&mut pooled);
        self.output.of(&pooled)
    }
}

/// The name of a span model's head, as the reference has it.
const SPAN_HEAD: &str = "qa_outputs";

/// A BERT or RoBERTa network with a head that gives every token the logit of an answer's start and
/// of its end ([Devlin et al. 2019](https://arxiv.org/abs/1810.04805)), on the CPU. A
/// [`Reader`](crate::Reader) reads with it.
pub struct SpanModel {
    pub(crate) model: PairModel,
    pub(crate) heads: ReaderHeads,
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
        Ok(Self {
            model: PairModel::load(config, tokenizer, weights)?,
            heads: ReaderHeads::span_only(Linear::load(
                SPAN_HEAD,
                config.network.hidden_size,
                2,
                weights,
            )?),
        })
    }

    /// The most tokens of a question and a passage that are read at once, special tokens among them.
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens
    }

    /// The names of the tensors that it reads from `source`; it may hold others.
    pub fn tensor_names(config: &ClassifierConfig, source: &dyn TensorSource) -> Vec<String> {
        let mut names = trunk_weights::tensor_names(&config.network, source);
        names.extend([format!("{SPAN_HEAD}.weight"), format!("{SPAN_HEAD}.bias")]);
        names
    }
}
