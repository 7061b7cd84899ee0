//! Text to learn a projection from, without any text: an encoder's own words.

use campanile_model::Tokenizer;

/// Words that are read, at most: more move the projection no further.
const WORDS: usize = 12_000;
/// Words of a line: some context, so that a word's vector is more than the word's own.
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
        .map(|(_, piece)| piece.trim_start_matches(['\u{120}', '\u{2581}']))
        .filter(|word| word.chars().nth(1).is_some() && word.chars().all(char::is_alphabetic))
        .collect();
    mixed(&words).chunks(WINDOW).map(|words| words.join(" ")).collect()
}

fn mixed<'a>(words: &[&'a str]) -> Vec<&'a str> {
    // A prime that divides no length but its own multiples: then words repeat, which does no harm.
    let places = (0..words.len().min(WORDS)).map(|step| step * STRIDE % words.len().max(1));
    places.filter_map(|place| words.get(place).copied()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{WORDS, mixed};

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
}
