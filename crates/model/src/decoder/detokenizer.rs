//! Text out of tokens, piece by piece.

use crate::error::ModelError;
use crate::tokenizer::Tokenizer;

/// Stands in a decoded text for bytes that are not (yet) a character.
const REPLACEMENT: char = '\u{FFFD}';

/// Turns tokens into text as they come, and holds back a character whose bytes are not all there.
#[derive(Debug, Default)]
pub(super) struct Detokenizer {
    ids: Vec<u32>,
    text: String,
    /// Bytes of `text` that have been handed out.
    handed_out: usize,
}

impl Detokenizer {
    /// Adds a token and returns the text that became certain with it, which may be empty.
    pub(super) fn push(&mut self, id: u32, tokenizer: &Tokenizer) -> Result<String, ModelError> {
        self.ids.push(id);
        self.text = tokenizer.decode(&self.ids)?;
        let certain = self.text.trim_end_matches(REPLACEMENT).len();
        Ok(self.hand_out(certain))
    }

    /// The text that was held back.
    pub(super) fn finish(&mut self) -> String {
        self.hand_out(self.text.len())
    }

    /// The whole text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn hand_out(&mut self, end: usize) -> String {
        let piece = self.text.get(self.handed_out..end).unwrap_or_default();
        let piece = piece.to_owned();
        self.handed_out += piece.len();
        piece
    }
}
