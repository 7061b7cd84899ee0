//! The part of two annotators' answers that is the same.

use serde::Serialize;

use crate::answers::{exact_match, token_overlap};

/// The overlap of two annotators' answers: of several answers, that of the two that fit best.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AnswerOverlap {
    /// The share of the first's words that the second has too.
    pub precision: f64,
    /// The share of the second's words that the first has too.
    pub recall: f64,
    /// Their harmonic mean: the token F1 of SQuAD.
    pub f1: f64,
    /// `true` if both are the same after SQuAD's normalisation.
    pub exact: bool,
}

/// The overlap of the answers that two annotators gave to one question, each of which will do;
/// nothing at all where one of them gave none.
pub fn answer_overlap<S: AsRef<str>>(first: &[S], second: &[S]) -> AnswerOverlap {
    let overlap_with = |answer: &S| {
        let overlap = token_overlap(answer.as_ref(), second);
        AnswerOverlap {
            precision: overlap.precision,
            recall: overlap.recall,
            f1: overlap.f1,
            exact: exact_match(answer.as_ref(), second),
        }
    };
    let is_better = |one: &AnswerOverlap, other: &AnswerOverlap| {
        one.f1.total_cmp(&other.f1).then(one.exact.cmp(&other.exact))
    };
    let answers = first.iter().filter(|_| !second.is_empty());
    answers.map(overlap_with).max_by(is_better).unwrap_or_default()
}
