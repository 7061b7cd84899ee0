//! Statistics in a report: intervals, comparisons and curves, and how an experiment's records become them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::calibration::{ForecastError, RiskCoverage, correctness};
use crate::experiment::{Experiment, Run};
use crate::significance::{Bootstrap, SampleError, holm, mean_estimate, pair_scores, wilson};
use crate::{calibration, significance};

/// The confidence of a report's intervals, in percent.
pub const CONFIDENCE_PERCENT: u32 = 95;
/// Above which probability a difference counts as chance.
// The complement of the intervals' confidence, so that an interval and its p say the same.
pub const SIGNIFICANCE: f64 = 0.05;
/// The same as a share.
const LEVEL: f64 = 0.95;
/// The quantile of the normal distribution for it.
// Written out to ten digits: the exact quantile would change the last digits of every report's JSON.
const Z: f64 = 1.959_963_985;

/// A mean and the ends of its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Interval {
    /// The mean, or the difference of two.
    pub mean: f64,
    /// The interval's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a mean where nothing better is at hand: after Wilson ("Probable Inference, the
    /// Law of Succession, and Statistical Inference", 1927) where all values are 0 or 1, and otherwise
    /// by the normal approximation.
    pub fn of_mean(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let Some(mean) = crate::experiment::mean(values) else { return Self::default() };
        let ones = values.iter().filter(|value| **value == 1.0).count();
        let zeros = values.iter().filter(|value| **value == 0.0).count();
        let share = wilson(ones, values.len(), LEVEL);
        if let Some(share) = share.filter(|_| ones + zeros == values.len()) {
            return Self { mean, low: share.lower, high: share.upper };
        }
        if values.len() < 2 {
            return Self { mean, low: mean, high: mean };
        }
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = Z * (squares / (count - 1.0) / count).sqrt();
        Self { mean, low: mean - half, high: mean + half }
    }

    /// Half of the interval's width.
    pub(crate) fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The interval of the same difference taken the other way round.
    pub(crate) fn reversed(&self) -> Self {
        Self { mean: -self.mean, low: -self.high, high: -self.low }
    }
}

/// Two configurations compared question by question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The metric.
    pub metric: String,
    /// The configuration that is taken away.
    pub baseline: String,
    /// The configuration that it is taken from.
    pub other: String,
    /// `other` less `baseline`.
    pub difference: Interval,
    /// The probability of so large a difference where there is none, corrected for the number of comparisons
    /// where that was done.
    pub p: f64,
    /// The same without a correction, where one was made: what it is to who asks of this pair alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncorrected_p: Option<f64>,
    /// The smallest true difference that so many questions would show, most of the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detectable: Option<f64>,
    /// A remark on it: the test, a correction, too few questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Comparison {
    /// Returns `true` if chance alone is an improbable reason for the difference.
    pub(crate) fn is_significant(&self) -> bool {
        self.p < SIGNIFICANCE
    }
}

/// Points of a line, in the order of their first value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Curve {
    /// The configuration's name.
    pub name: String,
    /// Pairs of what lies on the horizontal and the vertical axis.
    pub points: Vec<(f64, f64)>,
}

/// Answers that the engine is about equally sure of, and the share of them that is right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReliabilityBin {
    /// Lower end of the bin, 0 to 1.
    pub from: f64,
    /// Upper end of the bin, 0 to 1.
    pub to: f64,
    /// The mean confidence of its answers, 0 to 1.
    pub confidence: f64,
    /// The share of them that is right, 0 to 1.
    pub right: f64,
    /// The number of its answers.
    pub count: usize,
}

/// The bins of one configuration.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reliability {
    /// The configuration's name.
    pub name: String,
    /// In ascending order; empty bins may be left out.
    pub bins: Vec<ReliabilityBin>,
}

