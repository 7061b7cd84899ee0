//! Days and spans of days as a sentence writes them.

use campanile_corpus::metadata::Date;
use campanile_language::{calendar, numbers};
use campanile_retrieve::{Value, ValueKind, values};
use campanile_text::Span;

use super::{Form, FormKind, FormPart, Quoted};
use crate::words::{Word, words};

/// One day, in bytes of the sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Day {
    span: Span,
    year: Option<u16>,
    month: u8,
    day: u8,
    /// Minutes since midnight.
    clock: Option<u16>,
}

impl Day {
    /// The day of the calendar; without a year of its own, in the one that `year` gives for its month.
    pub(crate) fn date(&self, year: impl Fn(u8) -> Option<u16>) -> Option<Date> {
        Date::new(self.year.or_else(|| year(self.month))?, self.month, self.day)
    }

    /// Writes it as ISO 8601 does; without a year as its edition of 2000 does, and HTML still.
    fn iso(&self) -> Option<String> {
        let mut iso = match self.year {
            Some(year) => Date::new(year, self.month, self.day)?.to_string(),
            // Of a leap year, so that every day exists.
            None => Date::new(2000, self.month, self.day)?.to_string().replacen("2000", "-", 1),
        };
        if let Some(clock) = self.clock {
            for (sign, number) in [('T', clock / 60), (':', clock % 60)] {
                iso.push(sign);
                iso.push(char::from_digit(u32::from(number / 10), 10)?);
                iso.push(char::from_digit(u32::from(number % 10), 10)?);
            }
        }
        Some(iso)
    }
}

/// A day, or the first and the last of several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Period {
    pub(crate) from: Day,
    pub(crate) to: Option<Day>,
}

impl Period {
    /// Its place in the sentence.
    pub(crate) fn span(&self) -> Span {
        self.to.map_or(self.from.span, |to| self.from.span.joined(to.span))
    }

    /// The months of its first and its last day, 1 to 12.
    pub(crate) fn months(&self) -> (u8, u8) {
        (self.from.month, self.to.unwrap_or(self.from).month)
    }

    /// Returns `true` if a day lies in it. Years count where all of its days and that day have one.
    pub(crate) fn has(&self, day: &Day) -> bool {
        let to = self.to.unwrap_or(self.from);
        let of_year = |day: &Day| (day.month, day.day);
        if let (Some(from), Some(year), Some(last)) = (self.from.year, day.year, to.year) {
            let own = (year, day.month, day.day);
            return (from, self.from.month, self.from.day) <= own
                && own <= (last, to.month, to.day);
        }
        let (from, own, to) = (of_year(&self.from), of_year(day), of_year(&to));
        // From 24 December to 6 January.
        if from <= to { from <= own && own <= to } else { own >= from || own <= to }
    }
}

/// The day, or the span of days, that answers.
pub(super) fn days(quoted: &Quoted<'_>) -> Option<Form> {
    let found = quoted.only(periods(quoted.words()).into_iter(), Period::span)?;
    let part = |day: Day| Some(FormPart { value: Some(day.iso()?), ..quoted.part(day.span) });
    let mut parts = vec![part(found.from)?];
    let mut kind = FormKind::Date;
    if let Some(to) = found.to {
        parts.push(part(to)?);
        kind = FormKind::DateRange;
    }
    Some(Form { kind, parts })
}

/// The days of a sentence and its spans of days, in their order.
pub(crate) fn periods(sentence: &str) -> Vec<Period> {
    let words = words(sentence);
    let mut periods: Vec<Period> = Vec::new();
    for mut day in single_days(sentence, &words) {
        let is_open = |last: &&mut Period| {
            let gap = gap(sentence, last.from.span, day.span);
            let between = last.to.is_none() && joins_days(&gap);
            between && (!numbers::JOINT[0].contains(&gap) || is_between(&words, last.from.span))
        };
        if let Some(last) = periods.last_mut().filter(is_open) {
            last.from.year = last.from.year.or(day.year.map(|year| {
                year - u16::from((last.from.month, last.from.day) > (day.month, day.day))
            }));
            last.to = Some(day);
            continue;
        }
        match first_of(sentence, &words, &day) {
            Some(from) => periods.push(Period { from, to: Some(day) }),
            None => {
                with_weekday(sentence, &words, &mut day);
                periods.push(Period { from: day, to: None });
            }
        }
    }
    share_years(sentence, &mut periods);
    periods
}

