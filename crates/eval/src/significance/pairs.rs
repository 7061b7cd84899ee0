use std::collections::BTreeMap;

use crate::Record;

/// A metric's values in two runs, question by question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairedScores {
    /// The questions that have the metric in both runs, in the order of the first run.
    pub ids: Vec<String>,
    /// The first run's values.
    pub a: Vec<f64>,
    /// The second run's.
    pub b: Vec<f64>,
    /// The questions with the metric in one run only: where these are many, the runs did not do the
    /// same work, and a comparison of the rest may favour the one that gave up.
    pub unpaired: Vec<String>,
}

/// A metric's values in a run, in its order; questions for which it is not defined are left out.
pub fn metric_values(records: &[Record], metric: &str) -> Vec<f64> {
    records.iter().filter_map(|record| record.scores.get(metric).copied()).collect()
}

/// Brings two runs together by the names of their questions.
pub fn pair_scores(a: &[Record], b: &[Record], metric: &str) -> PairedScores {
    let with_metric = |records: &[Record]| -> Vec<(String, f64)> {
        let named = |record: &Record| Some((record.id.clone(), *record.scores.get(metric)?));
        records.iter().filter_map(named).collect()
    };
    let mut others: BTreeMap<String, f64> = with_metric(b).into_iter().collect();
    let mut paired = PairedScores::default();
    for (id, value) in with_metric(a) {
        match others.remove(&id) {
            Some(other) => {
                paired.ids.push(id);
                paired.a.push(value);
                paired.b.push(other);
            }
            None => paired.unpaired.push(id),
        }
    }
    paired.unpaired.extend(others.into_keys());
    paired
}
