//! Collects what sources state, and finds what a text states beyond them.

use std::collections::BTreeSet;

use campanile_text::Language;

use crate::codes::code_in_any_case;
use crate::dates::{self, Date, Joined};
use crate::literal::{Literal, LiteralValue, literals};
use crate::numbers::{Number, parts};
use crate::permitted::Permitted;
use crate::pieces::{Kind, Piece, pieces_and_units};

/// The literals of some sources: what a text about them may state.
///
/// ```
/// use campanile_grounding::Grounds;
/// use campanile_text::Language;
///
/// let mut grounds = Grounds::new(Language::English);
/// grounds.add("CS 101 starts on 4 October 2024 and has 1,000 places.");
/// assert!(grounds.missing("There are 1000 places in CS101 from October 4th.").is_empty());
///
/// let text = "It starts on 5 October.";
/// let missing = grounds.missing(text);
/// assert_eq!(missing[0].span.slice(text), Some("5 October"));
/// ```
#[derive(Debug, Clone)]
pub struct Grounds {
    language: Language,
    numbers: BTreeSet<Number>,
    dates: BTreeSet<Date>,
    codes: BTreeSet<String>,
    emails: BTreeSet<String>,
    hosts: BTreeSet<String>,
    /// Hosts with what stands behind them.
    pages: BTreeSet<(String, String)>,
    permitted: Permitted,
}

impl Grounds {
    /// Of no source: no literal is stated.
    pub fn new(language: Language) -> Self {
        Self {
            language,
            numbers: BTreeSet::new(),
            dates: BTreeSet::new(),
            codes: BTreeSet::new(),
            emails: BTreeSet::new(),
            hosts: BTreeSet::new(),
            pages: BTreeSet::new(),
            permitted: Permitted::default(),
        }
    }

