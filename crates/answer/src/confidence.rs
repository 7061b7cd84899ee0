use campanile_bundle::{Calibration, Logistic};
use serde::Serialize;

use crate::answerer::READ_PASSAGES;
use crate::same_question::Difference;

/// A reader's probability is taken for this, or for 1 less this, where it is nearer to 0 or 1: the logit has an end.
const LEAST_PROBABILITY: f32 = 1e-4;
/// A lead over the next passage that is larger than this says no more.
// In standard scores; without an end, one passage alone on its subject would be sure of anything.
const WIDEST_GAP: f32 = 3.0;
/// A passage's lead over the others counts in full from this cosine with the question on, and as far as it comes towards it below:
/// of what is all far from the question one passage is always ahead, and answers no more than the rest.
// What that brings for questions that no page is about: docs/concepts/confidence.md.
const NEAR: f32 = 0.5;
/// The cosine that a reader's words are taken to have where only keywords were searched: about the mean of
/// all answers.
const USUAL_COSINE: f32 = 0.6;

/// The logit that an entry is taken to have before a reader has read it: nine of ten entries that answer have more
/// (`tests/sets/faq/choosing`), so that an answer which is given early is seldom taken back.
const UNREAD: f32 = -2.5;
/// The probability, by the reader, that a passage which does not answer holds an answer: the median of 5,715 passages that
/// searches brought behind the first.
const NO_ANSWER: f32 = 0.05;

/// A lead over the next entry that is larger than this says no more.
// Of entries that are nearest and wrong 1 in 100 has a larger one, of those that are right 3 in 10
// (`tests/sets/faq/choosing`). Without an end, a site of few entries is sure of any of them.
const WIDEST_LEAD: f32 = 0.2;

/// The evidence for an answer, as far as it is known before the answer is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// The probability that the answer is right, by the site's [`Calibration`].
    pub confidence: f32,
    /// The best cosine between the question and one of the candidate sentences or passages; none
    /// when only keywords were searched.
    pub best_cosine: Option<f32>,
    /// The share of the question's terms, 0 to 1, that the best sentence and its heading hold.
    pub coverage: f32,
    /// The lead of the best passage's score over the next one's, in the unit of the fusion; 0 where there
    /// is no other.
    pub gap: f32,
    /// The reader's evidence; none where none has read the passages.
    pub reading: Option<ReadingEvidence>,
    /// The evidence for the passage that covers what is asked, if one does; none where no reader has read.
    pub section: Option<SectionEvidence>,
    /// The evidence for the documents' own question that comes nearest; none where none is near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryEvidence>,
}

/// The evidence that an entry of a FAQ asks what the visitor asks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EntryEvidence {
    /// The number of its source, from 1.
    pub source: usize,
    /// The probability that it answers, by the site's [`Calibration`].
    pub probability: f32,
    /// The probability, by the reader, that it holds an answer; none where none has read it.
    pub answer_probability: Option<f32>,
    /// The cosine of the two questions.
    pub cosine: f32,
    /// The lead of that over the next entry's.
    pub gap: f32,
    /// `true` if the search puts it first of all passages.
    pub is_first: bool,
    /// `true` if a model at the desk wrote its question, not the department: it then says which passage covers what is
    /// asked, and not that the department has answered just that.
    pub is_written: bool,
    /// What tells its question from the visitor's; then the probability is below that of a sure section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

impl EntryEvidence {
    /// Returns the numbers that its weights are multiplied with, as [`Evidence::values`] does.
    pub fn values(&self) -> [f32; 7] {
        let first = f32::from(u8::from(self.is_first));
        let answer = self.answer_probability.map_or(UNREAD, logit);
        [1.0, answer, 0.0, first, self.cosine, 0.0, self.gap.clamp(-WIDEST_LEAD, WIDEST_LEAD)]
    }
}

/// A reader's evidence for the words that it chose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReadingEvidence {
    /// The probability, by the reader, that the passage they stand in holds an answer.
    pub answer_probability: f32,
    /// The probability of all spans together, each by how much it has in common with these words.
    pub support: f32,
    /// `true` if they stand in the sentence that is nearest to the question, or that sentence says them too.
    pub agrees: bool,
}

/// The evidence for the passage that most probably holds what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SectionEvidence {
    /// The number of its source, from 1.
    pub source: usize,
    /// The probability that it does, by the site's [`Calibration`]; of an entry of a FAQ, that of the [entry](EntryEvidence).
    pub probability: f32,
    /// The probability, by a reader, that it holds an answer.
    pub answer_probability: f32,
    /// The share that it has of the odds, by the reader, of all passages that were read, 0 to 1.
    pub share: f32,
    /// `true` if the words that the reader chose stand in it.
    pub has_words: bool,
    /// The cosine between it and the question; none when only keywords were searched.
    pub cosine: Option<f32>,
    /// The share of the question's terms, 0 to 1, that it has with its title and headings.
    pub coverage: f32,
    /// The lead of its score over the best other one's, in the unit of the fusion.
    pub gap: f32,
    /// `true` if its title and headings have every term of the question, of two or more.
    pub is_named: bool,
}

