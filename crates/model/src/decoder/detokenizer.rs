//! Text out of tokens, piece by piece.

use crate::error::ModelError;
use crate::tokenizer::Tokenizer;

/// Stands in a decoded text for bytes that are not (yet) a character.
const REPLACEMENT: char = '\u{FFFD}';

/// Turns tokens into text as they come, and holds back a character whose bytes are not all there.
///
/// Only the last few tokens are decoded again: those whose text is not certain, and before them
/// those of the piece before, since some tokenizers write a word's space by what precedes it.
#[derive(Debug, Default)]
pub(super) struct Detokenizer {
    ids: Vec<u32>,
    /// The number of those in `ids` that are there only as context.
    context: usize,
    /// Bytes of the text of `ids` that have been handed out.
    handed_out: usize,
}

impl Detokenizer {
    /// Adds a token and returns the text that became certain with it, which may be empty.
    pub(super) fn push(&mut self, id: u32, tokenizer: &Tokenizer) -> Result<String, ModelError> {
        self.ids.push(id);
        let text = tokenizer.decode(&self.ids)?;
        let certain = text.trim_end_matches(REPLACEMENT).len();
        let piece = text.get(self.handed_out..certain).unwrap_or_default().to_owned();
        self.handed_out = self.handed_out.max(certain);
        if certain == text.len() {
            // All is certain: what was the piece becomes the context of the next.
            self.ids.drain(..self.context);
            self.context = self.ids.len();
            self.handed_out = tokenizer.decode(&self.ids)?.len();
        }
        Ok(piece)
    }

    /// Returns what [`push`](Self::push) would return, and whether all of the token's bytes are in it.
    pub(super) fn preview(
        &self,
        id: u32,
        tokenizer: &Tokenizer,
    ) -> Result<(String, bool), ModelError> {
        let mut ids = self.ids.clone();
        ids.push(id);
        let text = tokenizer.decode(&ids)?;
        let certain = text.trim_end_matches(REPLACEMENT).len();
        let piece = text.get(self.handed_out..certain).unwrap_or_default().to_owned();
        Ok((piece, certain == text.len()))
    }

    /// The text that was held back.
    pub(super) fn finish(&mut self, tokenizer: &Tokenizer) -> Result<String, ModelError> {
        let text = tokenizer.decode(&self.ids)?;
        let rest = text.get(self.handed_out..).unwrap_or_default().to_owned();
        self.handed_out = text.len();
        Ok(rest)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::Detokenizer;
    use crate::tokenizer::Tokenizer;

    /// A tokenizer of single bytes: token 0 is the byte 0, and so on.
    fn bytes() -> Tokenizer {
        // The byte-level alphabet: printable bytes stand for themselves, others for 256 and on.
        let mut next = 256;
        let vocabulary: serde_json::Map<String, serde_json::Value> = (0..=255_u32)
            .map(|byte| {
                let printable = matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
                let code = if printable {
                    byte
                } else {
                    next += 1;
                    next - 1
                };
                (char::from_u32(code).unwrap().to_string(), byte.into())
            })
            .collect();
        let json = serde_json::json!({
            "version": "1.0",
            "added_tokens": [],
            "pre_tokenizer": { "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true },
            "decoder": { "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true },
            "model": { "type": "BPE", "vocab": vocabulary, "merges": [] },
        });
        Tokenizer::from_json(json.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn pieces_are_whole_characters_and_make_the_text() {
        let tokenizer = bytes();
        let text = "né ☕ 🍰 a\u{FFFD}b 履修 end";
        let mut detokenizer = Detokenizer::default();
        let mut pieces = Vec::new();
        for (read, byte) in text.bytes().enumerate() {
            let (preview, is_certain) = detokenizer.preview(byte.into(), &tokenizer).unwrap();
            pieces.push(detokenizer.push(byte.into(), &tokenizer).unwrap());
            assert_eq!(pieces.last(), Some(&preview));
            assert!(text.is_char_boundary(read + 1) || !is_certain);
        }
        pieces.push(detokenizer.finish(&tokenizer).unwrap());
        assert_eq!(pieces.concat(), text);
        // The bytes of the cake come with its last one.
        assert!(pieces.contains(&"🍰".to_owned()));
    }

    #[test]
    fn what_never_becomes_a_character_comes_at_the_end() {
        let tokenizer = bytes();
        let mut detokenizer = Detokenizer::default();
        assert_eq!(detokenizer.push(u32::from(b'a'), &tokenizer).unwrap(), "a");
        assert_eq!(detokenizer.push(0xf0, &tokenizer).unwrap(), "");
        assert_eq!(detokenizer.finish(&tokenizer).unwrap(), "\u{FFFD}");
        assert_eq!(detokenizer.finish(&tokenizer).unwrap(), "");
    }
}
