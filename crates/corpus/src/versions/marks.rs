//! Years and version numbers in titles and paths, and the years that a document is about.

use std::collections::BTreeSet;

use serde_json::Value;

use campanile_language::documents;

use crate::Document;

/// A year or a version number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// `2024`, or the year in which `2024-25` begins.
    Year { first: u16, last: u16 },
    /// `2425` at the beginning of a name.
    Compact(u16),
    /// `2021` at the beginning of a name: the year, or `20-21` where others are written so.
    YearOrCompact,
    /// `v2.1`, `version 3`.
    Version(Vec<u32>),
}

/// A text without its marks, and its marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marked {
    /// The words in small letters.
    pub(super) words: Vec<String>,
    pub(super) marks: Vec<Mark>,
}

/// A run of letters or of digits, and what stands before it.
struct Token<'a> {
    gap: &'a str,
    text: &'a str,
}

/// Capitals before a year that are no course's.
const NO_COURSES: &[&str] = &["APO", "AY", "FPO", "FY", "PO", "PDF", "SPO", "SS", "SUSE", "WS"];

/// Takes the marks out of a title, a file's name or a folder's.
pub(super) fn marked(text: &str) -> Marked {
    let tokens = tokens(text);
    let mut found = Marked::default();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let taken = version(&tokens, index).or_else(|| year(&tokens, index));
        if let Some((mark, length)) = taken {
            found.marks.push(mark);
            index += length;
        } else {
            found.words.push(token.text.to_lowercase());
            index += 1;
        }
    }
    found
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let (gap, word) = rest.split_at(start);
        let is_digits = word.starts_with(|c: char| c.is_ascii_digit());
        let end = word.find(|c: char| !c.is_alphanumeric() || c.is_ascii_digit() != is_digits);
        let (text, behind) = word.split_at(end.unwrap_or(word.len()));
        tokens.push(Token { gap, text });
        rest = behind;
    }
    tokens
}

/// A number with exactly so many digits.
fn digits(token: Option<&Token<'_>>, count: usize) -> Option<u16> {
    let text = token?.text;
    let fits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| fits)
}

fn year(tokens: &[Token<'_>], index: usize) -> Option<(Mark, usize)> {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    let lower = before.map(|token| token.text.to_lowercase()).unwrap_or_default();
    let joins = |place: usize| {
        let gap = tokens.get(place).map_or("", |token| token.gap.trim());
        matches!(gap, "-" | "/" | "–" | "_")
    };
    if documents::COUNTED.contains(&lower) {
        return None;
    }
    let (next, after) = (tokens.get(index + 1), tokens.get(index + 2));
    let is_date = joins(index + 1) && joins(index + 2) && digits(after, 2).is_some();
    // Numbers outside are rooms, courses and amounts: what lies on a site is of these years.
    if let Some(first) = digits(tokens.get(index), 4).filter(|year| (1990..2050).contains(year)) {
        let last = digits(next, 4).or(digits(next, 2).map(|last| first / 100 * 100 + last));
        if joins(index + 1) && last == Some(first + 1) && !is_date {
            return Some((Mark::Year { first, last: first + 1 }, 2));
        }
        // `2025-07-01` is a day, `CS 2040` a course.
        // A day tells when something was, not which edition it is.
        let is_day = joins(index + 1) && digits(next, 2).is_some();
        if is_day || is_course(before) {
            return None;
        }
        let at_start = index == 0 && first == 2021;
        let year = Mark::Year { first, last: first };
        return Some((if at_start { Mark::YearOrCompact } else { year }, 1));
    }
    if let Some(pair) = digits(tokens.get(index), 4).filter(|_| index == 0) {
        let (first, last) = (pair / 100, pair % 100);
        // `2425` at the beginning of a name only: elsewhere four digits are a course, a room or an amount.
        return (last == first + 1 && (15..49).contains(&first))
            .then_some((Mark::Compact(2000 + first), 1));
    }
    let first = digits(tokens.get(index), 2).filter(|first| (15..49).contains(first))?;
    let is_pair = joins(index + 1) && digits(next, 2) == Some(first + 1);
    let is_alone = !joins(index) && !joins(index + 2);
    let mark = Mark::Year { first: 2000 + first, last: 2001 + first };
    (is_pair && (index == 0 || is_alone)).then_some((mark, 2))
}

/// Two to five capitals.
fn is_course(token: Option<&Token<'_>>) -> bool {
    token.is_some_and(|token| {
        (2..=5).contains(&token.text.len())
            && token.text.bytes().all(|byte| byte.is_ascii_uppercase())
            && !NO_COURSES.contains(&token.text)
    })
}

/// `v2`, `v2.1`, `version 3`, `Rev. 4`.
fn version(tokens: &[Token<'_>], index: usize) -> Option<(Mark, usize)> {
    let token = tokens.get(index)?;
    let word = token.text.to_lowercase();
    let number = |place: usize| {
        let text = tokens.get(place)?.text;
        // "Version 2024" has a year, which is read as one.
        let is_short = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| is_short)
    };
    let gap = tokens.get(index + 1)?.gap;
    let is_near = if word == "v" { gap.is_empty() } else { gap.len() <= 2 };
    if !documents::VERSIONS.contains(&word) || !is_near {
        return None;
    }
    let mut numbers = vec![number(index + 1)?];
    while tokens.get(index + 1 + numbers.len()).is_some_and(|token| token.gap == ".") {
        let Some(next) = number(index + 1 + numbers.len()) else { break };
        numbers.push(next);
    }
    let length = 1 + numbers.len();
    Some((Mark::Version(numbers), length))
}

impl std::fmt::Display for Mark {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Year { first, last } if first == last => write!(formatter, "{first}"),
            Self::Year { first, .. } | Self::Compact(first) => {
                write!(formatter, "{first}-{:02}", (first + 1) % 100)
            }
            Self::YearOrCompact => write!(formatter, "2021"),
            Self::Version(numbers) => {
                let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
                write!(formatter, "v{}", numbers.join("."))
            }
        }
    }
}

/// Fields of the metadata that name years.
const YEAR_FIELDS: [&str; 9] = [
    "academic_year", "date", "edition", "semester", "term", "valid_from", "valid_until", "version",
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
    for field in YEAR_FIELDS {
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
