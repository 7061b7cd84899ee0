//! A head that finds answers.

use burn::module::Module;
use burn::nn::{Linear, LinearConfig};
use campanile_model::TokenSequence;

use crate::changes::{Metadata, refused};
use crate::device::read_back;
use crate::encoder::{Encoder, rows};
use crate::error::ReferenceError;
use crate::weights::{Renamings, Weights, fill};

/// Finds where an answer starts and ends, or that there is none, as in SQuAD 2.0
/// ([Rajpurkar et al. 2018](https://arxiv.org/abs/1806.03822)).
pub struct Reader {
    encoder: Encoder,
    head: Head,
}

/// What a reader makes of a question and a passage that it reads together.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderLogits {
    /// `[tokens]`: that an answer starts with the token.
    pub start: Vec<f32>,
    /// `[tokens]`: that an answer ends with the token.
    pub end: Vec<f32>,
    /// That there is an answer, where the adapter has a head for it.
    pub answerable: Option<f32>,
}

#[derive(Module, Debug)]
struct Head {
    /// From `hidden` to two logits: start and end.
    span: Linear,
    /// From `hidden` to one logit.
    answerable: Option<Linear>,
}

const RENAMINGS: &Renamings = &[(r"^head\.", "")];

impl Reader {
    /// An encoder that reads with an adapter, from the bytes of its file.
    ///
    /// # Errors
    /// As [`Encoder::with_changes`], and [`ReferenceError::Adapter`] where it is for another task.
    pub fn new(encoder: &Encoder, adapter: &[u8]) -> Result<Self, ReferenceError> {
        let metadata = Metadata::read(adapter)?;
        let answerable = match (metadata.text("task")?, metadata.text("null")?) {
            ("reader", "answerable") => true,
            ("reader", "cls") => false,
            ("reader", null) => return Err(refused("null", null)),
            (task, _) => return Err(refused("task", task)),
        };
        let linear = |logits| LinearConfig::new(encoder.hidden(), logits).init(encoder.device());
        let mut head = Head { span: linear(2), answerable: answerable.then(|| linear(1)) };
        fill(&mut head, Weights::Bytes(adapter), RENAMINGS)?;
        Ok(Self { encoder: encoder.with_changes(adapter)?, head })
    }

    /// The logits of each pair of a question and a passage, in the order given.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn logits(&self, pairs: &[TokenSequence]) -> Result<Vec<ReaderLogits>, ReferenceError> {
        self.encoder.in_batches(pairs, |batch, states| {
            let spans = rows(batch, self.head.span.forward(states.clone()))?;
            let answerable = match &self.head.answerable {
                // The first token, `[CLS]`, stands for all.
                Some(head) => {
                    let logits = read_back(head.forward(states.narrow(1, 0, 1)))?;
                    logits.into_iter().map(Some).collect()
                }
                None => vec![None; spans.len()],
            };
            let of_pair = |(span, answerable): (Vec<f32>, Option<f32>)| {
                let (start, end) = span.as_chunks().0.iter().map(|&[s, e]| (s, e)).unzip();
                ReaderLogits { start, end, answerable }
            };
            Ok(spans.into_iter().zip(answerable).map(of_pair).collect())
        })
    }
}
