use serde::{Deserialize, Serialize};
use thiserror::Error;

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
