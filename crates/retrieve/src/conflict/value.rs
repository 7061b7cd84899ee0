//! Values in a sentence: numbers with what they count, and dates.

use campanile_language::literals::{Date, date_at_start};
use campanile_language::{Language, answers, numbers};
use campanile_text::{Span, fold};

/// The kind of thing that a value measures; only values of one kind can differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A share, in per cent.
    Percent,
    /// Money, by its currency.
    Money(&'static str),
    /// A span of time, in hours.
    Duration,
    /// Credits.
    Credits,
    /// Points of a mark.
    Points,
    /// A day, in days of a year of 31-day months; the year is [`Value::year`].
    Day,
    /// An hour of the day, in minutes.
    Clock,
    /// A number of things, by the word for them.
    Count(String),
}

/// The currencies, in the order of `currencies` in `crates/language`. What has one name in several countries is one here.
const CURRENCIES: [&str; 10] =
    ["EUR", "GBP", "USD", "CHF", "INR", "SEK", "PLN", "CZK", "JPY", "TRY"];

/// Signs that are a piece of their own.
const SIGNS: &str = "%€£$₹¥₺";

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The kind of thing that it measures.
    pub kind: Kind,
    /// The amount, in the unit that its kind names.
    pub amount: f64,
    /// The year of a day, where it is named.
    pub year: Option<u16>,
    /// The place, in bytes of the text that it was found in.
    pub span: Span,
}

impl Value {
    /// Returns `true` if two values are the same. Spans of time need not be told to the hour, and a day
    /// without a year is the same day in any.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let years = self.year.is_none() || other.year.is_none() || self.year == other.year;
        // So 30 days are a month and 52 weeks a year, but four weeks are no month.
        let least = if self.kind == Kind::Duration { 0.05 * self.amount } else { 1e-9 };
        self.kind == other.kind && years && (self.amount - other.amount).abs() <= least
    }

    /// Month and day, from 1, of a value that is a day.
    pub fn month_and_day(&self) -> Option<(u8, u8)> {
        // A year of twelve months of 31 days: see [`value`].
        let days = (self.kind == Kind::Day).then_some(self.amount as u16)?.checked_sub(1)?;
        Some((u8::try_from(days / 31).ok()?, u8::try_from(days % 31 + 1).ok()?))
    }
}

/// A word, number or sign of a sentence, in bytes of it.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

impl Piece<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The values of a sentence, in their order; `stem` gives what forms of a word have in common.
pub fn values(sentence: &str, stem: &dyn Fn(&str) -> Option<String>) -> Vec<Value> {
    let pieces = pieces(sentence);
    let mut values = Vec::new();
    let mut place = 0;
    while let Some(rest) = pieces.get(place..).filter(|rest| !rest.is_empty()) {
        match value(sentence, rest, stem) {
            Some((value, length)) => {
                values.push(value);
                place += length;
            }
            None => place += 1,
        }
    }
    values
}

