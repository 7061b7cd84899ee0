//! The times at which an event happens again, and those at which it does not: rules of recurrence (`RRULE`)
//! in words.

use std::collections::BTreeSet;

use super::components::Component;
use super::moments::{Date, Moment, month_name, weekday_name};
use super::zones::Zones;
use crate::numbers::NumberFormat;

/// More dates than this are counted rather than named.
const MOST_DATES: usize = 40;

/// A change to one occurrence of a series, or to it and all later ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) replaced: Moment,
    /// The time at which it happens instead; none for one that was cancelled.
    pub(super) to: Option<Moment>,
    /// It holds for all later ones too.
    pub(super) is_onward: bool,
}

/// A part of a series, from one change of all that follows to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// The event that states the rules.
    pub(super) series: &'a Component<'a>,
    /// The first time of the series, and of this part.
    pub(super) series_start: &'a Moment,
    pub(super) start: &'a Moment,
    /// How many minutes each takes, if that is known.
    pub(super) minutes: Option<i64>,
    /// The days of the series that belong to it: from one up to another.
    pub(super) from: Option<Date>,
    pub(super) before: Option<Date>,
    pub(super) changes: &'a [Change],
    pub(super) zones: &'a Zones,
}

impl Part<'_> {
    fn holds(&self, date: Date) -> bool {
        self.from.is_none_or(|from| date >= from) && self.before.is_none_or(|end| date < end)
    }

    /// A moment of the series in its own zone.
    fn beside(&self, moment: &Moment) -> Moment {
        self.zones.beside(moment.clone(), self.series_start)
    }
}

/// All of it in words, or `None` for an event that happens once.
pub(super) fn recurrence(part: Part<'_>) -> Option<String> {
    let mut words = String::new();
    for property in part.series.all("RRULE") {
        let rule = Rule::of(property.value);
        if !words.is_empty() {
            words.push_str(", and ");
        }
        words.push_str(&rule.of_part(&part).words(part.start.date));
        words.push_str(&rule.end(&part));
    }
    let extra: Vec<(Moment, Option<Moment>)> = part
        .series
        .all("RDATE")
        .flat_map(Moment::periods)
        .map(|(begin, end)| (part.beside(&begin), end.map(|end| part.beside(&end))))
        .filter(|(begin, _)| part.holds(begin.date))
        .collect();
    if !extra.is_empty() {
        let also = if words.is_empty() { "also on " } else { ", also on " };
        words.extend([also, &times(&extra, &part)]);
    }
    if words.is_empty() {
        return None;
    }
    let single = || part.changes.iter().filter(|change| !change.is_onward);
    let excluded = part.series.all("EXDATE").flat_map(Moment::all);
    let not_at: Vec<Date> = excluded
        .chain(single().filter(|change| change.to.is_none()).map(|change| change.replaced.clone()))
        .map(|moment| part.beside(&moment).date)
        .filter(|date| part.holds(*date))
        .collect();
    if !not_at.is_empty() {
        words.extend([", except ", &dates(not_at)]);
    }
    let moved: Vec<String> = single()
        .filter_map(|change| {
            let replaced = part.beside(&change.replaced);
            let to = part.beside(change.to.as_ref()?);
            let is_elsewhen = (to.date, to.minutes) != (replaced.date, replaced.minutes);
            let is_told = is_elsewhen && part.holds(replaced.date);
            is_told.then(|| format!("{} moved to {}", replaced.date.short(), to.whole()))
        })
        .take(MOST_DATES)
        .collect();
    if !moved.is_empty() {
        words.extend(["; ", &moved.join(", ")]);
    }
    Some(words)
}

