use serde::Serialize;

use super::forecast::{Forecast, ForecastError, came_true, surest_first, ties};

/// The ROC curve: how well confidence tells what comes true from what does not, whatever its scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Roc {
    /// From (0, 0), where nothing passes, to (1, 1); one more for each confidence that occurs.
    pub points: Vec<RocPoint>,
    /// The chance that of a forecast that came true and one that did not, the first had the higher
    /// confidence; a tie counts half (the statistic of Mann and Whitney 1947; Hanley and McNeil
    /// 1982). 0.5 is guessing. `None` where all came true, or none.
    pub area: Option<f64>,
}

/// The shares that pass at one threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RocPoint {
    /// Confidence of at least this passes; `None` where nothing does.
    pub threshold: Option<f64>,
    /// The share that passes of what did not come true; 0 where there is none.
    pub false_positive_rate: f64,
    /// The share that passes of what came true; 0 where there is none.
    pub true_positive_rate: f64,
}

impl Roc {
    /// The receiver operating characteristic of forecasts.
    ///
    /// # Errors
    /// No forecasts; a confidence that is not finite.
    pub fn new(forecasts: &[Forecast]) -> Result<Self, ForecastError> {
        let sorted = surest_first(forecasts)?;
        let positives = came_true(&sorted);
        let negatives = sorted.len() - positives;
        let rate = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let mut points =
            vec![RocPoint { threshold: None, false_positive_rate: 0.0, true_positive_rate: 0.0 }];
        let (mut true_positives, mut false_positives) = (0, 0);
        let mut ordered_pairs = 0.0;
        for group in ties(&sorted) {
            let hits = came_true(group);
            let misses = group.len() - hits;
            ordered_pairs += misses as f64 * (true_positives as f64 + hits as f64 / 2.0);
            true_positives += hits;
            false_positives += misses;
            points.push(RocPoint {
                threshold: group.first().map(|forecast| forecast.confidence),
                false_positive_rate: rate(false_positives, negatives),
                true_positive_rate: rate(true_positives, positives),
            });
        }
        let pairs = positives as f64 * negatives as f64;
        let area = (positives > 0 && negatives > 0).then(|| ordered_pairs / pairs);
        Ok(Self { points, area })
    }
}
