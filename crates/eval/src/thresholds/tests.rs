#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;

use campanile_questions::Category;
use proptest::prelude::*;

use super::*;
use crate::experiment::{Configuration, Record, Run, SetInfo};

fn run(set: &str, configuration: &str, scores: &[(&str, f64)]) -> Run {
    let scores = scores.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect();
    Run {
        set: set.into(),
        configuration: Configuration { name: configuration.into(), ..Configuration::default() },
        records: vec![Record {
            id: "q1".into(),
            question: "When does the library open?".into(),
            category: Category::Answerable,
            kind: None,
            gold_answers: Vec::new(),
            stages: Vec::new(),
            prompt: None,
            answer: None,
            scores,
            lost: None,
            verdict: None,
            milliseconds: BTreeMap::from([("total".to_owned(), 40.0)]),
        }],
    }
}

fn experiment() -> Experiment {
    let set = |name: &str| SetInfo { name: name.into(), questions: BTreeMap::new() };
    Experiment {
        sets: vec![set("handbook"), set("catalogue")],
        runs: vec![
            run("handbook", "lexical", &[("recall@5", 0.6)]),
            run("handbook", "hybrid", &[("recall@5", 0.8), ("token_f1", 0.5)]),
            run("catalogue", "hybrid", &[("recall@5", 0.7)]),
        ],
        ..Experiment::default()
    }
}

/// Files, and what comes of them: a line for each check, or the message.
const CASES: &[(&str, &str, &str)] = &[
    (
        "one run",
        "[handbook.hybrid]\n'recall@5' = { min = 0.7 }",
        "ok: hybrid on handbook: recall@5 is 0.8000, wanted at least 0.7",
    ),
    (
        "the limit itself passes",
        "[handbook.hybrid]\n'recall@5' = { min = 0.8, max = 0.8 }",
        "ok: hybrid on handbook: recall@5 is 0.8000, wanted between 0.8 and 0.8",
    ),
    (
        "all runs of a set, a whole number",
        "[handbook]\nmedian_ms = { max = 39 }",
        "missed: lexical on handbook: median_ms is 40.0000, wanted at most 39\n\
         missed: hybrid on handbook: median_ms is 40.0000, wanted at most 39",
    ),
    (
        "all runs that measure it",
        "[all]\ntoken_f1 = { min = 0.4 }",
        "ok: hybrid on handbook: token_f1 is 0.5000, wanted at least 0.4",
    ),
    (
        "an unknown metric",
        "[handbook.hybrid]\n'recal@5' = { min = 0.7 }",
        "the thresholds name the metric `recal@5`, which `hybrid` on the set `handbook` does not have; \
         the nearest: `recall@5`",
    ),
    (
        "an unknown set",
        "[handbok.hybrid]\n'recall@5' = { min = 0.7 }",
        "the thresholds name the set `handbok`, which the experiment does not have; the nearest: \
         `handbook`",
    ),
    (
        "a configuration that this set was not asked with",
        "[catalogue.lexica]\n'recall@5' = { min = 0.7 }",
        "the thresholds name the configuration `lexica`, which the set `catalogue` does not have",
    ),
    (
        "a number alone",
        "[handbook]\n'recall@5' = 0.7",
        "the thresholds: `handbook.recall@5` should be a limit such as `{ min = 0.7 }`",
    ),
    (
        "no end",
        "[all]\n'recall@5' = {}",
        "the thresholds: `all.recall@5` should be a limit such as `{ min = 0.7 }`: it has neither \
         `min` nor `max`",
    ),
    (
        "crossed ends",
        "[all]\n'recall@5' = { min = 0.7, max = 0.6 }",
        "the thresholds: `all.recall@5` should be a limit such as `{ min = 0.7 }`: `min` (0.7) is \
         above `max` (0.6)",
    ),
    (
        "another key",
        "[all]\n'recall@5' = { min = 0.7, maximum = 1 }",
        "the thresholds: `all.recall@5` should be a limit such as `{ min = 0.7 }`: unknown field \
         `maximum`, expected `min` or `max`",
    ),
    (
        "a word for a number",
        "[all]\n'recall@5' = { min = 'high' }",
        "the thresholds: `all.recall@5` should be a limit such as `{ min = 0.7 }`: invalid type: \
         string \"high\", expected f64",
    ),
    (
        "all sets, one configuration",
        "[all.hybrid]\n'recall@5' = { min = 0.7 }",
        "the thresholds: `all.hybrid` should be a limit such as `{ min = 0.7 }`",
    ),
    (
        "nothing",
        "# later\n",
        "the thresholds ask for nothing: write a table such as `[all]` with `\"recall@5\" = { min = 0.7 }`",
    ),
];

#[test]
fn files_and_what_comes_of_them() {
    let experiment = experiment();
    for (name, file, expected) in CASES {
        let told = match Thresholds::read(file).and_then(|rules| rules.check(&experiment)) {
            Ok(checks) => {
                checks.iter().map(ToString::to_string).collect::<Vec<String>>().join("\n")
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(told, *expected, "{name}");
    }
}

#[test]
fn broken_toml_says_where() {
    let error = Thresholds::read("[all\n").unwrap_err();
    assert!(error.to_string().contains("line 1"), "{error}");
}

#[test]
fn not_a_number_is_within_no_limit() {
    assert!(!Limit::default().holds(f64::NAN));
    assert!(!Limit { min: Some(0.0), max: None }.holds(f64::NAN));
}

proptest! {
    #[test]
    fn a_check_passes_exactly_between_its_ends(
        min in proptest::option::of(-2.0..2.0_f64),
        width in 0.0..2.0_f64,
        measured in -3.0..3.0_f64,
    ) {
        let limit = Limit { min, max: min.map(|min| min + width) };
        let Some(low) = min else {
            prop_assert!(limit.holds(measured));
            return Ok(());
        };
        let experiment = Experiment {
            sets: Vec::new(),
            runs: vec![run("set", "name", &[("metric", measured)])],
            ..Experiment::default()
        };
        let file = format!("[set.name]\nmetric = {{ min = {low:?}, max = {:?} }}", low + width);
        let checks = Thresholds::read(&file).unwrap().check(&experiment).unwrap();
        let [check] = checks.as_slice() else { panic!("one check is expected: {checks:?}") };
        prop_assert_eq!(check.passed, low <= measured && measured <= low + width);
    }
}
