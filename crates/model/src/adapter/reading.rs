//! The findings of a reader.

use std::ops::Range;

use campanile_kernels::softmax;
use serde::Serialize;

/// A reader's findings in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Answers, most probable first.
    pub spans: Vec<ReadSpan>,
    /// The probability that the passage holds no answer.
    pub no_answer: f32,
    /// By how much an answer is better than none, as a logit; `no_answer` follows from it.
    pub margin: f32,
    /// The tokens of the passage, each with how probably it stands in a sentence that answers; none where the adapter
    /// was not trained to say so.
    pub evidence: Vec<TokenEvidence>,
    /// The probabilities of the kinds of answer, if there is one; nothing where the adapter was not trained
    /// to say so.
    pub kinds: Option<AnswerKinds>,
}

/// An answer in a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSpan {
    /// Its bytes in the passage.
    pub bytes: Range<usize>,
    /// The probability that it is the answer.
    pub probability: f32,
    /// The sum of the logits of its start and its end.
    pub score: f32,
}

/// A token of a passage.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenEvidence {
    /// Its bytes in the passage.
    pub bytes: Range<usize>,
    /// The probability that it stands in a sentence that answers.
    pub probability: f32,
}

/// The probability of each kind of answer, if a passage answers; the sum is 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnswerKinds {
    /// A few words.
    pub words: f32,
    /// Sentences of the passage, or all of it.
    pub passage: f32,
    /// Yes.
    pub yes: f32,
    /// No.
    pub no: f32,
    /// It depends.
    pub depends: f32,
}

impl AnswerKinds {
    pub(super) const COUNT: usize = 5;
    /// In the order of the head's outputs, as an adapter's `kinds` has to say.
    pub(super) const NAMES: [&str; Self::COUNT] = ["words", "passage", "yes", "no", "depends"];

    pub(super) fn of_logits(mut logits: [f32; Self::COUNT]) -> Self {
        softmax(&mut logits);
        Self::of(logits)
    }

    fn of([words, passage, yes, no, depends]: [f32; Self::COUNT]) -> Self {
        Self { words, passage, yes, no, depends }
    }

    fn values(&self) -> [f32; Self::COUNT] {
        let Self { words, passage, yes, no, depends } = *self;
        [words, passage, yes, no, depends]
    }
}

impl Reading {
    /// Readings as numbers, to be handed from one module of a page to another: of each how probable it is that there is
    /// no answer, the margin, and how many spans, tokens and kinds follow; of each span its first byte, the byte behind
    /// its last, its probability and its score; of each token its two bytes and its probability; and the kinds'
    /// probabilities. A place above 2²⁴ is not exact; passages are shorter by far.
    pub fn to_numbers(readings: &[Self]) -> Vec<f32> {
        let mut numbers = Vec::new();
        for Self { spans, no_answer, margin, evidence, kinds } in readings {
            let kinds = kinds.as_ref().map(AnswerKinds::values);
            let kinds = kinds.as_ref().map_or(&[][..], |values| values);
            let counts = [spans.len(), evidence.len(), kinds.len()].map(|count| count as f32);
            numbers.extend([*no_answer, *margin]);
            numbers.extend(counts);
            for ReadSpan { bytes, probability, score } in spans {
                numbers.extend([bytes.start as f32, bytes.end as f32, *probability, *score]);
            }
            for TokenEvidence { bytes, probability } in evidence {
                numbers.extend([bytes.start as f32, bytes.end as f32, *probability]);
            }
            numbers.extend(kinds);
        }
        numbers
    }

    /// Reads what [`Reading::to_numbers`] wrote; `None` where the numbers are not of that form.
    pub fn from_numbers(mut numbers: &[f32]) -> Option<Vec<Self>> {
        let mut readings = Vec::new();
        while let Some(([no_answer, margin, spans, tokens, kinds], rest)) =
            numbers.split_first_chunk()
        {
            let (spans, rest) = chunks::<4>(rest, *spans)?;
            let (tokens, rest) = chunks::<3>(rest, *tokens)?;
            let (kinds, rest) = match *kinds {
                // Any other count is taken for five: that so many numbers are there is checked in taking them.
                0.0 => (None, rest),
                _ => rest.split_first_chunk().map(|(kinds, rest)| (Some(*kinds), rest))?,
            };
            let spans = spans.iter().map(|&[start, end, probability, score]| ReadSpan {
                bytes: start as usize..end as usize,
                probability,
                score,
            });
            let evidence = tokens.iter().map(|&[start, end, probability]| TokenEvidence {
                bytes: start as usize..end as usize,
                probability,
            });
            readings.push(Self {
                spans: spans.collect(),
                no_answer: *no_answer,
                margin: *margin,
                evidence: evidence.collect(),
                kinds: kinds.map(AnswerKinds::of),
            });
            numbers = rest;
        }
        numbers.is_empty().then_some(readings)
    }
}

/// So many groups of `N` numbers, and what stands behind them.
fn chunks<const N: usize>(numbers: &[f32], count: f32) -> Option<(&[[f32; N]], &[f32])> {
    // A count that is negative or no number becomes 0 here, and one that is too large is more than there is.
    let (chunks, rest) = numbers.split_at_checked((count as usize).checked_mul(N)?)?;
    Some((chunks.as_chunks().0, rest))
}

#[cfg(test)]
mod tests {
    use super::{AnswerKinds, ReadSpan, Reading, TokenEvidence};

    fn reading(spans: usize, tokens: usize, kinds: bool) -> Reading {
        let span =
            |start: usize| ReadSpan { bytes: start..start + 7, probability: 0.25, score: -1.5 };
        let token = |start: usize| TokenEvidence { bytes: start..start + 2, probability: 0.125 };
        Reading {
            spans: (0..spans).map(span).collect(),
            no_answer: 0.75,
            margin: f32::NEG_INFINITY,
            evidence: (0..tokens).map(token).collect(),
            kinds: kinds.then(|| AnswerKinds::of([0.5, 0.125, 0.25, 0.0625, 0.0625])),
        }
    }

    #[test]
    fn readings_come_back_from_their_numbers() {
        for readings in [
            vec![],
            vec![reading(0, 0, false)],
            vec![reading(2, 5, true), reading(0, 0, true), reading(1, 3, false)],
        ] {
            let numbers = Reading::to_numbers(&readings);
            assert_eq!(Reading::from_numbers(&numbers), Some(readings));
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for numbers in [
            &[0.5][..],
            &[0.5, 1.0, 0.0, 0.0],
            &[0.5, 1.0, 1.0, 0.0, 0.0],
            &[0.5, 1.0, 1.0, 0.0, 0.0, 0.0, 4.0, 0.5],
            &[0.5, 1.0, 0.0, 0.0, 5.0, 0.5, 0.5],
            &[0.5, 1.0, 1e9, 0.0, 0.0],
        ] {
            assert_eq!(Reading::from_numbers(numbers), None, "{numbers:?}");
        }
    }

    #[test]
    fn kinds_are_probabilities() {
        let AnswerKinds { words, passage, yes, no, depends } =
            AnswerKinds::of_logits([0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!([words, passage, yes, no, depends].iter().all(|kind| (kind - 0.2).abs() < 1e-6));
    }
}
