//! The statistics of an experiment's records: the numbers a report cannot do without.

use thiserror::Error;

use crate::calibration::{self, ForecastError, RiskCoverage, correctness};
use crate::experiment::{Experiment, Run};
use crate::report::{
    Comparison, Curve, Evidence, Interval, Reliability, ReliabilityBin, SetEvidence,
};
use crate::significance::{self, Bootstrap, SampleError, holm, mean_estimate, pair_scores};

/// The score that tells whether an answer is right.
const CORRECT: &str = "correct";
/// Bins of a reliability diagram.
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
