//! Lists that lead elsewhere: references, text that is made of citations, tables of contents.

use std::collections::BTreeSet;

use campanile_language::documents;
use campanile_text::Span;

use super::{Line, plain};
use crate::Document;

/// The numbers of the sections that are headed as bibliographies, and most of which looks like one.
pub(super) fn bibliographies(document: &Document, lines: &[Line<'_>]) -> BTreeSet<usize> {
    let is_headed = |heading: &str| {
        let heading = plain(heading);
        documents::BIBLIOGRAPHIES
            .contains(heading.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '))
    };
    let sections = document.sections.iter().enumerate();
    let headed = sections.filter(|(_, section)| is_headed(&section.heading));
    let is_one = |number: &usize| {
        let own = lines.iter().filter(|line| line.section == *number);
        let entries = own.clone().filter(|line| marks(line.text) >= 2).count();
        // Three of five: a heading "Literature" may stand above a course's reading list, whose lines hardly look like
        // citations.
        entries >= 3 && entries * 5 >= own.count() * 3
    };
    headed.map(|(number, _)| number).filter(is_one).collect()
}

/// Returns `true` if a text is an entry of a bibliography, or mostly citations.
pub(super) fn is_mostly_citations(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let citations = citations(text);
    // Four marks of seven: a sentence about an issue of a journal has two already.
    (words <= 80 && marks(text) >= 4) || (citations >= 4 && citations * 6 >= words)
}

/// Counts the marks of an entry of a bibliography that a text has; none without a year.
fn marks(text: &str) -> usize {
    let lower = text.to_lowercase();
    if !has_year(text) {
        return 0;
    }
    let starts_numbered = text.starts_with('[')
        && text.get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let signs: [&[&str]; 5] = [
        &["et al", " eds.", "(eds", "hrsg."],
        &["doi", "arxiv", "isbn", "issn"],
        &["pp.", "vol.", "no. ", " s. "],
        &["conference", "journal", "proceedings", "symposium", "transactions", "workshop"],
        &[" press", "springer", "elsevier", "wiley", "verlag", "acm", "ieee"],
    ];
    let found = signs.iter().filter(|any| any.iter().any(|sign| lower.contains(sign))).count();
    found + usize::from(starts_numbered) + usize::from(starts_with_author(text))
}

/// A year of our time as a word of its own.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        let digits = word.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let is_year = digits.is_some_and(|year| year.starts_with("19") || year.starts_with("20"));
        is_year && word.len() <= 5 // "2019a"
    })
}

/// "Meyer, J." or "J. Meyer".
fn starts_with_author(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let mut words = text.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_initial = |word: &str| {
        let mut letters = word.trim_end_matches(',').chars();
        letters.next().is_some_and(char::is_uppercase) && letters.as_str() == "."
    };
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.chars().count() > 2;
    (first.ends_with(',') && is_name(first) && is_initial(second))
        || (is_initial(first) && is_name(second))
}

/// Counts the citations of a text: `[12]`, `(Meyer, 2020)`, `(Meyer et al., 2020)`.
fn citations(text: &str) -> usize {
    let numbered = text.match_indices('[').filter(|(at, _)| {
        let rest = &text[at + 1..];
        let inside = rest.split(']').next().unwrap_or_default();
        // `[1, 4–7]`; longer brackets hold words.
        inside.len() < 12
            && inside.starts_with(|c: char| c.is_ascii_digit())
            && inside.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '–'))
    });
    let named = text.match_indices('(').filter(|(at, _)| {
        let rest = &text[at + 1..];
        let inside = rest.split(')').next().unwrap_or_default();
        inside.len() < 60 && inside.starts_with(char::is_uppercase) && has_year(inside)
    });
    numbered.count() + named.count()
}

/// Fewer entries in a row are something else: a price list has dots too.
const FEW_ENTRIES: usize = 3;
/// Fewer dots are an ellipsis.
const FEW_DOTS: usize = 4;

/// The lines of tables of contents: at least three in a row whose page numbers never fall, or one
/// line that holds as many.
pub(super) fn contents_lines(lines: &[Line<'_>]) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    let mut run: Vec<Span> = Vec::new();
    let (mut entries, mut page) = (0, 0);
    for line in lines {
        let pages = pages(line.text);
        // A price list has dots and numbers too, but these fall and rise.
        let goes_on = pages.is_sorted() && pages.first().is_some_and(|first| *first >= page);
        if !goes_on {
            if entries >= FEW_ENTRIES {
                found.extend(run.iter().copied());
            }
            run.clear();
            (entries, page) = (0, 0);
        }
        if let Some(last) = pages.last().filter(|_| pages.is_sorted()) {
            run.push(line.span);
            entries += pages.len();
            page = *last;
        }
    }
    if entries >= FEW_ENTRIES {
        found.extend(run);
    }
    found
}

/// The page numbers behind dots; none where the text does not end with one.
fn pages(text: &str) -> Vec<u32> {
    let mut pages = Vec::new();
    let mut dots = 0;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let is_page = dots >= FEW_DOTS && digits <= 4;
            let (number, behind) = rest.split_at(digits);
            pages.extend(number.parse::<u32>().ok().filter(|_| is_page));
            rest = behind;
            dots = 0;
            continue;
        }
        match character {
            '.' | '·' => dots += 1,
            '…' => dots += 3,
            ' ' | '\u{a0}' => {}
            _ => dots = 0,
        }
        rest = &rest[character.len_utf8()..];
    }
    if text.ends_with(|last: char| last.is_ascii_digit()) { pages } else { Vec::new() }
}
