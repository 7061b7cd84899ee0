use super::ngrams::{Counts, count, shared};
use super::tokens_13a::tokens_13a;

/// Runs of one to so many tokens are compared.
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
    /// Of the gold answer that is nearest in length, the shorter of two.
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
            let counts = count(&answer, index + 1);
            *runs = counts.values().sum();
            *matched = shared(&counts, &most(&golds, index + 1));
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
        for (run, number) in count(gold, length) {
            let known = most.entry(run).or_insert(0);
            *known = number.max(*known);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::{corpus_bleu, sentence_bleu};

    #[test]
    fn a_worked_example() {
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
}
