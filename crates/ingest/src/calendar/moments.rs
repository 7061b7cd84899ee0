//! Days, times and durations, in words.

use std::fmt;

use campanile_corpus::metadata;
use campanile_language::{Language, calendar};

use super::components::Property;

/// A day, which a sentence names in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date(metadata::Date);

/// The name of a day of the week, from 0 for Monday: what a calendar says is written in English.
pub(super) fn weekday_name(place: usize) -> &'static str {
    calendar::weekdays(Language::English).get(place).map_or("", |day| day.first())
}

/// The name of a month, from 0 for January.
pub(super) fn month_name(place: usize) -> &'static str {
    calendar::months(Language::English).get(place).map_or("", |month| month.first())
}

impl Date {
    /// `20261012`, if there is such a day.
    fn of(text: &str) -> Option<Self> {
        let (year, month, day) = (text.get(..4)?, text.get(4..6)?, text.get(6..)?);
        format!("{year}-{month}-{day}").parse().ok().map(Self)
    }

    /// The day `days` later, unless it lies beyond the calendar's years.
    pub(super) fn plus(self, days: i64) -> Option<Self> {
        self.0.plus_days(days).map(Self)
    }

    /// Days from `earlier` to this one.
    pub(super) fn days_since(self, earlier: Self) -> i64 {
        self.0.unix_days() - earlier.0.unix_days()
    }

    /// Year, month and day.
    pub(super) fn numbers(self) -> (i16, i8, i8) {
        let small = |number: u8| i8::try_from(number).unwrap_or(i8::MAX);
        let year = i16::try_from(self.0.year()).unwrap_or(i16::MAX);
        (year, small(self.0.month()), small(self.0.day()))
    }

    /// The day of the month.
    pub(super) fn day(self) -> u8 {
        self.0.day()
    }

    /// 0 for Monday.
    pub(super) fn weekday(self) -> usize {
        self.0.weekday()
    }

    pub(super) fn weekday_name(self) -> &'static str {
        weekday_name(self.weekday())
    }

    pub(super) fn month_name(self) -> &'static str {
        month_name(usize::from(self.0.month()) - 1)
    }

    /// `October 2026`
    pub(super) fn month(self) -> String {
        format!("{} {}", self.month_name(), self.0.year())
    }

    /// `12 October 2026`
    pub(super) fn short(self) -> String {
        format!("{} {}", self.day(), self.month())
    }
}

/// `Monday, 12 October 2026`
impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}, {}", self.weekday_name(), self.short())
    }
}

/// A date, or a time on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) date: Date,
    /// Minutes since midnight; none for the whole day.
    pub(super) minutes: Option<u32>,
    /// The zone as the calendar names it; none for the time of the place.
    pub(super) zone: Option<String>,
}

/// The regions that names of time zones begin with.
const REGIONS: &[&str] = &[
    "Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/", "Australia/", "Etc/",
    "Europe/", "Indian/", "Pacific/",
];

impl Moment {
    /// The first moment of a property's value.
    pub(super) fn of(property: &Property<'_>) -> Option<Self> {
        Self::all(property).into_iter().next()
    }

    /// All moments of a list of them; of a period its beginning.
    pub(super) fn all(property: &Property<'_>) -> Vec<Self> {
        let zone = property.parameter("TZID").map(zone_name);
        let values = property.value.split(',').filter_map(|value| {
            let begin = value.split('/').next().unwrap_or(value);
            Self::parsed(begin.trim(), zone.clone())
        });
        values.collect()
    }

    /// All moments of a list, each with its end where it is a period with one.
    pub(super) fn periods(property: &Property<'_>) -> Vec<(Self, Option<Self>)> {
        let zone = property.parameter("TZID").map(zone_name);
        let values = property.value.split(',').filter_map(|value| {
            let (begin, end) = value.split_once('/').unwrap_or((value, ""));
            let begin = Self::parsed(begin.trim(), zone.clone())?;
            let end = match duration_minutes(end) {
                Some(minutes) => begin.plus_minutes(minutes),
                None => Self::parsed(end.trim(), zone.clone()),
            };
            Some((begin, end))
        });
        values.collect()
    }

