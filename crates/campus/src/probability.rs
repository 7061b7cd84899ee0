//! The probability that a passage answers, whatever site it is of.
//!
//! The scores of a site's search are compared within that site: standard scores of its candidates, BM25 by its own words'
//! frequencies. Cosine and MaxSim are the encoder's, which all sites of a campus share, and mean the same everywhere.
//! The weights were fitted by logistic regression on 240 questions about twelve handbooks of one kind (`train` in
//! `training/data/handbooks/splits.toml`), each asked of all twelve sites (docs/reference/performance.md).

use campanile_answer::Source;

/// The facts about a passage that do not depend on the site around it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Evidence {
    /// BM25; none where no word was found.
    pub lexical: Option<f32>,
    /// The cosine with the question; none where only keywords were searched.
    pub cosine: Option<f32>,
    /// MaxSim; none where tokens were not compared.
    pub late: Option<f32>,
    /// The reader's probability that it holds an answer; none where it has not read it.
    pub reading: Option<f32>,
}

/// Weights of a logistic regression.
struct Weights {
    bias: f32,
    lexical: f32,
    cosine: f32,
    late: f32,
    reading: f32,
}

const BY_WORDS: Weights =
    Weights { bias: -5.73, lexical: 1.23, cosine: 0.0, late: 0.0, reading: 0.0 };
const BY_MEANING: Weights =
    Weights { bias: -12.69, lexical: 0.38, cosine: 6.78, late: 12.98, reading: 0.0 };
const READ: Weights =
    Weights { bias: -7.69, lexical: 0.09, cosine: 6.02, late: 6.82, reading: 1.2 };

/// The cosine of a passage that the search by meaning did not put forward.
const FAR: f32 = 0.2;
/// A reader's probability is taken for this, or for 1 less this, where it is nearer to 0 or 1.
const LEAST: f32 = 1e-4;

impl Evidence {
    /// The evidence of a source; `reading` is the reader's probability, where it has read it.
    pub fn of(source: &Source, reading: Option<f32>) -> Self {
        let scores = &source.scores;
        Self {
            lexical: scores.lexical.map(|stage| stage.score),
            cosine: scores.dense.map(|stage| stage.score),
            late: scores.late.map(|stage| stage.score),
            reading,
        }
    }

    /// Returns the probability that the passage answers.
    pub fn probability(&self) -> f32 {
        let lexical = libm::log1pf(self.lexical.unwrap_or_default().max(0.0));
        let (weights, cosine) = match (self.cosine, self.late, self.reading) {
            (None, None, _) => (&BY_WORDS, 0.0),
            (cosine, _, None) => (&BY_MEANING, cosine.unwrap_or(FAR)),
            (cosine, _, Some(_)) => (&READ, cosine.unwrap_or(FAR)),
        };
        let reading = self.reading.map_or(0.0, |reading| {
            let within = reading.clamp(LEAST, 1.0 - LEAST);
            libm::logf(within / (1.0 - within))
        });
        let sum = weights.bias
            + weights.lexical * lexical
            + weights.cosine * cosine
            + weights.late * self.late.unwrap_or_default()
            + weights.reading * reading;
        1.0 / (1.0 + libm::expf(-sum))
    }
}
