//! Words that an answer shares with the gold answers: exact match and token F1 of SQuAD, BLEU, ROUGE and METEOR.
//!
//! Each equals its reference implementation, which the fixtures of the crate's tests hold.

use std::collections::BTreeMap;

use super::porter::porter_stem;
use super::tokens::{Counts, count_runs, normalised_words, shared_runs, tokens_13a};

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
    const FULL: Self = Self { precision: 1.0, recall: 1.0, f1: 1.0 };

    pub(super) fn new(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
        Self { precision, recall, f1 }
    }

    /// From what both have in common, each counted as often as the text has it.
    fn of_counts(shared: usize, in_answer: usize, in_gold: usize) -> Self {
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

/// Returns `true` if the answer is one of the gold answers, both normalised as `normalise` does: exact
/// match of SQuAD 2.0 (Rajpurkar et al. 2018).
///
/// Gold answers of which nothing is left are passed over. A question without any is one that the
/// documents do not answer, and then the right answer is the empty one: give a refusal as `""`.
pub fn exact_match<S: AsRef<str>>(answer: &str, golds: &[S]) -> bool {
    let answer = normalised_words(answer);
    gold_words(golds).contains(&answer)
}

/// The words that an answer shares with a gold answer, after `normalise`: token precision, recall
/// and F1 of SQuAD 2.0.
///
/// Of several gold answers the one with the highest F1 counts, the first of equals; precision and
/// recall, which SQuAD does not report, are those of the same one. Where the answer or the gold
/// answer has no words, all three are 1 if both have none and 0 otherwise. Gold answers without
/// words and questions without gold answers are treated as in [`exact_match`].
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

/// Runs of one to so many tokens are compared.
// The BLEU of the paper and of sacrebleu, so that figures compare.
const LONGEST_RUN: usize = 4;

/// BLEU of one answer, 0 to 1 (Papineni et al. 2002): how many runs of one to four tokens of the
/// answer some gold answer has, times a penalty for answers shorter than the gold answer that is
/// nearest in length.
///
/// It is sacrebleu's `sentence_score` with its defaults (tokenizer `13a`, case kept, exponential
/// smoothing, effective order), divided by 100. An answer without tokens, or without one in common
/// with a gold answer, has 0.
pub fn sentence_bleu<S: AsRef<str>>(answer: &str, golds: &[S]) -> f64 {
    Statistics::new(answer, golds).score(true)
}

/// BLEU of many answers together, 0 to 1: runs are counted over all answers before they are
/// divided.
///
/// It is sacrebleu's `corpus_score` with its defaults (no effective order), divided by 100; it is
/// not the mean of [`sentence_bleu`]. The number of gold answers may differ from answer to answer.
pub fn corpus_bleu<'a, S: AsRef<str> + 'a>(
    answers: impl IntoIterator<Item = (&'a str, &'a [S])>,
) -> f64 {
    let mut all = Statistics::default();
    for (answer, golds) in answers {
        all.add(&Statistics::new(answer, golds));
    }
    all.score(false)
}

/// The counts that BLEU is computed from; they add up over answers.
#[derive(Default)]
struct Statistics {
    answer_tokens: usize,
    /// Tokens of the gold answer that is nearest in length, the shorter of two.
    gold_tokens: usize,
    /// Runs of the answer, by their length.
    runs: [usize; LONGEST_RUN],
    /// Those of them that a gold answer has, each as often as the gold answer that has it most.
    matched: [usize; LONGEST_RUN],
}

impl Statistics {
    fn new<S: AsRef<str>>(answer: &str, golds: &[S]) -> Self {
        let answer = tokens_13a(answer);
        let golds: Vec<Vec<String>> = golds.iter().map(|gold| tokens_13a(gold.as_ref())).collect();
        let lengths = golds.iter().map(Vec::len);
        let nearest = lengths.min_by_key(|length| (length.abs_diff(answer.len()), *length));
        let mut new = Self {
            answer_tokens: answer.len(),
            gold_tokens: nearest.unwrap_or_default(),
            ..Self::default()
        };
        for (index, (runs, matched)) in new.runs.iter_mut().zip(&mut new.matched).enumerate() {
            let counts = count_runs(&answer, index + 1);
            *runs = counts.values().sum();
            *matched = shared_runs(&counts, &most(&golds, index + 1));
        }
        new
    }

    fn add(&mut self, other: &Self) {
        self.answer_tokens += other.answer_tokens;
        self.gold_tokens += other.gold_tokens;
        for (sum, value) in self.runs.iter_mut().zip(other.runs) {
            *sum += value;
        }
        for (sum, value) in self.matched.iter_mut().zip(other.matched) {
            *sum += value;
        }
    }

    /// With `effective_order` only lengths that the answer has runs of count.
    ///
    /// A length without a match counts as half a match, the next one without as a quarter, and so
    /// on (Chen and Cherry 2014, method 3).
    fn score(&self, effective_order: bool) -> f64 {
        if self.matched.iter().all(|matched| *matched == 0) {
            return 0.0;
        }
        let mut smoothing = 1.0;
        let (mut logarithms, mut lengths) = (0.0, 0);
        for (&runs, &matched) in self.runs.iter().zip(&self.matched) {
            if runs == 0 {
                break;
            }
            lengths += 1;
            let precision = if matched == 0 {
                smoothing *= 2.0;
                1.0 / (smoothing * runs as f64)
            } else {
                matched as f64 / runs as f64
            };
            logarithms += f64::ln(precision);
        }
        if !effective_order && lengths < LONGEST_RUN {
            return 0.0;
        }
        self.brevity_penalty() * f64::exp(logarithms / lengths as f64)
    }

    fn brevity_penalty(&self) -> f64 {
        if self.answer_tokens >= self.gold_tokens {
            return 1.0;
        }
        f64::exp(1.0 - self.gold_tokens as f64 / self.answer_tokens as f64)
    }
}

/// Each run as often as the gold answer has it that has it most.
fn most(golds: &[Vec<String>], length: usize) -> Counts<'_> {
    let mut most = Counts::new();
    for gold in golds {
        for (run, number) in count_runs(gold, length) {
            let known = most.entry(run).or_insert(0);
            *known = number.max(*known);
        }
    }
    most
}

