use std::collections::BTreeMap;

use campanile_eval::calibration::{Forecast, RefusalCounts, Reliability, RiskCoverage, Roc};
use serde::Deserialize;

use crate::assert_close;

#[derive(Deserialize)]
struct Fixture {
    bins: usize,
    cases: Vec<Case>,
    refusals: Vec<Refusals>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    confidence: Vec<f64>,
    outcome: Vec<bool>,
    risk_coverage: ExpectedRisk,
    reliability: ExpectedReliability,
    roc: ExpectedRoc,
}

#[derive(Deserialize)]
struct ExpectedRisk {
    /// `true` if all orders of ties were tried, and not a sample of them.
    exact: bool,
    area: f64,
    trapezoid: f64,
    excess_area: f64,
    accuracy_at: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct ExpectedReliability {
    counts: Vec<usize>,
    /// Of bins that hold something.
    accuracy: Vec<f64>,
    mean_confidence: Vec<f64>,
    expected_calibration_error: f64,
    maximum_calibration_error: f64,
    brier: f64,
}

#[derive(Deserialize)]
struct ExpectedRoc {
    area: f64,
    false_positive_rate: Vec<f64>,
    true_positive_rate: Vec<f64>,
}

#[derive(Deserialize)]
struct Refusals {
    answerable: Vec<bool>,
    refused: Vec<bool>,
    precision: f64,
    recall: f64,
    f1: f64,
}

fn fixture() -> Fixture {
    serde_json::from_str(include_str!("../fixtures/calibration.json")).unwrap()
}

impl Case {
    fn forecasts(&self) -> Vec<Forecast> {
        let both = self.confidence.iter().zip(&self.outcome);
        both.map(|(&confidence, &outcome)| Forecast { confidence, outcome }).collect()
    }
}

#[test]
fn risk_is_that_of_the_definition() {
    for case in fixture().cases {
        let ours = RiskCoverage::new(&case.forecasts(), 0).unwrap();
        let expected = &case.risk_coverage;
        // Twenty thousand orders have an error of about 1e-4 in one accuracy, less in an area.
        let tolerance = if expected.exact { 1e-12 } else { 2e-3 };
        assert_close(ours.area, expected.area, tolerance, &case.name);
        assert_close(ours.excess_area, expected.excess_area, tolerance, &case.name);
        for (coverage, &accuracy) in &expected.accuracy_at {
            let found = ours.accuracy_at(coverage.parse().unwrap()).unwrap();
            assert_close(found, accuracy, tolerance, &format!("{} at {coverage}", case.name));
        }
    }
}

/// Some integrate the curve by trapezoids from a coverage of 1 / n on, which leaves out half of the
/// first and of the last answer.
#[test]
fn the_area_by_trapezoids_is_less_by_half_of_both_ends() {
    for case in fixture().cases {
        let ours = RiskCoverage::new(&case.forecasts(), 0).unwrap();
        let answers = case.outcome.len() as f64;
        let first = 1.0 - ours.accuracy_at(1.0 / answers).unwrap();
        let last = 1.0 - ours.accuracy_at(1.0).unwrap();
        let tolerance = if case.risk_coverage.exact { 1e-12 } else { 2e-3 };
        let halves = (first + last) / (2.0 * answers);
        assert_close(ours.area - halves, case.risk_coverage.trapezoid, tolerance, &case.name);
    }
}

#[test]
fn reliability_is_that_of_scikit_learn() {
    let fixture = fixture();
    for case in &fixture.cases {
        let ours = Reliability::new(&case.forecasts(), fixture.bins).unwrap();
        let expected = &case.reliability;
        let counts: Vec<usize> = ours.bins.iter().map(|bin| bin.count).collect();
        assert_eq!(counts, expected.counts, "{}", case.name);
        let accuracy = ours.bins.iter().filter_map(|bin| bin.accuracy);
        let confidence = ours.bins.iter().filter_map(|bin| bin.mean_confidence);
        let figures = [
            (ours.expected_calibration_error, expected.expected_calibration_error),
            (ours.maximum_calibration_error, expected.maximum_calibration_error),
            (ours.brier, expected.brier),
        ];
        let bins = accuracy
            .zip(expected.accuracy.iter().copied())
            .chain(confidence.zip(expected.mean_confidence.iter().copied()));
        for (ours, reference) in figures.into_iter().chain(bins) {
            assert_close(ours, reference, 1e-12, &case.name);
        }
    }
}

#[test]
fn the_roc_curve_is_that_of_scikit_learn() {
    for case in fixture().cases {
        let ours = Roc::new(&case.forecasts()).unwrap();
        assert_close(ours.area.unwrap(), case.roc.area, 1e-12, &case.name);
        assert_eq!(ours.points.len(), case.roc.true_positive_rate.len(), "{}", case.name);
        let expected = case.roc.false_positive_rate.iter().zip(&case.roc.true_positive_rate);
        for (point, (&false_positive, &true_positive)) in ours.points.iter().zip(expected) {
            assert_close(point.false_positive_rate, false_positive, 1e-12, &case.name);
            assert_close(point.true_positive_rate, true_positive, 1e-12, &case.name);
        }
    }
}

#[test]
fn refusals_are_those_of_scikit_learn() {
    for case in fixture().refusals {
        let mut ours = RefusalCounts::default();
        for (&answerable, &refused) in case.answerable.iter().zip(&case.refused) {
            ours.add(answerable, refused);
        }
        assert_close(ours.precision().unwrap(), case.precision, 1e-12, "precision");
        assert_close(ours.recall().unwrap(), case.recall, 1e-12, "recall");
        assert_close(ours.f1().unwrap(), case.f1, 1e-12, "F1");
    }
}