impl SectionEvidence {
    /// Returns the numbers that its weights are multiplied with, as [`Evidence::values`] does.
    pub fn values(&self) -> [f32; 7] {
        let cosine = self.cosine.unwrap_or(USUAL_COSINE);
        [
            1.0,
            logit(self.answer_probability),
            libm::logf(self.share.max(LEAST_PROBABILITY)),
            f32::from(u8::from(self.has_words)),
            cosine,
            self.coverage,
            lead(self.gap, cosine),
        ]
    }
}

/// The way in which an answer is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The entry of a FAQ whose question is the visitor's.
    Entry,
    /// The answer as it is.
    Direct,
    /// The passage that covers it.
    Section,
    /// The answer with a reservation.
    Qualified,
    /// The passage that may cover it, with a reservation.
    PossibleSection,
    /// No answer.
    Refused,
}

impl Evidence {
    /// Returns the probability that the answer is right: what words, meaning and a reader say, each as far
    /// as it is there.
    pub fn probability(&self, calibration: &Calibration) -> f32 {
        let model = match (self.reading, self.best_cosine) {
            (Some(_), _) => &calibration.words,
            (None, Some(_)) => &calibration.sentence,
            (None, None) => &calibration.keywords,
        };
        probability(self.values(), model)
    }

    /// Returns the probability that a passage holds what is asked.
    pub(crate) fn section_probability(section: &SectionEvidence, calibration: &Calibration) -> f32 {
        probability(section.values(), &calibration.section)
    }

    /// The probability that an entry of a FAQ answers.
    pub(crate) fn entry_probability(entry: &EntryEvidence, calibration: &Calibration) -> f32 {
        probability(entry.values(), &calibration.entry)
    }

    /// Returns the numbers that the weights of a [`Logistic`] are multiplied with, in the order of its
    /// fields; the first is 1.
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

    /// The number of the source that most probably holds what is asked, and how probable that is: by what a reader says
    /// of all, entries of a FAQ among them, or by the questions alone until one has read.
    pub(crate) fn covering(&self) -> Option<(usize, f32)> {
        let section = self.section.map(|section| (section.source, section.probability));
        section.or(self.entry.map(|entry| (entry.source, entry.probability)))
    }

    /// Decides how the answer is given, by the [confidence](Self::confidence).
    pub(crate) fn decide(&self, calibration: &Calibration) -> Decision {
        let section = self.covering().map_or(0.0, |(_, probability)| probability);
        let own = self.entry.filter(|entry| !entry.is_written && entry.difference.is_none());
        let entry = own.map_or(0.0, |entry| entry.probability);
        if entry >= calibration.entry_from {
            Decision::Entry
        } else if self.confidence >= calibration.sure_from {
            Decision::Direct
        } else if section >= calibration.section_from {
            Decision::Section
        } else if self.section.is_some_and(|section| section.is_named)
            || (section >= calibration.refuse_section_below && section > self.confidence)
        {
            // How to apply for an extension is neither refused beside "Extensions › How to apply", nor told by words
            // elsewhere that are not sure.
            Decision::PossibleSection
        } else if self.confidence >= calibration.refuse_below {
            Decision::Qualified
        } else {
            Decision::Refused
        }
    }
}

/// The share that each of the passages which were read has of the odds of all, by their probabilities. Where fewer were
/// there than are read, others that do not answer stand for the rest: one passage alone is not sure of anything.
pub(crate) fn shares(probabilities: &[f32]) -> Vec<f32> {
    let odds = |probability: f32| libm::expf(logit(probability));
    let own: Vec<f32> = probabilities.iter().map(|one| odds(*one)).collect();
    let missing = READ_PASSAGES.saturating_sub(own.len());
    let sum = own.iter().sum::<f32>() + missing as f32 * odds(NO_ANSWER);
    own.into_iter().map(|one| one / sum).collect()
}

/// What a passage's lead over the best other one is worth, or its distance behind it: a lead as far as it is [near](NEAR).
fn lead(gap: f32, cosine: f32) -> f32 {
    let gap = gap.clamp(-WIDEST_GAP, WIDEST_GAP);
    if gap > 0.0 { gap * (cosine / NEAR).clamp(0.0, 1.0) } else { gap }
}

fn probability(values: [f32; 7], model: &Logistic) -> f32 {
    sigmoid(values.into_iter().zip(weights(model)).map(|(a, b)| a * b).sum())
}

/// The weights in the order of [`Evidence::values`].
fn weights(model: &Logistic) -> [f32; 7] {
    let Logistic { bias, answer, support, agreement, cosine, coverage, gap } = *model;
    [bias, answer, support, agreement, cosine, coverage, gap]
}

fn sigmoid(z: f32) -> f32 {
    // By one library everywhere, so that a page and a terminal give the same odds and decide alike.
    1.0 / (1.0 + libm::expf(-z))
}

