//! Words that a corpus uses for one thing: what a question says in the one form is found in the other.
//!
//! A text that introduces an abbreviation says what it stands for, in brackets ([`introduced`]) or
//! in a line of a glossary ([`glossary`]). Nothing is taken from outside the documents, but for
//! what their department adds itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A short form and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Introduced<'a> {
    /// As it is written: `ECTS`.
    pub short: &'a str,
    /// `European Credit Transfer System`.
    pub long: &'a str,
}

/// Groups of words and phrases that mean the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synonyms {
    /// Each of two or more phrases; of an abbreviation, the short form first.
    pub groups: Vec<Vec<String>>,
}

/// A long form stands for an abbreviation where it does so in at least this share of the places that
/// introduce it: one that means this here and that there says nothing.
// An expansion adds words to every question that has the short form, so one place in three may differ (a slip,
// another department), and no more.
const CLEAR_SHARE: f64 = 0.66;

impl Synonyms {
    /// The abbreviations that texts introduce, with what a department added itself in front.
    ///
    /// Long forms that differ only in case, hyphens or a plural are one, written as most often. An
    /// abbreviation that is introduced for different things is left out, unless one of them has two
    /// thirds of the places.
    ///
    /// ```
    /// use campanile_corpus::Synonyms;
    ///
    /// let texts = ["The Data Protection Officer (DPO) answers.", "Ask the DPO."];
    /// let synonyms = Synonyms::of(texts, vec![vec!["lab".into(), "practical".into()]]);
    /// assert_eq!(synonyms.groups, [["lab", "practical"], ["DPO", "Data Protection Officer"]]);
    /// ```
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>, own: Vec<Vec<String>>) -> Self {
        let mut found: BTreeMap<&str, BTreeMap<String, Spellings<'a>>> = BTreeMap::new();
        for text in texts {
            for Introduced { short, long } in introduced(text).into_iter().chain(glossary(text)) {
                let forms = found.entry(short).or_default();
                *forms.entry(plain(long)).or_default().entry(long).or_default() += 1;
            }
        }
        let mut groups = own;
        groups.retain(|group| group.len() > 1);
        for (short, forms) in found {
            let count = |spellings: &Spellings<'_>| spellings.values().sum::<usize>();
            let all: usize = forms.values().map(count).sum();
            let Some(spellings) = forms.values().max_by_key(|spellings| count(spellings)) else {
                continue;
            };
            // Counted in places and not in documents: a handbook that explains its own word in each chapter means it.
            if (count(spellings) as f64) < CLEAR_SHARE * all as f64 {
                continue;
            }
            // The first in the alphabet of those that are as frequent.
            let most = spellings.values().copied().max().unwrap_or_default();
            let long = spellings.iter().find(|(_, count)| **count == most);
            groups.extend(long.map(|(long, _)| vec![short.to_owned(), (*long).to_owned()]));
        }
        Self { groups }
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// The spellings of a long form, and how often each is written.
type Spellings<'a> = BTreeMap<&'a str, usize>;

/// A long form without what may differ: its letters in lower case, no plural at the end.
fn plain(long: &str) -> String {
    let letters: String = long
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    letters.strip_suffix('s').map(str::to_owned).unwrap_or(letters)
}

/// Returns `true` if a text can be a short form: two to ten characters, one word, begun by a letter or a
/// digit, at least two capitals among them.
fn is_short_form(text: &str) -> bool {
    // One letter is a list's mark, and eleven are a word in capitals; two capitals tell `SoC` from `Soc.`
    (2..=10).contains(&text.chars().count())
        && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '&' | '.'))
        && text.starts_with(char::is_alphanumeric)
        && text.chars().filter(|letter| letter.is_uppercase()).count() >= 2
}

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
        let Some(inside) = text[open + 1..].split_once(')') else { continue };
        let inside = inside.0.trim();
        let before = text[..open].trim_end();
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
    // Schwartz and Hearst's bound: beyond it some word of the sentence begins with nearly any letter.
    let most_words = (letters.len() * 2).min(letters.len() + 5);
    let starts: Vec<usize> = word_starts(before);
    let first_allowed = starts.len().saturating_sub(most_words);
    // The shortest stretch of whole words whose letters spell the short form.
    // From the nearest word backwards: the shortest stretch that spells it is the one meant.
    let candidates = starts[first_allowed..].iter().rev().map(|&start| &before[start..]);
    let long = candidates.into_iter().find(|long| spells(long, &letters))?;
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
        let letters = &letters[count..];
        let within = if word.len() >= COMPOUND { &word[count..] } else { &[] };
        let most = subsequence(within, letters);
        (0..=most).any(|more| spelled(rest, &letters[more..]))
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
// In "PStO" for "Prüfungs- und Studienordnung" the O stands within a word. In a shorter word a letter from within is
// more often an accident.
const COMPOUND: usize = 10;

