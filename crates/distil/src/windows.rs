//! Texts like questions, from the corpus itself.

use campanile_text::sentences;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// The stream of PCG numbers that is used: any would do, so it is the reference code's.
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;
/// Words of the shortest and of the longest window, where the sentence has as many.
const LENGTHS: [u32; 2] = [3, 9];

/// `count` windows of three to nine words in a row, each from one of the text's sentences; the
/// shorter sentences whole. None where the text has no words.
///
/// Chance follows from the text alone, so a text that does not change keeps its windows, and the
/// first few of many are those that are drawn when few are wanted.
pub fn windows(text: &str, count: usize) -> Vec<String> {
    let mut words: Vec<(usize, &str)> = Vec::new();
    for (number, sentence) in sentences(text).iter().enumerate() {
        let of_sentence = sentence.slice(text).unwrap_or_default().split_whitespace();
        words.extend(of_sentence.map(|word| (number, word)));
    }
    let mut chance = Pcg32::new(seed(text), STREAM);
    let mut drawn = Vec::new();
    while drawn.len() < count && !words.is_empty() {
        let place = below(&mut chance, words.len() as u32) as usize;
        let [least, most] = LENGTHS;
        let length = (least + below(&mut chance, most - least + 1)) as usize;
        drawn.push(around(&words, place, length));
    }
    drawn
}

/// The words of one sentence from `place` on; where it ends too soon, some before as well.
fn around(words: &[(usize, &str)], place: usize, length: usize) -> String {
    let sentence = words.get(place).map(|(sentence, _)| *sentence);
    let first = words.partition_point(|(number, _)| Some(*number) < sentence);
    let end = words.partition_point(|(number, _)| Some(*number) <= sentence);
    let start = place.min(end.saturating_sub(length)).max(first);
    let window = words.iter().take(end.min(start + length)).skip(start);
    window.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// A whole number below `bound`, by Lemire's multiplication; its bias, one part in millions, is of
/// no consequence here.
fn below(chance: &mut Pcg32, bound: u32) -> u32 {
    ((u64::from(chance.next_u32()) * u64::from(bound)) >> 32) as u32
}

/// FNV-1a.
fn seed(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::windows;

    const TEXT: &str = "The library closes at 8 on Fridays in term and at 6 out of term. Ask the \
                        desk. Theses are due on the first Monday of June, at noon.";

    #[test]
    fn few_are_the_first_of_many() {
        let many = windows(TEXT, 40);
        assert_eq!(windows(TEXT, 7), many[..7]);
        assert_ne!(windows(&format!("{TEXT} More."), 40), many);
        assert!(many.iter().any(|window| window == "Ask the desk."));
        let long: Vec<_> = many.iter().filter(|window| *window != "Ask the desk.").collect();
        assert!(long.iter().all(|w| (3..=9).contains(&w.split(' ').count())), "{long:?}");
    }

    proptest! {
        #[test]
        fn windows_lie_within_the_text(text in "[a-z]{1,4}([ .\n?]{1,2}[a-zA-Z0-9é]{1,5}){0,30}") {
            let found = windows(&text, 10);
            prop_assert_eq!(found.len(), 10);
            let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for window in found {
                prop_assert!(!window.is_empty() && joined.contains(&window), "{window:?}");
            }
        }
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert!(windows("", 3).is_empty());
        assert!(windows(" \n ", 3).is_empty());
        assert!(windows("word", 0).is_empty());
    }
}
