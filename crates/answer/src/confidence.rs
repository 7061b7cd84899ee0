use campanile_bundle::{Calibration, Logistic};
use serde::Serialize;

/// A reader's probability is taken for this, or for 1 less this, where it is nearer to 0 or 1: the logit has an end.
const LEAST_PROBABILITY: f32 = 1e-4;
/// A lead over the next passage that is larger than this says no more.
const WIDEST_GAP: f32 = 3.0;
/// What a reader's words are taken to have where only keywords were searched: about the mean of all answers.
const USUAL_COSINE: f32 = 0.6;

/// What is known of an answer before it is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// How probable it is that the answer is right, by the site's [`Calibration`].
    pub confidence: f32,
    /// The best cosine between the question and one of the candidate sentences or passages; none
    /// when only keywords were searched.
    pub best_cosine: Option<f32>,
    /// The share of the question's terms, 0 to 1, that the best sentence and its heading hold.
    pub coverage: f32,
    /// How far the best passage's score stands above the next one's, in the unit of the fusion; 0 where there is no
    /// other.
    pub gap: f32,
    /// What a reader says; none where none has read the passages.
    pub reading: Option<ReadingEvidence>,
}

/// What a reader says of the words that it chose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReadingEvidence {
    /// How probable it finds it that the passage they stand in holds an answer.
    pub answer_probability: f32,
    /// The probability of all spans together, each by how much it has in common with these words.
    pub support: f32,
    /// Whether they stand in the sentence that is nearest to the question.
    pub agrees: bool,
}

/// How an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// As it is.
    Direct,
    /// With a reservation.
    Qualified,
    /// Not at all.
    Refused,
}

impl Evidence {
    /// How probable it is that the answer is right: what words, meaning and a reader say, each as far as it is there.
    pub fn probability(&self, calibration: &Calibration) -> f32 {
        let model = match (self.reading, self.best_cosine) {
            (Some(_), _) => &calibration.words,
            (None, Some(_)) => &calibration.sentence,
            (None, None) => &calibration.keywords,
        };
        sigmoid(self.values().into_iter().zip(weights(model)).map(|(a, b)| a * b).sum())
    }

    /// What the weights of a [`Logistic`] are multiplied with, in the order of its fields; the first is 1.
    pub fn values(&self) -> [f32; 7] {
        let reading = |of: fn(&ReadingEvidence) -> f32| self.reading.as_ref().map_or(0.0, of);
        [
            1.0,
            reading(|read| logit(read.answer_probability)),
            reading(|read| libm::logf(read.support.max(LEAST_PROBABILITY))),
            reading(|read| f32::from(u8::from(read.agrees))),
            self.best_cosine.or(self.reading.map(|_| USUAL_COSINE)).unwrap_or(0.0),
            self.coverage,
            self.gap.min(WIDEST_GAP),
        ]
    }

    /// What follows from the [confidence](Self::confidence).
    pub(crate) fn decide(&self, calibration: &Calibration) -> Decision {
        if self.confidence < calibration.refuse_below {
            Decision::Refused
        } else if self.confidence < calibration.sure_from {
            Decision::Qualified
        } else {
            Decision::Direct
        }
    }
}

/// The weights in the order of [`Evidence::values`].
fn weights(model: &Logistic) -> [f32; 7] {
    let Logistic { bias, answer, support, agreement, cosine, coverage, gap } = *model;
    [bias, answer, support, agreement, cosine, coverage, gap]
}

fn sigmoid(z: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-z))
}

fn logit(probability: f32) -> f32 {
    let within = probability.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY);
    libm::logf(within / (1.0 - within))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(bias: f32) -> Logistic {
        Logistic { bias, ..Logistic::default() }
    }

    #[test]
    fn each_kind_of_evidence_has_its_own_model() {
        let calibration = Calibration {
            words: model(0.0),
            sentence: model(1.0),
            keywords: model(-1.0),
            ..Calibration::default()
        };
        let read = ReadingEvidence { answer_probability: 0.5, support: 0.5, agrees: true };
        let cases = [
            (Some(0.5), Some(read), 0.5),
            (None, Some(read), 0.5),
            (Some(0.5), None, 0.731),
            (None, None, 0.269),
        ];
        for (best_cosine, reading, expected) in cases {
            let evidence = Evidence { best_cosine, reading, ..Evidence::default() };
            let found = evidence.probability(&calibration);
            assert!((found - expected).abs() < 1e-3, "{evidence:?}: {found}");
        }
    }

    #[test]
    fn values_are_what_the_weights_say() {
        let reading = ReadingEvidence { answer_probability: 0.0, support: 0.0, agrees: false };
        let evidence = Evidence {
            best_cosine: Some(0.25),
            coverage: 0.75,
            gap: 100.0,
            reading: Some(reading),
            ..Evidence::default()
        };
        let [one, answer, support, agreement, cosine, coverage, gap] = evidence.values();
        assert_eq!((one, agreement, cosine, coverage, gap), (1.0, 0.0, 0.25, 0.75, WIDEST_GAP));
        assert!((answer + 9.21).abs() < 0.01 && (support + 9.21).abs() < 0.01);
    }

    #[test]
    fn the_probability_decides() {
        let calibration =
            Calibration { refuse_below: 0.2, sure_from: 0.5, ..Calibration::default() };
        let cases = [
            (0.0, Decision::Refused),
            (0.19, Decision::Refused),
            (0.2, Decision::Qualified),
            (0.49, Decision::Qualified),
            (0.5, Decision::Direct),
            (1.0, Decision::Direct),
        ];
        for (confidence, expected) in cases {
            let evidence = Evidence { confidence, ..Evidence::default() };
            assert_eq!(evidence.decide(&calibration), expected, "{confidence}");
        }
    }

    #[test]
    fn more_of_anything_good_is_never_less_probable() {
        let calibration = Calibration::default();
        for model in [calibration.words, calibration.sentence, calibration.keywords] {
            assert!(weights(&model).iter().skip(1).all(|weight| *weight >= 0.0), "{model:?}");
        }
    }
}