    /// `20261012`, `20261012T0900`, `20261012T090000Z`
    pub(super) fn parsed(text: &str, zone: Option<String>) -> Option<Self> {
        // Some programs write dates with hyphens and times with colons.
        let plain: String = text.chars().filter(|c| !matches!(c, '-' | ':')).collect();
        let is_utc = plain.ends_with(['Z', 'z']);
        let plain = plain.trim_end_matches(['Z', 'z']);
        let (date, time) = match plain.split_once(['T', 't', ' ']) {
            Some((date, time)) => (date, Some(time)),
            None => (plain, None),
        };
        let date = Date::of(date)?;
        let minutes = match time {
            Some(time) => {
                let number = |from: usize, to: usize| time.get(from..to)?.parse::<u32>().ok();
                let (hour, minute) = (number(0, 2)?, number(2, 4)?);
                // 24:00 is the end of a day (ISO 8601).
                if hour > 24 || minute > 59 {
                    return None;
                }
                Some(hour * 60 + minute)
            }
            None => None,
        };
        // A whole day lies in no zone: it is the same day for whoever reads it.
        let zone = if is_utc { Some("UTC".to_owned()) } else { zone };
        Some(Self { date, minutes, zone: zone.filter(|_| minutes.is_some()) })
    }

    pub(super) fn plus_minutes(&self, minutes: i64) -> Option<Self> {
        let total = i64::from(self.minutes.unwrap_or(0)).saturating_add(minutes);
        let date = self.date.plus(total.div_euclid(24 * 60))?;
        let rest = u32::try_from(total.rem_euclid(24 * 60)).unwrap_or(0);
        Some(Self { date, minutes: self.minutes.map(|_| rest), zone: self.zone.clone() })
    }

    /// `09:00`
    pub(super) fn time(&self) -> Option<String> {
        self.minutes.map(|minutes| format!("{:02}:{:02}", minutes / 60, minutes % 60))
    }

    /// ` (Europe/Berlin)`
    pub(super) fn zone_note(&self) -> String {
        self.zone.as_ref().map_or_else(String::new, |zone| format!(" ({zone})"))
    }

    /// The moment whole: `Monday, 12 October 2026, 09:00 (UTC)`.
    pub(super) fn whole(&self) -> String {
        match self.time() {
            Some(time) => format!("{}, {time}{}", self.date, self.zone_note()),
            None => self.date.to_string(),
        }
    }
}

/// A zone by its common name: `/mozilla.org/20050126_1/Europe/Berlin` is `Europe/Berlin`.
pub(super) fn zone_name(name: &str) -> String {
    let name = name.trim();
    let start = REGIONS.iter().filter_map(|region| name.find(region)).min();
    start.map_or(name, |start| &name[start..]).to_owned()
}

/// The days from one moment to the next, and the times, in words.
pub(super) fn range(start: &Moment, end: Option<&Moment>) -> String {
    let is_elsewhere = |end: &&Moment| end.zone != start.zone;
    let is_later = |end: &&Moment| (end.date, end.minutes) > (start.date, start.minutes);
    let Some(end) = end.filter(|end| is_elsewhere(end) || is_later(end)) else {
        return start.whole();
    };
    match (start.time(), end.time()) {
        (Some(_), Some(to)) if start.date == end.date && start.zone != end.zone => {
            format!("{} to {to}{}", start.whole(), end.zone_note())
        }
        (Some(from), Some(to)) if start.date == end.date => {
            format!("{}, {from} to {to}{}", start.date, start.zone_note())
        }
        (Some(from), Some(to)) if start.zone == end.zone => {
            format!("{}, {from} to {}, {to}{}", start.date, end.date, start.zone_note())
        }
        _ => format!("{} to {}", start.whole(), end.whole()),
    }
}

/// The duration in minutes, at most a hundred years.
pub(super) fn duration_minutes(text: &str) -> Option<i64> {
    const MOST: i64 = 100 * 366 * 24 * 60;
    let rest = text.trim().trim_start_matches('+').strip_prefix(['P', 'p'])?;
    let mut total: i64 = 0;
    let mut number: i64 = 0;
    for character in rest.chars() {
        let unit = match character.to_ascii_uppercase() {
            'T' => continue,
            'W' => 7 * 24 * 60,
            'D' => 24 * 60,
            'H' => 60,
            'M' => 1,
            'S' => 0,
            digit => {
                number = (number * 10 + i64::from(digit.to_digit(10)?)).min(MOST);
                continue;
            }
        };
        total = total.saturating_add(number.saturating_mul(unit)).min(MOST);
        number = 0;
    }
    Some(total)
}
