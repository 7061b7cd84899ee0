use std::collections::BTreeMap;

use campanile_eval::calibration::{
    Forecast, ForecastError, RefusalCounts, Reliability, RiskCoverage, Roc, answerability,
    correctness, refusals,
};
use campanile_eval::significance::{metric_values, pair_scores};
use campanile_eval::{Record, RecordedAnswer};
use campanile_questions::Category;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::assert_close;

/// Coarse, so that there are ties.
fn forecasts() -> impl Strategy<Value = Vec<Forecast>> {
    let forecast = (0..=8_u32, any::<bool>());
    vec(forecast, 1..60).prop_map(|pairs| {
        let of = |(eighths, outcome)| Forecast { confidence: f64::from(eighths) / 8.0, outcome };
        pairs.into_iter().map(of).collect()
    })
}

proptest! {
    #[test]
    fn curves_stay_within_bounds_and_the_order_of_questions_changes_nothing(given in forecasts(), refused in 0..20_usize) {
        let curve = RiskCoverage::new(&given, refused).unwrap();
        prop_assert!((0.0..=1.0).contains(&curve.area));
        prop_assert!((-1e-12..=1.0).contains(&curve.excess_area));
        let covered = given.len() as f64 / (given.len() + refused) as f64;
        prop_assert_eq!(curve.points.last().unwrap().coverage, covered);
        for pair in curve.points.windows(2) {
            prop_assert!(pair[0].threshold > pair[1].threshold && pair[0].coverage < pair[1].coverage);
        }
        for point in &curve.points {
            let accuracy = curve.accuracy_at(point.coverage).unwrap();
            prop_assert!((accuracy + point.risk - 1.0).abs() < 1e-12);
        }
        prop_assert_eq!(curve.accuracy_at(covered + 0.01), None);
        let mut reversed = given.clone();
        reversed.reverse();
        prop_assert_eq!(&curve, &RiskCoverage::new(&reversed, refused).unwrap());
        prop_assert_eq!(Roc::new(&given), Roc::new(&reversed));
    }

    #[test]
    fn the_best_threshold_holds_its_risk(given in forecasts(), risk in 0.0..=1.0_f64) {
        let curve = RiskCoverage::new(&given, 0).unwrap();
        match curve.most_coverage_at_risk(risk) {
            Some(best) => {
                prop_assert!(best.risk <= risk);
                prop_assert!(curve.points.iter().all(|point| point.risk > risk || point.coverage <= best.coverage));
            }
            None => prop_assert!(curve.points.iter().all(|point| point.risk > risk)),
        }
    }

    #[test]
    fn every_forecast_is_in_one_bin(given in forecasts(), bins in 1..20_usize) {
        let reliability = Reliability::new(&given, bins).unwrap();
        prop_assert_eq!(reliability.bins.iter().map(|bin| bin.count).sum::<usize>(), given.len());
        let (expected, maximum) = (reliability.expected_calibration_error, reliability.maximum_calibration_error);
        prop_assert!(0.0 <= expected && expected <= maximum + 1e-12 && maximum <= 1.0);
        prop_assert!((0.0..=1.0).contains(&reliability.brier));
    }

    #[test]
    fn turning_outcomes_around_turns_the_area_around(given in forecasts()) {
        let turned: Vec<Forecast> = given.iter().map(|forecast| Forecast { outcome: !forecast.outcome, ..*forecast }).collect();
        match (Roc::new(&given).unwrap().area, Roc::new(&turned).unwrap().area) {
            (Some(area), Some(turned)) => prop_assert!((area + turned - 1.0).abs() < 1e-12),
            (area, turned) => {
                prop_assert_eq!((area, turned), (None, None));
                prop_assert!(given.iter().all(|forecast| forecast.outcome == given[0].outcome));
            }
        }
    }
}

#[test]
fn forecasts_that_cannot_be_measured_are_named() {
    let sure = |confidence| Forecast { confidence, outcome: true };
    assert_eq!(RiskCoverage::new(&[], 3), Err(ForecastError::Empty));
    assert_eq!(Roc::new(&[sure(0.1), sure(f64::NAN)]), Err(ForecastError::NotFinite(1)));
    assert_eq!(Reliability::new(&[sure(1.2)], 10), Err(ForecastError::NoProbability(0)));
    assert_eq!(Reliability::new(&[sure(0.2)], 0), Err(ForecastError::NoBins));
}

