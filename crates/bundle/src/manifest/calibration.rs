//! The numbers that say how sure an answer is, and from when on it is given.

use serde::{Deserialize, Serialize};

/// The weights by which what is known of an answer becomes the probability that it is right, and the bounds
/// by which that decides how it is given.
///
/// A site's own come from `campanile eval --calibrate`; those by default were fitted on questions of an
/// encyclopaedia and of invented handbooks (see `docs/concepts/confidence.md`). A field that a program does not know is an error: without its
/// weight the probability would be another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Calibration {
    /// For words that a reader found.
    pub words: Logistic,
    /// For a sentence that was chosen by its nearness to the question.
    pub sentence: Logistic,
    /// For a sentence that was chosen by its words alone.
    pub keywords: Logistic,
    /// For a passage that covers what is asked, as a whole: what the probability is of, that it holds it.
    pub section: Logistic,
    /// For an entry of a FAQ: that its question is the reader's. `agreement` is of 1 where the search puts it first, `cosine` of
    /// the two questions, `gap` of how far that stands above the next entry's.
    pub entry: Logistic,
    /// An answer that is less probable than this is not given.
    pub refuse_below: f32,
    /// An answer that is less probable than this is given with a reservation.
    pub sure_from: f32,
    /// From this on a passage is given as the answer, where no words in it are sure to be right.
    pub section_from: f32,
    /// From this on an entry of a FAQ is given as the answer, as itself.
    pub entry_from: f32,
    /// A passage that is less probable than this is not given, and one between the two with a reservation.
    pub refuse_section_below: f32,
}

/// `1 / (1 + exp(-z))`, where `z` is the bias and each value times its weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Logistic {
    /// `z` where all values are 0.
    pub bias: f32,
    /// Of the logit of a reader's probability that the passage holds an answer.
    pub answer: f32,
    /// Of the natural logarithm of the probability that the spans agreeing with the answer have together.
    pub support: f32,
    /// Of 1 where the words stand in the sentence that is nearest to the question, 0 where not.
    pub agreement: f32,
    /// Of the best cosine.
    pub cosine: f32,
    /// Of the share of the question's terms that the best sentence and its heading hold.
    pub coverage: f32,
    /// Of how far the best passage's score stands above the next one's.
    pub gap: f32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            words: Logistic {
                bias: -0.723,
                answer: 0.875,
                agreement: 0.967,
                gap: 0.266,
                ..Logistic::default()
            },
            sentence: Logistic {
                bias: -6.892,
                cosine: 5.415,
                coverage: 3.482,
                gap: 0.241,
                ..Logistic::default()
            },
            keywords: Logistic { bias: -4.014, coverage: 4.498, gap: 0.196, ..Logistic::default() },
            section: Logistic {
                bias: -0.427,
                answer: 1.009,
                agreement: 0.332,
                cosine: 1.065,
                gap: 0.703,
                ..Logistic::default()
            },
            entry: Logistic {
                bias: -3.338,
                answer: 2.81,
                agreement: 2.22,
                cosine: 7.975,
                gap: 11.533,
                ..Logistic::default()
            },
            refuse_below: 0.25,
            sure_from: 0.7,
            section_from: 0.8,
            entry_from: 0.75,
            refuse_section_below: 0.25,
        }
    }
}
