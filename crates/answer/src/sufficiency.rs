use serde::Serialize;

/// What is known of the evidence before an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Evidence {
    /// The best cosine between the question and one of the candidate sentences or passages; none
    /// when only keywords were searched.
    pub best_cosine: Option<f32>,
    /// The share of the question's terms, 0 to 1, that the best passage holds.
    pub coverage: f32,
    /// How probable a reader finds it that the passage of the words that it chose holds an answer; none where none
    /// has read them.
    pub answer_probability: Option<f32>,
}

/// What the evidence is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The words that a reader found.
    Words,
    /// These words where they stand in the sentence that is nearest to the question, else that sentence.
    WordsInSentence,
    /// The sentence that is nearest to the question.
    Sentence,
    /// No answer.
    Refusal,
}

/// Below which evidence a refusal is the honest answer.
///
/// The defaults were set on the sample campus' questions (see `docs/reference/measurements.md`):
/// meaning decides, and shared words can only help a middling cosine over the bar. A reader knows better than both:
/// what it says tells answerable from unanswerable questions of the sample campus with an AUROC of 0.79, cosines with
/// 0.58, shared words with 0.55.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// With at least this cosine the evidence suffices, whatever words are shared.
    pub sure_cosine: f32,
    /// Below this cosine it never does.
    pub least_cosine: f32,
    /// Between the two, this share of the question's terms must be there.
    pub coverage: f32,
    /// Without an encoder, this share of the question's terms must be there.
    pub lexical_coverage: f32,
    /// With at least this probability that a passage holds an answer, a reader's words are given.
    pub answer_probability: f32,
    /// Below this one, a sentence that would be given without a reader is preferred to words that stand elsewhere.
    pub sure_probability: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            sure_cosine: 0.65,
            least_cosine: 0.4,
            coverage: 0.55,
            lexical_coverage: 0.55,
            answer_probability: 0.31,
            sure_probability: 0.5,
        }
    }
}

impl Thresholds {
    /// What may be answered: where a reader has read the passages, what it says decides.
    pub fn decide(&self, evidence: &Evidence) -> Decision {
        match evidence.answer_probability {
            Some(probability) if probability < self.answer_probability => Decision::Refusal,
            Some(probability) if probability < self.sure_probability && self.suffices(evidence) => {
                Decision::WordsInSentence
            }
            Some(_) => Decision::Words,
            None if self.suffices(evidence) => Decision::Sentence,
            None => Decision::Refusal,
        }
    }

    /// Whether a sentence may be given as the answer, by what is known without a reader.
    pub fn suffices(&self, evidence: &Evidence) -> bool {
        match evidence.best_cosine {
            None => evidence.coverage >= self.lexical_coverage,
            Some(cosine) if cosine >= self.sure_cosine => true,
            Some(cosine) if cosine < self.least_cosine => false,
            Some(_) => evidence.coverage >= self.coverage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaning_decides_and_words_help() {
        let thresholds = Thresholds {
            sure_cosine: 0.6,
            least_cosine: 0.3,
            coverage: 0.5,
            lexical_coverage: 0.5,
            ..Thresholds::default()
        };
        let cases = [
            (Some(0.7), 0.0, true),
            (Some(0.2), 1.0, false),
            (Some(0.4), 0.6, true),
            (Some(0.4), 0.4, false),
            (None, 0.6, true),
            (None, 0.4, false),
        ];
        for (best_cosine, coverage, expected) in cases {
            let evidence = Evidence { best_cosine, coverage, answer_probability: None };
            assert_eq!(thresholds.suffices(&evidence), expected, "{evidence:?}");
        }
    }

    #[test]
    fn a_reader_has_the_last_word() {
        let thresholds =
            Thresholds { answer_probability: 0.3, sure_probability: 0.5, ..Thresholds::default() };
        let cases = [
            (Some(0.9), Some(0.6), Decision::Words),
            (Some(0.9), Some(0.4), Decision::WordsInSentence),
            (Some(0.9), Some(0.2), Decision::Refusal),
            (Some(0.1), Some(0.6), Decision::Words),
            (Some(0.1), Some(0.4), Decision::Words),
            (Some(0.9), None, Decision::Sentence),
            (Some(0.1), None, Decision::Refusal),
        ];
        for (best_cosine, answer_probability, expected) in cases {
            let evidence = Evidence { best_cosine, coverage: 0.0, answer_probability };
            assert_eq!(thresholds.decide(&evidence), expected, "{evidence:?}");
        }
    }
}
