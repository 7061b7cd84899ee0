//! Lists of whom a document is for: names, batches, years and semesters of study.

use std::fmt;

use campanile_text::fold;
use serde::{Deserialize, Serialize};

use crate::facts::single_spaced;

/// The names that a document is for; an empty list is for everybody.
///
/// A field that is missing and one that says `"*"` both end as the empty list: a document is kept
/// from a visitor only by what it says, never by what it leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Names {
    listed: Vec<String>,
}

impl Names {
    /// For everybody.
    pub const EVERYBODY: Self = Self { listed: Vec::new() };

    /// The names, each once, without white space around them and in their order. Everybody, where
    /// one of them is `*` (or `all`, `any`), or where none has a letter.
    pub fn new(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut listed: Vec<String> = Vec::new();
        for name in names {
            let name = single_spaced(name.as_ref());
            // Everybody and somebody together are everybody: nothing restricts by accident.
            if means_everybody(&name) {
                return Self::EVERYBODY;
            }
            if !name.is_empty() && !listed.iter().any(|known| same_name(known, &name)) {
                listed.push(name);
            }
        }
        Self { listed }
    }

    /// Returns `true` if nobody is left out.
    pub fn is_everybody(&self) -> bool {
        self.listed.is_empty()
    }

    /// The names; none for everybody.
    pub fn listed(&self) -> &[String] {
        &self.listed
    }

    /// Returns `true` if the name is in the list, whatever its case and diacritics.
    pub fn lists(&self, name: &str) -> bool {
        self.listed.iter().any(|known| same_name(known, name))
    }

    /// Returns `true` if the course code is in the list, whatever stands between letters and digits.
    pub fn lists_course(&self, code: &str) -> bool {
        self.listed.iter().any(|known| same_course(known, code))
    }
}

/// Returns `true` if a word of a list stands for everybody.
pub(crate) fn means_everybody(word: &str) -> bool {
    matches!(fold(word.trim()).as_str(), "*" | "all" | "any")
}

/// Returns `true` if two spellings name the same thing: case, diacritics and white space do not count.
///
/// ```
/// use campanile_corpus::metadata::same_name;
///
/// assert!(same_name("École  Normale", " ecole normale"));
/// ```
pub fn same_name(left: &str, right: &str) -> bool {
    name_key(left) == name_key(right)
}

/// Returns `true` if two spellings are the same course: `CS 101`, `CS-101` and `cs101`.
pub fn same_course(left: &str, right: &str) -> bool {
    course_key(left) == course_key(right)
}

/// Returns the form that all spellings of a name share.
pub(crate) fn name_key(name: &str) -> String {
    single_spaced(&fold(name))
}

/// Returns the form that all spellings of a course code share.
pub(crate) fn course_key(code: &str) -> String {
    fold(code).chars().filter(|character| character.is_alphanumeric()).collect()
}

/// The visitors that a document is for, by one aspect; an empty list is for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Listed<Item> {
    listed: Vec<Item>,
}

/// A run of numbers or years, both ends included; an end that is not given is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run<Number> {
    /// The first.
    pub from: Option<Number>,
    /// The last.
    pub until: Option<Number>,
}

impl<Item> Listed<Item> {
    /// For everybody.
    pub const EVERYBODY: Self = Self { listed: Vec::new() };

    /// Returns `true` if nobody is left out.
    pub fn is_everybody(&self) -> bool {
        self.listed.is_empty()
    }

    /// The members of the list; none for everybody.
    pub fn listed(&self) -> &[Item] {
        &self.listed
    }
}

impl<Item: PartialEq> Listed<Item> {
    /// Reads a list as people write it, each once; everybody, where one is `*`. The error is the first
    /// text that `read` does not understand.
    fn read_with<'a>(
        texts: impl IntoIterator<Item = &'a str>,
        read: fn(&str) -> Option<Item>,
    ) -> Result<Self, String> {
        let mut listed = Vec::new();
        let mut is_everybody = false;
        for text in texts.into_iter().map(str::trim).filter(|text| !text.is_empty()) {
            if means_everybody(text) {
                // The rest is read still, so that what is wrong with it is reported.
                is_everybody = true;
                continue;
            }
            let item = read(text).ok_or_else(|| text.to_owned())?;
            if !listed.contains(&item) {
                listed.push(item);
            }
        }
        Ok(if is_everybody { Self::EVERYBODY } else { Self { listed } })
    }
}

