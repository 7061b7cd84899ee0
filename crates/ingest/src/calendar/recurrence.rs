//! The times at which an event happens again, and those at which it does not: rules of recurrence (`RRULE`)
//! in words.

use super::components::Component;
use super::moments::{Date, Moment, month_name, weekday_name};

/// More dates than this are counted rather than named.
const MOST_DATES: usize = 40;

/// A change to one occurrence of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) replaced: Moment,
    /// The time at which it happens instead; none for one that was cancelled.
    pub(super) to: Option<Moment>,
}

/// All of it in words, or `None` for an event that happens once.
pub(super) fn recurrence(
    component: &Component<'_>,
    start: &Moment,
    changes: &[Change],
) -> Option<String> {
    let mut words = String::new();
    for property in component.all("RRULE") {
        let rule = Rule::of(property.value);
        if !words.is_empty() {
            words.push_str(", and ");
        }
        words.push_str(&rule.words(start.date));
        words.push_str(&rule.end(start.date));
    }
    let extra: Vec<Date> =
        component.all("RDATE").flat_map(Moment::all).map(|moment| moment.date).collect();
    if !extra.is_empty() {
        let also = if words.is_empty() { "also on " } else { ", also on " };
        words.extend([also, &dates(extra)]);
    }
    if words.is_empty() {
        return None;
    }
    let not_at: Vec<Date> = component
        .all("EXDATE")
        .flat_map(Moment::all)
        .map(|moment| moment.date)
        .chain(
            changes.iter().filter(|change| change.to.is_none()).map(|change| change.replaced.date),
        )
        .collect();
    if !not_at.is_empty() {
        words.extend([", except ", &dates(not_at)]);
    }
    let moved: Vec<String> = changes
        .iter()
        .filter_map(|change| {
            let to = change.to.as_ref()?;
            let is_elsewhen =
                (to.date, to.minutes) != (change.replaced.date, change.replaced.minutes);
            is_elsewhen.then(|| format!("{} moved to {}", change.replaced.date.short(), to.whole()))
        })
        .take(MOST_DATES)
        .collect();
    if !moved.is_empty() {
        words.extend(["; ", &moved.join(", ")]);
    }
    Some(words)
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
#[derive(Debug, Default)]
pub(super) struct Rule {
    frequency: String,
    interval: u32,
    count: Option<u32>,
    until: Option<Moment>,
    /// The position in the month or year, 0 for every one, and the weekday.
    days: Vec<(i32, usize)>,
    month_days: Vec<i32>,
    months: Vec<usize>,
    position: Option<i32>,
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
                "BYSETPOS" => rule.position = numbers().next(),
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
            "MONTHLY" => format!("{} on {}", self.every("month"), self.day_of_month(start)),
            "YEARLY" => {
                let months = if self.months.is_empty() {
                    start.month_name().to_owned()
                } else {
                    self.month_names()
                };
                match (self.days.is_empty(), self.month_days.as_slice()) {
                    (false, _) => format!(
                        "{} on {} in {months}",
                        self.every("year"),
                        self.day_of_month(start)
                    ),
                    (true, []) => format!("{} on {} {months}", self.every("year"), start.day()),
                    (true, days) => {
                        let days: Vec<String> = days.iter().map(i32::to_string).collect();
                        format!("{} on {} {months}", self.every("year"), listed(&days))
                    }
                }
            }
            "HOURLY" => self.every("hour"),
            "MINUTELY" => self.every("minute"),
            other => format!("again by the rule {other}"),
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
            return match self.position {
                Some(position) => format!("the {} {}", ordinal(position), days.join(" or ")),
                None => listed(&days),
            };
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

    /// Returns how it ends: ` until Friday, 5 February 2027`, `, 10 times`.
    pub(super) fn end(&self, start: Date) -> String {
        if let Some(until) = &self.until {
            return format!(" until {}", until.date);
        }
        match (self.count, self.last(start)) {
            (Some(count), Some(last)) => format!(", {count} times, the last on {last}"),
            (Some(count), None) => format!(", {count} times"),
            (None, _) => String::new(),
        }
    }

    /// The last occurrence of a rule that counts days or weeks.
    fn last(&self, start: Date) -> Option<Date> {
        let count = self.count.filter(|count| (1..=MOST_OCCURRENCES).contains(count))?;
        // For all other rules a date that is slightly wrong is worse than none.
        let is_plain = self.others.is_empty()
            && self.months.is_empty()
            && self.month_days.is_empty()
            && self.position.is_none()
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
        let happens = |date: &Date| {
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
        let before = usize::try_from(count).ok()?.checked_sub(1)?;
        (0..MOST_DAYS).map_while(|step| start.plus(step)).filter(happens).nth(before)
    }
}

/// `MO`, `2TU`, `-1FR`
fn day(text: &str) -> Option<(i32, usize)> {
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
        other => format!("{other}."),
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
