use super::{Introduced, is_short_form};

/// The abbreviations that a text introduces in brackets: "Data Protection Officer (DPO)" and
/// "DPO (Data Protection Officer)".
///
/// The method is Schwartz and Hearst's (A simple algorithm for identifying abbreviation definitions in
/// biomedical text, PSB 2003): the letters of the short form are looked for from right to left in the
/// words before the bracket, its first at the beginning of a word. Stricter than theirs, each
/// letter of a short form in capitals has to begin a word or follow a letter that does, since a
/// handbook's sentences hold more accidents than a title's.
///
/// ```
/// use campanile_corpus::{Introduced, introduced};
///
/// let found = introduced("Apply in the learning management system (LMS) by May.");
/// assert_eq!(found, [Introduced { short: "LMS", long: "learning management system" }]);
/// ```
pub fn introduced(text: &str) -> Vec<Introduced<'_>> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('(') {
        let Some(inside) = text.get(open + 1..).and_then(|rest| rest.split_once(')')) else {
            continue;
        };
        let inside = inside.0.trim();
        let before = text.get(..open).unwrap_or_default().trim_end();
        let before = last_line(before);
        if is_short_form(inside) {
            if let Some(long) = long_form(before, inside) {
                found.push(Introduced { short: inside, long });
            }
        } else {
            let short = before.rsplit(char::is_whitespace).next().unwrap_or_default();
            let whole = is_short_form(short).then(|| long_form(inside, short)).flatten();
            if whole.is_some_and(|long| long == inside) {
                found.push(Introduced { short, long: inside });
            }
        }
    }
    found
}

fn last_line(text: &str) -> &str {
    text.rsplit(['\n', '(', ')', ';', ':', '|', '.']).next().unwrap_or_default()
}

/// The end of `before` that `short` abbreviates.
fn long_form<'a>(before: &'a str, short: &str) -> Option<&'a str> {
    let letters = letters_of(short);
    // At most twice as many words as letters, and five more than letters.
    let most_words = (letters.len() * 2).min(letters.len() + 5);
    let starts: Vec<usize> = word_starts(before);
    let first_allowed = starts.len().saturating_sub(most_words);
    // The shortest stretch of whole words whose letters spell the short form.
    let place = (first_allowed..starts.len()).rev().find(|&place| {
        let long = starts.get(place).and_then(|start| before.get(*start..)).unwrap_or_default();
        spells(long, &letters)
    })?;
    let long = before.get(*starts.get(place)?..)?;
    let words = long.split_whitespace().count();
    (words > 1 && !long.contains(short)).then_some(long)
}

/// Returns `true` if the words of `long` spell `short`.
pub(super) fn abbreviates(short: &str, long: &str) -> bool {
    spells(long, &letters_of(short))
}

fn letters_of(short: &str) -> Vec<char> {
    short.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn word_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut inside = false;
    for (place, letter) in text.char_indices() {
        let is_word = !letter.is_whitespace();
        if is_word && !inside {
            starts.push(place);
        }
        inside = is_word;
    }
    starts
}

/// Returns `true` if the words' letters spell the short form: the first word gives the first letter, and each
/// further letter begins a word, or a part of one after a hyphen, or follows in the word of the letter
/// before. Words that give no letter must be small ones.
fn spells(long: &str, letters: &[char]) -> bool {
    let words: Vec<Vec<char>> = long
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '-' | '/'))
        .map(|word| {
            word.chars()
                .filter(|letter| letter.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect()
        })
        .filter(|word: &Vec<char>| !word.is_empty())
        .collect();
    let Some(first) = words.first() else { return false };
    first.first() == letters.first() && spelled(&words, letters)
}

fn spelled(words: &[Vec<char>], letters: &[char]) -> bool {
    let Some((word, rest)) = words.split_first() else { return letters.is_empty() };
    let shared = word.iter().zip(letters).take_while(|(left, right)| left == right).count();
    // The word gives one letter or more of its beginning, a long one more from within, and a small
    // one may give none.
    (1..=shared).any(|count| {
        let letters = letters.get(count..).unwrap_or_default();
        let within =
            if word.len() >= COMPOUND { word.get(count..).unwrap_or_default() } else { &[] };
        let most = subsequence(within, letters);
        (0..=most).any(|more| spelled(rest, letters.get(more..).unwrap_or_default()))
    }) || (word.len() <= SMALL_WORD && spelled(rest, letters))
}

/// Counts the letters, from the first, that stand in a word in this order.
fn subsequence(word: &[char], letters: &[char]) -> usize {
    let mut count = 0;
    for letter in word {
        if letters.get(count) == Some(letter) {
            count += 1;
        }
    }
    count
}

/// From this length on a word may be several: "Studienordnung".
const COMPOUND: usize = 10;

/// Words up to this length may give no letter: "of", "and", "the", "für".
const SMALL_WORD: usize = 3;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::introduced;

    #[test]
    fn letters_must_spell_the_short_form() {
        let cases: &[(&str, &[(&str, &str)])] = &[
            ("Ask the Data Protection Officer (DPO) first.", &[("DPO", "Data Protection Officer")]),
            ("the School of Computer Science (SCS)", &[("SCS", "School of Computer Science")]),
            ("a School of Computing (SoC) here", &[("SoC", "School of Computing")]),
            (
                "ECTS (European Credit Transfer System) points",
                &[("ECTS", "European Credit Transfer System")],
            ),
            ("learning management system (LMS)", &[("LMS", "learning management system")]),
            (
                "die Prüfungs- und Studienordnung (PStO) gilt",
                &[("PStO", "Prüfungs- und Studienordnung")],
            ),
            ("Ask the big office (DPO).", &[]),
            ("The form (PDF) is here.", &[]),
            ("in the summer (see Annex)", &[]),
            ("the week (Monday to Friday)", &[]),
            ("no bracket at the end (DPO", &[]),
            ("(DPO)", &[]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<(&str, &str)> =
                introduced(text).iter().map(|found| (found.short, found.long)).collect();
            assert_eq!(found, *expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[A-Cа-в() \n.-]{0,60}") {
            for found in introduced(&text) {
                prop_assert!(text.contains(found.long) && text.contains(found.short));
            }
        }
    }
}
