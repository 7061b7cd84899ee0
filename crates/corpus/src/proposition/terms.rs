//! Terms and what they mean: "Data Protection Officer (DPO)", and the entries of glossaries.

use campanile_language::propositions;
use campanile_text::{Language, Span};

use crate::Section;

/// An abbreviation where it is introduced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Abbreviation<'a> {
    /// The long form and the bracket.
    pub(super) span: Span,
    pub(super) short: &'a str,
    pub(super) long: &'a str,
}

impl Abbreviation<'_> {
    pub(super) fn sentence(&self, language: Language) -> String {
        let language = if language == Language::None { Language::default() } else { language };
        format!("{} {} {}.", self.short, propositions::stands_for(language).as_str(), self.long)
    }
}

/// The abbreviations that a sentence introduces: capitals in a bracket, each of which begins one of
/// the capitalised words before it.
pub(super) fn abbreviations(sentence: &str) -> Vec<Abbreviation<'_>> {
    let mut found = Vec::new();
    for (open, _) in sentence.match_indices(" (") {
        let inside = sentence.get(open + 2..).and_then(|rest| rest.split_once(')'));
        let Some((short, _)) = inside.filter(|(short, _)| is_short_form(short)) else { continue };
        let before = sentence.get(..open).unwrap_or_default();
        if let Some(start) = long_form_start(before, short) {
            let end = open + 2 + short.len() + 1;
            let long = before.get(start..).unwrap_or_default();
            found.push(Abbreviation { span: Span::from_range(start..end), short, long });
        }
    }
    found
}

fn is_short_form(text: &str) -> bool {
    (2..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Finds the start of the words, from the end backwards, whose initials are the letters.
fn long_form_start(before: &str, short: &str) -> Option<usize> {
    let mut letters = short.chars().rev().peekable();
    let mut end = before.len();
    loop {
        let start = before.get(..end)?.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        let word = before.get(start..end)?;
        let initial = word.chars().next()?;
        if Some(&initial) == letters.peek() && word.chars().all(char::is_alphabetic) {
            letters.next();
            if letters.peek().is_none() {
                return Some(start);
            }
        } else if !propositions::SILENT.contains(word) {
            return None;
        }
        end = start.checked_sub(1)?;
    }
}

/// A term has at most this many words.
const LONGEST_TERM: usize = 6;

/// Returns `true` if the section or one above it defines terms.
pub(super) fn is_glossary(section: &Section) -> bool {
    section.path.iter().any(|heading| {
        let plain = heading.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        propositions::GLOSSARIES.contains(plain.trim())
    })
}

/// The term and what it means, of an entry `Term: meaning` or `Term – meaning`.
pub(super) fn definition(entry: &str) -> Option<(Span, Span)> {
    let separators = [": ", " – ", " — ", " - "];
    let found = separators.iter().filter_map(|mark| Some((entry.find(mark)?, mark.len())));
    let (end, length) = found.min()?;
    let (term, meaning) = (entry.get(..end)?, entry.get(end + length..)?.trim_start());
    let words = term.split_whitespace().count();
    let is_term = (1..=LONGEST_TERM).contains(&words) && !term.contains(['.', ',', ';', '?']);
    let start = entry.len() - meaning.len();
    (is_term && meaning.split_whitespace().count() > 1)
        .then(|| (Span::from_range(0..end), Span::from_range(start..entry.len())))
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::{abbreviations, definition};

    #[test]
    fn initials_must_spell_the_abbreviation() {
        let cases: &[(&str, &[&str])] = &[
            (
                "Ask the Data Protection Officer (DPO) first.",
                &["DPO stands for Data Protection Officer."],
            ),
            (
                "The School of Computer Science (SCS) is here.",
                &["SCS stands for School of Computer Science."],
            ),
            ("Ask the data protection officer (DPO).", &[]),
            ("Use the form (PDF).", &[]),
            ("The Big Data Office (DPO).", &[]),
            ("(DPO)", &[]),
            ("Ask the Data Protection Officer (DPO", &[]),
        ];
        for (sentence, expected) in cases {
            let found: Vec<_> = abbreviations(sentence)
                .iter()
                .map(|found| found.sentence(Language::English))
                .collect();
            assert_eq!(found, *expected, "{sentence}");
        }
    }

    #[test]
    fn entries_fall_into_term_and_meaning() {
        let cases = [
            ("Module: a unit of teaching", Some(("Module", "a unit of teaching"))),
            ("Credit point – a measure of work", Some(("Credit point", "a measure of work"))),
            ("No definition here.", None),
            ("First, we say: this is it", None),
            ("Module: one", None),
        ];
        for (entry, expected) in cases {
            let found = definition(entry)
                .map(|(term, meaning)| (term.cut_from(entry), meaning.cut_from(entry)));
            assert_eq!(found, expected, "{entry}");
        }
    }
}
