//! Logistic regression towards weights that are known already.

use campanile_bundle::Logistic;
use serde::Serialize;

use super::curves::{Reliability, ReliabilityBin, Roc};
use super::{Forecast, ForecastError};

/// The number of weights of a [`Logistic`], the bias first.
const WEIGHTS: usize = 7;
/// Strengths with which a fit is held to the weights that it starts from: so many questions' worth each. The
/// one that forecasts best what it was not fitted on is taken.
// From one question, so that the set decides alone, to more than most departments ask, so that nothing moves: cross-
// validation chooses (docs/concepts/confidence.md).
const STRENGTHS: [f64; 5] = [1.0, 4.0, 16.0, 64.0, 256.0];
/// The questions are divided into so many parts; each is forecast by a fit on the others.
// With the fewest questions that are calibrated with, twenty, a part still holds four.
const FOLDS: usize = 5;
/// Steps of the descent; the loss is convex, and more change nothing in the third digit.
const STEPS: usize = 400;

/// The values known of an answer, and if it was right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Observation {
    /// The values that the weights are multiplied with; the first is 1.
    pub values: [f32; WEIGHTS],
    /// `true` if the answer was right.
    pub right: bool,
}

/// A fitted model, with what it is worth on questions that it was not fitted on.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The weights, fitted on all observations.
    pub model: Logistic,
    /// A forecast of each observation by a fit on the other parts, in the order given.
    pub held_back: Vec<Forecast>,
    /// A forecast of each by the weights that were known before.
    pub before: Vec<Forecast>,
}

/// Calibration and sharpness of forecasts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worth {
    /// The expected calibration error, ten bins.
    pub calibration_error: f64,
    /// The mean squared error.
    pub brier: f64,
    /// The area under the ROC curve: how well right answers are told from wrong ones; `None` where all are
    /// of one kind.
    pub auroc: Option<f64>,
    /// The share that came true by how sure the forecasts were; bins without any are left out.
    pub bins: Vec<ReliabilityBin>,
}

impl Worth {
    /// Into so many bins forecasts are sorted, the empty ones included.
    pub const BINS: usize = 10;

    /// Measures some forecasts.
    ///
    /// # Errors
    /// Where there are none, or one is no probability.
    pub fn of(forecasts: &[Forecast]) -> Result<Self, ForecastError> {
        let mut reliability = Reliability::new(forecasts, Self::BINS)?;
        reliability.bins.retain(|bin| bin.count > 0);
        Ok(Self {
            calibration_error: reliability.expected_calibration_error,
            brier: reliability.brier,
            auroc: Roc::new(forecasts)?.area,
            bins: reliability.bins,
        })
    }
}

/// Fits weights to observations, none below 0 but the bias: more of anything that speaks for an answer must
/// not make it less probable. Every weight is drawn towards the one in `known`, the bias is free, so that few
/// questions move little and many decide alone (a Gaussian prior; MacKay 1992).
///
/// # Errors
/// Where there are no observations.
pub fn fit(observations: &[Observation], known: &Logistic) -> Result<Fit, ForecastError> {
    let start = numbers(known);
    let mut best: Option<(f64, f64, Vec<Forecast>)> = None;
    for strength in STRENGTHS {
        let forecasts = held_back(observations, start, strength);
        let loss = log_loss(&forecasts);
        if best.as_ref().is_none_or(|(least, ..)| loss < *least) {
            best = Some((loss, strength, forecasts));
        }
    }
    let Some((_, strength, held_back)) = best.filter(|_| !observations.is_empty()) else {
        return Err(ForecastError::Empty);
    };
    let all: Vec<&Observation> = observations.iter().collect();
    Ok(Fit {
        model: logistic(descend(&all, start, strength)),
        held_back,
        before: observations.iter().map(|one| forecast(one, &start)).collect(),
    })
}

/// Every observation by a fit on the parts that it isn't in.
fn held_back(observations: &[Observation], start: [f64; WEIGHTS], strength: f64) -> Vec<Forecast> {
    let fits: Vec<[f64; WEIGHTS]> = (0..FOLDS)
        .map(|fold| {
            let others = observations.iter().enumerate();
            // By their places and not by lot: the same set gives the same weights.
            let others = others.filter(|(place, _)| place % FOLDS != fold).map(|(_, one)| one);
            descend(&others.collect::<Vec<_>>(), start, strength)
        })
        .collect();
    observations
        .iter()
        .enumerate()
        .map(|(place, one)| forecast(one, &fits[place % FOLDS]))
        .collect()
}

/// Gradient descent on the log loss and the distance from the start, each value in units of its spread.
fn descend(observations: &[&Observation], start: [f64; WEIGHTS], strength: f64) -> [f64; WEIGHTS] {
    let count = observations.len() as f64;
    if observations.is_empty() {
        return start;
    }
    let mut mean = [0.0; WEIGHTS];
    let mut spread = [0.0; WEIGHTS];
    for one in observations {
        for (sum, value) in mean.iter_mut().zip(one.values) {
            *sum += f64::from(value) / count;
        }
    }
    for one in observations {
        for ((sum, value), mean) in spread.iter_mut().zip(one.values).zip(mean) {
            *sum += (f64::from(value) - mean).powi(2) / count;
        }
    }
    let spread = spread.map(|variance: f64| variance.sqrt());
    let mut weights = start;
    // Centred values let the bias move freely of the others: it is put back at the end.
    let shift = |weights: &[f64; WEIGHTS]| -> f64 {
        weights.iter().zip(mean).skip(1).map(|(weight, mean)| weight * mean).sum()
    };
    let mut bias = start[0] + shift(&start);
    for step in 0..STEPS {
        let mut slope = [0.0; WEIGHTS];
        for one in observations {
            let mut z = bias;
            for ((weight, value), mean) in weights.iter().zip(one.values).zip(mean).skip(1) {
                z += weight * (f64::from(value) - mean);
            }
            let error = sigmoid(z) - f64::from(u8::from(one.right));
            for ((sum, value), mean) in slope.iter_mut().zip(one.values).zip(mean).skip(1) {
                *sum += error * (f64::from(value) - mean) / count;
            }
            slope[0] += error / count;
        }
        let rate = 2.0 / (1.0 + step as f64 / STEPS as f64);
        bias -= rate * slope[0];
        let terms = weights.iter_mut().zip(slope).zip(start).zip(spread).skip(1);
        for (((weight, slope), start), spread) in terms {
            // A value that is the same for all says nothing of its weight, which stays where it was.
            if spread > 1e-9 {
                let in_spreads = slope / spread + strength / count * (*weight - start) * spread;
                let rate = 0.5 * rate / (1.0 + strength / count);
                *weight = (*weight - rate * in_spreads / spread).max(0.0);
            }
        }
    }
    weights[0] = bias - shift(&weights);
    weights
}