fn single_days(sentence: &str, words: &[Word]) -> Vec<Day> {
    let values = values(sentence, &|_| None);
    let mut days = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let Some((month, day)) = value.month_and_day() else { continue };
        let clock = values.get(index + 1).filter(|next| {
            let gap = gap(sentence, value.span, next.span);
            next.kind == ValueKind::Clock && joins_hour(&gap)
        });
        let span = clock.map_or(value.span, |clock| value.span.joined(clock.span));
        let minutes = |clock: &Value| clock.amount as u16;
        let mut day = Day { span, year: value.year, month, day, clock: clock.map(minutes) };
        if clock.is_some() {
            with_weekday(sentence, words, &mut day);
        }
        days.push(day);
    }
    days
}

/// Returns `true` if a text may stand between the first and the last day of a span.
fn joins_days(gap: &str) -> bool {
    matches!(gap, "–" | "-" | "—") || calendar::SPAN_JOINS.contains(gap)
}

/// Returns `true` if a text may stand between two days of a list.
fn joins_list(gap: &str) -> bool {
    gap == "," || calendar::DAY_LISTS.contains(gap)
}

/// Returns `true` if a text may stand between a day and the hour on it.
fn joins_hour(gap: &str) -> bool {
    let gap = gap.strip_prefix(',').unwrap_or(gap).trim_start();
    gap.is_empty() || calendar::HOUR_JOINS.contains(gap)
}

/// Returns the text between two spans, in lower case.
fn gap(sentence: &str, left: Span, right: Span) -> String {
    sentence[Span::new(left.end, right.start).range()].trim().to_lowercase()
}

/// The word that ends right before a place.
fn before(words: &[Word], place: u32) -> Option<&Word> {
    words.iter().rev().find(|word| word.span.end <= place)
}

fn is_between(words: &[Word], first: Span) -> bool {
    before(words, first.start).is_some_and(|word| {
        word.is_one_of(calendar::BETWEEN)
            || is_weekday(&word.lower)
                && before(words, word.span.start)
                    .is_some_and(|word| word.is_one_of(calendar::BETWEEN))
    })
}

fn is_weekday(word: &str) -> bool {
    calendar::WEEKDAYS.iter().any(|day| day.contains(word))
}

/// Takes in the weekday in front of a day.
fn with_weekday(sentence: &str, words: &[Word], day: &mut Day) {
    if let Some(word) = before(words, day.span.start)
        && is_weekday(&word.lower)
        && matches!(gap(sentence, word.span, day.span).as_str(), "" | ",")
    {
        day.span = day.span.joined(word.span);
    }
}

/// The first day of a span that leaves its month to the last: `11 to 29 January 2027`, `4.–8. Januar`.
fn first_of(sentence: &str, words: &[Word], last: &Day) -> Option<Day> {
    let word = before(words, last.span.start)?;
    let (number, sign) = if word.lower.parse::<u8>().is_ok() {
        (word, gap(sentence, word.span, last.span))
    } else {
        let number = before(words, word.span.start)?;
        (number, gap(sentence, number.span, last.span))
    };
    let day: u8 = number.lower.parse().ok()?;
    let sign = sign.trim_start_matches('.').trim();
    let consecutive = day.checked_add(1) == Some(last.day);
    let joins = match sign {
        sign if numbers::JOINT[0].contains(sign) => consecutive || is_between(words, number.span),
        sign => joins_days(sign),
    };
    (joins && day < last.day && day > 0).then_some(Day {
        span: number.span,
        day,
        clock: None,
        ..*last
    })
}

/// `11 to 29 January and 7 to 25 June 2027`: what stands right before a year has it too.
fn share_years(sentence: &str, periods: &mut [Period]) {
    let mut next: Option<(Span, Option<u16>)> = None;
    for period in periods.iter_mut().rev() {
        let span = period.span();
        let last = period.to.unwrap_or(period.from);
        if last.year.is_none()
            && let Some((place, year)) = next
            && joins_list(&gap(sentence, span, place))
        {
            period.from.year = period.from.year.or(year);
            if let Some(to) = &mut period.to {
                to.year = year;
            }
        }
        next = Some((span, period.to.unwrap_or(period.from).year));
    }
}