    /// Of several sources.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>, language: Language) -> Self {
        let mut grounds = Self::new(language);
        for text in texts {
            grounds.add(text);
        }
        grounds
    }

    /// Adds a source, such as a passage or the question.
    pub fn add(&mut self, text: &str) {
        let text = &text.split_whitespace().collect::<Vec<_>>().join(" ");
        let pieces = pieces_and_units(text);
        self.permitted.add_text(text, &pieces);
        for literal in literals(text, self.language) {
            let range = literal.span.range();
            self.permitted.add_spelling(text.get(range.clone()).unwrap_or_default());
            let inside: Vec<Piece<'_>> = pieces
                .iter()
                .filter(|piece| range.contains(&piece.start) && piece.end <= range.end)
                .copied()
                .collect();
            self.state(literal.value, &inside);
        }
        for place in 0..pieces.len() {
            self.state_lists(pieces.get(place..).unwrap_or_default());
        }
    }

    /// The literals of a finished text that no source states, in its order.
    pub fn missing(&self, text: &str) -> Vec<Literal> {
        let mut all = literals(text, self.language);
        all.retain(|literal| !self.states(&literal.value));
        all
    }

    /// Returns `true` if a source states a value. A date is stated by one that says at least as much, a
    /// host by any address of its.
    pub fn states(&self, value: &LiteralValue) -> bool {
        match value {
            LiteralValue::Number(number) => self.numbers.contains(number),
            LiteralValue::Date(date) => self.dates.iter().any(|other| date.is_said_by(other)),
            LiteralValue::Code(code) => self.codes.contains(code),
            LiteralValue::Email(email) => self.emails.contains(email),
            LiteralValue::Url { host, path } if path.is_empty() => self.hosts.contains(host),
            LiteralValue::Url { host, path } => self.pages.contains(&(host.clone(), path.clone())),
        }
    }

    /// The language that the sources are read in.
    pub fn language(&self) -> Language {
        self.language
    }

    pub(crate) fn permitted(&self) -> &Permitted {
        &self.permitted
    }

    fn state(&mut self, value: LiteralValue, pieces: &[Piece<'_>]) {
        self.permitted.add_value(&value, self.language);
        match value {
            LiteralValue::Number(number) => {
                if number.to_string().contains('/') {
                    self.state_parts(pieces);
                }
                self.state_number(number.without_sign());
                self.state_number(number);
            }
            LiteralValue::Date(date) => {
                self.state_parts(pieces);
                self.state_date(date);
            }
            LiteralValue::Code(code) => {
                let numbers: Vec<_> =
                    pieces.iter().filter(|piece| piece.kind == Kind::Number).copied().collect();
                self.state_parts(&numbers);
                self.codes.insert(code);
            }
            LiteralValue::Email(email) => {
                self.hosts.extend(email.split_once('@').map(|(_, host)| host.to_owned()));
                self.emails.insert(email);
            }
            LiteralValue::Url { host, path } => {
                self.hosts.insert(host.clone());
                self.pages.insert((host, path));
            }
        }
    }

    /// The numbers that something larger is made of.
    fn state_parts(&mut self, pieces: &[Piece<'_>]) {
        for number in pieces.iter().flat_map(parts) {
            self.state_number(number);
        }
    }

    fn state_number(&mut self, number: Number) {
        self.permitted.add_value(&LiteralValue::Number(number.clone()), self.language);
        self.numbers.insert(number);
    }

    fn state_date(&mut self, date: Date) {
        let (month, day) = date.month_and_day();
        if let Some(day) = day {
            let (first, second) =
                if self.language == Language::English { (month, day) } else { (day, month) };
            self.numbers.insert(Number::written(format!("{first}/{second}")));
        }
        self.permitted.add_value(&LiteralValue::Date(date), self.language);
        self.dates.insert(date);
    }

    /// Adds what a source may mean as well: `4, 6 and 10 December` as three days, `cs 50` as a code,
    /// `8 a.m.` as `8:00`.
    fn state_lists(&mut self, pieces: &[Piece<'_>]) {
        if let Some((date, _)) = dates::day_before_others(pieces, Joined::ByList) {
            self.state_date(date);
        }
        self.codes.extend(code_in_any_case(pieces));
        self.state_time(pieces);
        let Some((date, mut place)) = dates::date(pieces, self.language) else { return };
        let is_month_first = pieces.first().is_some_and(|piece| piece.kind == Kind::Word);
        let mut date = Some(date).filter(|_| is_month_first);
        while let Some(last) = date {
            let rest = pieces.get(place..).unwrap_or_default();
            let next = dates::day_after_others(&last, rest, Joined::ByList);
            date = next.map(|(date, _)| date);
            place += next.map_or(0, |(_, length)| length);
            if let Some(date) = date {
                self.state_date(date);
            }
        }
    }

    fn state_time(&mut self, pieces: &[Piece<'_>]) {
        let Some(number) = pieces.first().filter(|piece| piece.kind == Kind::Number) else {
            return;
        };
        let whole = number.text.strip_suffix(":00").and_then(|hour| hour.parse().ok());
        if let Some(hour) = whole {
            self.state_number(Number::whole(hour));
        }
        let (hour, minutes) = number.text.split_once(['.', ':']).unwrap_or((number.text, "00"));
        if is_time_unit(pieces) && (1..=2).contains(&hour.len()) && minutes.len() == 2 {
            let hour = hour.strip_prefix('0').filter(|rest| !rest.is_empty()).unwrap_or(hour);
            self.state_number(Number::written(format!("{hour}:{minutes}")));
        }
    }
}

/// Returns `true` if the second piece says that the first is an hour: `am`, `a.m.`, `Uhr`, `o'clock`.
fn is_time_unit(pieces: &[Piece<'_>]) -> bool {
    let text = |place: usize| pieces.get(place).map_or("", |piece| piece.text);
    let unit = text(1).to_ascii_lowercase();
    ["am", "pm", "uhr"].contains(&unit.as_str())
        || (["a", "p"].contains(&unit.as_str()) && text(2) == "." && text(3) == "m")
        || (unit == "o" && text(3) == "clock")
}
