//! Some word pieces of a tokenizer, and how texts are cut into them.

mod codec;

use std::collections::BTreeSet;

use super::bert_text::{Cleaning, words};
use super::word_piece::longest_pieces;

/// The word pieces that a corpus is made of: a part of a tokenizer's vocabulary, small enough to
/// be fetched before the model itself.
///
/// A text whose pieces are all among them is cut as the whole tokenizer cuts it: the longest piece
/// from the left among many is the longest among few, as long as it is one of the few. A word that
/// the corpus does not have is cut into what there is, or passed over where that leaves a rest.
/// Added tokens (`[SEP]`) are text here like any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordPieces {
    cleaning: Cleaning,
    /// Longer words have no pieces, in characters.
    word_limit: usize,
    /// Pieces that begin a word, sorted; they have the numbers from 0.
    beginnings: Vec<Box<str>>,
    /// Pieces that go on with a word, without a mark of it, sorted; their numbers follow.
    continuations: Vec<Box<str>>,
    /// Bytes of the longest piece.
    longest: usize,
}

impl WordPieces {
    /// From pieces that begin a word and pieces that go on with one; the rules are the tokenizer's.
    pub(super) fn new(
        cleaning: Cleaning,
        word_limit: usize,
        [beginnings, continuations]: [BTreeSet<String>; 2],
    ) -> Self {
        let boxed =
            |pieces: BTreeSet<String>| pieces.into_iter().map(String::into_boxed_str).collect();
        Self::sorted(cleaning, word_limit, [boxed(beginnings), boxed(continuations)])
    }

    /// From lists that are sorted and hold no piece twice.
    fn sorted(
        cleaning: Cleaning,
        word_limit: usize,
        [beginnings, continuations]: [Vec<Box<str>>; 2],
    ) -> Self {
        let longest = beginnings.iter().chain(&continuations).map(|piece| piece.len()).max();
        Self { cleaning, word_limit, beginnings, continuations, longest: longest.unwrap_or(0) }
    }

    /// Returns the number of pieces.
    pub fn len(&self) -> usize {
        self.beginnings.len() + self.continuations.len()
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pieces in the order of their numbers, without a mark on those that go on with a word.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.beginnings.iter().chain(&self.continuations).map(|piece| &**piece)
    }

    /// The numbers of a text's pieces, from 0, in the text's order.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut pieces = Vec::new();
        for word in words(&self.cleaning.apply(text)) {
            let before = pieces.len();
            let cut = word.chars().count() <= self.word_limit
                && longest_pieces(
                    word,
                    self.longest,
                    |begins, piece| self.number(begins, piece),
                    &mut pieces,
                );
            if !cut {
                pieces.truncate(before);
            }
        }
        pieces.into_iter().map(|(number, _)| number).collect()
    }

    fn number(&self, begins: bool, piece: &str) -> Option<u32> {
        let (pieces, first) = match begins {
            true => (&self.beginnings, 0),
            false => (&self.continuations, self.beginnings.len()),
        };
        let place = pieces.binary_search_by(|known| (**known).cmp(piece)).ok()?;
        u32::try_from(first + place).ok()
    }
}
