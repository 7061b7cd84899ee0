use serde::Serialize;

use super::forecast::{Forecast, ForecastError, came_true};

/// The reliability of confidence: of the answers given with one of 0.8, four in five should be right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// Bins of equal width from 0 to 1, empty ones included.
    pub bins: Vec<ReliabilityBin>,
    /// Σ over bins of (questions in it / all) · |accuracy − mean confidence| (Naeini, Cooper and
    /// Hauskrecht 2015; bins as in Guo et al. 2017).
    pub expected_calibration_error: f64,
    /// The largest |accuracy − mean confidence| of a bin.
    pub maximum_calibration_error: f64,
    /// The mean of (confidence − outcome)² (Brier 1950). It needs no bins, and counts sharpness as
    /// well as calibration.
    pub brier: f64,
}

/// Forecasts of about the same confidence: more than `lower`, at most `upper`; 0 is in the first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReliabilityBin {
    /// Excluded, but for 0.
    pub lower: f64,
    /// Included.
    pub upper: f64,
    /// The number of forecasts.
    pub count: usize,
    /// Their mean confidence; `None` where there are none.
    pub mean_confidence: Option<f64>,
    /// The share that came true; `None` where there are none.
    pub accuracy: Option<f64>,
}

impl Reliability {
    /// Sorts forecasts into `bins` bins (10 and 15 are usual).
    ///
    /// # Errors
    /// No forecasts, no bins, a confidence outside of 0..=1.
    pub fn new(forecasts: &[Forecast], bins: usize) -> Result<Self, ForecastError> {
        if forecasts.is_empty() {
            return Err(ForecastError::Empty);
        }
        if bins == 0 {
            return Err(ForecastError::NoBins);
        }
        let within = |forecast: &Forecast| (0.0..=1.0).contains(&forecast.confidence);
        if let Some(place) = forecasts.iter().position(|forecast| !within(forecast)) {
            return Err(ForecastError::NoProbability(place));
        }
        let bins: Vec<ReliabilityBin> =
            (0..bins).map(|number| ReliabilityBin::of(forecasts, number, bins)).collect();
        let weighted = bins.iter().map(|bin| bin.count as f64 * bin.gap());
        let total = forecasts.len() as f64;
        Ok(Self {
            expected_calibration_error: weighted.sum::<f64>() / total,
            maximum_calibration_error: bins.iter().map(ReliabilityBin::gap).fold(0.0, f64::max),
            brier: forecasts.iter().map(squared_error).sum::<f64>() / total,
            bins,
        })
    }
}

impl ReliabilityBin {
    fn of(forecasts: &[Forecast], number: usize, bins: usize) -> Self {
        let (lower, upper) = (number as f64 / bins as f64, (number + 1) as f64 / bins as f64);
        let holds = |confidence: f64| {
            (confidence > lower || (number == 0 && confidence == 0.0)) && confidence <= upper
        };
        let held: Vec<Forecast> =
            forecasts.iter().copied().filter(|forecast| holds(forecast.confidence)).collect();
        let mean = |sum: f64| (!held.is_empty()).then(|| sum / held.len() as f64);
        Self {
            lower,
            upper,
            count: held.len(),
            mean_confidence: mean(held.iter().map(|forecast| forecast.confidence).sum()),
            accuracy: mean(came_true(&held) as f64),
        }
    }

    /// |accuracy − mean confidence|, 0 of an empty bin.
    pub fn gap(&self) -> f64 {
        let both = self.accuracy.zip(self.mean_confidence);
        both.map_or(0.0, |(accuracy, confidence)| (accuracy - confidence).abs())
    }
}

fn squared_error(forecast: &Forecast) -> f64 {
    let outcome = if forecast.outcome { 1.0 } else { 0.0 };
    (forecast.confidence - outcome) * (forecast.confidence - outcome)
}
