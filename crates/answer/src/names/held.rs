//! Tells whether a text has what a question names.

use std::borrow::Cow;
use std::collections::BTreeSet;

use campanile_grounding::{LiteralKind, literals};
use campanile_language::{calendar, names, weekday};
use campanile_text::{Analyzer, Span, fold};

use super::NameKind;
use crate::asked::is_held;
use crate::counted::{Counted, Place, place_in};
use crate::form::periods;
use crate::reply::Source;
use crate::table::rows;
use crate::words::{Word, has_one_of, term_set, words};

/// The last digits by which two spellings of a telephone are the same: `+43 316 873-0` and `0316 8730`.
const TELEPHONE_END: usize = 6;

/// What a visitor sees as the answer, with its context.
pub(super) struct Shown<'a> {
    /// The words, the row or the passage.
    text: &'a str,
    /// The whole passage.
    passage: &'a str,
    /// `true` for a row of a table: its neighbours speak of other things.
    is_row: bool,
    /// The place of `text` in the passage.
    span: Span,
    /// The day in short that is given, where the question asks for one.
    exact: Option<Span>,
    source: &'a Source,
}

/// What a text says of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// It has it.
    It,
    /// It has others of its kind and not this one.
    Others,
    Nothing,
}

impl<'a> Shown<'a> {
    pub(super) fn whole(source: &'a Source) -> Self {
        Self::part(source, Span::from_range(0..source.text.len()), None, false)
    }

    /// A part of a source, with the day in short that is given of it.
    pub(super) fn part(source: &'a Source, span: Span, exact: Option<Span>, is_row: bool) -> Self {
        let text = span.slice(&source.text).unwrap_or(&source.text);
        Self { text, passage: &source.text, is_row, span, exact, source }
    }

    /// Its text without the days of a row that are not the one which is given: `Induction: 31 August 2026; Term 2: 5 January
    /// 2027` tells of no induction in 2027.
    fn without_other_days(&self) -> Cow<'a, str> {
        let row = rows(self.text).into_iter().next().filter(|_| self.is_row);
        let (Some(row), Some(exact)) = (row, self.exact) else { return Cow::Borrowed(self.text) };
        let is_kept = |cell: &Span| {
            cell.shifted(self.span.start).overlaps(exact)
                || cell.slice(self.text).is_some_and(|text| periods(text).is_empty())
        };
        let cells = row.cells().map(|(_, cell)| cell).filter(is_kept);
        let cells: Vec<&str> = cells.filter_map(|cell| cell.slice(self.text)).collect();
        Cow::Owned(cells.join("; "))
    }

    /// Headings from the passage's own to the document's title, then what the document is for.
    fn headings(&self) -> impl Iterator<Item = &'a str> {
        let source = self.source;
        source
            .section
            .iter()
            .rev()
            .chain([&source.title])
            .chain(&source.audience)
            .map(String::as_str)
    }

    /// Returns `true` if what is shown may be about a name: it has it, or says of its kind nothing that would be another.
    pub(super) fn has(&self, name: &NameKind, analyzer: &Analyzer) -> bool {
        let says = |text: &str| says(name, text, analyzer);
        let heads = || self.headings().map(says).find(|said| *said != Says::Nothing);
        match name {
            // A sentence about `WEN310` may name others: what has to be passed before it.
            NameKind::Code(_) | NameKind::Telephone(_) => {
                says(self.text) == Says::It
                    || self.headings().any(|heading| says(heading) == Says::It)
                    || self.is_of_address(name)
                    || (!self.is_row
                        && says(self.text) == Says::Nothing
                        && says(self.passage) == Says::It)
            }
            NameKind::Numbered(..) => {
                says(self.text) == Says::It
                    || self.headings().any(|heading| says(heading) == Says::It)
            }
            NameKind::Proper(_) => {
                let passage = if self.is_row { self.text } else { self.passage };
                says(passage) == Says::It
                    || self.headings().any(|heading| says(heading) == Says::It)
                    || self.is_of_address(name)
            }
            NameKind::Weekday(_) | NameKind::Day(_) => match says(self.text) {
                Says::It => true,
                Says::Others => false,
                Says::Nothing => {
                    heads() == Some(Says::It) || (!self.is_row && says(self.passage) == Says::It)
                }
            },
            // One day of `2026/27` lies in one year alone: the study year itself is named in a heading.
            NameKind::Years(first, last) if first != last => {
                let around = [self.text].into_iter().chain(self.headings());
                let mut spans = around.flat_map(years).filter(|(from, to)| from != to).peekable();
                let has_span = spans.peek().is_some();
                let is_named = spans.any(|(from, to)| from <= *first && *last <= to);
                let single =
                    || years(self.text).iter().any(|(year, _)| (*first..=*last).contains(year));
                is_named || (!has_span && (years(self.text).is_empty() || single()))
            }
            // What tells no year, no month, no level or none of what is counted holds for all.
            NameKind::Years(..)
            | NameKind::Month(_)
            | NameKind::Level(_)
            | NameKind::Counted(_) => match says(&self.without_other_days()) {
                Says::It => true,
                Says::Others => false,
                Says::Nothing => match heads() {
                    Some(said) => said == Says::It,
                    None => self.is_row || says(self.passage) != Says::Others,
                },
            },
        }
    }

    /// Returns `true` if its text, headings or address have a code of the same make: with the same letters, or as many
    /// letters and digits.
    pub(super) fn has_code_like(&self, code: &str, analyzer: &Analyzer) -> bool {
        let make = make_of(code);
        let is_like = |text: &str| {
            literals(text, analyzer.language()).iter().any(|literal| {
                let other = literal.span.slice(text).map(compact).unwrap_or_default();
                let other = make_of(&other);
                let has_letters = !make.letters.is_empty() && other.letters == make.letters;
                let is_as_long =
                    (other.letters.len(), other.digits) == (make.letters.len(), make.digits);
                literal.kind == LiteralKind::Code && (has_letters || is_as_long)
            })
        };
        is_like(self.text) || is_like(&self.source.document) || self.headings().any(is_like)
    }

    /// Returns `true` if the document's path or address has a name: `courses/wen310.html`.
    fn is_of_address(&self, name: &NameKind) -> bool {
        let wanted = match name {
            NameKind::Code(code) => code.as_str(),
            NameKind::Proper(terms) => terms.first().map_or("", String::as_str),
            _ => return false,
        };
        let paths = [Some(&self.source.document), self.source.link.as_ref()];
        let parts =
            paths.into_iter().flatten().flat_map(|path| path.split(['/', '-', '_', '.', '#']));
        parts.map(fold).any(|part| part == wanted)
    }
}

