use std::collections::BTreeMap;

use super::bleu::sentence_bleu;
use super::meteor::meteor;
use super::overlap::{exact_match, token_overlap};
use super::rouge::{Stemming, rouge};

/// Scores an answer by comparing its words with the gold answers. Each score is 0 to 1 and has the name of
/// the metric in a [`Record`](crate::Record): `exact_match`, `token_f1`, `token_precision`, `token_recall`,
/// `bleu`, `rouge_1`, `rouge_2`, `rouge_l` (F1, with stems) and `meteor`.
///
/// Give a refusal as the empty answer. For a question without gold answers only the first four are
/// there: they know what a right refusal is, the others compare texts.
pub fn word_scores<S: AsRef<str>>(answer: &str, golds: &[S]) -> BTreeMap<String, f64> {
    let overlap = token_overlap(answer, golds);
    let mut scores = vec![
        ("exact_match", f64::from(u8::from(exact_match(answer, golds)))),
        ("token_f1", overlap.f1),
        ("token_precision", overlap.precision),
        ("token_recall", overlap.recall),
    ];
    if !golds.is_empty() {
        let rouge = rouge(answer, golds, Stemming::Porter);
        scores.extend([
            ("bleu", sentence_bleu(answer, golds)),
            ("rouge_1", rouge.rouge_1.f1),
            ("rouge_2", rouge.rouge_2.f1),
            ("rouge_l", rouge.rouge_l.f1),
            ("meteor", meteor(answer, golds)),
        ]);
    }
    scores.into_iter().map(|(name, score)| (name.to_owned(), score)).collect()
}
