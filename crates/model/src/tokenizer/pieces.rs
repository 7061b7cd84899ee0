//! Some word pieces of a tokenizer: how texts are cut into them, and how they become bytes.
//!
//! The bytes are `CWP1`; a byte of the cleaning's switches (1 controls dropped, 2 ideographs apart, 4 lower case,
//! 8 accents stripped); then, as variable-length integers (LEB128): the longest word's characters,
//! the number of pieces that begin a word, and of those that go on with one. Then the pieces, each
//! list sorted, each piece as the number of bytes it shares with the one before, the number of
//! further bytes, and these.

use std::collections::BTreeSet;

use super::bert_text::{Cleaning, words};
use super::word_piece::longest_pieces;
use crate::error::ModelError;

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

    /// The pieces and the rules by which texts are cut into them: about five bytes a piece.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(self.cleaning.switches());
        for number in [self.word_limit, self.beginnings.len(), self.continuations.len()] {
            put(&mut out, number);
        }
        for pieces in [&self.beginnings, &self.continuations] {
            let mut before: &str = "";
            for piece in pieces {
                let shared = before.bytes().zip(piece.bytes()).take_while(|(a, b)| a == b).count();
                let rest = &piece.as_bytes()[shared..];
                put(&mut out, shared);
                put(&mut out, rest.len());
                out.extend(rest);
                before = piece;
            }
        }
        out
    }

    /// Reads what [`WordPieces::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`ModelError::Tokenizer`] where the bytes are cut short, hold more, or hold pieces that are
    /// empty, out of order or no UTF-8.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(|| damaged("no word pieces"))?;
        let (&switches, after) = rest.split_first().ok_or_else(|| damaged("cut short"))?;
        rest = after;
        let cleaning = Cleaning::from_switches(switches)
            .ok_or_else(|| damaged("switches that are not known"))?;
        let word_limit = take(&mut rest)?;
        let [beginnings, continuations] = [take(&mut rest)?, take(&mut rest)?];
        let lists = [pieces(&mut rest, beginnings)?, pieces(&mut rest, continuations)?];
        if !rest.is_empty() {
            return Err(damaged("bytes behind the last one"));
        }
        Ok(Self::sorted(cleaning, word_limit, lists))
    }
}

const MAGIC: &[u8] = b"CWP1";
/// A piece takes at least two lengths and a byte.
const LEAST_BYTES: usize = 3;

fn pieces(rest: &mut &[u8], count: usize) -> Result<Vec<Box<str>>, ModelError> {
    if count > rest.len() / LEAST_BYTES {
        return Err(damaged("more pieces than bytes"));
    }
    let mut found: Vec<Box<str>> = Vec::with_capacity(count);
    for _ in 0..count {
        let [shared, length] = [take(rest)?, take(rest)?];
        let before = found.last().map_or("", |piece| &**piece);
        let kept = before.as_bytes().get(..shared).ok_or_else(|| damaged("a piece too short"))?;
        let (own, after) = rest.split_at_checked(length).ok_or_else(|| damaged("cut short"))?;
        *rest = after;
        let piece = String::from_utf8([kept, own].concat())
            .map_err(|_| damaged("a piece that is no text"))?;
        // In order and none twice, which is what the binary search of a text's pieces relies on.
        if piece.as_str() <= before {
            return Err(damaged("pieces out of order"));
        }
        found.push(piece.into());
    }
    Ok(found)
}

fn put(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A number below 2^28.
fn take(rest: &mut &[u8]) -> Result<usize, ModelError> {
    let mut value = 0;
    for shift in [0, 7, 14, 21] {
        let (&byte, after) = rest.split_first().ok_or_else(|| damaged("cut short"))?;
        *rest = after;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(damaged("a number that is too large"))
}

fn damaged(what: &str) -> ModelError {
    ModelError::tokenizer(format!("the word pieces are damaged: {what}; build the site again"))
}
