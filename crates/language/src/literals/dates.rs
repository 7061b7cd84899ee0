//! Dates, in words and in digits.

use std::fmt;

use crate::{Language, calendar};

use super::numbers::ordinal;
use super::pieces::{Kind, Piece, first_pieces};

/// A day, or a month: at least one of `day` and `year` is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: Option<u32>,
    /// 1 to 12.
    month: u32,
    /// 1 to 31.
    day: Option<u32>,
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(year) = self.year {
            write!(formatter, "{year:04}-")?;
        }
        write!(formatter, "{:02}", self.month)?;
        self.day.map_or(Ok(()), |day| write!(formatter, "-{day:02}"))
    }
}

impl Date {
    /// The year, where it is said.
    pub fn year(&self) -> Option<u32> {
        self.year
    }

    /// 1 to 12, and 1 to 31, where the day is said.
    pub fn month_and_day(&self) -> (u32, Option<u32>) {
        (self.month, self.day)
    }

    /// Returns the spellings of the date in a language, with its year and without.
    pub fn spellings(&self, language: Language) -> Vec<String> {
        let named = if language == Language::None { Language::default() } else { language };
        let name = calendar::months(named)[self.month as usize - 1].first();
        let (day_first, stop) =
            (!named.has_month_first(), if named.has_day_stop() { "." } else { "" });
        let days = match self.day {
            Some(day) if day_first => vec![format!("{day}{stop} {name}")],
            Some(day) => vec![format!("{day}{stop} {name}"), format!("{name} {day}")],
            None => vec![name.to_owned()],
        };
        let Some(year) = self.year else { return days };
        let mut all: Vec<String> = days.iter().map(|days| format!("{days} {year}")).collect();
        if let Some(day) = self.day {
            let month = self.month;
            all.push(format!("{year}-{month:02}-{day:02}"));
            all.push(match day_first {
                true => format!("{day}.{month}.{year}"),
                false => format!("{name} {day}, {year}"),
            });
        }
        all
    }

    fn new(year: Option<u32>, month: u32, day: Option<u32>) -> Option<Self> {
        // Any month may have 31 days here: whether a day exists is not for the text about a source to decide.
        let exists = (1..=12).contains(&month)
            && day.is_none_or(|day| (1..=31).contains(&day))
            && (day.is_some() || year.is_some());
        exists.then_some(Self { year, month, day })
    }

    /// Returns `true` if all that this date says is said by `other` too: `3 May` by `3 May 2024`.
    pub fn is_said_by(&self, other: &Self) -> bool {
        self.month == other.month
            && self.day.is_none_or(|day| other.day == Some(day))
            && self.year.is_none_or(|year| other.year == Some(year))
    }
}

/// The date with which the pieces begin, and how many of them it takes.
pub fn date(pieces: &[Piece<'_>], language: Language) -> Option<(Date, usize)> {
    dotted(pieces)
        .or_else(|| separated(pieces, language))
        .or_else(|| day_first(pieces))
        .or_else(|| month_first(pieces))
}

/// The date with which a text begins, and the bytes that it takes.
pub fn date_at_start(text: &str, language: Language) -> Option<(Date, usize)> {
    // The longest has a day, a full stop, `of`, a month, a comma and a year.
    const MOST_PIECES: usize = 6;
    let pieces = first_pieces(text, MOST_PIECES);
    let (date, taken) = date(&pieces, language)?;
    Some((date, pieces.get(taken - 1)?.end))
}

/// The ways in which the days of one month may be joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// `4–10 December`, `4 to 10 December`
    ByRange,
    /// `4, 6 and 10 December` as well, which may also be a four and a date.
    ByList,
}

