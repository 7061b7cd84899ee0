//! Calibration: does confidence mean what it says, and what is refusing worth.
//!
//! A [`Forecast`] is a confidence and what came of it: that the answer was right (for
//! [`RiskCoverage`] and [`Reliability`]), or that the documents answer the question at all (for
//! [`Roc`]). [`correctness`], [`answerability`] and [`refusals`] take them from a run's records.
//! Curves are returned as points, for plots.
//!
//! Questions with the same confidence cannot be told apart by any threshold. They enter a curve
//! together, and averages are taken over all orders of them, so that the order of the questions in
//! a file changes nothing.
//!
//! ```
//! use campanile_eval::calibration::{Forecast, RiskCoverage};
//!
//! let forecast = |confidence, outcome| Forecast { confidence, outcome };
//! let answers = [forecast(0.9, true), forecast(0.7, true), forecast(0.4, false), forecast(0.2, true)];
//! let curve = RiskCoverage::new(&answers, 0)?;
//! assert_eq!(curve.accuracy_at(0.5), Some(1.0));
//! assert_eq!(curve.accuracy_at(1.0), Some(0.75));
//! # Ok::<(), campanile_eval::calibration::ForecastError>(())
//! ```

mod curves;
mod fit;

use campanile_questions::Category;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Record, RecordedAnswer};

pub use curves::{Reliability, ReliabilityBin, RiskCoverage, RiskPoint, Roc, RocPoint};
pub use fit::{Fit, Observation, Worth, fit};

/// The engine's confidence in something, and if it came true.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// Higher is surer; for reliability a probability, 0 to 1.
    pub confidence: f64,
    /// `true` if it came true.
    pub outcome: bool,
}

/// Why forecasts cannot be measured.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ForecastError {
    /// There are none.
    #[error("no question was answered with a confidence")]
    Empty,
    /// A confidence that is no number.
    #[error("the confidence at place {0} (from 0) is not a finite number")]
    NotFinite(usize),
    /// A confidence that is no probability.
    #[error("the confidence at place {0} (from 0) is not between 0 and 1")]
    NoProbability(usize),
    /// A diagram without bins.
    #[error("give at least one bin")]
    NoBins,
}

/// The forecasts with the surest first.
pub(super) fn surest_first(forecasts: &[Forecast]) -> Result<Vec<Forecast>, ForecastError> {
    if forecasts.is_empty() {
        return Err(ForecastError::Empty);
    }
    if let Some(place) = forecasts.iter().position(|forecast| !forecast.confidence.is_finite()) {
        return Err(ForecastError::NotFinite(place));
    }
    let mut sorted = forecasts.to_vec();
    sorted.sort_by(|left, right| right.confidence.total_cmp(&left.confidence));
    Ok(sorted)
}

/// Runs of one confidence, surest first.
pub(super) fn ties(sorted: &[Forecast]) -> impl Iterator<Item = &[Forecast]> {
    sorted.chunk_by(|left, right| left.confidence == right.confidence)
}

/// Counts the forecasts that came true.
pub(super) fn came_true(forecasts: &[Forecast]) -> usize {
    forecasts.iter().filter(|forecast| forecast.outcome).count()
}

/// The forecasts that a run made about its answers, and counts of the questions without one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Correctness {
    /// One for each answer that could be judged: whether it was right.
    pub forecasts: Vec<Forecast>,
    /// Questions that were refused.
    pub refused: usize,
    /// Questions that were answered, but have no score to tell whether rightly.
    pub unscored: usize,
}

/// Confidence beside correctness: an answer is right where its score in `metric` is at least
/// `least`. An unanswerable question that is answered counts as wrong.
pub fn correctness(records: &[Record], metric: &str, least: f64) -> Correctness {
    let mut found = Correctness::default();
    for (record, answer) in answered(records) {
        let score = record.scores.get(metric).map(|&score| score >= least);
        let right = if record.category == Category::Unanswerable { Some(false) } else { score };
        match right {
            _ if answer.refused => found.refused += 1,
            None => found.unscored += 1,
            Some(outcome) => {
                found.forecasts.push(Forecast { confidence: answer.confidence, outcome });
            }
        }
    }
    found
}

/// Confidence beside answerability, refused questions included. Ambiguous questions are left out:
/// neither answer nor refusal is wrong for them.
pub fn answerability(records: &[Record]) -> Vec<Forecast> {
    let forecast = |(record, answer): (&Record, &RecordedAnswer)| {
        Some(Forecast { confidence: answer.confidence, outcome: is_answerable(record)? })
    };
    answered(records).filter_map(forecast).collect()
}

/// Refusals of a run. Ambiguous questions are left out, as in [`answerability`].
pub fn refusals(records: &[Record]) -> RefusalCounts {
    let mut counts = RefusalCounts::default();
    for (record, answer) in answered(records) {
        if let Some(answerable) = is_answerable(record) {
            counts.add(answerable, answer.refused);
        }
    }
    counts
}

/// The records with a reply, be it a refusal.
fn answered(records: &[Record]) -> impl Iterator<Item = (&Record, &RecordedAnswer)> {
    records.iter().filter_map(|record| Some((record, record.answer.as_ref()?)))
}

fn is_answerable(record: &Record) -> Option<bool> {
    match record.category {
        Category::Answerable => Some(true),
        Category::Unanswerable => Some(false),
        Category::Ambiguous => None,
    }
}

/// Refusals against what should have been refused. A refusal is what is looked for: a right one is
/// a true positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RefusalCounts {
    /// Rightly refused: the documents do not answer.
    pub refused_unanswerable: usize,
    /// Refused though answerable: help that was withheld.
    pub refused_answerable: usize,
    /// Answered though unanswerable: an answer that must be made up.
    pub answered_unanswerable: usize,
    /// Rightly answered, whatever the answer was worth.
    pub answered_answerable: usize,
}

impl RefusalCounts {
    /// Counts one question.
    pub fn add(&mut self, answerable: bool, refused: bool) {
        let count = match (answerable, refused) {
            (false, true) => &mut self.refused_unanswerable,
            (true, true) => &mut self.refused_answerable,
            (false, false) => &mut self.answered_unanswerable,
            (true, false) => &mut self.answered_answerable,
        };
        *count += 1;
    }

    /// The share of refusals that are right; `None` where nothing was refused.
    pub fn precision(&self) -> Option<f64> {
        share(self.refused_unanswerable, self.refused_answerable)
    }

    /// The share of unanswerable questions that are refused; `None` without such questions.
    pub fn recall(&self) -> Option<f64> {
        share(self.refused_unanswerable, self.answered_unanswerable)
    }

    /// 2 · precision · recall / (precision + recall); 0 where nothing was refused that should have
    /// been, `None` where nothing was refused and nothing should have been.
    pub fn f1(&self) -> Option<f64> {
        let right = 2 * self.refused_unanswerable;
        share(right, self.refused_answerable + self.answered_unanswerable)
    }

    /// The share of answerable questions that are refused; `None` without such questions.
    pub fn over_refusal(&self) -> Option<f64> {
        share(self.refused_answerable, self.answered_answerable)
    }

    /// The share of unanswerable questions that are answered; `None` without such questions.
    pub fn false_answers(&self) -> Option<f64> {
        share(self.answered_unanswerable, self.refused_unanswerable)
    }
}

/// `part` of both.
fn share(part: usize, rest: usize) -> Option<f64> {
    let total = part + rest;
    (total > 0).then(|| part as f64 / total as f64)
}