impl Reliability {
    /// The expected calibration error: the mean distance of confidence and share of right answers,
    /// weighted by the bins' sizes (Naeini et al., "Obtaining Well Calibrated Probabilities Using Bayesian
    /// Binning", 2015). `None` without answers.
    pub(crate) fn calibration_error(&self) -> Option<f64> {
        let all: usize = self.bins.iter().map(|bin| bin.count).sum();
        let distance = |bin: &ReliabilityBin| bin.count as f64 * (bin.confidence - bin.right).abs();
        (all > 0).then(|| self.bins.iter().map(distance).sum::<f64>() / all as f64)
    }
}

/// The statistics of one set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SetEvidence {
    /// The set's name.
    pub set: String,
    /// Pairs of configurations; those with the baseline go into the tables.
    pub comparisons: Vec<Comparison>,
    /// For each configuration the share of wrong answers (vertical, 0 to 1) among the share of
    /// questions that it is most sure of (horizontal, 0 to 1).
    pub risk_coverage: Vec<Curve>,
    /// Bins of confidence for each configuration.
    pub reliability: Vec<Reliability>,
}

/// All that is known besides the records.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The interval of the mean of some scores: [`Interval::of_mean`], or a bootstrap. It is asked for
    /// the main metrics; the hundred others, which are folded, have that of [`Interval::of_mean`].
    pub interval: fn(&[f64]) -> Interval,
    /// By set, in any order; a set may be absent.
    pub sets: Vec<SetEvidence>,
}

impl Default for Evidence {
    fn default() -> Self {
        Self { interval: Interval::of_mean, sets: Vec::new() }
    }
}

/// The score that tells whether an answer is right.
const CORRECT: &str = "correct";
/// Bins of a reliability diagram.
// Not the fifteen that are usual too: a department's set has some hundred questions, and thinner bins would hold a
// handful each.
const BINS: usize = 10;