/// Further times in their order: the day alone where the time is that of the series.
fn times(extra: &[(Moment, Option<Moment>)], part: &Part<'_>) -> String {
    let mut extra: Vec<&(Moment, Option<Moment>)> = extra.iter().collect();
    extra.sort_by_key(|(begin, _)| (begin.date, begin.minutes));
    extra.dedup_by_key(|(begin, _)| (begin.date, begin.minutes));
    let more = extra.len().saturating_sub(MOST_DATES);
    let mut words: Vec<String> = extra
        .into_iter()
        .take(MOST_DATES)
        .map(|(begin, end)| {
            let end = end.clone().or_else(|| begin.plus_minutes(part.minutes?));
            let usual = part.minutes.and_then(|minutes| begin.plus_minutes(minutes));
            let is_usual = begin.minutes == part.start.minutes && end == usual;
            match (begin.time().filter(|_| !is_usual), end.and_then(|end| end.time())) {
                (Some(from), Some(to)) => format!("{}, {from} to {to}", begin.date.short()),
                (Some(from), None) => format!("{}, {from}", begin.date.short()),
                (None, _) => begin.date.short(),
            }
        })
        .collect();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    listed(&words)
}

/// Days in their order, each once.
fn dates(mut dates: Vec<Date>) -> String {
    dates.sort_unstable();
    dates.dedup();
    let more = dates.len().saturating_sub(MOST_DATES);
    let mut words: Vec<String> = dates.into_iter().take(MOST_DATES).map(Date::short).collect();
    if more > 0 {
        words.push(format!("{more} more"));
    }
    listed(&words)
}

/// Occurrences that are counted through to find the last one, and days looked at for that.
// Eleven years of daily events. A file may hold 20,000 such rules, and each is counted through.
const MOST_OCCURRENCES: u32 = 1_000;
const MOST_DAYS: i64 = 4_000;

/// The parts of a rule that are understood.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    frequency: String,
    interval: u32,
    count: Option<u32>,
    until: Option<Moment>,
    /// The position in the month or year, 0 for every one, and the weekday.
    days: Vec<(i32, usize)>,
    month_days: Vec<i32>,
    months: Vec<usize>,
    /// Which of the days in each month or year that the rest names; none for all of them.
    positions: Vec<i32>,
    /// The day on which a week begins.
    week_start: usize,
    /// Parts that are not.
    others: Vec<String>,
}

const CODES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

impl Rule {
    /// `FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270205`
    pub(super) fn of(text: &str) -> Self {
        let mut rule = Self { interval: 1, ..Self::default() };
        for part in text.split(';') {
            let Some((name, value)) = part.split_once('=') else {
                continue;
            };
            let value = value.trim().to_ascii_uppercase();
            let numbers =
                || value.split(',').filter_map(|number| number.trim().parse::<i32>().ok());
            match name.trim().to_ascii_uppercase().as_str() {
                "FREQ" => rule.frequency = value,
                "INTERVAL" => rule.interval = value.parse().unwrap_or(1).max(1),
                "COUNT" => rule.count = value.parse().ok(),
                "UNTIL" => rule.until = Moment::parsed(&value, None),
                "BYDAY" => rule.days = value.split(',').filter_map(day).collect(),
                "BYMONTHDAY" => rule.month_days = numbers().collect(),
                "BYMONTH" => {
                    rule.months =
                        numbers().filter_map(|month| usize::try_from(month - 1).ok()).collect()
                }
                "BYSETPOS" => rule.positions = numbers().collect(),
                // It does not change the words, but every second week can be another one.
                "WKST" => rule.week_start = day(&value).map_or(0, |(_, weekday)| weekday),
                name => rule.others.push(format!("{name}={value}")),
            }
        }
        rule
    }

    /// The times of the rule, without the end: `every second week on Monday and Wednesday`.
    pub(super) fn words(&self, start: Date) -> String {
        let mut words = self.frequency_words(start);
        if !self.months.is_empty() && self.frequency != "YEARLY" {
            words.push_str(&format!(" in {}", self.month_names()));
        }
        // In its own words rather than left out: without it the rule would name days on which nothing happens.
        if !self.others.is_empty() {
            words.push_str(&format!(" (rule: {})", self.others.join("; ")));
        }
        words
    }