/// The value that begins at the first piece, and how many pieces it takes.
fn value(
    sentence: &str,
    pieces: &[Piece<'_>],
    stem: &dyn Fn(&str) -> Option<String>,
) -> Option<(Value, usize)> {
    let piece = |place: usize| pieces.get(place);
    let lower = |place: usize| piece(place).map(|it| it.text.to_lowercase()).unwrap_or_default();
    let first = piece(0)?;
    let made = |kind, amount, year, length: usize| {
        let last = pieces.get(length - 1)?;
        let span = Span::from_range(first.start..last.end());
        Some((Value { kind, amount, year, span }, length))
    };
    if let Some((date, end)) = day(&sentence[first.start..], first.start) {
        let length = pieces.iter().take_while(|piece| piece.start < end).count();
        // `15.01.2027-20.01.2027` is no day, but two.
        pieces.get(length.checked_sub(1)?).filter(|last| last.end() == end)?;
        let (month, day) = date.month_and_day();
        let amount = f64::from(month) * 31.0 + f64::from(day?);
        let year = date.year().and_then(|year| u16::try_from(year).ok());
        return made(Kind::Day, amount, year, length);
    }
    if let Some(minutes) = clock(first.text) {
        return made(Kind::Clock, minutes, None, 1);
    }
    if let (Some(currency), Some(amount)) = (currency(first.text), piece(1).and_then(number)) {
        return made(Kind::Money(currency), amount, None, 2);
    }
    if numbers::TWICE.contains(&lower(0)) {
        return made(Kind::Count("time".to_owned()), 2.0, None, 1);
    }
    let amount = number(first)?;
    if let Some(currency) = piece(1).and_then(|it| currency(it.text)) {
        return made(Kind::Money(currency), amount, None, 2);
    }
    if lower(1) == "per" && lower(2) == "cent" {
        return made(Kind::Percent, amount, None, 3);
    }
    // A unit is looked for before the number is taken for a year or a count: `2000 euros`, `1950 hours`.
    // One word may stand between: "five working days", "ten percentage points".
    for length in 2..=3 {
        if let Some((kind, factor)) = unit(&lower(length - 1)) {
            return made(kind, amount * factor, None, length);
        }
    }
    // A year has any word behind it: `from 2026 students may …`.
    if year_number(first).is_some() {
        return None;
    }
    // A whole number right before its word: "2 resits", but not "room 1.04, telephone".
    let is_next = |it: &&Piece<'_>| it.start == first.end() + 1;
    let noun = piece(1).filter(is_next).filter(|it| it.text.chars().all(char::is_alphabetic))?;
    if amount.fract() != 0.0 || first.text.contains(['.', '-']) {
        return None;
    }
    // Shorter words are no nouns that are counted: `2 of`, `3 and`.
    let noun = stem(noun.text).filter(|_| noun.text.chars().count() > 3)?;
    made(Kind::Count(noun), amount, None, 2)
}

/// The kind that a word measures, and how many hours or ones it stands for.
fn unit(word: &str) -> Option<(Kind, f64)> {
    // A year has 365.25 days, a month a twelfth of them.
    const HOURS: [f64; 6] = [1.0 / 60.0, 1.0, 24.0, 168.0, 730.5, 8766.0];
    let place = answers::UNITS.iter().position(|unit| unit.contains(word))?;
    let one = |kind| Some((kind, 1.0));
    match place.checked_sub(1) {
        None => one(Kind::Percent),
        Some(6) => one(Kind::Credits),
        Some(7) => one(Kind::Points),
        Some(place) => Some((Kind::Duration, *HOURS.get(place)?)),
    }
}

fn currency(text: &str) -> Option<&'static str> {
    let folded = fold(text);
    let place = answers::CURRENCIES.iter().position(|names| names.contains(&folded))?;
    CURRENCIES.get(place).copied()
}

/// The day with which a text begins, and where it ends in the sentence, if the text begins at `start` of it.
fn day(text: &str, start: usize) -> Option<(Date, usize)> {
    let (date, length) = date_at_start(text, Language::None)?;
    // `5/3` has its month first or last: the language of a sentence is not known here.
    let is_day = date.month_and_day().1.is_some() && !text[..length].contains('/');
    is_day.then_some((date, start + length))
}

fn clock(text: &str) -> Option<f64> {
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes): (u8, u8) = (hours.parse().ok()?, minutes.parse().ok()?);
    // `24:00` is how the end of a day is written.
    (hours < 25 && minutes < 60).then(|| f64::from(hours) * 60.0 + f64::from(minutes))
}

fn year_number(piece: &Piece<'_>) -> Option<u16> {
    piece.text.parse().ok().filter(|year| (1900..2100).contains(year))
}

