use serde::Serialize;
use thiserror::Error;

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

/// The arithmetic mean of values, summed in their order; 0 without any.
pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
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
