//! The years a document is about.

use std::collections::BTreeSet;

use serde_json::Value;

use super::marks::{Mark, marked};
use crate::Document;

/// Fields of the metadata that name years.
const FIELDS: [&str; 9] = [
    "academic_year",
    "date",
    "edition",
    "semester",
    "term",
    "valid_from",
    "valid_until",
    "version",
    "year",
];

/// The years that a document states for itself: in its title, its path, and the dates and terms of
/// its metadata. Both years of `2023-24`; every year between `valid_from` and `valid_until`. Empty
/// where it states none: then it holds for any.
///
/// ```
/// use campanile_corpus::{Document, years_of};
///
/// let document = Document { title: "Handbook 2023-24".into(), ..Document::default() };
/// assert_eq!(years_of(&document).into_iter().collect::<Vec<_>>(), [2023, 2024]);
/// ```
pub fn years_of(document: &Document) -> BTreeSet<u16> {
    let mut years = BTreeSet::new();
    let path = document.path.rsplit_once('.').map_or(&*document.path, |(path, _)| path);
    for text in path.split('/').chain([document.title.as_str()]) {
        add_years(text, &mut years);
    }
    for field in FIELDS {
        let Some(value) = document.metadata.get(field) else { continue };
        match value {
            Value::String(text) => add_years(text, &mut years),
            Value::Number(number) => add_years(&number.to_string(), &mut years),
            _ => {}
        }
    }
    let valid = |field| {
        let mut years = BTreeSet::new();
        add_years(document.metadata.get(field)?.as_str()?, &mut years);
        years.first().copied()
    };
    if let (Some(from), Some(until)) = (valid("valid_from"), valid("valid_until")) {
        years.extend(from..=until);
    }
    years
}

fn add_years(text: &str, years: &mut BTreeSet<u16>) {
    let found = marked(text);
    for mark in found.marks {
        match mark {
            Mark::Year { first, last } => years.extend([first, last]),
            Mark::Compact(first) => years.extend([first, first + 1]),
            Mark::YearOrCompact => years.extend([2021]),
            Mark::Version(_) => {}
        }
    }
    // The year of a day, which is no mark of an edition.
    let bytes = text.as_bytes();
    for (at, window) in bytes.windows(10).enumerate() {
        let is_day = window.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => matches!(byte, b'-' | b'/' | b'.' | b'_'),
            _ => byte.is_ascii_digit(),
        });
        let is_word = at
            .checked_sub(1)
            .is_none_or(|before| bytes.get(before).is_none_or(|byte| !byte.is_ascii_digit()));
        let year = text.get(at..at + 4).and_then(|year| year.parse::<u16>().ok());
        years.extend(year.filter(|year| is_day && is_word && (1990..2050).contains(year)));
    }
}