    fn frequency_words(&self, start: Date) -> String {
        match self.frequency.as_str() {
            "DAILY" if !self.month_days.is_empty() => {
                format!("{} on {}", self.every("month"), self.day_of_month(start))
            }
            "DAILY" if self.days.is_empty() => self.every("day"),
            "DAILY" | "WEEKLY" => {
                let days = if self.days.is_empty() {
                    start.weekday_name().to_owned()
                } else {
                    listed(&self.weekdays())
                };
                match self.interval {
                    1 => format!("every {days}"),
                    _ => format!("{} on {days}", self.every("week")),
                }
            }
            "MONTHLY" => match self.weekdays_that_are() {
                Some(days) if self.interval == 1 => format!("on each {days}"),
                _ => format!("{} on {}", self.every("month"), self.day_of_month(start)),
            },
            "YEARLY" => {
                let months = if self.months.is_empty() {
                    start.month_name().to_owned()
                } else {
                    self.month_names()
                };
                // Without a month they are counted from the beginning of the year.
                let is_counted = self.days.iter().any(|(position, _)| *position != 0);
                if is_counted && self.months.is_empty() && self.month_days.is_empty() {
                    let days = listed(&self.weekdays());
                    return format!("{} on {days} of the year", self.every("year"));
                }
                match (self.days.is_empty(), self.month_days.as_slice()) {
                    (true, []) => format!("{} on {} {months}", self.every("year"), start.day()),
                    (true, days) => {
                        let days: Vec<String> = days.iter().map(i32::to_string).collect();
                        format!("{} on {} {months}", self.every("year"), listed(&days))
                    }
                    (false, _) => match self.weekdays_that_are() {
                        Some(days) => format!("{} on each {days} in {months}", self.every("year")),
                        None => {
                            format!(
                                "{} on {} in {months}",
                                self.every("year"),
                                self.day_of_month(start)
                            )
                        }
                    },
                }
            }
            "HOURLY" => self.every("hour"),
            "MINUTELY" => self.every("minute"),
            other => format!("again by the rule {other}"),
        }
    }

    /// Weekdays that have to be certain days of the month too, where no week of the month says the same: `Friday that is the 13th`.
    fn weekdays_that_are(&self) -> Option<String> {
        let is_plain =
            !self.days.is_empty() && self.days.iter().all(|(position, _)| *position == 0);
        let has_both = is_plain && !self.month_days.is_empty() && self.positions.is_empty();
        if !has_both || self.week_of_month().is_some() {
            return None;
        }
        let days = self.weekdays().join(" or ");
        let mut numbers = self.month_days.clone();
        numbers.sort_unstable();
        let is_range = numbers.len() > 2
            && numbers.first().is_some_and(|first| *first > 0)
            && numbers.windows(2).all(|pair| matches!(pair, [one, next] if one + 1 == *next));
        Some(match (numbers.first(), numbers.last()) {
            (Some(first), Some(last)) if is_range => {
                format!("{days} from the {} to the {}", nth(*first), nth(*last))
            }
            _ => {
                let numbers: Vec<String> =
                    numbers.iter().map(|number| format!("the {}", nth(*number))).collect();
                format!("{days} that is {}", numbers.join(" or "))
            }
        })
    }

    /// The week of the month whose seven days the rule names, as some programs write the first Monday: 1 for days 1 to 7, -1 for
    /// the last seven.
    fn week_of_month(&self) -> Option<i32> {
        let mut numbers = self.month_days.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let first = *numbers.first()?;
        let is_week = numbers.len() == 7 && numbers.last() == Some(&(first + 6));
        match first {
            1 | 8 | 15 | 22 if is_week => Some(first / 7 + 1),
            -7 if is_week => Some(-1),
            _ => None,
        }
    }

    /// `every day`, `every second week`, `every 3 months`
    fn every(&self, unit: &str) -> String {
        match self.interval {
            1 => format!("every {unit}"),
            2 => format!("every second {unit}"),
            interval => format!("every {interval} {unit}s"),
        }
    }

    fn weekdays(&self) -> Vec<String> {
        let name = |(position, day): &(i32, usize)| {
            let day = weekday_name(*day);
            if *position == 0 {
                day.to_owned()
            } else {
                format!("the {} {day}", ordinal(*position))
            }
        };
        self.days.iter().map(name).collect()
    }

