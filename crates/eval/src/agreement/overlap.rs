//! How much of two answers is the same.

use std::collections::BTreeMap;

use serde::Serialize;

/// The overlap of two annotators' answers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AnswerOverlap {
    /// The share of the first's words that the second has too.
    pub precision: f64,
    /// The share of the second's words that the first has too.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// Whether both are the same after normalisation.
    pub exact: bool,
}

/// The overlap of two answers as bags of words, after SQuAD's normalisation (Rajpurkar et al.
/// 2016): small letters, no punctuation, no articles.
///
/// Two answers without a word left are the same; one without is nothing like the other.
pub fn answer_overlap(first: &str, second: &str) -> AnswerOverlap {
    let (first, second) = (normalised(first), normalised(second));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in &second {
        *counts.entry(word).or_default() += 1;
    }
    let mut shared = 0;
    for word in &first {
        if let Some(count) = counts.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    let exact = first == second;
    if first.is_empty() || second.is_empty() {
        let same = f64::from(u8::from(exact));
        return AnswerOverlap { precision: same, recall: same, f1: same, exact };
    }
    let precision = f64::from(shared) / first.len() as f64;
    let recall = f64::from(shared) / second.len() as f64;
    let f1 = match shared {
        0 => 0.0,
        _ => 2.0 * precision * recall / (precision + recall),
    };
    AnswerOverlap { precision, recall, f1, exact }
}

/// The words of an answer as SQuAD's evaluation compares them; punctuation is that of ASCII there.
fn normalised(answer: &str) -> Vec<String> {
    let lower = answer.to_lowercase();
    let plain: String = lower.chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let is_article = |word: &&str| matches!(*word, "a" | "an" | "the");
    plain.split_whitespace().filter(|word| !is_article(word)).map(str::to_owned).collect()
}