/// Words of so many characters or fewer are compared as they are.
// The rule of the package rouge-score: a stemmer makes nonsense of "is", "was" and "his".
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
    let answer = rouge_words(answer, stemming);
    let golds: Vec<Vec<String>> =
        golds.iter().map(|gold| rouge_words(gold.as_ref(), stemming)).collect();
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

fn rouge_words(text: &str, stemming: Stemming) -> Vec<String> {
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
    let (answer, gold) = (count_runs(answer, length), count_runs(gold, length));
    Overlap::of_counts(shared_runs(&answer, &gold), answer.values().sum(), gold.values().sum())
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
    row[b.len()]
}

// The parameters of nltk, so that figures compare with those that others publish.

/// The weight of recall against precision.
const ALPHA: f64 = 0.9;
/// The steepness of the penalty for scattered matches.
const BETA: f64 = 3.0;
/// The most that scattered matches cost.
const GAMMA: f64 = 0.5;

/// METEOR of an answer, 0 to 1 (Lavie and Agarwal 2007), against the gold answer that gives most; 0
/// where there is none.
///
/// Tokens are matched by their letters, the rest by their Porter stems; what is matched and stands
/// together in both texts is a chunk. With precision P and recall R of the matched tokens the score
/// is `P·R / (0.9·P + 0.1·R) · (1 − 0.5·(chunks / matches)³)`, so a single word that is right has
/// 0.5.
///
/// It is nltk's `meteor_score` without its third stage, synonyms of WordNet, which is English,
/// large and not at hand. nltk leaves the cutting into tokens to its caller; here it is that of
/// BLEU ([`sentence_bleu`](super::sentence_bleu)), in lower case.
pub fn meteor<S: AsRef<str>>(answer: &str, golds: &[S]) -> f64 {
    let answer = lower_tokens(answer);
    let scores = golds.iter().map(|gold| against(&answer, &lower_tokens(gold.as_ref())));
    scores.fold(0.0, f64::max)
}