/// Why nothing can be said about an experiment.
#[derive(Debug, Error)]
pub enum EvidenceError {
    /// Scores that make no sample.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// Confidences that are no probabilities.
    #[error(transparent)]
    Forecast(#[from] ForecastError),
}

/// Compares every run with the baseline of its set, question by question, in each of the metrics, and
/// draws the curves of confidence.
///
/// The p of one metric are adjusted over all configurations of a set, by Holm's method: that many chances
/// there were to be called better by luck.
///
/// # Errors
/// Scores or confidences that are no numbers.
pub fn evidence(
    experiment: &Experiment,
    metrics: &[String],
    bootstrap: &Bootstrap,
) -> Result<Evidence, EvidenceError> {
    let mut sets = Vec::new();
    for set in &experiment.sets {
        let runs: Vec<&Run> = experiment.runs_of(&set.name).collect();
        let mut evidence = SetEvidence { set: set.name.clone(), ..SetEvidence::default() };
        if let Some(baseline) = runs.iter().find(|run| run.configuration.baseline) {
            for metric in metrics {
                let mut comparisons = Vec::new();
                for run in runs.iter().filter(|run| !run.configuration.baseline) {
                    comparisons.extend(compared(baseline, run, metric, bootstrap)?);
                }
                let all: Vec<f64> = comparisons.iter().map(|comparison| comparison.p).collect();
                for (comparison, p) in comparisons.iter_mut().zip(holm(&all)) {
                    comparison.uncorrected_p = (all.len() > 1).then_some(comparison.p);
                    comparison.p = p;
                }
                evidence.comparisons.extend(comparisons);
            }
        }
        for run in &runs {
            confidence(run, &mut evidence)?;
        }
        sets.push(evidence);
    }
    Ok(Evidence { interval, sets })
}

/// The bootstrap's interval of a mean.
fn interval(values: &[f64]) -> Interval {
    match mean_estimate(values, &Bootstrap::default()) {
        Ok(estimate) => Interval {
            mean: estimate.mean,
            low: estimate.interval.lower,
            high: estimate.interval.upper,
        },
        // Of nothing, which has no interval.
        Err(_) => Interval::of_mean(values),
    }
}

/// `None` where the two share no question with the metric.
fn compared(
    baseline: &Run,
    run: &Run,
    metric: &str,
    bootstrap: &Bootstrap,
) -> Result<Option<Comparison>, SampleError> {
    let pairs = pair_scores(&run.records, &baseline.records, metric);
    if pairs.ids.is_empty() {
        return Ok(None);
    }
    let found = significance::Comparison::new(&pairs.a, &pairs.b, bootstrap)?;
    let mut notes: Vec<String> = found.caution.iter().map(ToString::to_string).collect();
    if !pairs.unpaired.is_empty() {
        notes.push(match pairs.unpaired.len() {
            1 => "1 question has it in one of the two only, and is left out".to_owned(),
            count => format!("{count} questions have it in one of the two only, and are left out"),
        });
    }
    Ok(Some(Comparison {
        metric: metric.to_owned(),
        baseline: baseline.configuration.name.clone(),
        other: run.configuration.name.clone(),
        difference: Interval {
            mean: found.difference,
            low: found.interval.lower,
            high: found.interval.upper,
        },
        p: found.two_sided_p,
        uncorrected_p: None,
        detectable: found.smallest_detectable,
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    }))
}

fn confidence(run: &Run, evidence: &mut SetEvidence) -> Result<(), ForecastError> {
    let judged = correctness(&run.records, CORRECT, 1.0);
    if judged.forecasts.is_empty() {
        return Ok(());
    }
    let name = run.configuration.name.clone();
    let curve = RiskCoverage::new(&judged.forecasts, judged.refused)?;
    let points = curve.points.iter().map(|point| (point.coverage, point.risk)).collect();
    evidence.risk_coverage.push(Curve { name: name.clone(), points });
    let reliability = calibration::Reliability::new(&judged.forecasts, BINS)?;
    let bins = reliability.bins.iter().filter_map(|bin| {
        Some(ReliabilityBin {
            from: bin.lower,
            to: bin.upper,
            confidence: bin.mean_confidence?,
            right: bin.accuracy?,
            count: bin.count,
        })
    });
    evidence.reliability.push(Reliability { name, bins: bins.collect() });
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use proptest::prelude::*;

    use super::*;

    /// 8 of 10: Wilson's interval as tables give it; 1, 2, 3: 2 ± 1.96 / √3.
    #[test]
    fn worked_intervals() {
        let ones = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
        for (values, low, high) in
            [(&ones[..], 0.490_16, 0.943_32), (&[1.0, 2.0, 3.0], 0.868_41, 3.131_59)]
        {
            let interval = Interval::of_mean(values);
            assert!((interval.low - low).abs() < 1e-4, "{interval:?}");
            assert!((interval.high - high).abs() < 1e-4, "{interval:?}");
        }
    }

    #[test]
    fn the_calibration_error_is_weighted() {
        let bin = |confidence, right, count| ReliabilityBin {
            from: 0.0,
            to: 1.0,
            confidence,
            right,
            count,
        };
        let reliability =
            Reliability { name: "a".into(), bins: vec![bin(0.9, 0.5, 3), bin(0.2, 0.3, 1)] };
        assert!((reliability.calibration_error().unwrap() - 0.325).abs() < 1e-12);
        assert_eq!(Reliability::default().calibration_error(), None);
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_mean(values in proptest::collection::vec(-5.0..5.0_f64, 2..40)) {
            let interval = Interval::of_mean(&values);
            prop_assert!(interval.low <= interval.mean && interval.mean <= interval.high);
        }

        #[test]
        fn a_share_stays_between_0_and_1(values in proptest::collection::vec(any::<bool>(), 1..60)) {
            let values: Vec<f64> = values.into_iter().map(|right| f64::from(u8::from(right))).collect();
            let interval = Interval::of_mean(&values);
            prop_assert!(interval.low >= -1e-12 && interval.high <= 1.0 + 1e-12);
            prop_assert!(interval.low <= interval.mean && interval.mean <= interval.high);
        }
    }
}
