//! Scores passages by a question.

use super::file::{Adapter, Task, TaskHead};
use super::pair::PairNetwork;
use super::spans::Calibration;
use crate::encoder::{Encoder, PairHead, SequenceClassifier};
use crate::error::ModelError;

/// Says how well passages answer a question.
pub struct Reranker<'a> {
    network: PairNetwork<'a>,
    head: PairHead<'a>,
    calibration: Calibration,
}

impl<'a> Reranker<'a> {
    /// An encoder that reranks with an adapter.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the adapter is for another task or another network.
    pub fn new(encoder: &'a Encoder, adapter: &'a Adapter) -> Result<Self, ModelError> {
        let TaskHead::Reranker { score, pooling } = &adapter.head else {
            return Err(adapter.other_task(Task::Reranker));
        };
        Ok(Self {
            network: PairNetwork::adapted(encoder, adapter, Some(*pooling))?,
            head: PairHead::Linear(score, *pooling),
            calibration: adapter.calibration,
        })
    }

    /// A whole cross-encoder.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where it has other labels than one, or takes too few tokens for a
    /// question and a passage.
    pub fn whole(model: &'a SequenceClassifier) -> Result<Self, ModelError> {
        if model.labels().len() != 1 {
            return Err(ModelError::adapter(format!(
                "a cross-encoder has one label, the model has {:?}",
                model.labels()
            )));
        }
        Ok(Self {
            network: PairNetwork::whole(model, false)?,
            head: PairHead::Classifier(&model.head),
            calibration: Calibration::PLAIN,
        })
    }

    /// A logit for each passage, in the order given: the higher, the better it answers.
    ///
    /// A passage that is longer than the network reads at once is read in windows that overlap, and
    /// its best window's logit is its own. Natively all cores take part.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn score(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        let windows = self.network.texts.windows_of(question, passages)?;
        let logits = self.network.run(&windows, &|rows| self.head.logits(rows))?;
        let mut scores = vec![f32::NEG_INFINITY; passages.len()];
        for (place, logits) in windows.places.iter().zip(logits) {
            if let (Some(score), Some(logit)) = (scores.get_mut(place.passage), logits.first()) {
                *score = score.max(*logit);
            }
        }
        Ok(scores)
    }

    /// Returns the probability that a passage of this score answers.
    pub fn probability(&self, score: f32) -> f32 {
        self.calibration.probability(score)
    }
}