    fn day_of_month(&self, start: Date) -> String {
        if !self.days.is_empty() {
            let days = self.weekdays();
            let is_plain = self.days.iter().all(|(position, _)| *position == 0);
            let weekdays: BTreeSet<usize> = self.days.iter().map(|(_, day)| *day).collect();
            let working: BTreeSet<usize> = (0..5).collect();
            // The last days of a month that a rule may name beside it say the same again.
            let week = || self.week_of_month().filter(|_| is_plain);
            let positions = if self.positions.is_empty() {
                Vec::from_iter(week())
            } else {
                self.positions.clone()
            };
            if positions.is_empty() {
                return listed(&days);
            }
            let positions: Vec<String> =
                positions.into_iter().map(|place| format!("the {}", ordinal(place))).collect();
            let what = match weekdays.len() {
                // All seven of them are just days.
                7 if is_plain => "day".to_owned(),
                _ if is_plain && weekdays == working => "working day (Monday to Friday)".to_owned(),
                _ => days.join(" or "),
            };
            return format!("{} {what}", listed(&positions));
        }
        let number = |day: &i32| match day {
            -1 => "the last day".to_owned(),
            day => format!("day {day}"),
        };
        if self.month_days.is_empty() {
            return format!("day {}", start.day());
        }
        listed(&self.month_days.iter().map(number).collect::<Vec<_>>())
    }

    fn month_names(&self) -> String {
        let names = self.months.iter().map(|month| month_name(*month).to_owned());
        listed(&names.filter(|name| !name.is_empty()).collect::<Vec<_>>())
    }

    /// The rule as it goes on from a change: on another day of the week, where the change is to one.
    fn of_part(&self, part: &Part<'_>) -> Self {
        let mut rule = self.clone();
        let is_one_day = matches!(rule.days.as_slice(), [(0, _)]);
        if part.from.is_some() && rule.frequency == "WEEKLY" && is_one_day {
            rule.days.clear();
        }
        rule
    }

    /// Returns how it ends: ` until Friday, 5 February 2027`, `, 10 times`.
    fn end(&self, part: &Part<'_>) -> String {
        let start = part.series_start.date;
        // A part of a series may lie on other days than the series did.
        let shift = part.from.map_or(0, |from| part.start.date.days_since(from));
        if part.from.is_some() || part.before.is_some() {
            let last = self.days(part).and_then(|days| {
                days.take_while(|date| part.before.is_none_or(|end| *date < end)).last()
            });
            let last = last.filter(|_| part.before.is_some() || self.ends());
            let until = last.or_else(|| part.before.and_then(|end| end.plus(-1)));
            let until = until.or_else(|| Some(self.until.as_ref()?.date));
            let until = until.and_then(|date| date.plus(shift));
            // Named, since somebody asks what holds in a month.
            let months = until.map(|until| months(part.start.date, until)).unwrap_or_default();
            return until.map_or_else(String::new, |date| format!(" until {date}{months}"));
        }
        if let Some(until) = self.until_day(part) {
            return format!(" until {until}");
        }
        match (self.count, self.last(start)) {
            (Some(count), Some(last)) => format!(", {count} times, the last on {last}"),
            (Some(count), None) => format!(", {count} times"),
            (None, _) => String::new(),
        }
    }

    fn ends(&self) -> bool {
        self.count.is_some() || self.until.is_some()
    }

    /// The day up to which the rule holds, in the zone of the series. Programs write it in UTC, where it may be the day before or
    /// after.
    fn until_day(&self, part: &Part<'_>) -> Option<Date> {
        let until = part.beside(self.until.as_ref()?);
        let start = part.series_start;
        // Midnight ends the day before it.
        let is_midnight = until.minutes == Some(0) && start.minutes.is_some_and(|start| start > 0);
        let is_before_time = until.minutes.is_some() && until.minutes < start.minutes;
        if is_midnight || is_before_time && self.occurs_on(start.date, until.date) {
            return until.date.plus(-1);
        }
        Some(until.date)
    }

