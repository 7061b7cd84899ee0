//! Terms and their definitions in glossaries.

use campanile_text::Span;

use crate::Section;

/// Headings of sections that define terms.
const GLOSSARIES: &[&str] = &[
    "abkürzungen",
    "abbreviations",
    "begriffe",
    "begriffsbestimmungen",
    "begriffsdefinitionen",
    "definitionen",
    "definitions",
    "glossar",
    "glossary",
    "key terms",
    "terminology",
];
/// A term has at most this many words.
const LONGEST_TERM: usize = 6;

/// Returns `true` if the section or one above it defines terms.
pub(super) fn is_glossary(section: &Section) -> bool {
    section.path.iter().any(|heading| {
        let plain = heading.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        GLOSSARIES.contains(&plain.trim())
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
    use super::definition;

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
            let found = definition(entry).map(|(term, meaning)| {
                (term.slice(entry).unwrap_or_default(), meaning.slice(entry).unwrap_or_default())
            });
            assert_eq!(found, expected, "{entry}");
        }
    }
}
