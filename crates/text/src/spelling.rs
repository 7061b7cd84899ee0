//! Words that are nearly spelled alike.
//!
//! An edit is what a typing hand does wrong: a letter too many, a letter too few, another letter,
//! or two neighbours swapped. Counted so, and no place edited twice, this is the restricted
//! distance of Damerau (1964), also called optimal string alignment.

/// Letters that an edit may put in: what [`fold`](crate::fold) leaves of the Latin alphabet.
const ALPHABET: std::ops::RangeInclusive<char> = 'a'..='z';

/// Counts the edits that turn `left` into `right`; `None` when more than `most` do.
///
/// ```
/// use campanile_text::edits;
///
/// assert_eq!(edits("regsiter", "register", 2), Some(1));
/// assert_eq!(edits("libary", "library", 2), Some(1));
/// assert_eq!(edits("exam", "library", 2), None);
/// ```
pub fn edits(left: &str, right: &str, most: usize) -> Option<usize> {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    // Three rows of the table suffice: the one being filled and the two that it looks back to.
    let mut before = vec![0; right.len() + 1];
    let mut above: Vec<usize> = (0..=right.len()).collect();
    let mut row = vec![0; right.len() + 1];
    for (i, &from) in left.iter().enumerate() {
        row[0] = i + 1;
        for (j, &to) in right.iter().enumerate() {
            let replaced = above[j] + usize::from(from != to);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == right[j - 1] && left[i - 1] == to {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        // No later row falls below the least of this one, so that most words are told apart after a few letters.
        if row.iter().all(|&edits| edits > most) {
            return None;
        }
        (before, above, row) = (above, row, before);
    }
    above.last().copied().filter(|&edits| edits <= most)
}

/// All words that one edit makes of `word`, the word itself left out, some of them twice.
///
/// Letters are put in from `a` to `z`: for words as [`fold`](crate::fold) writes them. A word of
/// `n` letters has about `53 n` neighbours.
pub fn within_one_edit(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    let places = 0..=letters.len();
    let edited = places.flat_map(move |place| at(&letters, place));
    let word = word.to_owned();
    edited.filter(move |edited| *edited != word)
}

/// The edits at one place.
fn at(letters: &[char], place: usize) -> Vec<String> {
    let (start, end) = letters.split_at(place);
    let start: String = start.iter().collect();
    let written = |letters: &[char]| -> String { letters.iter().collect() };
    let mut found: Vec<String> =
        ALPHABET.map(|letter| format!("{start}{letter}{}", written(end))).collect();
    if let Some((&letter, rest)) = end.split_first() {
        let rest_written = written(rest);
        found.push(format!("{start}{rest_written}"));
        found.extend(ALPHABET.map(|other| format!("{start}{other}{rest_written}")));
        if let Some((&next, rest)) = rest.split_first() {
            found.push(format!("{start}{next}{letter}{}", written(rest)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{edits, within_one_edit};

    /// Two words, and how many edits lie between them.
    const CASES: &[(&str, &str, &str, usize)] = &[
        ("the same", "exam", "exam", 0),
        ("a letter too few", "libary", "library", 1),
        ("a letter too many", "exxam", "exam", 1),
        ("another letter", "calender", "calendar", 1),
        ("two letters swapped", "regsiter", "register", 1),
        ("two edits", "acomodation", "accommodation", 2),
        ("from nothing", "", "ab", 2),
        ("letters of two bytes", "über", "ueber", 2),
        ("a swap and no edit inside it", "ca", "abc", 3),
    ];

    #[test]
    fn edits_are_counted() {
        for &(name, left, right, expected) in CASES {
            assert_eq!(edits(left, right, 9), Some(expected), "{name}");
            assert_eq!(edits(right, left, 9), Some(expected), "{name}, the other way");
            let fewer = expected.checked_sub(1);
            assert_eq!(fewer.and_then(|most| edits(left, right, most)), None, "{name}, too many");
        }
    }

    proptest! {
        #[test]
        fn one_edit_is_what_the_count_says(word in "[a-e]{0,5}", other in "[a-e]{0,5}") {
            let near: BTreeSet<String> = within_one_edit(&word).collect();
            prop_assert_eq!(near.contains(&other), edits(&word, &other, 5) == Some(1));
            prop_assert!(near.iter().all(|near| edits(&word, near, 1) == Some(1)));
        }

        #[test]
        fn a_limit_changes_no_count(word in "[a-cß]{0,7}", other in "[a-cß]{0,7}", most in 0usize..4) {
            let whole = edits(&word, &other, 20);
            prop_assert_eq!(edits(&word, &other, most), whole.filter(|&edits| edits <= most));
        }
    }
}
