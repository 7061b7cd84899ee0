//! The examples that are learned from: texts like questions, their pieces and how rare those are, and the vectors that they
//! should have.

use std::collections::BTreeMap;

use campanile_text::sentences;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use thiserror::Error;

/// The examples that are learned from: a sparse matrix `[texts, pieces]`, whose rows are the shares that
/// pieces have in a text, and the targets `[texts, dimension]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Examples {
    pieces: usize,
    dimension: usize,
    /// The places where each text's shares end.
    ends: Vec<usize>,
    /// Piece and share, text by text.
    shares: Vec<(u32, f32)>,
    targets: Vec<f32>,
}

impl Examples {
    /// None yet, over a vocabulary of `pieces` pieces, with targets of `dimension` numbers.
    pub fn new(pieces: usize, dimension: usize) -> Self {
        Self { pieces, dimension, ends: Vec::new(), shares: Vec::new(), targets: Vec::new() }
    }

    /// Adds a text by its pieces, in any order and as often as they occur, and its target; a text
    /// without pieces teaches nothing and is passed over.
    ///
    /// # Errors
    /// [`DistilError`] for a piece or a target that does not fit.
    pub fn push(&mut self, pieces: &[u32], target: &[f32]) -> Result<(), DistilError> {
        check("a target", target, self.dimension)?;
        if let Some(&piece) = pieces.iter().find(|&&piece| piece as usize >= self.pieces) {
            return Err(DistilError::Piece { count: self.pieces, piece });
        }
        if pieces.is_empty() {
            return Ok(());
        }
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for &piece in pieces {
            *counts.entry(piece).or_default() += 1;
        }
        let all = pieces.len() as f32;
        self.shares.extend(counts.into_iter().map(|(piece, count)| (piece, count as f32 / all)));
        self.ends.push(self.shares.len());
        self.targets.extend(target);
        Ok(())
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of pieces that the vocabulary has.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The length of a target.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The shares of each text in turn.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.shares[start..end])
    }

    /// `[texts, dimension]`
    pub(crate) fn targets(&self) -> &[f32] {
        &self.targets
    }
}

/// The stream of PCG numbers that is used: any would do, so it is the reference code's.
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;
/// Words of the shortest and of the longest window, where the sentence has as many.
const LENGTHS: [u32; 2] = [3, 9];

/// `count` windows of three to nine words in a row, each from one of the text's sentences; the
/// shorter sentences whole. None where the text has no words.
///
/// Chance follows from the text alone, so a text that does not change keeps its windows, and the
/// first few of many are those that are drawn when few are wanted.
pub fn windows(text: &str, count: usize) -> Vec<String> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (number, sentence) in sentences(text).iter().enumerate() {
        let of_sentence = sentence.slice(text).unwrap_or_default().split_whitespace();
        words.extend(of_sentence.map(|word| (number, word)));
    }
    let mut chance = Pcg32::new(seed(text), STREAM);
    let mut drawn = Vec::new();
    while drawn.len() < count && !words.is_empty() {
        // The place first, then the length: another order would draw other windows of every text.
        let place = below(&mut chance, words.len() as u32) as usize;
        let [least, most] = LENGTHS;
        let length = (least + below(&mut chance, most - least + 1)) as usize;
        drawn.push(around(&words, place, length));
    }
    drawn
}

/// The words of one sentence from `place` on; where it ends too soon, some before as well.
fn around(words: &[(usize, &str)], place: usize, length: usize) -> String {
    let sentence = words.get(place).map(|(sentence, _)| *sentence);
    let first = words.partition_point(|(number, _)| Some(*number) < sentence);
    let end = words.partition_point(|(number, _)| Some(*number) <= sentence);
    // A window never leaves its sentence: words of two sentences in a row are no question.
    let start = place.min(end.saturating_sub(length)).max(first);
    let window = words.iter().take(end.min(start + length)).skip(start);
    window.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// A whole number below `bound`, by Lemire's multiplication; its bias, one part in millions, is of
/// no consequence here.
fn below(chance: &mut Pcg32, bound: u32) -> u32 {
    ((u64::from(chance.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// FNV-1a.
fn seed(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The inverse document frequency (Spärck Jones, 1972) of a piece that `with` of `all` texts have,
/// smoothed so that a piece of every text still counts a little: `ln((all + 1) / (with + 1/2))`.
pub fn inverse_document_frequency(with: usize, all: usize) -> f32 {
    // The library's logarithm is the same on every system.
    libm::log((all as f64 + 1.0) / (with as f64 + 0.5)) as f32
}

/// Why nothing was learned.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DistilError {
    /// An example names a piece that the vocabulary does not have.
    #[error("expected pieces below {count}, found {piece}")]
    Piece {
        /// The number of pieces in the vocabulary.
        count: usize,
        /// The piece that was named.
        piece: u32,
    },
    /// Two lengths that should agree do not.
    #[error("expected {expected} numbers in {what}, found {found}")]
    Length {
        /// The list that has another length.
        what: &'static str,
        /// The length that there should be.
        expected: usize,
        /// The length that was found.
        found: usize,
    },
    /// A number is NaN or infinite.
    #[error("expected finite numbers in {what}, found another")]
    NotFinite {
        /// The place where it stands.
        what: &'static str,
    },
    /// Without a strength above zero, pieces that no example names have no vector.
    #[error("expected a strength above 0, found {strength}")]
    Strength {
        /// The strength that was asked for.
        strength: f32,
    },
}

/// Fails where a list has another length, or holds a number that is not finite.
pub(crate) fn check(
    what: &'static str,
    numbers: &[f32],
    expected: usize,
) -> Result<(), DistilError> {
    if numbers.len() != expected {
        return Err(DistilError::Length { what, expected, found: numbers.len() });
    }
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(DistilError::NotFinite { what });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{inverse_document_frequency, windows};

    const TEXT: &str = "The library closes at 8 on Fridays in term and at 6 out of term. Ask the \
                        desk. Theses are due on the first Monday of June, at noon.";

    #[test]
    fn few_are_the_first_of_many() {
        let many = windows(TEXT, 40);
        assert_eq!(windows(TEXT, 7), many[..7]);
        assert_ne!(windows(&format!("{TEXT} More."), 40), many);
        assert!(many.iter().any(|window| window == "Ask the desk."));
        let long: Vec<_> = many.iter().filter(|window| *window != "Ask the desk.").collect();
        assert!(long.iter().all(|w| (3..=9).contains(&w.split(' ').count())), "{long:?}");
    }

    proptest! {
        #[test]
        fn windows_lie_within_the_text(text in "[a-z]{1,4}([ .\n?]{1,2}[a-zA-Z0-9é]{1,5}){0,30}") {
            let found = windows(&text, 10);
            prop_assert_eq!(found.len(), 10);
            let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for window in found {
                prop_assert!(!window.is_empty() && joined.contains(&window), "{window:?}");
            }
        }
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert!(windows("", 3).is_empty());
        assert!(windows(" \n ", 3).is_empty());
        assert!(windows("word", 0).is_empty());
    }

    #[test]
    fn rarer_is_more() {
        assert!(inverse_document_frequency(1, 100) > inverse_document_frequency(2, 100));
        assert!(inverse_document_frequency(100, 100) > 0.0);
        assert!((inverse_document_frequency(0, 9) - 20f32.ln()).abs() < 1e-6);
    }
}