fn record(id: &str, category: Category, answer: Option<(bool, f64)>, f1: Option<f64>) -> Record {
    let answered = |(refused, confidence)| RecordedAnswer {
        refused,
        text: String::new(),
        confidence,
        cited: Vec::new(),
    };
    Record {
        id: id.to_owned(),
        question: "?".to_owned(),
        category,
        kind: None,
        gold_answers: Vec::new(),
        stages: Vec::new(),
        prompt: None,
        answer: answer.map(answered),
        scores: f1.map(|value| ("token_f1".to_owned(), value)).into_iter().collect(),
        lost: None,
        verdict: None,
        milliseconds: BTreeMap::new(),
    }
}

#[test]
fn records_give_forecasts_and_refusals() {
    use Category::{Ambiguous, Answerable, Unanswerable};
    let records = [
        record("right", Answerable, Some((false, 0.9)), Some(0.8)),
        record("wrong", Answerable, Some((false, 0.7)), Some(0.2)),
        record("timid", Answerable, Some((true, 0.3)), None),
        record("unscored", Answerable, Some((false, 0.5)), None),
        record("silent", Answerable, None, None),
        record("made up", Unanswerable, Some((false, 0.6)), None),
        record("honest", Unanswerable, Some((true, 0.1)), None),
        record("two ways", Ambiguous, Some((true, 0.4)), None),
    ];
    let found = correctness(&records, "token_f1", 0.5);
    let outcomes: Vec<(f64, bool)> =
        found.forecasts.iter().map(|forecast| (forecast.confidence, forecast.outcome)).collect();
    assert_eq!(outcomes, [(0.9, true), (0.7, false), (0.6, false)]);
    assert_eq!((found.refused, found.unscored), (3, 1));
    let counts = refusals(&records);
    let expected = RefusalCounts {
        refused_unanswerable: 1,
        refused_answerable: 1,
        answered_unanswerable: 1,
        answered_answerable: 3,
    };
    assert_eq!(counts, expected);
    assert_eq!(
        (counts.precision(), counts.recall(), counts.f1()),
        (Some(0.5), Some(0.5), Some(0.5))
    );
    assert_eq!((counts.over_refusal(), counts.false_answers()), (Some(0.25), Some(0.5)));
    let roc = Roc::new(&answerability(&records)).unwrap();
    // Of 4 × 2 pairs, 0.6 is above 0.3 and 0.5.
    assert_close(roc.area.unwrap(), 6.0 / 8.0, 1e-12, "answerable above unanswerable");
}

#[test]
fn nothing_refused_has_no_precision_and_an_f1_of_0() {
    let mut counts = RefusalCounts::default();
    assert_eq!((counts.precision(), counts.recall(), counts.f1()), (None, None, None));
    counts.add(false, false);
    assert_eq!((counts.precision(), counts.recall(), counts.f1()), (None, Some(0.0), Some(0.0)));
}

#[test]
fn runs_are_paired_by_question() {
    let run = |values: &[(&str, Option<f64>)]| -> Vec<Record> {
        let of = |&(id, f1): &(&str, Option<f64>)| record(id, Category::Answerable, None, f1);
        values.iter().map(of).collect()
    };
    let a = run(&[("q3", Some(0.3)), ("q1", Some(0.1)), ("q2", None), ("q5", Some(0.5))]);
    let b = run(&[("q1", Some(0.9)), ("q2", Some(0.8)), ("q3", Some(0.7)), ("q4", Some(0.6))]);
    let paired = pair_scores(&a, &b, "token_f1");
    assert_eq!(paired.ids, ["q3", "q1"]);
    assert_eq!((paired.a, paired.b), (vec![0.3, 0.1], vec![0.7, 0.9]));
    assert_eq!(paired.unpaired, ["q5", "q2", "q4"]);
    assert_eq!(metric_values(&a, "token_f1"), [0.3, 0.1, 0.5]);
}
