//! Batches: the years in which students began.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::names::same_name;
use super::runs::{Listed, Run};

/// The batches that a document is for.
pub type Batches = Listed<Batch>;

/// One batch, or a run of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Batch {
    /// Students who began in these years, both included.
    Years(Run<u16>),
    /// A batch that has a name instead of a year.
    Named(String),
}

/// Why a batch cannot be understood; the text is what was expected.
pub(crate) const EXPECTED: &str =
    "a batch is a year (2021), a run of years (\"2019-2022\", \"2023+\", \"until 2020\") or a name";

impl Batches {
    /// Reads batches as people write them; everybody, where one is `*`.
    ///
    /// # Errors
    /// The first that is neither a year, a run of years nor a name.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        Self::read_with(texts, Batch::read)
    }

    /// Returns `true` if a batch, as a student would write it, is among these.
    pub fn lists(&self, batch: &str) -> bool {
        let asked = Batch::read(batch).unwrap_or_else(|| Batch::Named(batch.to_owned()));
        self.listed().iter().any(|known| known.includes(&asked))
    }
}

impl Batch {
    /// Reads one batch; `None` for digits that are no year, and for runs that end before they
    /// begin. `2021/22` is the academic year that began in 2021.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return None;
        }
        if let Some(year) = year(&text) {
            return Some(Self::Years(Run::one(year)));
        }
        if let Some(from) = open_end(&text).and_then(year) {
            return Some(Self::Years(Run::starting(from)));
        }
        if let Some(until) = open_beginning(&text).and_then(year) {
            return Some(Self::Years(Run::ending(until)));
        }
        if let Some((from, until)) = run(&text) {
            return Run::between(from, until).map(Self::Years);
        }
        // Digits and signs alone were meant as years.
        let is_name = text.chars().any(char::is_alphabetic);
        is_name.then_some(Self::Named(text))
    }

    /// Returns `true` if every student of `other` is a student of this one.
    fn includes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Years(years), Self::Years(other)) => years.includes(other),
            (Self::Named(name), Self::Named(other)) => same_name(name, other),
            _ => false,
        }
    }
}

fn year(text: &str) -> Option<u16> {
    let text = text.trim();
    let is_year = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_year.then(|| text.parse().ok()).flatten().filter(|year| *year >= 1000)
}

/// `2023+`, `2023-`, `since 2023`, `from 2023`, `2023 and later`.
fn open_end(text: &str) -> Option<&str> {
    text.strip_suffix(['+', '-', '–'])
        .or_else(|| text.strip_suffix(" and later"))
        .or_else(|| text.strip_suffix(" onwards"))
        .or_else(|| text.strip_prefix("since "))
        .or_else(|| text.strip_prefix("from "))
}

/// `until 2020`, `up to 2020`, `-2020`.
fn open_beginning(text: &str) -> Option<&str> {
    text.strip_prefix("until ")
        .or_else(|| text.strip_prefix("up to "))
        .or_else(|| text.strip_prefix(['-', '–']))
}

/// `2019-2022`, `2019 to 2022`; `2021/22` and `2021/2022` are one academic year.
fn run(text: &str) -> Option<(u16, u16)> {
    if let Some((from, until)) = text.split_once(" to ") {
        return Some((year(from)?, year(until)?));
    }
    let sign = text.find(['-', '–', '/'])?;
    let is_slash = text.get(sign..)?.starts_with('/');
    let from = year(text.get(..sign)?)?;
    let end = text.get(sign..)?.strip_prefix(['-', '–', '/'])?.trim();
    let is_next = |end: u16, modulus| end == (from + 1) % modulus;
    match (year(end), end.parse::<u16>().ok()) {
        (Some(until), _) if is_slash => is_next(until, 10_000).then_some((from, from)),
        (Some(until), _) => Some((from, until)),
        (None, Some(short)) if end.len() == 2 => is_next(short, 100).then_some((from, from)),
        _ => None,
    }
}

impl fmt::Display for Batch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Years(years) => write!(formatter, "{years}"),
            Self::Named(name) => write!(formatter, "{name}"),
        }
    }
}
