//! The text of an answer, piece by piece: out of tokens, and up to a stop string.

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
        // `get`, since some tokenizers write a word otherwise once another follows: the bytes handed out may then be
        // no beginning of the text, and nothing is added.
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

/// Watches an answer's text for stop strings, which may begin in one piece and end in another.
///
/// The possible beginning of one is held back, so that nothing of it is ever handed out.
#[derive(Debug, Default)]
pub(super) struct StopStrings {
    strings: Vec<String>,
    held: String,
}

impl StopStrings {
    /// Watches for `strings`, none of which is empty.
    pub(super) fn new(strings: Vec<String>) -> Self {
        Self { strings, held: String::new() }
    }

    /// Takes a piece of the answer. Returns what may be handed out, and whether a stop string
    /// followed it.
    pub(super) fn push(&mut self, piece: String) -> (String, bool) {
        if self.strings.is_empty() {
            return (piece, false);
        }
        self.held.push_str(&piece);
        let first = self.strings.iter().filter_map(|stop| self.held.find(stop.as_str())).min();
        if let Some(at) = first {
            self.held.truncate(at);
            return (std::mem::take(&mut self.held), true);
        }
        let rest = self.held.split_off(self.held.len() - self.possible_beginning());
        (std::mem::replace(&mut self.held, rest), false)
    }

    /// Returns the text that was held back, once nothing can follow it.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Bytes at the end of `held` with which a stop string begins.
    fn possible_beginning(&self) -> usize {
        // Without the last byte: a whole stop string was found before. None is empty.
        let longest = self.strings.iter().map(|stop| stop.len() - 1).max().unwrap_or(0);
        (1..=longest.min(self.held.len()))
            .rev()
            .find(|&length| {
                self.held
                    // A cut within a character begins no stop string.
                    .get(self.held.len() - length..)
                    .is_some_and(|end| self.strings.iter().any(|stop| stop.starts_with(end)))
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::prelude::*;

    use super::{Detokenizer, StopStrings};
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

    fn run(stops: &[&str], pieces: &[&str]) -> (Vec<String>, bool) {
        let mut strings = StopStrings::new(stops.iter().map(|&stop| stop.to_owned()).collect());
        let mut handed_out = Vec::new();
        for piece in pieces {
            let (text, stopped) = strings.push((*piece).to_owned());
            handed_out.push(text);
            if stopped {
                return (handed_out, true);
            }
        }
        handed_out.push(strings.finish());
        (handed_out, false)
    }

    #[test]
    fn a_stop_string_may_span_pieces() {
        let (pieces, stopped) = run(&["\nUser:"], &["Yes.", "\n", "Us", "er", ": and"]);
        assert_eq!(pieces, ["Yes.", "", "", "", ""]);
        assert!(stopped);
    }

    #[test]
    fn a_false_start_is_handed_out_once_it_is_one() {
        let (pieces, stopped) = run(&["###"], &["a#", "#", "b##"]);
        assert_eq!(pieces, ["a", "", "##b", "##"]);
        assert!(!stopped);
    }

    #[test]
    fn the_first_of_several_ends_the_answer() {
        let (pieces, stopped) = run(&["later", "now"], &["stop now, not later"]);
        assert_eq!(pieces, ["stop "]);
        assert!(stopped);
    }

    #[test]
    fn characters_of_several_bytes_are_not_cut() {
        let (pieces, stopped) = run(&["–☕–"], &["tea – ", "–☕", "🍰", "–☕–"]);
        assert_eq!(pieces, ["tea – ", "", "–☕🍰", ""]);
        assert!(stopped);
    }

    proptest! {
        /// However a text is cut into pieces, what is handed out is the text before the stop.
        #[test]
        fn the_cuts_do_not_matter(text in "[ab#]{0,20}", cuts in prop::collection::vec(0usize..20, 0..6)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&str> = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
            let (handed_out, stopped) = run(&["##a", "b#b"], &pieces);
            let end = ["##a", "b#b"].iter().filter_map(|stop| text.find(stop)).min();
            // Which of two stop strings is complete first depends on the cuts only where they
            // overlap; the text before either is the same text or shorter.
            if let Some(end) = end {
                prop_assert!(stopped);
                prop_assert!(text.starts_with(&handed_out.concat()));
                prop_assert!(handed_out.concat().len() >= end);
            } else {
                prop_assert!(!stopped);
                prop_assert_eq!(handed_out.concat(), text);
            }
        }
    }
}