fn forecast(one: &Observation, weights: &[f64; WEIGHTS]) -> Forecast {
    let z = one.values.iter().zip(weights).map(|(value, weight)| f64::from(*value) * weight).sum();
    Forecast { confidence: sigmoid(z), outcome: one.right }
}

fn log_loss(forecasts: &[Forecast]) -> f64 {
    let loss = |one: &Forecast| {
        let right = if one.outcome { one.confidence } else { 1.0 - one.confidence };
        // One sure miss must not make the loss infinite, or no strength could be compared with another.
        -right.max(1e-12).ln()
    };
    forecasts.iter().map(loss).sum()
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

fn numbers(model: &Logistic) -> [f64; WEIGHTS] {
    let Logistic { bias, answer, support, agreement, cosine, coverage, gap } = *model;
    [bias, answer, support, agreement, cosine, coverage, gap].map(f64::from)
}

/// Rounded to what three digits after the point hold: a setting is to be read.
fn logistic(weights: [f64; WEIGHTS]) -> Logistic {
    let [bias, answer, support, agreement, cosine, coverage, gap] =
        weights.map(|weight| ((weight * 1000.0).round() / 1000.0) as f32);
    Logistic { bias, answer, support, agreement, cosine, coverage, gap }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_bundle::Calibration;
    use proptest::prelude::*;

    use super::*;

    /// Questions whose answers are right as often as `truth` says: each repeated, so that shares come out.
    fn observations(truth: &Logistic, cosines: &[f32]) -> Vec<Observation> {
        let one = |cosine: f32, coverage: f32, share: usize| {
            let values = [1.0, 0.0, 0.0, 0.0, cosine, coverage, 0.0];
            let z = truth.bias + truth.cosine * cosine + truth.coverage * coverage;
            let right = f64::from(share as u8) / 20.0 + 0.025 < sigmoid(f64::from(z));
            Observation { values, right }
        };
        let mut all = Vec::new();
        for share in 0..20 {
            for &cosine in cosines {
                all.extend([one(cosine, 0.2, share), one(cosine, 0.8, share)]);
            }
        }
        all
    }

    const COSINES: [f32; 8] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

    #[test]
    fn many_questions_overrule_what_was_known() {
        let truth = Logistic { bias: -4.0, cosine: 6.0, coverage: 2.0, ..Logistic::default() };
        let known = Calibration::default().keywords;
        let found = fit(&observations(&truth, &COSINES), &known).unwrap();
        assert!((found.model.cosine - truth.cosine).abs() < 1.0, "{:?}", found.model);
        assert!((found.model.coverage - truth.coverage).abs() < 0.6, "{:?}", found.model);
        let (before, after) = (Worth::of(&found.before), Worth::of(&found.held_back));
        assert!(after.unwrap().calibration_error < 0.04);
        assert!(before.unwrap().calibration_error > 0.1);
    }

    #[test]
    fn few_questions_move_the_bias() {
        let known = Logistic { bias: 0.0, cosine: 5.0, ..Logistic::default() };
        let values = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0];
        let six = [false, false, false, false, true, false];
        let few: Vec<Observation> = six.map(|right| Observation { values, right }).to_vec();
        let found = fit(&few, &known).unwrap().model;
        assert!((found.cosine - 5.0).abs() < 0.1, "{found:?}");
        let share = sigmoid(f64::from(found.bias + 0.5 * found.cosine));
        assert!((share - 1.0 / 6.0).abs() < 0.02, "{share}");
    }

    #[test]
    fn nothing_observed_is_an_error() {
        assert_eq!(fit(&[], &Logistic::default()), Err(ForecastError::Empty));
    }

    proptest! {
        #[test]
        fn forecasts_are_probabilities_and_weights_never_negative(
            seen in prop::collection::vec((prop::array::uniform6(-3.0f32..3.0), any::<bool>()), 1..40)
        ) {
            let observations: Vec<Observation> = seen
                .iter()
                .map(|&([a, b, c, d, e, f], right)| Observation { values: [1.0, a, b, c, d, e, f], right })
                .collect();
            let found = fit(&observations, &Calibration::default().words).unwrap();
            prop_assert_eq!(found.held_back.len(), observations.len());
            for forecast in &found.held_back {
                prop_assert!((0.0..=1.0).contains(&forecast.confidence));
            }
            let Logistic { bias, answer, support, agreement, cosine, coverage, gap } = found.model;
            prop_assert!(bias.is_finite());
            for weight in [answer, support, agreement, cosine, coverage, gap] {
                prop_assert!(weight >= 0.0 && weight.is_finite());
            }
        }
    }
}
