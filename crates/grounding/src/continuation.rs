//! Tells whether a text in the making may go on: in some way, or at all, since it says the same again.

use std::collections::BTreeSet;

use campanile_language::literals::UNITS;
use campanile_text::sentences;

use crate::grounds::Grounds;
use crate::literal::walk;

/// Steps at the end of a text that what follows can still change: more than a date, a number in
/// words or a range of days has pieces.
const UNSETTLED_STEPS: usize = 20;
/// The most words before the end of a text at which something permitted may have begun.
// Below the length of the longest spelling (`nine thousand nine hundred and ninety-nine`), what was begun as permitted
// would be forbidden on the way; each word more is looked up for every token.
const WORDS_BACK: usize = 10;

/// Watches a text that is written piece by piece, so that at its end it states nothing that its
/// grounds do not.
///
/// At every moment the text is in one of two states. It is *whole*: [`Grounds::missing`] of it is
/// empty, so that it may end. Or it is *open*: its end is the beginning of something permitted, and
/// with what completes it the text would be whole. Anything else is not allowed. A whole text can
/// always go on, with a space; an open one with what it is open for.
///
/// It may be asked about many pieces at one place; a text that is shorter than the one before, or
/// another one, begins anew.
///
/// ```
/// use campanile_grounding::{Continuation, Grounds};
/// use campanile_text::Language;
///
/// let mut grounds = Grounds::new(Language::English);
/// grounds.add("The fee of 125 euros is due on 4 October.");
/// let mut continuation = Continuation::new(&grounds);
/// assert!(continuation.allows("It is ", "1") && !continuation.may_end("It is 1"));
/// assert!(continuation.allows("It is 1", "25") && !continuation.allows("It is 1", "5"));
/// assert!(!continuation.allows("It is due on 4", " December"));
/// ```
#[derive(Debug)]
pub struct Continuation<'a> {
    grounds: &'a Grounds,
    /// The text that was looked at last.
    text: String,
    /// Nothing before this byte of it can change any more.
    settled: usize,
}

impl<'a> Continuation<'a> {
    /// Watches an empty text.
    pub fn new(grounds: &'a Grounds) -> Self {
        Self { grounds, text: String::new(), settled: 0 }
    }

    /// Returns `true` if `piece` may follow `text`.
    pub fn allows(&mut self, text: &str, piece: &str) -> bool {
        self.settle(text);
        let end = format!("{}{piece}", &text[self.settled..]);
        self.is_whole(&end) || self.is_open(&end)
    }

    /// Returns `true` if the text may end, that is, if it is whole.
    pub fn may_end(&mut self, text: &str) -> bool {
        self.settle(text);
        self.is_whole(&text[self.settled..])
    }

    /// Moves over what cannot change any more.
    // Without this, a token would cost more the longer the answer is: every piece of it would be read again.
    fn settle(&mut self, text: &str) {
        if self.text == text {
            return;
        }
        if !text.starts_with(&self.text) {
            self.settled = 0;
        }
        text.clone_into(&mut self.text);
        let from = self.settled;
        let end = &text[from..];
        let mut steps = Vec::new();
        walk(end, self.grounds.language(), |start, _| steps.push(start));
        steps.truncate(steps.len().saturating_sub(UNSETTLED_STEPS));
        // Behind white space, so that nothing before it touches what follows.
        let behind_space = |start: &&usize| end[..**start].ends_with(char::is_whitespace);
        self.settled = from + steps.iter().rev().find(behind_space).copied().unwrap_or(0);
    }

    fn is_whole(&self, text: &str) -> bool {
        let mut is_whole = true;
        walk(text, self.grounds.language(), |_, literals| {
            is_whole &= literals.iter().all(|literal| self.grounds.states(&literal.value));
        });
        is_whole
    }

    /// Returns `true` if something permitted begins near the end of `text` and makes it whole.
    fn is_open(&self, text: &str) -> bool {
        let completes = |ending: &str| self.is_whole(&format!("{text}{ending}"));
        let mut begun = word_starts(text).rev().take(WORDS_BACK).map(|at| &text[at..]);
        begun.any(|begun| self.grounds.endings(begun).any(completes))
            || unit_endings(text).any(completes)
    }
}

/// Returns the places where letters or digits begin, whatever is read there: that may change as a text goes
/// on.
fn word_starts(text: &str) -> impl DoubleEndedIterator<Item = usize> {
    let is_inside = |at: usize| text[..at].ends_with(char::is_alphanumeric);
    text.char_indices().map(|(at, _)| at).filter(move |at| !is_inside(*at))
}

/// Returns the endings that complete a unit or an ordinal that has begun behind digits: `10a`, `3r`.
fn unit_endings(text: &str) -> impl Iterator<Item = &'static str> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let begun = text[digits.len()..].to_ascii_lowercase();
    let is_behind_digits = digits.ends_with(|c: char| c.is_ascii_digit()) && !begun.is_empty();
    let all = UNITS.iter().chain(&["st", "nd", "rd", "th"]).filter(move |_| is_behind_digits);
    all.filter_map(move |unit| unit.strip_prefix(begun.as_str())).filter(|rest| !rest.is_empty())
}

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
        let sentence = &text[span.range()];
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
    use super::*;

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