fn says(name: &NameKind, text: &str, analyzer: &Analyzer) -> Says {
    match name {
        NameKind::Code(code) => code_in(code, text, analyzer),
        NameKind::Numbered(number, counted) => {
            let is_among = |one: &Counted| place_in(one, text, analyzer) == Place::Among;
            of(has_number(number, text) || counted.as_ref().is_some_and(is_among), false)
        }
        NameKind::Counted(one) => match place_in(one, text, analyzer) {
            Place::Among => Says::It,
            Place::Others => Says::Others,
            Place::Nowhere => Says::Nothing,
        },
        NameKind::Telephone(digits) => of(has_telephone(digits, text), false),
        NameKind::Weekday(day) => {
            let days = weekdays(text);
            of(days.contains(day), !days.is_empty())
        }
        NameKind::Day(day) => {
            let all = periods(text);
            of(all.iter().any(|period| period.has(day)), !all.is_empty())
        }
        NameKind::Month(month) => {
            let all = months(text);
            of(all.contains(month), !all.is_empty())
        }
        NameKind::Years(first, last) => {
            let all = years(text);
            let has = |(from, to): &(u16, u16)| from <= first && last <= to;
            of(all.iter().any(has), !all.is_empty())
        }
        NameKind::Level(wanted) => {
            let all: Vec<[bool; 3]> = words(text).iter().filter_map(levels_of).collect();
            let is_meant = |own: &[bool; 3]| own.iter().zip(wanted).any(|(own, it)| *own && *it);
            of(all.iter().any(is_meant), !all.is_empty())
        }
        NameKind::Proper(terms) => {
            let held = term_set(text, analyzer);
            of(terms.iter().all(|term| is_held(term, &held, analyzer)), false)
        }
    }
}

fn of(has_it: bool, has_others: bool) -> Says {
    match (has_it, has_others) {
        (true, _) => Says::It,
        (false, true) => Says::Others,
        (false, false) => Says::Nothing,
    }
}