fn lower_tokens(text: &str) -> Vec<String> {
    tokens_13a(text).iter().map(|token| token.to_lowercase()).collect()
}

fn against(answer: &[String], gold: &[String]) -> f64 {
    let matches = align(answer, gold);
    if matches.is_empty() {
        return 0.0;
    }
    let number = matches.len() as f64;
    let (precision, recall) = (number / answer.len() as f64, number / gold.len() as f64);
    let mean = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
    let penalty = GAMMA * (chunks(&matches) as f64 / number).powf(BETA);
    (1.0 - penalty) * mean
}

/// Pairs of places in answer and gold answer, in the answer's order: first equal tokens, then
/// tokens with equal stems among those left.
fn align(answer: &[String], gold: &[String]) -> Vec<(usize, usize)> {
    let mut matches = Vec::new();
    let mut answer: Vec<(usize, String)> = answer.iter().cloned().enumerate().collect();
    let mut gold: Vec<(usize, String)> = gold.iter().cloned().enumerate().collect();
    take_equal(&mut answer, &mut gold, &mut matches);
    for (_, token) in answer.iter_mut().chain(&mut gold) {
        *token = porter_stem(token);
    }
    take_equal(&mut answer, &mut gold, &mut matches);
    matches.sort_unstable();
    matches
}

/// Moves equal tokens to `matches`, from the end on: the last of the answer with the last of the
/// gold answer.
fn take_equal(
    answer: &mut Vec<(usize, String)>,
    gold: &mut Vec<(usize, String)>,
    matches: &mut Vec<(usize, usize)>,
) {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, token) in gold.iter() {
        places.entry(token).or_default().push(*place);
    }
    let before = matches.len();
    for (place, token) in answer.iter().rev() {
        if let Some(other) = places.get_mut(token.as_str()).and_then(Vec::pop) {
            matches.push((*place, other));
        }
    }
    let new = &matches[before..];
    answer.retain(|(place, _)| new.iter().all(|(taken, _)| taken != place));
    gold.retain(|(place, _)| new.iter().all(|(_, taken)| taken != place));
}

/// Runs of matches that are neighbours in both texts.
fn chunks(matches: &[(usize, usize)]) -> usize {
    let breaks = matches
        .windows(2)
        .filter(|pair| !matches!(pair, [(a, b), (c, d)] if *c == a + 1 && *d == b + 1));
    breaks.count() + usize::from(!matches.is_empty())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn a_worked_example_of_overlap() {
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

    #[test]
    fn a_worked_example_of_bleu() {
        // Five tokens of six; runs: 5/5, 3/4, 1/3, then none of 2 counts as a half.
        let found =
            sentence_bleu("the library opens at nine", &["the library closes opens at nine"]);
        let precision = (1.0_f64 * (3.0 / 4.0) * (1.0 / 3.0) * (0.5 / 2.0)).powf(0.25);
        assert!((found - f64::exp(1.0 - 6.0 / 5.0) * precision).abs() < 1e-12, "{found}");
    }

    #[test]
    fn a_short_answer_is_whole_by_itself_and_nothing_in_a_corpus() {
        assert!((sentence_bleu("May 3", &["May 3"]) - 1.0).abs() < 1e-12);
        let golds: &[&str] = &["May 3"];
        assert!(corpus_bleu([("May 3", golds)]).abs() < 1e-12);
        let none: &[&str] = &[];
        assert!(sentence_bleu("May", none).abs() < 1e-12 && sentence_bleu("", golds).abs() < 1e-12);
    }

    #[test]
    fn a_worked_example_of_rouge() {
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

    #[test]
    fn a_worked_example_of_meteor() {
        // Three of three tokens, three of four in two chunks.
        let found = meteor("the desks open", &["the desk never opens"]);
        let (precision, recall) = (1.0, 0.75);
        let mean = precision * recall / (0.9 * precision + 0.1 * recall);
        let expected = mean * (1.0 - 0.5 * (2.0_f64 / 3.0).powi(3));
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
}
