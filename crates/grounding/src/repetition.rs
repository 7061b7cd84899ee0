//! Finds where a text says a thing for the second time.

use std::collections::BTreeSet;

use campanile_text::sentences;

/// Fewer words are said again without harm: "Yes.", "Ask there."
const LEAST_WORDS: usize = 4;

/// Returns the byte from which a text says again what it has said: where the first sentence starts that
/// has ended and all of whose words stand in one sentence before it.
///
/// A small language model that has said all there is to say goes on with the same sentence, sometimes
/// in another order. What follows is never worth reading, so whoever has it write stops there.
///
/// ```
/// use campanile_grounding::repeats_from;
///
/// let text = "A card costs 15 euros. Ask at the desk. A card costs 15 euros. A card costs";
/// assert_eq!(repeats_from(text), Some(40));
/// assert_eq!(repeats_from("A card costs 15 euros. A card costs 20 euros."), None);
/// ```
pub fn repeats_from(text: &str) -> Option<usize> {
    let mut earlier: Vec<BTreeSet<String>> = Vec::new();
    for span in sentences(text) {
        let sentence = span.slice(text).unwrap_or_default();
        let has_ended = sentence.trim_end().ends_with(['.', '!', '?']);
        let words = words(sentence);
        let is_said = words.len() >= LEAST_WORDS && earlier.iter().any(|one| words.is_subset(one));
        if has_ended && is_said {
            return Some(span.start as usize);
        }
        earlier.push(words);
    }
    None
}

fn words(sentence: &str) -> BTreeSet<String> {
    let letters = |letter: char| !letter.is_alphanumeric();
    sentence.split(letters).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::repeats_from;

    #[test]
    fn a_text_ends_where_it_says_the_same_again() {
        let cases = [
            ("", None),
            ("Fees are due in May. Ask the bursar.", None),
            // Still being written: what follows may be new.
            ("Fees are due in May. Fees are due in May", None),
            ("Fees are due in May. Fees are due in May.", Some("Fees are due in May.")),
            ("Fees are due in May. In May, fees are due! And", Some("In May, fees are due! And")),
            ("All fees are due in early May. The fees are due in June.", None),
            ("Yes, it is. Fees are due in May. Yes, it is.", None),
        ];
        for (text, expected) in cases {
            assert_eq!(repeats_from(text).and_then(|at| text.get(at..)), expected, "{text}");
        }
    }
}
