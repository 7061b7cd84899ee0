use serde::Serialize;

use super::forecast::{Forecast, ForecastError, came_true, surest_first, ties};

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
