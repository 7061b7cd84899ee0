//! Recognition of clauses that can surely stand alone.

use super::words::Lists;
use crate::facts::bare;

/// The most words that a subject may have before its verb.
const LONGEST_SUBJECT: usize = 9;
/// The fewest words that a clause has behind its verb, so as not to be a mere "we did".
const FEWEST_BEHIND_VERB: usize = 1;

/// Subjects that are not part of a longer one.
const PRONOUNS: &[&str] =
    &["er", "es", "he", "i", "ich", "it", "she", "sie", "they", "we", "wir", "you"];

/// Returns `true` if `text` is a main clause with its subject in front, whatever begins it: what may stand to
/// the left of a cut.
pub(super) fn is_main_clause(text: &str, lists: &Lists) -> bool {
    let first = first_word(text);
    !first.is_empty()
        && !lists.leading.contains(&first.as_str())
        && finite_at(text, lists).is_some()
}

/// Returns `true` if `text` is a main clause that says something and points at nothing before it: what may
/// stand to the right of a cut.
pub(super) fn stands_alone(text: &str, lists: &Lists) -> bool {
    let words = || text.split_whitespace().map(|word| bare(word).to_lowercase());
    let begins = words().next().is_some_and(|first| lists.subject.contains(&first.as_str()));
    let points_back = words().any(|word| lists.pointing.contains(&word.as_str()));
    let says_something =
        finite_at(text, lists).is_some_and(|verb| words().count() > verb + FEWEST_BEHIND_VERB);
    begins && says_something && !points_back
}

/// The place of the finite verb among the words, where a plain subject stands before it.
pub(super) fn finite_at(text: &str, lists: &Lists) -> Option<usize> {
    for (index, word) in text.split_whitespace().take(LONGEST_SUBJECT + 1).enumerate() {
        let plain = bare(word).to_lowercase();
        if index > 0 && lists.finite.contains(&plain.as_str()) {
            return Some(index);
        }
        // "The right to have", "the form, signed": what comes is not the subject's own verb.
        let breaks_off = matches!(plain.as_str(), "to" | "zu") || word.ends_with([',', ':', ';']);
        // "The questions you may be asked": another clause within the subject.
        let embeds = PRONOUNS.contains(&plain.as_str()) || lists.binding.contains(&plain.as_str());
        if breaks_off || (index > 0 && embeds) {
            return None;
        }
    }
    None
}

/// Returns `true` if a word of the text ties it to what stands around it.
pub(super) fn is_bound(text: &str, lists: &Lists) -> bool {
    text.split_whitespace().any(|word| lists.binding.contains(&bare(word).to_lowercase().as_str()))
}

/// Returns `true` if brackets and quotation marks close in the text that open in it.
pub(super) fn is_balanced(text: &str) -> bool {
    let count = |wanted: &[char]| text.chars().filter(|found| wanted.contains(found)).count();
    let straight = text.chars().filter(|found| *found == '"').count();
    count(&['(']) == count(&[')'])
        && count(&['[']) == count(&[']'])
        && count(&['“', '„', '«', '»', '”']) % 2 == 0
        && straight % 2 == 0
}

pub(super) fn first_word(text: &str) -> String {
    bare(text.split_whitespace().next().unwrap_or_default()).to_lowercase()
}

/// Returns `true` if the last word is a verb or "to" that the next words complete: "Students must".
pub(super) fn ends_open(text: &str, lists: &Lists) -> bool {
    let last = bare(text.split_whitespace().next_back().unwrap_or_default()).to_lowercase();
    last == "to" || (lists.finite.contains(&last.as_str()) && !text.trim_end().ends_with('.'))
}
