//! "The Aula, which opens at 8, is closed on Sundays."

use campanile_text::Span;

use super::clause::{first_word, is_balanced};
use super::words::Lists;
use crate::facts::bare;

/// The most words that a name may have.
const LONGEST_NAME: usize = 7;
/// Small words inside of names.
const INSIDE_NAMES: &[&str] = &["at", "for", "of", "on", "the"];
const PRONOUNS: [&str; 2] = [", which ", ", who "];

/// A name, what is said of it on the way, and what the sentence says of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Relative {
    pub(super) name: Span,
    /// "opens at 8"
    pub(super) aside: Span,
    /// "is closed on Sundays."
    pub(super) main: Span,
}

/// The parts of such a sentence, where a name surely is what the relative clause is about:
/// nothing stands before the name, and both clauses go on with a finite verb.
pub(super) fn relative(sentence: &str, lists: &Lists) -> Option<Relative> {
    let found = PRONOUNS.iter().filter_map(|word| Some((sentence.find(word)?, word.len())));
    let (name_end, length) = found.min()?;
    let aside_start = name_end + length;
    let rest = sentence.get(aside_start..)?;
    let aside_length = rest.find(", ")?;
    let main_start = aside_start + aside_length + 2;
    let (name, aside) = (sentence.get(..name_end)?, rest.get(..aside_length)?);
    let main = sentence.get(main_start..)?;
    let is_finite = |text: &str| lists.finite.contains(&first_word(text).as_str());
    let is_sure = is_name(name)
        && is_finite(aside)
        && is_finite(main)
        && !sentence.ends_with('?')
        && [name, aside, main].into_iter().all(is_balanced);
    is_sure.then(|| Relative {
        name: Span::from_range(0..name_end),
        aside: Span::from_range(aside_start..aside_start + aside_length),
        main: Span::from_range(main_start..sentence.len()),
    })
}

/// A proper name: "The Examination Office", "CS 101".
fn is_name(text: &str) -> bool {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.first().is_some_and(|first| *first == "The") {
        words.remove(0);
    } else if words.len() < 2 {
        return false; // "Students, who": any noun begins a sentence with a capital.
    }
    let is_part = |word: &&str| {
        let word = bare(word);
        word.starts_with(char::is_uppercase)
            || word.starts_with(|first: char| first.is_ascii_digit())
            || INSIDE_NAMES.contains(&word)
    };
    let has_capital = words.first().is_some_and(|first| first.starts_with(char::is_uppercase));
    has_capital && words.len() <= LONGEST_NAME && words.iter().all(is_part) && !text.contains(',')
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::relative;
    use crate::proposition::words::Lists;

    const CASES: &[(&str, Option<[&str; 3]>)] = &[
        (
            "The Examination Office, which is in Room 5, must sign the form.",
            Some(["The Examination Office", "is in Room 5", "must sign the form."]),
        ),
        ("CS 101, which has 6 ECTS, is required.", Some(["CS 101", "has 6 ECTS", "is required."])),
        (
            "Dr. Jane Li, who is the dean, must sign.",
            Some(["Dr. Jane Li", "is the dean", "must sign."]),
        ),
        ("Students, who must pay, are informed.", None),
        ("The form for the Office, which is red, must be signed.", None),
        ("The Office signs the form, which is red, and is open.", None),
        ("The Aula, which the dean opened, is closed.", None),
        ("The Aula, which is old, signed and sealed.", None),
    ];

    #[test]
    fn only_what_is_said_of_a_name_is_taken_out() {
        let Some(lists) = Lists::of(Language::English) else { return };
        for (sentence, expected) in CASES {
            let found = relative(sentence, lists).map(|found| {
                [found.name, found.aside, found.main].map(|s| s.slice(sentence).unwrap_or_default())
            });
            assert_eq!(found, *expected, "{sentence}");
        }
    }
}