/// The letters and digits of a code alone, folded: `CS-101` and `cs 101` are `cs101`.
pub(super) fn compact(code: &str) -> String {
    fold(code).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// The letters of a code and the number of its digits.
struct Make {
    letters: String,
    digits: usize,
}

fn make_of(code: &str) -> Make {
    let letters: String = code.chars().filter(|letter| !letter.is_numeric()).collect();
    let digits = code.chars().count() - letters.chars().count();
    Make { letters, digits }
}

fn code_in(code: &str, text: &str, analyzer: &Analyzer) -> Says {
    let mut has_others = false;
    for literal in literals(text, analyzer.language()) {
        // `15213` is a number, and the same as `15-213`.
        let is_code = literal.kind == LiteralKind::Code;
        let own = matches!(literal.kind, LiteralKind::Code | LiteralKind::Number)
            .then(|| literal.span.slice(text).map(compact))
            .flatten();
        if own.is_some_and(|own| own == code) {
            return Says::It;
        }
        has_others |= is_code;
    }
    of(term_set(text, analyzer).contains(code), has_others)
}

/// Returns `true` if a text has a number as the name of something: after a noun that is numbered, at the start of a line, in
/// brackets, or any that can't be a count (`3.114`, `B12`).
fn has_number(number: &str, text: &str) -> bool {
    let is_count = number.bytes().all(|byte| byte.is_ascii_digit());
    let all = words(text);
    all.iter().enumerate().filter(|(_, word)| word.lower == *number).any(|(place, word)| {
        let before = text.get(..word.span.start as usize).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or(before);
        let noun = place.checked_sub(1).and_then(|before| all.get(before));
        let behind = text.get(word.span.end as usize..).unwrap_or_default();
        !is_count
            || (before.ends_with('(') && behind.starts_with(')'))
            || line.trim().chars().all(|sign| !sign.is_alphanumeric())
            || before.trim_end().ends_with(['§', '№', '#'])
            || noun.is_some_and(|noun| noun.is_one_of(names::NUMBERED))
    })
}

/// Returns `true` if a sign may be between two digits of a telephone.
pub(super) fn joins_digits(sign: char) -> bool {
    matches!(sign, ' ' | '-' | '–' | '/' | '(' | ')' | '+' | '.')
}

fn has_telephone(digits: &str, text: &str) -> bool {
    let end = digits.get(digits.len().saturating_sub(TELEPHONE_END)..).unwrap_or(digits);
    let mut run = String::new();
    for sign in text.chars().chain(['\n']) {
        if sign.is_ascii_digit() {
            run.push(sign);
        } else if !joins_digits(sign) {
            if run.contains(end) {
                return true;
            }
            run.clear();
        }
    }
    false
}

/// The days of the week that a text names, also those between two: `Monday to Friday`.
fn weekdays(text: &str) -> BTreeSet<u8> {
    let all = words(text);
    let mut days = BTreeSet::new();
    let groups = [(names::WORKING_DAYS, 1..=5), (names::WEEKEND, 6..=7), (names::EVERY_DAY, 1..=7)];
    for (phrases, group) in groups {
        if has_one_of(&all, phrases) {
            days.extend(group);
        }
    }
    let mut before: Option<(u8, &Word)> = None;
    for word in &all {
        let day = weekday_of(word, text);
        let Some(day) = day else { continue };
        days.insert(day);
        if let Some((first, left)) = before
            && is_range(text, left, word)
        {
            days.extend(around(first, day, 7));
        }
        before = Some((day, word));
    }
    days
}

/// A day of the week; `Mondays` too, and cut short only with a capital.
pub(super) fn weekday_of(word: &Word, text: &str) -> Option<u8> {
    let written = word.span.slice(text)?;
    let is_short = written.chars().count() <= 3;
    let every = || {
        let folded = fold(&word.lower);
        let row = calendar::WEEKLY.iter().position(|row| row.contains(&folded))?;
        u8::try_from(row + 1).ok()
    };
    let day = weekday(&word.lower).or_else(every)?;
    (!is_short || written.starts_with(char::is_uppercase)).then_some(day)
}

/// The months that a text names, also those between two days or two months: `from May to July`.
fn months(text: &str) -> BTreeSet<u8> {
    let spans = periods(text).into_iter().map(|period| period.months());
    let mut found: BTreeSet<u8> = spans.flat_map(|(first, last)| around(first, last, 12)).collect();
    let mut before: Option<(u8, Word)> = None;
    for word in words(text) {
        let Some(month) = month_of(&word, text) else { continue };
        found.insert(month);
        if let Some((first, left)) = &before
            && is_range(text, left, &word)
        {
            found.extend(around(*first, month, 12));
        }
        before = Some((month, word));
    }
    found
}

/// A month by its name. `may` and `march` in small letters, and at the beginning of a sentence, are words as well.
pub(super) fn month_of(word: &Word, text: &str) -> Option<u8> {
    let month = campanile_language::month(&word.lower)?;
    let written = word.span.slice(text)?;
    let before = text.get(..word.span.start as usize).unwrap_or_default().trim_end();
    let begins = before.is_empty() || before.ends_with(['.', '!', '?', ':']);
    let is_plain = written.chars().count() >= 4 && word.lower != "march";
    let has_capital = written.starts_with(char::is_uppercase);
    (is_plain || (has_capital && !begins)).then_some(month)
}

/// The numbers from the first to the last of so many in a circle: days over the end of the week, months over the end of
/// the year.
fn around(first: u8, last: u8, of: u8) -> Vec<u8> {
    let mut all = vec![first];
    let mut next = first;
    while next != last && all.len() < usize::from(of) {
        next = next % of + 1;
        all.push(next);
    }
    all
}

/// Returns `true` if the text between two words makes a span of them: `to`, a dash.
fn is_range(text: &str, left: &Word, right: &Word) -> bool {
    let gap = text.get(left.span.end as usize..right.span.start as usize).unwrap_or_default();
    joins_range(gap.trim().trim_start_matches('.').trim())
}

/// Returns `true` if a text between two days, months or years makes a span of them.
fn joins_range(gap: &str) -> bool {
    matches!(gap, "-" | "–" | "—") || calendar::RANGES.contains(&gap.to_lowercase())
}

/// The years that a text names, each with the last of its study year or its span.
fn years(text: &str) -> Vec<(u16, u16)> {
    let mut found: Vec<(u16, u16)> = Vec::new();
    let mut at = 0;
    let mut end = None;
    while let Some((first, last, span)) = years_at(text, at) {
        let gap =
            end.and_then(|end: usize| text.get(end..span.start as usize)).unwrap_or("?").trim();
        match found.last_mut() {
            // `2024 to 2027`
            Some(before) if joins_range(gap) => {
                before.1 = before.1.max(last);
            }
            _ => found.push((first, last)),
        }
        at = span.end as usize;
        end = Some(at);
    }
    found
}

/// The first year from a byte on: four digits by themselves, with the second year of a study year (`2026/27`).
pub(super) fn years_at(text: &str, from: usize) -> Option<(u16, u16, Span)> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let number = |at: usize, digits: usize| {
        let own = text.get(at..at + digits)?;
        let is_whole = own.bytes().all(|byte| byte.is_ascii_digit()) && !is_digit(at + digits);
        is_whole.then(|| own.parse::<u16>().ok())?
    };
    let joins = |at: usize| {
        let behind = text.get(at..).unwrap_or_default();
        behind.starts_with(['-', '.', ',', ':']) && is_digit(at + 1)
    };
    for (at, _) in text.char_indices().skip_while(|(at, _)| *at < from) {
        let begins = at == 0
            || !text[..at].ends_with(|sign: char| {
                sign.is_alphanumeric() || matches!(sign, '.' | ',' | '-' | '§')
            });
        let Some(year) = number(at, 4).filter(|year| begins && (1900..2100).contains(year)) else {
            continue;
        };
        let end = at + 4;
        let second = [2, 4].into_iter().find_map(|digits| {
            let is_joined = matches!(bytes.get(end), Some(b'/' | b'-'));
            let second = number(end + 1, digits).filter(|_| is_joined)?;
            let is_next = second % 100 == (year + 1) % 100;
            is_next.then_some(end + 1 + digits)
        });
        let end = second.unwrap_or(end);
        if (second.is_none() && joins(end)) || text[end..].starts_with(char::is_alphabetic) {
            continue;
        }
        let last = if second.is_some() { year + 1 } else { year };
        return Some((year, last, Span::from_range(at..end)));
    }
    None
}

/// The levels that a word may mean.
pub(super) fn levels_of(word: &Word) -> Option<[bool; 3]> {
    let folded = fold(&word.lower);
    let levels = names::LEVELS.map(|row| row.contains(&folded));
    levels.contains(&true).then_some(levels)
}
