//! Joining of the end of one line and the beginning of the next.
//!
//! A hyphen at the end of a line was set by the program that broke the line, or belongs to the
//! word; the letters around it tell, and so does the rest of the document, where the word may
//! stand unbroken.

use std::collections::BTreeSet;

/// The seam between two lines in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seam {
    Space,
    /// Nothing: the word goes on, hyphen and all.
    Glue,
    /// The word goes on, and the hyphen was only there because it was broken.
    Mend,
}

/// The words of a document that stand within lines.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(BTreeSet<String>);

/// Words learned from one document, at most.
const MOST_WORDS: usize = 200_000;

impl Vocabulary {
    /// Learns the words of a line; the first and the last may be parts.
    pub(super) fn learn(&mut self, words: &[&str]) {
        let Some(inner) = words.get(1..words.len().saturating_sub(1)) else {
            return;
        };
        for word in inner {
            let word = bare(word);
            if word.len() > 3 && self.0.len() < MOST_WORDS {
                self.0.insert(word.to_lowercase());
            }
        }
    }

    fn knows(&self, word: &str) -> bool {
        self.0.contains(&word.to_lowercase())
    }
}

/// Words that a hanging hyphen comes before: `Bachelor- und Masterarbeit`, `pre- and postwar`.
const CONJUNCTIONS: [&str; 16] = [
    "und", "oder", "bzw", "sowie", "wie", "als", "bis", "noch", "aber", "statt", "and", "or", "to",
    "nor", "but", "than",
];

/// Returns how `before`, the last word of a line, and `after`, the first of the next, go together.
pub(super) fn seam(before: &str, after: &str, vocabulary: &Vocabulary) -> Seam {
    if before.ends_with('\u{AD}') {
        return Seam::Mend;
    }
    if let Some(stem) = before.strip_suffix(['-', '\u{2010}', '¬']) {
        return hyphen_seam(before, stem, after, vocabulary);
    }
    let ends = |set: &[char]| before.ends_with(set) && before.chars().count() > 1;
    let continues = after.starts_with('/') && before.contains('/');
    if ends(&['/']) || continues || (is_address(before) && ends(&['_', '=', '&', '?'])) {
        return Seam::Glue;
    }
    match (before.chars().next_back(), after.chars().next()) {
        (Some(last), Some(first)) if is_unspaced(last) && is_unspaced(first) => Seam::Glue,
        _ => Seam::Space,
    }
}

fn hyphen_seam(before: &str, stem: &str, after: &str, vocabulary: &Vocabulary) -> Seam {
    let Some(last) = stem.chars().next_back().filter(|last| last.is_alphanumeric()) else {
        return Seam::Space;
    };
    if is_address(before) {
        return Seam::Glue;
    }
    let first = after.chars().find(|first| first.is_alphanumeric());
    let after = bare(after);
    if CONJUNCTIONS.contains(&after) {
        return Seam::Space;
    }
    let head = bare(stem);
    // Only the part behind the last hyphen was broken: `Lehr-Lern-Forsch-` / `ung`.
    let part = head.rsplit(['-', '/']).next().unwrap_or(head);
    let is_acronym = part.chars().count() > 1 && !part.contains(char::is_lowercase);
    let goes_on_small = first.is_some_and(char::is_lowercase);
    if vocabulary.knows(&format!("{head}-{after}")) {
        return Seam::Glue;
    }
    if vocabulary.knows(&format!("{head}{after}")) && (goes_on_small || is_acronym) {
        return Seam::Mend;
    }
    if goes_on_small && !last.is_numeric() && !is_acronym { Seam::Mend } else { Seam::Glue }
}

/// Scripts that put no space between words.
fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF60}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Part of a web or mail address, or of a path.
fn is_address(word: &str) -> bool {
    word.contains("://")
        || word.contains("www.")
        || word.contains('@')
        || (word.contains('.') && word.contains('/'))
        || word.matches('/').count() >= 2
}

/// Without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hyphens_at_the_end_of_a_line() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.learn(&["x", "well-known", "cooperation", "PRÜFUNGSORDNUNG", "x"]);
        let cases = [
            ("Teilzeit-", "studium", Seam::Mend),
            ("infor-", "mation.", Seam::Mend),
            ("zulassungs-", "beschränkte", Seam::Mend),
            ("Otto-", "Friedrich-Universität", Seam::Glue),
            ("ECTS-", "Punkte", Seam::Glue),
            ("ECTS-", "relevant", Seam::Glue),
            ("Bachelor-", "und", Seam::Space),
            ("Bachelor-", "bzw.", Seam::Space),
            ("pre-", "and", Seam::Space),
            ("2010-", "2012", Seam::Glue),
            ("COVID-19-", "bedingt", Seam::Glue),
            ("http://www.uni-", "bamberg.de/fileadmin", Seam::Glue),
            ("(first.last@uni-", "bamberg.de)", Seam::Glue),
            ("well-", "known", Seam::Glue),
            ("Well-", "known", Seam::Glue),
            ("coop-", "eration", Seam::Mend),
            ("PRÜFUNGS-", "ORDNUNG", Seam::Mend),
            ("regu\u{AD}", "lation", Seam::Mend),
            ("–", "language", Seam::Space),
            ("-", "language", Seam::Space),
            ("Lehr-Lern-Forsch-", "ung", Seam::Mend),
            ("Communication/", "Communication", Seam::Glue),
            ("/", "Other", Seam::Space),
            ("www.uni-bamberg.de/", "fileadmin/", Seam::Glue),
            ("/fileadmin", "/uni/amtliche", Seam::Glue),
            ("ends", "here", Seam::Space),
            ("漢字", "漢字", Seam::Glue),
            ("", "", Seam::Space),
        ];
        for (before, after, expected) in cases {
            assert_eq!(seam(before, after, &vocabulary), expected, "{before} {after}");
        }
    }

    proptest! {
        #[test]
        fn only_a_hyphen_is_mended(before in "\\PC{0,12}", after in "\\PC{0,12}") {
            let found = seam(&before, &after, &Vocabulary::default());
            let ends_in_hyphen = before.ends_with(['-', '\u{2010}', '¬', '\u{AD}']);
            prop_assert!(found != Seam::Mend || ends_in_hyphen);
        }
    }
}
