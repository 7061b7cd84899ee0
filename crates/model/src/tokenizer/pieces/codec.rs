//! Word pieces as bytes.
//!
//! `CWP1`; a byte of the cleaning's switches (1 controls dropped, 2 ideographs apart, 4 lower case,
//! 8 accents stripped); then, as variable-length integers (LEB128): the longest word's characters,
//! the number of pieces that begin a word, and of those that go on with one. Then the pieces, each
//! list sorted, each piece as the number of bytes it shares with the one before, the number of
//! further bytes, and these.

use super::super::bert_text::Cleaning;
use super::WordPieces;
use crate::error::ModelError;

const MAGIC: &[u8] = b"CWP1";
/// A piece takes at least two lengths and a byte.
const LEAST_BYTES: usize = 3;

impl WordPieces {
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
                let rest = piece.as_bytes().get(shared..).unwrap_or_default();
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
