//! Texts compared by three words in a row, which survive other marks and other breaks of lines.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The words of a text in small letters, as numbers.
fn words(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(
        |word| {
            let mut hasher = DefaultHasher::new();
            word.to_lowercase().hash(&mut hasher);
            hasher.finish()
        },
    )
}

/// Three words in a row each; a text of fewer words is one run.
pub(super) fn runs(text: &str) -> Vec<u64> {
    let words: Vec<u64> = words(text).collect();
    let joined = |run: &[u64]| {
        let mut hasher = DefaultHasher::new();
        run.hash(&mut hasher);
        hasher.finish()
    };
    match words.len() {
        0 => Vec::new(),
        1 | 2 => vec![joined(&words)],
        _ => words.windows(3).map(joined).collect(),
    }
}

/// The number of words of a text.
pub(super) fn count(text: &str) -> usize {
    words(text).count()
}

/// The number of words of a text that are no numbers.
pub(super) fn without_numbers(text: &str) -> usize {
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| word.contains(char::is_alphabetic)).count()
}

/// The words of a text that make it up, folded: two texts with the same are the same name.
pub(super) fn folded(text: &str) -> String {
    let words = text.split(|character: char| !character.is_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

/// The percentage of a text's runs that are among those of another; a text without words is all there.
pub(super) fn percent_within(text: &str, other: &HashSet<u64>) -> usize {
    let runs = runs(text);
    let found = runs.iter().filter(|run| other.contains(run)).count();
    (found * 100).checked_div(runs.len()).unwrap_or(100)
}
