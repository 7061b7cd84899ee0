use super::ngrams::{count, shared};
use super::overlap::Overlap;
use super::porter::porter_stem;

/// Words of so many characters or fewer are compared as they are.
const UNSTEMMED_CHARACTERS: usize = 3;

/// ROUGE of one answer (Lin 2004).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rouge {
    /// Words in common, in any order.
    pub rouge_1: Overlap,
    /// Pairs of neighbouring words in common.
    pub rouge_2: Overlap,
    /// The longest sequence of words that both have in this order, other words between or not.
    pub rouge_l: Overlap,
}

/// The form in which words are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stemming {
    /// As they are.
    Off,
    /// By the stems of Porter's algorithm for English, words of more than three letters.
    Porter,
}

/// ROUGE-1, ROUGE-2 and ROUGE-L of an answer, each against the gold answer that gives the highest
/// F1, the first of equals; all 0 where there is no gold answer.
///
/// It is `score_multi` of the package rouge-score. Its words are runs of ASCII letters and digits,
/// in lower case: `Prüfung` is read as `pr` and `fung`, and a text in another script has no words.
pub fn rouge<S: AsRef<str>>(answer: &str, golds: &[S], stemming: Stemming) -> Rouge {
    let answer = words(answer, stemming);
    let golds: Vec<Vec<String>> = golds.iter().map(|gold| words(gold.as_ref(), stemming)).collect();
    let best =
        |score: &dyn Fn(&[String]) -> Overlap| Overlap::best(golds.iter().map(|gold| score(gold)));
    Rouge {
        rouge_1: best(&|gold| runs_in_common(&answer, gold, 1)),
        rouge_2: best(&|gold| runs_in_common(&answer, gold, 2)),
        rouge_l: best(&|gold| {
            let length = longest_common_subsequence(&answer, gold);
            Overlap::of_counts(length, answer.len(), gold.len())
        }),
    }
}

fn words(text: &str, stemming: Stemming) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|character: char| !character.is_ascii_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(|word| match stemming {
            Stemming::Porter if word.len() > UNSTEMMED_CHARACTERS => porter_stem(word),
            _ => word.to_owned(),
        })
        .collect()
}

fn runs_in_common(answer: &[String], gold: &[String], length: usize) -> Overlap {
    let (answer, gold) = (count(answer, length), count(gold, length));
    Overlap::of_counts(shared(&answer, &gold), answer.values().sum(), gold.values().sum())
}

/// One row of the usual table at a time.
fn longest_common_subsequence(a: &[String], b: &[String]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for word in a {
        let mut diagonal = 0;
        let mut left = 0;
        for (above, other) in row.iter_mut().skip(1).zip(b) {
            let here = if word == other { diagonal + 1 } else { left.max(*above) };
            diagonal = *above;
            left = here;
            *above = here;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Stemming, rouge};

    #[test]
    fn a_worked_example() {
        let found = rouge("the desk opens at nine", &["at nine the desk closes"], Stemming::Off);
        assert!((found.rouge_1.f1 - 0.8).abs() < 1e-12);
        assert!((found.rouge_2.f1 - 0.5).abs() < 1e-12);
        assert!((found.rouge_l.f1 - 0.4).abs() < 1e-12);
    }

    #[test]
    fn stems_meet_where_words_do_not() {
        let gold = ["registered students"];
        assert!(rouge("student register", &gold, Stemming::Off).rouge_1.f1.abs() < 1e-12);
        let stemmed = rouge("student register", &gold, Stemming::Porter);
        assert!((stemmed.rouge_1.f1 - 1.0).abs() < 1e-12 && stemmed.rouge_2.f1.abs() < 1e-12);
    }
}
