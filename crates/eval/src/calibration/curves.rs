//! Curves over forecasts: reliability diagrams, risk and coverage, and the ROC curve.

use serde::Serialize;

use super::{Forecast, ForecastError, came_true, surest_first, ties};

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

/// The risk of an engine that answers only above some confidence (El-Yaniv and Wiener 2010).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskCoverage {
    /// One for each confidence that occurs, the highest threshold first.
    pub points: Vec<RiskPoint>,
    /// Area under the curve: the mean, over every number i of answers from 1 to all, of the share
    /// of wrong ones among the i surest (Geifman and El-Yaniv 2017). 0 is best; confidence that
    /// says nothing gives about the overall share of wrong answers.
    pub area: f64,
    /// The distance of `area` from that of the best order of the same answers, all right ones first (excess
    /// AURC: Geifman, Uziel and El-Yaniv 2019). It judges the confidence alone, `area` the answers as well.
    pub excess_area: f64,
    /// Answers that were given.
    pub answered: usize,
    /// All questions, refused ones included.
    pub questions: usize,
}

/// The coverage and risk at one threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RiskPoint {
    /// Answers of at least this confidence are given.
    pub threshold: f64,
    /// The share of all questions that are then answered.
    pub coverage: f64,
    /// The share of wrong answers among those.
    pub risk: f64,
    /// The number of questions that are answered.
    pub answered: usize,
    /// The number of them that are answered wrongly.
    pub wrong: usize,
}

impl RiskCoverage {
    /// The curve over answers (`outcome`: the answer was right) and a number of questions that were
    /// refused and have none. Refused questions count in the coverage, which then never reaches 1;
    /// for the whole curve, run with a threshold of 0.
    ///
    /// # Errors
    /// No answers; a confidence that is not finite.
    pub fn new(forecasts: &[Forecast], refused: usize) -> Result<Self, ForecastError> {
        let sorted = surest_first(forecasts)?;
        let questions = sorted.len() + refused;
        let mut points = Vec::new();
        let mut summed_risk = 0.0;
        let (mut answered, mut wrong) = (0_usize, 0_usize);
        for group in ties(&sorted) {
            let failures = group.len() - came_true(group);
            // Within a tie every order is as likely, so the mean over all of them is taken.
            for place in 1..=group.len() {
                let expected = expected_wrong(wrong, failures, place, group.len());
                summed_risk += expected / (answered + place) as f64;
            }
            answered += group.len();
            wrong += failures;
            points.push(RiskPoint {
                threshold: group.first().map_or(0.0, |forecast| forecast.confidence),
                coverage: answered as f64 / questions as f64,
                risk: wrong as f64 / answered as f64,
                answered,
                wrong,
            });
        }
        let area = summed_risk / answered as f64;
        let excess_area = area - best_area(answered, wrong);
        Ok(Self { points, area, excess_area, answered, questions })
    }

    /// The share of right answers among the surest, when this share of all questions is answered
    /// (rounded up to whole questions). `None` above the coverage that was reached, and at 0 and
    /// below.
    pub fn accuracy_at(&self, coverage: f64) -> Option<f64> {
        // 0.3 of 10 questions are 3, although 0.3 × 10 may be a little more in floating point.
        let wanted = (coverage * self.questions as f64 - 1e-9).ceil();
        if !(coverage > 0.0 && wanted <= self.answered as f64) {
            return None;
        }
        let wanted = (wanted as usize).max(1);
        let after = self.points.iter().find(|point| point.answered >= wanted)?;
        let before = self.points.iter().rev().find(|point| point.answered < wanted);
        let (answered, wrong) = before.map_or((0, 0), |point| (point.answered, point.wrong));
        let group = after.answered - answered;
        let expected = expected_wrong(wrong, after.wrong - wrong, wanted - answered, group);
        Some(1.0 - expected / wanted as f64)
    }

    /// The threshold that answers most while at most this share of its answers is wrong; `None`
    /// where every threshold risks more. Chosen and measured on the same questions it looks better
    /// than it is.
    pub fn most_coverage_at_risk(&self, risk: f64) -> Option<&RiskPoint> {
        self.points.iter().rev().find(|point| point.risk <= risk)
    }
}

/// Wrong answers among the first of a tie, on average over its orders.
fn expected_wrong(before: usize, failures: usize, place: usize, group: usize) -> f64 {
    before as f64 + failures as f64 * place as f64 / group as f64
}

/// The area of the order that puts all right answers first.
fn best_area(answered: usize, wrong: usize) -> f64 {
    let right = answered - wrong;
    let risks = (1..=wrong).map(|place| place as f64 / (right + place) as f64);
    risks.sum::<f64>() / answered as f64
}

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
