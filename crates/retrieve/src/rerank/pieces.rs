//! Which pieces of a text are worth comparing.

use campanile_model::{TokenRows, Tokenizer};
use campanile_text::{Language, fold, is_stop_word};

/// The marks by which tokenizers tell a piece that goes on with a word (BERT), and pieces that begin one
/// (byte-level BPE, SentencePiece).
const WITHIN: &str = "##";
const BEGINS: [char; 2] = ['\u{120}', '\u{2581}'];

/// Which tokens of an encoder carry meaning of their own: no control tokens, no punctuation, no stop
/// words of the site's language.
///
/// A function word's vector says what its neighbours say, so it finds a fair match in any passage of the
/// same subject; without those the same order is had of a third fewer vectors.
#[derive(Debug, Clone)]
pub struct ContentPieces {
    /// By token id.
    carries: Vec<bool>,
}

impl ContentPieces {
    /// Looks at every piece of a tokenizer.
    pub fn new(tokenizer: &Tokenizer, language: Language) -> Self {
        let pieces = tokenizer.pieces();
        let carries = (0..)
            .zip(&pieces)
            .map(|(id, piece)| !tokenizer.is_special(id) && carries_meaning(piece, language));
        Self { carries: carries.collect() }
    }

    /// The vectors of those tokens that carry meaning, `[tokens, dimension]`; of all tokens where none
    /// does (`Who are you?`).
    pub fn vectors(&self, tokens: TokenRows<'_>) -> Vec<f32> {
        let dimension = tokens.vectors.len() / tokens.ids.len().max(1);
        let rows = tokens.ids.iter().zip(tokens.vectors.chunks_exact(dimension.max(1)));
        let kept: Vec<f32> = rows
            .filter(|(id, _)| self.carries.get(**id as usize).copied().unwrap_or_default())
            .flat_map(|(_, row)| row.iter().copied())
            .collect();
        if kept.is_empty() { tokens.vectors.to_vec() } else { kept }
    }
}

fn carries_meaning(piece: &str, language: Language) -> bool {
    let (word, begins) = match piece.strip_prefix(WITHIN) {
        Some(rest) if !rest.is_empty() => (rest, false),
        _ => (piece.trim_start_matches(BEGINS), true),
    };
    word.chars().any(char::is_alphanumeric) && !(begins && is_stop_word(language, &fold(word)))
}

#[cfg(test)]
mod tests {
    use campanile_text::Language::{English, German, None};

    use super::carries_meaning;

    #[test]
    fn function_words_and_punctuation_carry_nothing() {
        let cases = [
            ("exam", English, true),
            ("the", English, false),
            ("The", English, false),
            ("\u{120}the", English, false),
            ("\u{2581}the", English, false),
            ("the", German, true),
            ("der", German, false),
            ("the", None, true),
            // The end of a word is no word.
            ("##the", English, true),
            ("##s", English, true),
            ("##-", English, false),
            ("##", English, false),
            ("not", English, true),
            ("7", English, true),
            ("?", English, false),
            ("\u{120}", English, false),
            ("", English, false),
        ];
        for (piece, language, expected) in cases {
            assert_eq!(carries_meaning(piece, language), expected, "{piece:?} {language:?}");
        }
    }
}