/// The logarithm of a probability's odds.
pub(crate) fn logit(probability: f32) -> f32 {
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
    fn a_passage_alone_has_no_more_than_among_others_that_do_not_answer() {
        let sum = |probabilities: &[f32]| shares(probabilities).iter().sum::<f32>();
        assert!((sum(&[0.9, 0.2, 0.05, 0.05, 0.05]) - 1.0).abs() < 1e-5);
        let (alone, among) = (shares(&[0.03]), shares(&[0.03, 0.05, 0.05, 0.05, 0.05]));
        assert!((alone[0] - among[0]).abs() < 1e-5 && alone[0] < 0.2, "{alone:?} {among:?}");
        assert!(shares(&[0.9])[0] > 0.95);
        assert!(shares(&[]).is_empty());
    }

    #[test]
    fn a_lead_counts_as_far_as_it_is_near() {
        for (gap, cosine, expected) in [
            (2.0, 0.5, 2.0),
            (2.0, 0.9, 2.0),
            (2.0, 0.25, 1.0),
            (2.0, 0.0, 0.0),
            (2.0, -0.3, 0.0),
            (9.0, 0.25, WIDEST_GAP / 2.0),
            (-1.0, 0.1, -1.0),
            (-9.0, 0.9, -WIDEST_GAP),
        ] {
            assert!((lead(gap, cosine) - expected).abs() < 1e-6, "{gap} {cosine}");
        }
    }

    #[test]
    fn the_probabilities_decide() {
        let calibration = Calibration {
            refuse_below: 0.2,
            sure_from: 0.5,
            section_from: 0.6,
            entry_from: 0.8,
            refuse_section_below: 0.3,
            ..Calibration::default()
        };
        let cases = [
            (0.0, 0.0, Decision::Refused),
            (0.19, 0.29, Decision::Refused),
            (0.19, 0.3, Decision::PossibleSection),
            (0.19, 0.6, Decision::Section),
            (0.2, 0.29, Decision::Qualified),
            (0.49, 0.49, Decision::Qualified),
            (0.49, 0.59, Decision::PossibleSection),
            (0.49, 0.6, Decision::Section),
            (0.5, 0.9, Decision::Direct),
            (1.0, 1.0, Decision::Direct),
        ];
        let section = |probability| SectionEvidence {
            source: 1,
            probability,
            answer_probability: 0.5,
            share: 0.2,
            has_words: false,
            cosine: None,
            coverage: 0.5,
            gap: 0.0,
            is_named: false,
        };
        for (confidence, covered, expected) in cases {
            let section = Some(section(covered));
            let evidence = Evidence { confidence, section, ..Evidence::default() };
            assert_eq!(evidence.decide(&calibration), expected, "{confidence} {covered}");
        }
        // An entry is given as itself, or as the passage that covers what is asked; a question that a model wrote, or
        // that differs from the visitor's, only tells which passage that is.
        let entries = [
            (0.1, 0.8, false, None, Decision::Entry),
            (0.9, 0.8, false, None, Decision::Entry),
            (0.1, 0.7, false, None, Decision::Section),
            (0.1, 0.4, false, None, Decision::PossibleSection),
            (0.9, 0.7, false, None, Decision::Direct),
            (0.1, 0.2, false, None, Decision::Refused),
            (0.1, 1.0, true, None, Decision::Section),
            (0.9, 1.0, true, None, Decision::Direct),
            (0.1, 0.9, false, Some(Difference::Kind), Decision::Section),
            (0.1, 0.5, false, Some(Difference::Opposite), Decision::PossibleSection),
        ];
        for (confidence, probability, is_written, difference, expected) in entries {
            let entry = EntryEvidence {
                source: 2,
                probability,
                answer_probability: None,
                cosine: 0.5,
                gap: 0.1,
                is_first: false,
                is_written,
                difference,
            };
            let covered = SectionEvidence { source: 2, ..section(probability) };
            for section in [None, Some(covered)] {
                let evidence =
                    Evidence { confidence, section, entry: Some(entry), ..Evidence::default() };
                assert_eq!(evidence.decide(&calibration), expected, "{confidence} {probability}");
                assert_eq!(evidence.covering(), Some((2, probability)));
            }
        }
        // The entry that a passage is has one probability, which may be below that of another passage.
        let entry = EntryEvidence {
            source: 2,
            probability: 0.7,
            answer_probability: None,
            cosine: 0.5,
            gap: 0.1,
            is_first: false,
            is_written: false,
            difference: None,
        };
        let evidence =
            Evidence { section: Some(section(0.75)), entry: Some(entry), ..Evidence::default() };
        assert_eq!(evidence.covering(), Some((1, 0.75)));
        for (confidence, expected) in [
            (0.1, Decision::PossibleSection),
            (0.3, Decision::PossibleSection),
            (0.5, Decision::Direct),
        ] {
            let named = Some(SectionEvidence { is_named: true, ..section(0.1) });
            let evidence = Evidence { confidence, section: named, ..Evidence::default() };
            assert_eq!(evidence.decide(&calibration), expected, "{confidence}");
        }
    }

    #[test]
    fn more_of_anything_good_is_never_less_probable() {
        let calibration = Calibration::default();
        for model in [
            calibration.words, calibration.sentence, calibration.keywords, calibration.section,
            calibration.entry,
        ] {
            assert!(weights(&model).iter().skip(1).all(|weight| *weight >= 0.0), "{model:?}");
        }
    }
}
