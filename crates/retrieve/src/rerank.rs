//! A second look at the first candidates: late interaction.
//!
//! The searches compare a question with every chunk, so they compare one number a word or one vector a
//! chunk. For the few chunks that they put forward there is time to compare word with word, by the
//! vectors that the encoder made of each on its way to the one of the whole text. No other model is needed:
//! the question's were made when it was embedded, the passages' when the site was built.

use std::rc::Rc;

use campanile_index::IndexError;
use campanile_index::late::{LateHead, LateQuery, Record};
use campanile_model::{TokenRows, TokenVectors, Tokenizer};
use campanile_text::{Language, fold, is_stop_word};

/// The marks by which tokenizers tell a piece that goes on with a word (BERT), and pieces that begin one
/// (byte-level BPE, SentencePiece).
const WITHIN: &str = "##";
const BEGINS: [char; 2] = ['\u{120}', '\u{2581}'];

/// The tokens of an encoder that carry meaning of their own: no control tokens, no punctuation, no stop
/// words of the site's language.
///
/// A function word's vector says what its neighbours say, so it finds a fair match in any passage of the
/// same subject; without those the same order is had of a third fewer vectors.
#[derive(Debug, Clone)]
pub struct ContentPieces {
    /// A flag for each token id.
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
            // The ids come with the encoder's vectors; one that the tokenizer has no piece for carries nothing.
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

/// Words that are read, at most: more move the projection no further.
const WORDS: usize = 12_000;
/// Words of a line, at the most: some context, so that a word's vector is more than the word's own.
const WINDOW: usize = 48;
/// Vocabularies are sorted by frequency or by the alphabet; steps this long mix them.
const STRIDE: usize = 7919;

/// Lines of words from a tokenizer's vocabulary, mixed: the same for the same tokenizer.
///
/// Lines that say nothing have token vectors that fill the encoder's space like those of prose: on three
/// sets, projections learned from them rank as well as those learned from the sets themselves. They suit
/// every language and subject that the encoder knows, and no document is needed.
pub fn vocabulary_lines(tokenizer: &Tokenizer) -> Vec<String> {
    let pieces = tokenizer.pieces();
    let words: Vec<&str> = (0..)
        .zip(&pieces)
        .filter(|&(id, _)| !tokenizer.is_special(id))
        .map(|(_, piece)| piece.trim_start_matches(BEGINS))
        .filter(|word| word.chars().nth(1).is_some() && word.chars().all(char::is_alphabetic))
        .collect();
    mixed(&words).chunks(WINDOW).map(|words| words.join(" ")).collect()
}

fn mixed<'a>(words: &[&'a str]) -> Vec<&'a str> {
    // A prime that divides no length but its own multiples: then words repeat, which does no harm.
    (0..words.len().min(WORDS)).map(|step| words[step * STRIDE % words.len()]).collect()
}

/// A question's token vectors, ready to be compared with records.
///
/// # Errors
/// [`IndexError::NotFinite`] where a damaged encoder or projection gives no numbers.
pub(crate) fn question(
    head: &LateHead,
    pieces: &ContentPieces,
    tokens: &TokenVectors,
) -> Result<LateQuery, IndexError> {
    LateQuery::new(head.codec(), &head.projection().apply(&pieces.vectors(tokens.rows())))
}

/// The MaxSim score of each record; none where there is no record. A passage without any vector
/// scores 0, as one does that is turned away from all of the question.
pub(crate) fn max_sims(question: &LateQuery, records: &[Option<Rc<Record>>]) -> Vec<Option<f32>> {
    records.iter().map(|record| Some(question.max_sim(record.as_deref()?))).collect()
}

/// The scores, with the mean of those that are there in the place of those that are not, which neither
/// raises nor lowers a candidate among the others; `None` where there is none at all.
pub(crate) fn filled(scores: &[Option<f32>]) -> Option<Vec<f32>> {
    let known: Vec<f32> = scores.iter().copied().flatten().collect();
    if known.is_empty() {
        return None;
    }
    let mean = known.iter().sum::<f32>() / known.len() as f32;
    Some(scores.iter().map(|score| score.unwrap_or(mean)).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn function_words_and_punctuation_carry_nothing() {
        use Language::{English, German, None};
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

    #[test]
    fn every_word_of_a_small_vocabulary_comes_once() {
        let words: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let found = mixed(&words);
        assert_eq!(found.len(), words.len());
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), words.len());
        assert_ne!(found, words);
        let many = vec!["a"; 3 * WORDS];
        assert_eq!(mixed(&many).len(), WORDS);
        assert!(mixed(&[]).is_empty());
    }

    #[test]
    fn what_is_not_known_stands_in_the_middle() {
        assert_eq!(filled(&[Some(1.0), None, Some(4.0)]), Some(vec![1.0, 2.5, 4.0]));
        assert_eq!(filled(&[None, None]), None);
        assert_eq!(filled(&[]), None);
    }
}