fn number(piece: &Piece<'_>) -> Option<f64> {
    let lower = piece.text.to_lowercase();
    if numbers::ONE.contains(&lower) {
        return Some(1.0);
    }
    let folded = fold(&lower);
    // Greater ones are written in digits.
    let small = numbers::SMALL.iter().take(13).position(|words| words.contains(&folded));
    if let Some(number) = small.filter(|number| *number != 1) {
        return Some(number as f64);
    }
    if !lower.starts_with(|c: char| c.is_ascii_digit()) || lower.contains(':') {
        return None;
    }
    // `1,150,000` and `2,40,000`: of several marks all are between groups of digits.
    if let Some(mark) = [',', '.'].into_iter().find(|mark| lower.matches(*mark).count() > 1) {
        return lower.replace(mark, "").parse().ok();
    }
    // Three digits behind a comma or a point are thousands.
    match lower.split_once([',', '.']) {
        Some((whole, thousands)) if thousands.len() == 3 => {
            format!("{whole}{thousands}").parse().ok()
        }
        Some((whole, part)) => format!("{whole}.{part}").parse().ok(),
        None => lower.parse().ok(),
    }
}

/// Words, numbers and signs of money and shares; all else only stands between.
fn pieces(sentence: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut letters = sentence.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let is_number = letter.is_ascii_digit();
        if !is_number && !letter.is_alphabetic() {
            if SIGNS.contains(letter) {
                pieces.push(Piece { text: &sentence[start..start + letter.len_utf8()], start });
            }
            continue;
        }
        let mut end = start + letter.len_utf8();
        while let Some(&(at, next)) = letters.peek() {
            let goes_on = if is_number {
                let digit_follows =
                    sentence[at + next.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
                next.is_alphanumeric() || (matches!(next, '.' | ',' | ':' | '-') && digit_follows)
            } else {
                next.is_alphanumeric()
            };
            if !goes_on {
                break;
            }
            end = at + next.len_utf8();
            letters.next();
        }
        pieces.push(Piece { text: &sentence[start..end], start });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{Kind, values};

    /// The days of a sentence as `month-day`.
    fn days(sentence: &str) -> Vec<String> {
        let values = values(sentence, &|_| None);
        let days = values.iter().filter(|value| value.kind == Kind::Day);
        let shown = days.filter_map(|value| value.month_and_day().map(|(m, d)| format!("{m}-{d}")));
        shown.collect()
    }

    #[test]
    fn sums_of_money_are_read_in_the_currencies_of_universities() {
        let cases: [(&str, &[(&str, f64)]); 9] = [
            ("The fee is Rs 260 a day.", &[("INR", 260.0)]),
            (
                "The fee is Rs. 2,40,000 a year, or ₹1,200,000.",
                &[("INR", 240_000.0), ("INR", 1.2e6)],
            ),
            ("It costs 450 kr or 45 EUR.", &[("SEK", 450.0), ("EUR", 45.0)]),
            ("Opłata: 250 zł", &[("PLN", 250.0)]),
            ("Poplatek 500 Kč", &[("CZK", 500.0)]),
            ("¥3,000 for the card", &[("JPY", 3000.0)]),
            ("1.150.000 € in all", &[("EUR", 1.15e6)]),
            ("Try 3 times.", &[]),
            ("Room 3 of 4", &[]),
        ];
        for (sentence, expected) in cases {
            let values = values(sentence, &|word| Some(word.to_owned()));
            let found: Vec<(&str, f64)> = values
                .iter()
                .filter_map(|value| match value.kind {
                    Kind::Money(currency) => Some((currency, value.amount)),
                    _ => None,
                })
                .collect();
            assert_eq!(found, expected, "{sentence}");
        }
    }

    #[test]
    fn days_are_read_as_grounding_reads_them() {
        let cases: [(&str, &[&str]); 6] = [
            ("Due on the 3rd of May.", &["5-3"]),
            ("From 11 to 29 January 2027", &["1-29"]),
            ("Am 3. Okt. und am 15.01.2027", &["10-3", "1-15"]),
            // One piece with two days is none, and a day with slashes has its month first or last.
            ("15.01.2027-20.01.2027", &[]),
            ("by 5/3/2024", &[]),
            ("in May 2024 you may pay", &[]),
        ];
        for (sentence, expected) in cases {
            assert_eq!(days(sentence), expected, "{sentence}");
        }
    }
}