impl<Number: Copy + Ord> Run<Number> {
    /// One number alone.
    pub fn one(number: Number) -> Self {
        Self { from: Some(number), until: Some(number) }
    }

    /// From the first to the last; `None` where it ends before it begins.
    pub fn between(from: Number, until: Number) -> Option<Self> {
        (from <= until).then_some(Self { from: Some(from), until: Some(until) })
    }

    /// All from the first on.
    pub fn starting(from: Number) -> Self {
        Self { from: Some(from), until: None }
    }

    /// All up to the last.
    pub fn ending(until: Number) -> Self {
        Self { from: None, until: Some(until) }
    }

    /// Returns `true` if all of another run lies in this one.
    pub fn includes(&self, other: &Self) -> bool {
        let begins = self.from.is_none_or(|from| other.from.is_some_and(|other| from <= other));
        let ends = self.until.is_none_or(|until| other.until.is_some_and(|other| other <= until));
        begins && ends
    }
}

impl<Item> Default for Listed<Item> {
    fn default() -> Self {
        Self::EVERYBODY
    }
}

impl<Item: fmt::Display> fmt::Display for Listed<Item> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_everybody() {
            return write!(formatter, "*");
        }
        for (place, item) in self.listed.iter().enumerate() {
            let between = if place > 0 { ", " } else { "" };
            write!(formatter, "{between}{item}")?;
        }
        Ok(())
    }
}

impl<Number: fmt::Display + PartialEq> fmt::Display for Run<Number> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.from, &self.until) {
            (Some(from), Some(until)) if from == until => write!(formatter, "{from}"),
            (Some(from), Some(until)) => write!(formatter, "{from} to {until}"),
            (Some(from), None) => write!(formatter, "{from} and later"),
            (None, Some(until)) => write!(formatter, "until {until}"),
            (None, None) => write!(formatter, "all"),
        }
    }
}

/// Years of study, or semesters.
pub type Numbers = Listed<Run<u8>>;

/// The message about a number that cannot be understood: what was expected.
pub(crate) const EXPECTED_NUMBER: &str =
    "it must be a number from 1 to 99 (3) or a run of them (\"1-2\", \"5+\", \"until 4\")";

impl Numbers {
    /// Reads numbers as people write them; everybody, where one is `*`.
    ///
    /// # Errors
    /// The first that is neither a number from 1 to 99 nor a run of such.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        Self::read_with(texts, number_or_run)
    }

    /// Returns `true` if a number is among these.
    pub fn lists(&self, number: u8) -> bool {
        self.listed().iter().any(|run| run.includes(&Run::one(number)))
    }
}

/// Reads one number or run; `None` for all else, and for runs that end before they begin.
fn number_or_run(text: &str) -> Option<Run<u8>> {
    let text = single_spaced(text);
    if let Some(number) = number(&text) {
        return Some(Run::one(number));
    }
    let from = text.strip_suffix('+').or_else(|| text.strip_suffix(" and later"));
    if let Some(from) = from.or_else(|| text.strip_prefix("from ")).and_then(number) {
        return Some(Run::starting(from));
    }
    let until = text.strip_prefix("until ").or_else(|| text.strip_prefix("up to "));
    if let Some(until) = until.and_then(number) {
        return Some(Run::ending(until));
    }
    let (from, until) = text.split_once(" to ").or_else(|| text.split_once(['-', '–']))?;
    Run::between(number(from)?, number(until)?)
}

fn number(text: &str) -> Option<u8> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_number.then(|| text.parse().ok()).flatten().filter(|number| (1..=99).contains(number))
}

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

/// The message about a batch that cannot be understood: what was expected.
pub(crate) const EXPECTED_BATCH: &str =
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
        let text = single_spaced(text);
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
        if let Some((from, until)) = years(&text) {
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
fn years(text: &str) -> Option<(u16, u16)> {
    if let Some((from, until)) = text.split_once(" to ") {
        return Some((year(from)?, year(until)?));
    }
    let sign = text.find(['-', '–', '/'])?;
    let is_slash = text.get(sign..)?.starts_with('/');
    let from = year(text.get(..sign)?)?;
    let end = text.get(sign..)?.strip_prefix(['-', '–', '/'])?.trim();
    let is_next = |end: u16, modulus| end == (from + 1) % modulus;
    match (year(end), end.parse::<u16>().ok()) {
        // With a slash it is one academic year, in which students begin once.
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