    /// The days of the series, as far as they can be told and the rule goes.
    fn days<'a>(&'a self, part: &Part<'_>) -> Option<impl Iterator<Item = Date> + 'a> {
        let until = self.until_day(part);
        let count = self.count.unwrap_or(MOST_OCCURRENCES).min(MOST_OCCURRENCES);
        let days = self.occurrences(part.series_start.date)?;
        let days = days.take(usize::try_from(count).unwrap_or(usize::MAX));
        Some(days.take_while(move |date| until.is_none_or(|until| *date <= until)))
    }

    fn occurs_on(&self, start: Date, date: Date) -> bool {
        let mut days = self.occurrences(start).into_iter().flatten();
        days.find(|day| *day >= date) == Some(date)
    }

    /// The last occurrence of a rule that counts days or weeks.
    fn last(&self, start: Date) -> Option<Date> {
        let count = self.count.filter(|count| (1..=MOST_OCCURRENCES).contains(count))?;
        let before = usize::try_from(count).ok()?.checked_sub(1)?;
        self.occurrences(start)?.nth(before)
    }

    /// The occurrences of a rule that counts days or weeks, whatever ends it.
    fn occurrences(&self, start: Date) -> Option<impl Iterator<Item = Date> + '_> {
        // For all other rules a date that is slightly wrong is worse than none.
        let is_plain = self.others.is_empty()
            && self.months.is_empty()
            && self.month_days.is_empty()
            && self.positions.is_empty()
            && self.days.iter().all(|(position, _)| *position == 0);
        let is_weekly = match self.frequency.as_str() {
            "WEEKLY" => true,
            "DAILY" if self.days.is_empty() => false,
            _ => return None,
        };
        if !is_plain {
            return None;
        }
        let interval = i64::from(self.interval);
        // A week begins on Monday unless the rule says otherwise (RFC 5545, 3.3.10).
        let into_week = i64::try_from((start.weekday() + 7 - self.week_start) % 7).ok()?;
        let happens = move |date: &Date| {
            let step = date.days_since(start);
            if !is_weekly {
                return step % interval == 0;
            }
            let is_day = |(_, day): &(i32, usize)| *day == date.weekday();
            let fits = if self.days.is_empty() {
                date.weekday() == start.weekday()
            } else {
                self.days.iter().any(is_day)
            };
            (into_week + step) / 7 % interval == 0 && fits
        };
        Some((0..MOST_DAYS).map_while(move |step| start.plus(step)).filter(happens))
    }
}

/// Months that a part of a series may reach over and still be named.
const MOST_MONTHS: usize = 12;

/// ` (November 2026, December 2026 and January 2027)`; nothing where that would be a long list.
fn months(from: Date, until: Date) -> String {
    let mut names: Vec<String> = Vec::new();
    let days = (0..=until.days_since(from).clamp(0, 400)).filter_map(|days| from.plus(days));
    for name in days.map(Date::month) {
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    if names.len() > MOST_MONTHS { String::new() } else { format!(" ({})", listed(&names)) }
}

/// `MO`, `2TU`, `-1FR`
pub(super) fn day(text: &str) -> Option<(i32, usize)> {
    let text = text.trim();
    let split = text.len().checked_sub(2)?;
    let code = text.get(split..)?;
    let weekday = CODES.iter().position(|other| *other == code)?;
    let position = &text[..split];
    Some((if position.is_empty() { 0 } else { position.parse().ok()? }, weekday))
}

fn ordinal(position: i32) -> String {
    match position {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        -1 => "last".to_owned(),
        -2 => "second to last".to_owned(),
        other if other < 0 => format!("{} to last", nth(other.saturating_neg())),
        other => nth(other),
    }
}

/// A day of the month: `13th`, `last day`.
fn nth(number: i32) -> String {
    match number {
        -1 => "last day".to_owned(),
        ..0 => format!("{} to last day", nth(number.saturating_neg())),
        number => NumberFormat::Ordinal.written(u32::try_from(number).unwrap_or(0)),
    }
}

/// `a`, `a and b`, `a, b and c`
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