impl Joined {
    /// Returns the number of pieces that join.
    fn length(self, pieces: &[Piece<'_>]) -> Option<usize> {
        let first = pieces.first()?;
        let is_range = ['-', '–', '—'].iter().any(|mark| first.is_mark(*mark))
            || calendar::RANGES.contains(first.text);
        let is_list = calendar::DAY_LISTS.contains(first.text)
            || [',', '/', '&'].iter().any(|mark| first.is_mark(*mark));
        match (is_range, self) {
            (true, _) => Some(1),
            (false, Self::ByList) if is_list => Some(1),
            _ => None,
        }
    }
}

/// `June 28.5`, `June 2,007`: a month whose day goes on as no day does, which would hide it.
pub fn day_in_number(pieces: &[Piece<'_>]) -> Option<(Date, usize)> {
    let [name, number, ..] = pieces else { return None };
    let (day, _) = number.text.split_once(['.', ',']).filter(|_| number.kind == Kind::Number)?;
    Some((Date::new(None, month(name)?, Some(small(day)?))?, 2))
}

/// The first day of several that have their month behind the last, and how many pieces all take.
pub fn day_before_others(pieces: &[Piece<'_>], joined: Joined) -> Option<(Date, usize)> {
    let day = day(pieces.first()?)?;
    let mut place = 1 + usize::from(pieces.get(1).is_some_and(|piece| piece.is_mark('.')));
    place += joined.length(pieces.get(place..)?)?;
    let rest = pieces.get(place..)?;
    let (last, length) = day_first(rest).or_else(|| match joined {
        Joined::ByList => day_before_others(rest, joined),
        Joined::ByRange => None,
    })?;
    Some((Date { day: Some(day), ..last }, place + length))
}

/// A further day behind a date that began with its month, and how many pieces it takes.
pub fn day_after_others(
    date: &Date,
    pieces: &[Piece<'_>],
    joined: Joined,
) -> Option<(Date, usize)> {
    let place = joined.length(pieces)?;
    let rest = pieces.get(place..)?;
    // A year ends the list: in `May 4, 2024 and 6 June` the six is of another month.
    let day = day(rest.first()?).filter(|_| date.day.is_some() && date.year.is_none())?;
    if day_first(rest).is_some() {
        return None;
    }
    let (year, length) = year_after(rest, 1);
    Some((Date { year, day: Some(day), ..*date }, place + length))
}

/// `03.05.2024`
fn dotted(pieces: &[Piece<'_>]) -> Option<(Date, usize)> {
    let first = pieces.first().filter(|piece| piece.kind == Kind::Number)?;
    let [day, month, year] = first.text.split('.').collect::<Vec<_>>().try_into().ok()?;
    Some((Date::new(Some(whole_year(year)?), small(month)?, Some(small(day)?))?, 1))
}

/// `2024-05-03`, and `5/3/2024` with the month first in English unless it can be no month.
fn separated(pieces: &[Piece<'_>], language: Language) -> Option<(Date, usize)> {
    let [a, mark, b, other, c, ..] = pieces else { return None };
    let touch = a.touches(mark) && mark.touches(b) && b.touches(other) && other.touches(c);
    let both = |sign| mark.is_mark(sign) && other.is_mark(sign);
    if !touch {
        return None;
    }
    let date = if both('-') {
        Date::new(Some(whole_year(a.text)?), small(b.text)?, Some(small(c.text)?))
    } else if both('/') {
        let (a, b, year) = (small(a.text)?, small(b.text)?, whole_year(c.text)?);
        let month_first = language.has_month_first() && a <= 12;
        let (month, day) = if month_first { (a, b) } else { (b, a) };
        Date::new(Some(year), month, Some(day))
    } else {
        None
    };
    date.map(|date| (date, 5))
}

/// `3 May 2024`, `3rd of May`, `3. Mai 2024`
fn day_first(pieces: &[Piece<'_>]) -> Option<(Date, usize)> {
    let day = day(pieces.first()?)?;
    let mut place = 1;
    place += usize::from(pieces.get(place).is_some_and(|piece| piece.is_mark('.')));
    place += usize::from(
        pieces.get(place).is_some_and(|piece| calendar::BEHIND_DAY.contains(piece.text)),
    );
    let month = month(pieces.get(place)?)?;
    let (year, length) = year_after(pieces, place + 1);
    Some((Date::new(year, month, Some(day))?, length))
}

/// `May 3, 2024`, `May 3rd`, `May 2024`
fn month_first(pieces: &[Piece<'_>]) -> Option<(Date, usize)> {
    let month = month(pieces.first()?)?;
    let after = 1 + usize::from(pieces.get(1).is_some_and(|piece| piece.is_mark('.')));
    if let Some(day) = pieces.get(after).and_then(day) {
        let (year, length) = year_after(pieces, after + 1);
        return Some((Date::new(year, month, Some(day))?, length));
    }
    let (year, length) = year_after(pieces, after);
    Some((Date::new(Some(year?), month, None)?, length))
}

/// The year that begins at a place, behind a comma or a full stop or not, and the place behind it;
/// without a year the place itself.
fn year_after(pieces: &[Piece<'_>], place: usize) -> (Option<u32>, usize) {
    let comma = pieces.get(place).is_some_and(|piece| piece.is_mark(',') || piece.is_mark('.'));
    let at = place + usize::from(comma);
    let year = pieces.get(at).filter(|piece| piece.kind == Kind::Number);
    match year.and_then(|piece| whole_year(piece.text)) {
        Some(year) => (Some(year), at + 1),
        None => (None, place),
    }
}

fn day(piece: &Piece<'_>) -> Option<u32> {
    let digits = if piece.kind == Kind::Number { piece.text } else { ordinal(piece.text)? };
    small(digits).filter(|day| (1..=31).contains(day))
}

/// Months have a capital: `may` is a verb.
fn month(piece: &Piece<'_>) -> Option<u32> {
    // Asked before the word is folded: most words have no capital, and each is asked.
    if piece.kind != Kind::Word || !piece.text.starts_with(char::is_uppercase) {
        return None;
    }
    crate::month(piece.text).map(u32::from)
}

/// One or two digits.
fn small(digits: &str) -> Option<u32> {
    ((1..=2).contains(&digits.len())).then(|| digits.parse().ok()).flatten()
}

/// Four digits.
fn whole_year(digits: &str) -> Option<u32> {
    (digits.len() == 4).then(|| digits.parse().ok()).flatten()
}
