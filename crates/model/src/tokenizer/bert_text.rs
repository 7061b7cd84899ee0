//! Cleans a text and cuts it into words as BERT does, before word pieces are looked for.
//!
//! It follows the `BertNormalizer` and `BertPreTokenizer` of the Hugging Face tokenizers, down to
//! their tables of character categories, so that every text has the tokens that it was trained
//! with; a test compares the two on whole planes of Unicode.

use std::ops::Range;

use campanile_unicode::{Form, normalized};
use serde::Deserialize;
use unicode_categories::UnicodeCategories as _;

/// The normaliser's switches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Cleaning {
    clean_text: bool,
    handle_chinese_chars: bool,
    /// The switch for accents; as `lowercase` where it is not said.
    strip_accents: Option<bool>,
    lowercase: bool,
}

impl Cleaning {
    /// The switches as the bits of a byte: controls dropped, ideographs apart, lower case, accents
    /// stripped.
    pub(super) fn switches(&self) -> u8 {
        let on =
            [self.clean_text, self.handle_chinese_chars, self.lowercase, self.strips_accents()];
        on.iter().rev().fold(0, |bits, &on| bits << 1 | u8::from(on))
    }

    /// Reads what [`Cleaning::switches`] gave; `None` for a bit that means nothing.
    pub(super) fn from_switches(bits: u8) -> Option<Self> {
        let is_on = |place: u8| bits >> place & 1 == 1;
        (bits < 16).then(|| Self {
            clean_text: is_on(0),
            handle_chinese_chars: is_on(1),
            lowercase: is_on(2),
            strip_accents: Some(is_on(3)),
        })
    }

    /// The same, with everything said that follows from something else.
    pub(super) fn explicit(&self) -> Self {
        Self { strip_accents: Some(self.strips_accents()), ..self.clone() }
    }

    fn strips_accents(&self) -> bool {
        self.strip_accents.unwrap_or(self.lowercase)
    }

    /// For each byte of a cleaned part of a text the bytes in the text of the character that it
    /// comes from; `length` is that of the cleaned part.
    ///
    /// Cleaning looks at one character at a time, but for marks in a row, which it brings into an
    /// order of their own: of those, one may be taken for its neighbour.
    pub(super) fn origins(
        &self,
        text: &str,
        part: Range<usize>,
        length: usize,
    ) -> Vec<Range<usize>> {
        let mut origins = Vec::with_capacity(length);
        let mut start = part.start;
        for character in text[part].chars() {
            let end = start + character.len_utf8();
            let cleaned = match character {
                // None of the steps makes more or less than one byte of it; everything else is cleaned to see.
                ' '..='~' => 1,
                _ => self.apply(&text[start..end]).len(),
            };
            origins.resize(origins.len() + cleaned, start..end);
            start = end;
        }
        origins
    }

    /// The cleaned text.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut cleaned = String::with_capacity(text.len());
        for character in text.chars() {
            if self.clean_text && is_dropped(character) {
                continue;
            }
            if self.handle_chinese_chars && is_ideograph(character) {
                cleaned.extend([' ', character, ' ']);
            } else {
                // Each kind of space separates words, so which one it is does not matter.
                cleaned.push(character);
            }
        }
        if self.strips_accents() && !cleaned.is_ascii() {
            cleaned = normalized(&cleaned, Form::Nfd);
            cleaned.retain(|character| !character.is_mark_nonspacing());
        }
        if self.lowercase {
            // Character by character: no rule of the language's own, such as the final sigma's.
            cleaned = cleaned.chars().flat_map(char::to_lowercase).collect();
        }
        cleaned
    }
}

/// Controls, formats, surrogates and private use, but not the controls that are spaces.
fn is_dropped(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        other => other.is_other(),
    }
}

/// The blocks whose characters are words of their own.
fn is_ideograph(character: char) -> bool {
    matches!(
        u32::from(character),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}

/// The words of a cleaned text: what stands between spaces, punctuation apart.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(char::is_whitespace).flat_map(|run| run.split_inclusive(is_punctuation)).flat_map(
        |part| {
            // The one punctuation mark, if there is any, is the last character.
            let mark = part.chars().next_back().filter(|&c| is_punctuation(c));
            let (word, mark) = part.split_at(part.len() - mark.map_or(0, char::len_utf8));
            [word, mark].into_iter().filter(|word| !word.is_empty())
        },
    )
}

fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation() || character.is_punctuation()
}

#[cfg(test)]
mod tests {
    use super::{Cleaning, words};

    const UNCASED: Cleaning = Cleaning {
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: None,
        lowercase: true,
    };

    #[test]
    fn accents_case_and_controls_go() {
        assert_eq!(UNCASED.apply("É\u{200b}t\u{0301}ÀSS\u{0}"), "etass");
        assert_eq!(UNCASED.apply("東京"), " 東  京 ");
        let cased = Cleaning { lowercase: false, ..UNCASED };
        assert_eq!(cased.apply("É"), "É");
    }

    #[test]
    fn punctuation_stands_alone() {
        let found: Vec<&str> = words(" it's\tnine?!\u{3000}«so»").collect();
        assert_eq!(found, ["it", "'", "s", "nine", "?", "!", "«", "so", "»"]);
    }
}
