//! Finds answers in passages.

use std::ops::Range;

use super::file::{Adapter, Task, TaskHead};
use super::pair::{Limits, PairNetwork};
use super::spans::{Best, Calibration};
use crate::encoder::{Encoder, Linear, Pass, SpanModel, try_map};
use crate::error::ModelError;

/// The longest answer of a model that says nothing of it, in tokens: as in the reference.
const MAX_ANSWER: usize = 30;

/// Finds the spans of a passage that answer a question.
///
/// ```no_run
/// use campanile_model::{Adapter, Encoder, ModelError, Reader};
///
/// # fn demo(encoder: &Encoder, file: &[u8]) -> Result<(), ModelError> {
/// let adapter = Adapter::read(file)?;
/// let passage = "The library opens at nine.";
/// let found = Reader::new(encoder, &adapter)?.read("When does it open?", &[passage], 3)?;
/// for span in &found[0].spans {
///     println!("{:.2} {}", span.probability, &passage[span.bytes.clone()]);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Reader<'a> {
    network: PairNetwork<'a>,
    span: &'a Linear,
    answerable: Option<&'a Linear>,
    max_answer: usize,
    calibration: Calibration,
}

/// What a reader finds in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Answers, most probable first.
    pub spans: Vec<ReadSpan>,
    /// How probable it is that the passage holds no answer.
    pub no_answer: f32,
    /// By how much an answer is better than none, as a logit; `no_answer` follows from it.
    pub margin: f32,
}

/// An answer in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSpan {
    /// Where it is in the passage.
    pub bytes: Range<usize>,
    /// How probable it is that it is the answer.
    pub probability: f32,
    /// The sum of the logits of its start and its end.
    pub score: f32,
}

impl<'a> Reader<'a> {
    /// An encoder that reads with an adapter.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the adapter is for another task or another network.
    pub fn new(encoder: &'a Encoder, adapter: &'a Adapter) -> Result<Self, ModelError> {
        let TaskHead::Reader { span, answerable, max_answer } = &adapter.head else {
            return Err(adapter.other_task(Task::Reader));
        };
        Ok(Self {
            network: PairNetwork::adapted(encoder, adapter, None)?,
            span,
            answerable: answerable.as_ref(),
            max_answer: *max_answer,
            calibration: adapter.calibration,
        })
    }

    /// A whole model that was trained to read.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where it takes too few tokens for a question and a passage.
    pub fn whole(model: &'a SpanModel) -> Result<Self, ModelError> {
        let limits = Limits::of(model.max_tokens());
        Ok(Self {
            network: PairNetwork::new(model.tokenizer(), &model.trunk, Pass::default(), limits)?,
            span: &model.span,
            answerable: None,
            max_answer: MAX_ANSWER,
            calibration: Calibration::PLAIN,
        })
    }

    /// The `count` best answers in each passage, in the order given.
    ///
    /// A passage that is longer than the network reads at once is read in windows that overlap. An
    /// answer begins and ends with a token, and spans may overlap. Natively all cores take part.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn read(
        &self,
        question: &str,
        passages: &[&str],
        count: usize,
    ) -> Result<Vec<Reading>, ModelError> {
        let pieces = try_map(passages, |text| self.network.tokenizer().encode_spans(text))?;
        let ids = |pieces: &Vec<(u32, Range<usize>)>| pieces.iter().map(|(id, _)| *id).collect();
        let ids: Vec<Vec<u32>> = pieces.iter().map(ids).collect();
        let windows = self.network.windows(question, &ids)?;
        let logits = self.network.run(&windows, &|rows| self.logits(rows))?;
        let mut best: Vec<Best> =
            passages.iter().map(|_| Best::new(count, self.max_answer, self.calibration)).collect();
        for (place, logits) in windows.places.iter().zip(&logits) {
            if let Some(best) = best.get_mut(place.passage) {
                best.add(place, logits);
            }
        }
        Ok(best.iter().zip(&pieces).map(|(best, pieces)| self.reading(best, pieces)).collect())
    }

    /// The logits of a start and an end at each token, `[tokens, 2]`, and where a head says so that
    /// of there being an answer.
    fn logits(&self, rows: &[f32]) -> Result<Vec<f32>, ModelError> {
        let mut logits = self.span.of(rows)?;
        if let Some(head) = self.answerable {
            logits.extend(head.of(&rows[..rows.len().min(self.span.inputs())])?);
        }
        Ok(logits)
    }

    fn reading(&self, best: &Best, pieces: &[(u32, Range<usize>)]) -> Reading {
        let byte = |token: usize| pieces.get(token).map(|(_, bytes)| bytes.clone());
        let spans = best.spans.iter().filter_map(|span| {
            let bytes = byte(span.first)?.start..byte(span.last)?.end;
            Some(ReadSpan { bytes, probability: span.probability, score: span.score })
        });
        let no_answer = 1.0 - self.calibration.probability(best.margin);
        Reading { spans: spans.collect(), no_answer, margin: best.margin }
    }
}
