use super::normalise::normalised_words;

/// Precision, recall and their harmonic mean, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overlap {
    /// The share of the answer that the gold answer has.
    pub precision: f64,
    /// The share of the gold answer that the answer has.
    pub recall: f64,
    /// The harmonic mean of both; 0 where both are.
    pub f1: f64,
}

impl Overlap {
    /// Both are the same.
    pub(super) const FULL: Self = Self { precision: 1.0, recall: 1.0, f1: 1.0 };

    pub(super) fn new(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f1 }
    }

    /// From what both have in common, each counted as often as the text has it.
    pub(super) fn of_counts(shared: usize, in_answer: usize, in_gold: usize) -> Self {
        Self::new(ratio(shared, in_answer), ratio(shared, in_gold))
    }

    /// The one with the highest F1, the first of equals; nothing at all where there is none.
    pub(super) fn best(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter()
            .reduce(|best, one| if one.f1 > best.f1 { one } else { best })
            .unwrap_or_default()
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Returns `true` if the answer is one of the gold answers, both normalised as [`normalise`] does: exact
/// match of SQuAD 2.0 (Rajpurkar et al. 2018).
///
/// Gold answers of which nothing is left are passed over. A question without any is one that the
/// documents do not answer, and then the right answer is the empty one: give a refusal as `""`.
///
/// [`normalise`]: super::normalise
pub fn exact_match<S: AsRef<str>>(answer: &str, golds: &[S]) -> bool {
    let answer = normalised_words(answer);
    gold_words(golds).contains(&answer)
}

/// The words that an answer shares with a gold answer, after [`normalise`]: token precision, recall
/// and F1 of SQuAD 2.0.
///
/// Of several gold answers the one with the highest F1 counts, the first of equals; precision and
/// recall, which SQuAD does not report, are those of the same one. Where the answer or the gold
/// answer has no words, all three are 1 if both have none and 0 otherwise. Gold answers without
/// words and questions without gold answers are treated as in [`exact_match`].
///
/// [`normalise`]: super::normalise
pub fn token_overlap<S: AsRef<str>>(answer: &str, golds: &[S]) -> Overlap {
    let answer = normalised_words(answer);
    Overlap::best(gold_words(golds).iter().map(|gold| shared_words(&answer, gold)))
}

/// The gold answers' words; one empty answer where none has any.
fn gold_words<S: AsRef<str>>(golds: &[S]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> =
        golds.iter().map(|gold| normalised_words(gold.as_ref())).collect();
    all.retain(|words| !words.is_empty());
    if all.is_empty() {
        all.push(Vec::new());
    }
    all
}

fn shared_words(answer: &[String], gold: &[String]) -> Overlap {
    if answer.is_empty() || gold.is_empty() {
        return if answer == gold { Overlap::FULL } else { Overlap::default() };
    }
    let mut left: Vec<&String> = gold.iter().collect();
    left.sort_unstable();
    let mut shared = 0;
    for word in answer {
        if let Ok(place) = left.binary_search(&word) {
            left.remove(place);
            shared += 1;
        }
    }
    Overlap::of_counts(shared, answer.len(), gold.len())
}

#[cfg(test)]
mod tests {
    use super::{exact_match, token_overlap};

    const NONE: [&str; 0] = [];

    #[test]
    fn a_worked_example() {
        // Two of three words are right, and two of four are there.
        let found = token_overlap("the Main Library hall", &["main library, second floor"]);
        assert!((found.precision - 2.0 / 3.0).abs() < 1e-12);
        assert!((found.recall - 0.5).abs() < 1e-12);
        assert!((found.f1 - 4.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn a_refusal_is_right_where_nothing_answers() {
        assert!(exact_match("", &NONE) && exact_match("", &["", "the"]));
        assert!((token_overlap("", &NONE).f1 - 1.0).abs() < 1e-12);
        assert!(token_overlap("May", &NONE).f1.abs() < 1e-12);
        assert!(!exact_match("", &["May"]));
    }

    #[test]
    fn a_word_counts_as_often_as_both_have_it() {
        let found = token_overlap("no no no", &["no way"]);
        assert!((found.precision - 1.0 / 3.0).abs() < 1e-12 && (found.recall - 0.5).abs() < 1e-12);
    }
}
