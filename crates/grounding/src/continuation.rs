//! Tells if a text in the making may go on in some way.

use crate::grounds::Grounds;
use crate::literal::walk;
use crate::pieces::UNITS;

/// Steps at the end of a text that what follows can still change: more than a date, a number in
/// words or a range of days has pieces.
const UNSETTLED_STEPS: usize = 20;
/// The most words before the end of a text at which something permitted may have begun.
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
    /// Of an empty text.
    pub fn new(grounds: &'a Grounds) -> Self {
        Self { grounds, text: String::new(), settled: 0 }
    }

    /// Returns `true` if `piece` may follow `text`.
    pub fn allows(&mut self, text: &str, piece: &str) -> bool {
        self.settle(text);
        let end = text.get(self.settled..).unwrap_or_default();
        let end = format!("{end}{piece}");
        self.is_whole(&end) || self.is_open(&end)
    }

    /// Returns `true` if the text may end, that is, if it is whole.
    pub fn may_end(&mut self, text: &str) -> bool {
        self.settle(text);
        self.is_whole(text.get(self.settled..).unwrap_or_default())
    }

    /// Moves over what cannot change any more.
    fn settle(&mut self, text: &str) {
        if self.text == text {
            return;
        }
        if !text.starts_with(&self.text) {
            self.settled = 0;
        }
        text.clone_into(&mut self.text);
        let from = self.settled;
        let end = text.get(from..).unwrap_or_default();
        let mut steps = Vec::new();
        walk(end, self.grounds.language(), |start, _| steps.push(start));
        steps.truncate(steps.len().saturating_sub(UNSETTLED_STEPS));
        // Behind white space, so that nothing before it touches what follows.
        let behind_space = |start: &&usize| {
            end.get(..**start).is_some_and(|before| before.ends_with(char::is_whitespace))
        };
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
        let mut begun = word_starts(text).rev().take(WORDS_BACK).filter_map(|at| text.get(at..));
        let permitted = self.grounds.permitted();
        begun.any(|begun| permitted.endings(begun).any(completes))
            || unit_endings(text).any(completes)
    }
}

/// Returns the places where letters or digits begin, whatever is read there: that may change as a text goes
/// on.
fn word_starts(text: &str) -> impl DoubleEndedIterator<Item = usize> {
    let is_inside =
        |at: usize| text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
    text.char_indices().map(|(at, _)| at).filter(move |at| !is_inside(*at))
}

/// Returns the endings that complete a unit or an ordinal that has begun behind digits: `10a`, `3r`.
fn unit_endings(text: &str) -> impl Iterator<Item = &'static str> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let begun = text.get(digits.len()..).unwrap_or_default().to_ascii_lowercase();
    let is_behind_digits = digits.ends_with(|c: char| c.is_ascii_digit()) && !begun.is_empty();
    let all = UNITS.iter().chain(&["st", "nd", "rd", "th"]).filter(move |_| is_behind_digits);
    all.filter_map(move |unit| unit.strip_prefix(begun.as_str())).filter(|rest| !rest.is_empty())
}
