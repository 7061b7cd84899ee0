use super::forecast::Forecast;
use super::refusal::RefusalCounts;

use crate::{Category, Record, RecordedAnswer};

/// The forecasts that a run made about its answers, and counts of the questions without one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Correctness {
    /// One for each answer that could be judged: whether it was right.
    pub forecasts: Vec<Forecast>,
    /// Questions that were refused.
    pub refused: usize,
    /// Questions that were answered, but have no score to tell whether rightly.
    pub unscored: usize,
}

/// Confidence beside correctness: an answer is right where its score in `metric` is at least
/// `least`. An unanswerable question that is answered counts as wrong.
pub fn correctness(records: &[Record], metric: &str, least: f64) -> Correctness {
    let mut found = Correctness::default();
    for (record, answer) in answered(records) {
        let score = record.scores.get(metric).map(|&score| score >= least);
        let right = if record.category == Category::Unanswerable { Some(false) } else { score };
        match right {
            _ if answer.refused => found.refused += 1,
            None => found.unscored += 1,
            Some(outcome) => {
                found.forecasts.push(Forecast { confidence: answer.confidence, outcome });
            }
        }
    }
    found
}

/// Confidence beside answerability, refused questions included. Ambiguous questions are left out:
/// neither answer nor refusal is wrong for them.
pub fn answerability(records: &[Record]) -> Vec<Forecast> {
    let forecast = |(record, answer): (&Record, &RecordedAnswer)| {
        Some(Forecast { confidence: answer.confidence, outcome: is_answerable(record)? })
    };
    answered(records).filter_map(forecast).collect()
}

/// Refusals of a run. Ambiguous questions are left out, as in [`answerability`].
pub fn refusals(records: &[Record]) -> RefusalCounts {
    let mut counts = RefusalCounts::default();
    for (record, answer) in answered(records) {
        if let Some(answerable) = is_answerable(record) {
            counts.add(answerable, answer.refused);
        }
    }
    counts
}

/// The records with a reply, be it a refusal.
fn answered(records: &[Record]) -> impl Iterator<Item = (&Record, &RecordedAnswer)> {
    records.iter().filter_map(|record| Some((record, record.answer.as_ref()?)))
}

fn is_answerable(record: &Record) -> Option<bool> {
    match record.category {
        Category::Answerable => Some(true),
        Category::Unanswerable => Some(false),
        Category::Ambiguous => None,
    }
}
