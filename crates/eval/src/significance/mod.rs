//! The worth of a difference on a question set: intervals, tests, and how many questions it takes.
//!
//! Everything is resampled over questions, since another set of questions is what a figure has to
//! hold for. Two configurations are compared on the *same* questions: how hard a question is then
//! falls out of the difference, which makes the comparison much sharper than two separate
//! intervals.
//!
//! Random numbers come from PCG-XSH-RR 64/32 (O'Neill 2014) with a seed that is part of
//! [`Bootstrap`]: the same values and seed give the same figures on every platform.
//!
//! ```
//! use campanile_eval::significance::{Bootstrap, Comparison};
//!
//! let hybrid: Vec<f64> = (0..90).map(|number| f64::from(number % 3 != 0)).collect();
//! let keywords: Vec<f64> = (0..90).map(|number| f64::from(number % 2 == 0)).collect();
//! let comparison = Comparison::new(&hybrid, &keywords, &Bootstrap::default())?;
//! assert!((comparison.difference - 1.0 / 6.0).abs() < 1e-12);
//! assert!(comparison.interval.lower < 1.0 / 6.0 && 1.0 / 6.0 < comparison.interval.upper);
//! # Ok::<(), campanile_eval::significance::SampleError>(())
//! ```

mod comparison;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use serde::Serialize;
use thiserror::Error;

use crate::experiment;
use crate::experiment::quantile;

pub use comparison::{
    Caution, Comparison, FEWEST_QUESTIONS, POWER, PairedScores, holm, metric_values, pair_scores,
    questions_needed, share_not_better, smallest_detectable, wilson,
};

/// Between which values a figure lies at some level of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// Why values cannot be resampled.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SampleError {
    /// There are none.
    #[error("there is no question with this metric")]
    Empty,
    /// One is not a number, or infinite.
    #[error("the value at place {0} (from 0) is not a finite number")]
    NotFinite(usize),
    /// Two configurations did not answer the same questions.
    #[error("the configurations have {a} and {b} values; compare them on the same questions")]
    UnequalLengths {
        /// Values of the first.
        a: usize,
        /// Values of the second.
        b: usize,
    },
    /// The settings make no bootstrap.
    #[error("give at least 1 resample and a level between 0 and 1, not {resamples} and {level}")]
    Settings {
        /// The number of resamples that was asked for.
        resamples: usize,
        /// The level that was asked for.
        level: f64,
    },
    /// More values than a resample can draw from.
    #[error("{0} values are more than 2^32")]
    TooMany(usize),
    /// A share of the questions that makes no resample.
    #[error(
        "a resample of {0} times as many questions is not possible; give a share above 0, up to 1"
    )]
    SampleShare(f64),
}

/// Checks that there are values and that they are numbers.
pub(super) fn check(values: &[f64]) -> Result<(), SampleError> {
    if values.is_empty() {
        return Err(SampleError::Empty);
    }
    if u32::try_from(values.len()).is_err() {
        return Err(SampleError::TooMany(values.len()));
    }
    let odd = values.iter().position(|value| !value.is_finite());
    odd.map_or(Ok(()), |place| Err(SampleError::NotFinite(place)))
}

/// The arithmetic mean of values; 0 without any.
fn mean(values: &[f64]) -> f64 {
    experiment::mean(values).unwrap_or_default()
}

/// The standard deviation of a sample (divisor n − 1); `None` of fewer than two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// Returns `true` if all values are the same.
pub(super) fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| matches!(pair, [left, right] if left == right))
}

/// The stream of PCG numbers that is used: any would do, so it is the reference code's.
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;

/// Settings of a bootstrap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bootstrap {
    /// The number of samples to draw, each of as many questions as there are, with replacement.
    pub resamples: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The share of resamples that an interval holds; 1 − `level` is the level of significance.
    pub level: f64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        // As many as the university-facts system draws, whose figures are compared with (see `share_not_better`).
        Self { resamples: 10_000, seed: 1, level: 0.95 }
    }
}

impl Bootstrap {
    pub(super) fn check(&self) -> Result<(), SampleError> {
        let Self { resamples, level, .. } = *self;
        if resamples > 0 && level > 0.0 && level < 1.0 {
            Ok(())
        } else {
            Err(SampleError::Settings { resamples, level })
        }
    }

    /// Calls `visit` with the sums of every resample of `size` of these values.
    pub(super) fn resample(&self, values: &[f64], size: usize, mut visit: impl FnMut(Sums)) {
        let mut chances = Pcg32::new(self.seed, STREAM);
        for _ in 0..self.resamples {
            let mut sums = Sums::default();
            for _ in 0..size {
                sums.add(values[below(values.len(), &mut chances)]);
            }
            visit(sums);
        }
    }

    /// The interval that holds `level` of these values in its middle: the percentile interval
    /// (Efron and Tibshirani 1993, 13.3).
    pub(super) fn middle(&self, mut values: Vec<f64>) -> Interval {
        values.sort_unstable_by(f64::total_cmp);
        let outside = (1.0 - self.level) / 2.0;
        // There is at least one resample: `check` has seen to it.
        let at = |share| quantile(&values, share).unwrap_or_default();
        Interval { lower: at(outside), upper: at(1.0 - outside) }
    }
}

/// The sums over one resample.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) values: f64,
    pub(super) squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.values += value;
        self.squares += value * value;
    }
}

/// A random number below `bound` by multiplication (Lemire 2019); the step that makes all numbers
/// exactly equally likely is left out, since with a thousand questions they differ by one part in
/// four million.
fn below(bound: usize, chances: &mut Pcg32) -> usize {
    let product = u64::from(chances.next_u32()) * bound as u64;
    (product >> 32) as usize
}

/// A mean over questions, and how far it can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanEstimate {
    /// The number of questions that have the metric.
    pub questions: usize,
    /// Their mean.
    pub mean: f64,
    /// The percentile interval of the mean.
    pub interval: Interval,
    /// The standard deviation over questions; `None` of one question.
    pub standard_deviation: Option<f64>,
}

/// The mean of a metric's values, one a question, with its bootstrap interval.
///
/// # Errors
/// No values, a value that is not finite, settings that make no bootstrap.
pub fn mean_estimate(values: &[f64], bootstrap: &Bootstrap) -> Result<MeanEstimate, SampleError> {
    check(values)?;
    bootstrap.check()?;
    let mut means = Vec::with_capacity(bootstrap.resamples);
    bootstrap.resample(values, values.len(), |sums| means.push(sums.values / values.len() as f64));
    Ok(MeanEstimate {
        questions: values.len(),
        mean: mean(values),
        interval: bootstrap.middle(means),
        standard_deviation: standard_deviation(values),
    })
}
