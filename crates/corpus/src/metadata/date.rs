//! A day of the calendar, without a clock ("today" is always handed in), and the days on which a document holds.

use std::fmt;
use std::str::FromStr;

use jiff_core::civil::{self, UnixEpochDay};
use serde::{Deserialize, Serialize};

use super::lists::means_everybody;

/// Days of a mean Gregorian year.
// The mean over 400 years, so that a leap day does not make a document older.
const DAYS_PER_YEAR: f64 = 365.2425;

/// A day of the Gregorian calendar, from 0001-01-01 to 9999-12-31. Earlier days are smaller.
///
/// Written and stored as ISO 8601 has it (`2026-03-31`), and always a day that exists.
///
/// ```
/// use campanile_corpus::metadata::Date;
///
/// let start: Date = "2024-10-01".parse()?;
/// assert!(start < "2025-03-31".parse()?);
/// assert!("2023-02-29".parse::<Date>().is_err());
/// # Ok::<(), campanile_corpus::metadata::NotADate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date(civil::Date);

/// Text that is no day of the calendar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is no date: write year, month and day, as in 2026-03-31")]
pub struct NotADate {
    found: String,
}

impl Date {
    /// The day, if it exists.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let (year, month, day) =
            (year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?);
        Self::within_years(civil::Date::new(year, month, day).ok()?)
    }

    /// The day that lies `days` after 1970-01-01 in UTC; `None` outside the years 1 to 9999.
    pub fn from_unix_days(days: i64) -> Option<Self> {
        Self::within_years(UnixEpochDay::new(days.try_into().ok()?).ok()?.to_date())
    }

    // The library also counts 10,000 years before the first.
    fn within_years(date: civil::Date) -> Option<Self> {
        (date.year() >= 1).then_some(Self(date))
    }

    /// Days since 1970-01-01; negative before.
    pub fn unix_days(self) -> i64 {
        self.0.to_unix_epoch_day().day().into()
    }

    /// The day that lies `days` later, or earlier if they are negative; `None` outside the years 1 to 9999.
    pub fn plus_days(self, days: i64) -> Option<Self> {
        Self::from_unix_days(self.unix_days().checked_add(days)?)
    }

    /// The year, 1 to 9999.
    pub fn year(self) -> u16 {
        self.0.year().unsigned_abs()
    }

    /// The month, 1 to 12.
    pub fn month(self) -> u8 {
        self.0.month().unsigned_abs()
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> u8 {
        self.0.day().unsigned_abs()
    }

    /// The day of the week, 0 for Monday.
    pub fn weekday(self) -> usize {
        usize::from(self.0.weekday().to_monday_zero_offset().unsigned_abs())
    }

    /// Years from `earlier` to this day, with their fraction; negative if `earlier` is later.
    pub(crate) fn years_since(self, earlier: Self) -> f64 {
        (self.unix_days() - earlier.unix_days()) as f64 / DAYS_PER_YEAR
    }

    /// The day at the beginning of a text: a date alone, or a date and a time (`2026-03-31T12:00`,
    /// `2026-03-31 12:00:00 +0200`). The day is taken as it is written, in whatever zone.
    pub(crate) fn of_timestamp(text: &str) -> Option<Self> {
        let text = text.trim();
        let (date, rest) = text.split_at_checked(10)?;
        // Something has to follow the T, or `2026-03-31T` would be a date.
        let is_time = rest.is_empty() || rest.starts_with(['T', 't', ' ']) && rest.len() > 1;
        is_time.then(|| date.parse().ok())?
    }
}

impl FromStr for Date {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let not_a_date = || NotADate { found: text.to_owned() };
        let parts: Vec<&str> = text.split('-').collect();
        let &[year, month, day] = parts.as_slice() else {
            return Err(not_a_date());
        };
        let number = |part: &str, digits: usize| {
            let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse::<u16>().ok()).flatten()
        };
        let small = |part| number(part, 2).and_then(|number| u8::try_from(number).ok());
        number(year, 4)
            .zip(small(month))
            .zip(small(day))
            .and_then(|((year, month), day)| Self::new(year, month, day))
            .ok_or_else(not_a_date)
    }
}

impl TryFrom<String> for Date {
    type Error = NotADate;

    fn try_from(text: String) -> Result<Self, NotADate> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> Self {
        date.to_string()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year(), self.month(), self.day())
    }
}

/// A text's statement on one end: nothing, that it is open, or its day.
type Stated = Option<Option<Date>>;

/// The days on which a document holds, both ends included; an end that is not given is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validity {
    /// The first day.
    pub from: Option<Date>,
    /// The last day.
    pub until: Option<Date>,
}

/// The place of a day, seen from a validity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeliness {
    /// The document holds on this day.
    Valid,
    /// It holds from a later day on.
    NotYet {
        /// Its first day.
        from: Date,
    },
    /// It held until an earlier day.
    Expired {
        /// Its last day.
        until: Date,
    },
}

impl Validity {
    /// Tells if the document holds on a day, or what keeps it from doing so.
    pub fn on(&self, day: Date) -> Timeliness {
        match (self.from, self.until) {
            (_, Some(until)) if until < day => Timeliness::Expired { until },
            (Some(from), _) if day < from => Timeliness::NotYet { from },
            _ => Timeliness::Valid,
        }
    }

    /// Both ends of a period as people write it; the outer `None` is an end of which nothing is
    /// said, the inner one an end that is said to be open.
    ///
    /// Understood are `2024-10-01/2025-03-31` (with `..` or nothing for an open end), the same with
    /// a dash or `to` between, `from 2024-10-01`, `until 2025-03-31` and `*`.
    pub(crate) fn read_ends(text: &str) -> Option<(Stated, Stated)> {
        let text = text.trim();
        if means_everybody(text) {
            return Some((Some(None), Some(None)));
        }
        let prefixed = |words: &[&str]| words.iter().find_map(|word| text.strip_prefix(word));
        if let Some(until) = prefixed(&["until ", "Until ", "up to "]) {
            return Some((None, Some(Some(until.trim().parse().ok()?))));
        }
        if let Some(from) = prefixed(&["from ", "From ", "since ", "Since "])
            && let Ok(from) = from.trim().parse()
        {
            return Some((Some(Some(from)), None));
        }
        let text = prefixed(&["from ", "From "]).unwrap_or(text);
        let (from, until) = ["/", " to ", " until ", " - ", "–", "—"]
            .into_iter()
            .find_map(|between| text.split_once(between))?;
        let (from, until) = (end(from)?, end(until)?);
        (from.is_some() || until.is_some()).then_some((Some(from), Some(until)))
    }
}

fn end(text: &str) -> Option<Option<Date>> {
    let text = text.trim();
    if matches!(text, "" | "..") {
        return Some(None);
    }
    text.parse().ok().map(Some)
}
