//! Networks that judge a pair of texts as a whole: how well a passage answers a question, and whether evidence supports a
//! claim.

use campanile_kernels::softmax;

use super::Calibration;
use super::file::{Adapter, Task, TaskHead};
use super::pair::PairNetwork;
use crate::encoder::{Encoder, FIRST, PairHead, SequenceClassifier};
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
            network: PairNetwork::whole(&model.model, FIRST, false)?,
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
        // One window that answers is enough: what stands around it in a long passage says nothing against it.
        let mut scores = vec![f32::NEG_INFINITY; passages.len()];
        for (place, logits) in windows.places.iter().zip(logits) {
            scores[place.passage] = scores[place.passage].max(logits[0]);
        }
        Ok(scores)
    }

    /// Returns the probability that a passage of this score answers.
    pub fn probability(&self, score: f32) -> f32 {
        self.calibration.probability(score)
    }
}

/// The beginnings of the labels' names, in the order of [`Verdict`]'s fields.
const LABELS: [&str; 3] = ["entail", "contradict", "neutral"];

/// The places of [`LABELS`] among three labels.
pub(super) fn label_places<'a>(labels: impl Iterator<Item = &'a str>) -> Option<[usize; 3]> {
    let mut places = [None; 3];
    for (place, label) in labels.enumerate() {
        let label = label.to_ascii_lowercase();
        let which = LABELS.iter().position(|start| label.starts_with(start))?;
        if places[which].replace(place).is_some() {
            return None;
        }
    }
    let [Some(entailed), Some(contradicted), Some(neutral)] = places else { return None };
    Some([entailed, contradicted, neutral])
}

/// Says whether evidence supports a claim or contradicts it.
pub struct ClaimChecker<'a> {
    network: PairNetwork<'a>,
    head: PairHead<'a>,
    places: [usize; 3],
    calibration: Calibration,
}

/// A piece of evidence's verdict on a claim: three probabilities, which sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// It follows.
    pub entailed: f32,
    /// It cannot be so.
    pub contradicted: f32,
    /// It is left open.
    pub neutral: f32,
    /// `true` if `entailed` is high enough for the claim to count as supported.
    pub supported: bool,
}

impl<'a> ClaimChecker<'a> {
    /// An encoder that checks with an adapter.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the adapter is for another task or another network.
    pub fn new(encoder: &'a Encoder, adapter: &'a Adapter) -> Result<Self, ModelError> {
        let TaskHead::Checker { label, pooling, places } = &adapter.head else {
            return Err(adapter.other_task(Task::Checker));
        };
        Ok(Self {
            network: PairNetwork::adapted(encoder, adapter, Some(*pooling))?,
            head: PairHead::Linear(label, *pooling),
            places: *places,
            calibration: adapter.calibration,
        })
    }

    /// A whole model of natural language inference, which reads the evidence before the claim. A
    /// claim counts as supported where nothing else is more probable.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where its labels are not entailment, contradiction and neutral, or it
    /// takes too few tokens for two texts.
    pub fn whole(model: &'a SequenceClassifier) -> Result<Self, ModelError> {
        let labels = model.labels().iter().map(String::as_str);
        let places = label_places(labels).ok_or_else(|| {
            ModelError::adapter(format!(
                "the model's labels are {:?}, expected are entailment, contradiction and neutral",
                model.labels()
            ))
        })?;
        Ok(Self {
            network: PairNetwork::whole(&model.model, FIRST, true)?,
            head: PairHead::Classifier(&model.head),
            places,
            // Above a half no other label can be as probable.
            calibration: Calibration { threshold: 0.5, ..Calibration::PLAIN },
        })
    }

    /// Returns the verdict of each piece of evidence on the claim, in the order given.
    ///
    /// Evidence that is longer than the network reads at once is read in windows that overlap; the
    /// one that most probably entails the claim is heard. Natively all cores take part.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where a text cannot be cut into tokens,
    /// [`ModelError::Device`] where the computation fails.
    pub fn check(&self, claim: &str, evidence: &[&str]) -> Result<Vec<Verdict>, ModelError> {
        let windows = self.network.texts.windows_of(claim, evidence)?;
        let logits = self.network.run(&windows, &|rows| self.head.logits(rows))?;
        let mut verdicts: Vec<Verdict> = Vec::with_capacity(evidence.len());
        for (place, logits) in windows.places.iter().zip(&logits) {
            let verdict = self.verdict(logits);
            // Windows come in the order of their evidence, which has one at least.
            match verdicts.get_mut(place.passage) {
                Some(best) if best.entailed < verdict.entailed => *best = verdict,
                Some(_) => {}
                None => verdicts.push(verdict),
            }
        }
        Ok(verdicts)
    }

    fn verdict(&self, logits: &[f32]) -> Verdict {
        // There is a logit for each of the three labels: other heads and models were refused.
        let mut shares = self.places.map(|place| logits[place] / self.calibration.temperature);
        softmax(&mut shares);
        let [entailed, contradicted, neutral] = shares;
        let supported = entailed >= self.calibration.threshold;
        Verdict { entailed, contradicted, neutral, supported }
    }
}