/// Words up to this length may give no letter: "of", "and", "the", "für".
// "of", "and" and "für" are left out of most abbreviations; with four letters "with" would be too, and so would
// "Data".
const SMALL_WORD: usize = 3;

/// Words and signs that may stand between a short form and its meaning in a line of a glossary.
const SEPARATORS: [&str; 6] = [" stands for ", " steht für ", ": ", " – ", " — ", " - "];

/// The longest meaning, in words: what is longer explains rather than spells out.
const MOST_MEANING_WORDS: usize = 7;

/// The abbreviations that lines of a glossary explain: "DPO: Data Protection Officer", also as a
/// list item or with a dash, where the meaning's words spell the short form.
///
/// ```
/// use campanile_corpus::{Introduced, glossary};
///
/// let found = glossary("WEN: Water Engineering\nNote: bring a pen");
/// assert_eq!(found, [Introduced { short: "WEN", long: "Water Engineering" }]);
/// ```
pub fn glossary(text: &str) -> Vec<Introduced<'_>> {
    text.lines().filter_map(entry).collect()
}

fn entry(line: &str) -> Option<Introduced<'_>> {
    let line = line.trim().trim_start_matches(['-', '*', '•', '·']).trim_start();
    let (short, long) = SEPARATORS.iter().find_map(|separator| line.split_once(separator))?;
    let (short, long) = (short.trim(), long.trim().trim_end_matches('.'));
    let words = long.split_whitespace().count();
    let in_capitals = short.chars().all(|letter| !letter.is_lowercase());
    // Digits make a course code or a room of it.
    let is_plain = short.chars().all(char::is_alphabetic) && !long.contains(char::is_numeric);
    (is_short_form(short)
        && in_capitals
        && is_plain
        && (2..=MOST_MEANING_WORDS).contains(&words)
        && abbreviates(short, long))
    .then_some(Introduced { short, long })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Synonyms, glossary, introduced};

    #[test]
    fn an_abbreviation_of_different_things_is_left_out() {
        let of = |texts: &[&str]| Synonyms::of(texts.iter().copied(), Vec::new()).groups;
        let school = "the School Council Office (SCO)";
        let conduct = "the Student Conduct Office (SCO)";
        assert_eq!(of(&[school, conduct]), Vec::<Vec<String>>::new());
        let small = "a school council office (SCO), the School-Council Offices (SCO)";
        assert_eq!(of(&[school, school, small, conduct]), [["SCO", "School Council Office"]]);
        let alone = Synonyms::of(["Nothing (at all) here."], vec![vec!["alone".to_owned()]]);
        assert!(alone.is_empty());
    }

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

    #[test]
    fn lines_of_a_glossary_are_told_from_others() {
        let cases: &[(&str, Option<(&str, &str)>)] = &[
            ("DPO: Data Protection Officer", Some(("DPO", "Data Protection Officer"))),
            ("- DPO – Data Protection Officer.", Some(("DPO", "Data Protection Officer"))),
            ("DPO stands for Data Protection Officer.", Some(("DPO", "Data Protection Officer"))),
            ("CS101: Computing for all", None),
            ("NOTE: Bring a pen", None),
            ("Dean: Dr Ode", None),
            ("ECTS: Each module has five", None),
            ("ECTS: Each module has 5", None),
            ("OFFICE: Open on Mondays from ten to twelve, on Fridays never", None),
            ("", None),
        ];
        for (line, expected) in cases {
            let found = glossary(line).first().map(|found| (found.short, found.long));
            assert_eq!(found, *expected, "{line}");
        }
    }
}
