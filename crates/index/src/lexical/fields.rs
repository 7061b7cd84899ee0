//! Weights of words by where they stand.

use thiserror::Error;

/// Steps between 0 and 1.
const STEPS: u32 = 4;

/// The place of a word in a chunk's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// In the title of its document.
    Title,
    /// In the headings above it, or a table's caption.
    Headings,
    /// In the text itself.
    Body,
}

/// The weights of a word in a title and in headings, beside one in the body, which counts 1.
///
/// This is BM25 with weighted fields in its simple form (Robertson, Zaragoza and Taylor, CIKM 2004): the
/// frequency of a term in a chunk is the sum of its occurrences, each with its field's weight, and
/// so is the chunk's length. A weight of 2 ranks as if the title stood there twice. Weighting
/// frequencies keeps what makes BM25 robust: a word in title and body saturates once, where two
/// scores that are added would count it as two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldWeights {
    title: u32,
    headings: u32,
    body: u32,
}

/// Why a number is no field's weight.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("a field's weight lies between 0 and 8, in steps of 0.25; found {0}")]
pub struct FieldWeightError(f32);

impl FieldWeights {
    /// The highest weight: beyond it a word of a title is found whatever the text is about.
    pub const HIGHEST: f32 = 8.0;
    /// Weights are whole multiples of this, for the index counts in whole numbers.
    pub const STEP: f32 = 1.0 / STEPS as f32;

    /// Weights of a word in a title and in headings; 0 leaves such words out of the index.
    ///
    /// # Errors
    /// A weight that is not one of 0, 0.25, 0.5 … 8.
    pub fn new(title: f32, headings: f32) -> Result<Self, FieldWeightError> {
        let (title, headings) = (steps(title)?, steps(headings)?);
        // The fewest whole numbers that stand to each other as the weights do: most words are in the
        // body, and a frequency of 1 is the shortest to store.
        let divisor = [STEPS, 2, 1].into_iter().find(|n| (title | headings) % n == 0).unwrap_or(1);
        Ok(Self { title: title / divisor, headings: headings / divisor, body: STEPS / divisor })
    }

    /// Returns what an occurrence adds to a term's frequency.
    pub(super) fn of(self, field: Field) -> u32 {
        match field {
            Field::Title => self.title,
            Field::Headings => self.headings,
            Field::Body => self.body,
        }
    }

    /// Returns what one word of the body adds: the unit in which the index counts.
    pub(super) fn unit(self) -> u32 {
        self.body
    }
}

impl Default for FieldWeights {
    /// A word counts the same wherever it stands.
    fn default() -> Self {
        Self { title: 1, headings: 1, body: 1 }
    }
}

fn steps(weight: f32) -> Result<u32, FieldWeightError> {
    let steps = weight * STEPS as f32;
    if (0.0..=FieldWeights::HIGHEST).contains(&weight) && steps.fract() == 0.0 {
        Ok(steps as u32)
    } else {
        Err(FieldWeightError(weight))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::{Field, FieldWeights};

    #[test]
    fn weights_are_counted_in_the_fewest_whole_numbers() {
        let cases = [
            (1.0, 1.0, [1, 1, 1]),
            (2.0, 1.0, [2, 1, 1]),
            (8.0, 0.0, [8, 0, 1]),
            (0.0, 0.0, [0, 0, 1]),
            (1.5, 1.0, [3, 2, 2]),
            (0.5, 3.0, [1, 6, 2]),
            (1.25, 2.0, [5, 8, 4]),
            (0.75, 0.25, [3, 1, 4]),
        ];
        for (title, headings, expected) in cases {
            let weights = FieldWeights::new(title, headings).unwrap();
            let found = [Field::Title, Field::Headings, Field::Body].map(|field| weights.of(field));
            assert_eq!(found, expected, "{title} {headings}");
            assert_eq!(weights.unit(), expected[2]);
        }
        assert_eq!(FieldWeights::new(1.0, 1.0), Ok(FieldWeights::default()));
    }

    #[test]
    fn other_numbers_are_refused() {
        for weight in [-1.0, 0.1, 1.3, 8.25, f32::NAN, f32::INFINITY] {
            assert!(FieldWeights::new(weight, 1.0).is_err(), "{weight}");
            let told = FieldWeights::new(1.0, weight).unwrap_err().to_string();
            assert!(told.contains("steps of 0.25") && told.contains(&weight.to_string()), "{told}");
        }
    }
}
