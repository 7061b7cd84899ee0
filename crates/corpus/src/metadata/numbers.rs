//! Years of study and semesters: small numbers that students count from 1.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::names::means_everybody;

/// Years of study, or semesters; an empty list is for everybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Numbers {
    listed: Vec<NumberRun>,
}

/// A run of numbers, both ends included; an end that is not given is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberRun {
    /// The first.
    pub from: Option<u8>,
    /// The last.
    pub until: Option<u8>,
}

/// Why a number cannot be understood; the text is what was expected.
pub(crate) const EXPECTED: &str =
    "it must be a number from 1 to 99 (3) or a run of them (\"1-2\", \"5+\", \"until 4\")";

impl Numbers {
    /// For everybody.
    pub const EVERYBODY: Self = Self { listed: Vec::new() };

    /// Reads numbers as people write them; everybody, where one is `*`.
    ///
    /// # Errors
    /// The first that is neither a number from 1 to 99 nor a run of such.
    pub fn read<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut listed = Vec::new();
        let mut is_everybody = false;
        for text in texts.into_iter().map(str::trim).filter(|text| !text.is_empty()) {
            if means_everybody(text) {
                is_everybody = true;
                continue;
            }
            let run = NumberRun::read(text).ok_or_else(|| text.to_owned())?;
            if !listed.contains(&run) {
                listed.push(run);
            }
        }
        Ok(if is_everybody { Self::EVERYBODY } else { Self { listed } })
    }

    /// Whether nobody is left out.
    pub fn is_everybody(&self) -> bool {
        self.listed.is_empty()
    }

    /// The runs; none for everybody.
    pub fn listed(&self) -> &[NumberRun] {
        &self.listed
    }

    /// Whether a number is among these.
    pub fn lists(&self, number: u8) -> bool {
        self.listed.iter().any(|run| {
            run.from.is_none_or(|from| from <= number)
                && run.until.is_none_or(|until| number <= until)
        })
    }
}

impl NumberRun {
    /// Reads one number or run; `None` for all else, and for runs that end before they begin.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(number) = number(&text) {
            return Some(Self { from: Some(number), until: Some(number) });
        }
        let from = text.strip_suffix('+').or_else(|| text.strip_suffix(" and later"));
        if let Some(from) = from.or_else(|| text.strip_prefix("from ")).and_then(number) {
            return Some(Self { from: Some(from), until: None });
        }
        let until = text.strip_prefix("until ").or_else(|| text.strip_prefix("up to "));
        if let Some(until) = until.and_then(number) {
            return Some(Self { from: None, until: Some(until) });
        }
        let (from, until) = text.split_once(" to ").or_else(|| text.split_once(['-', '–']))?;
        let (from, until) = (number(from)?, number(until)?);
        (from <= until).then_some(Self { from: Some(from), until: Some(until) })
    }
}

fn number(text: &str) -> Option<u8> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_number.then(|| text.parse().ok()).flatten().filter(|number| (1..=99).contains(number))
}

impl fmt::Display for NumberRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.until) {
            (Some(from), Some(until)) if from == until => write!(formatter, "{from}"),
            (Some(from), Some(until)) => write!(formatter, "{from} to {until}"),
            (Some(from), None) => write!(formatter, "{from} and later"),
            (None, Some(until)) => write!(formatter, "until {until}"),
            (None, None) => write!(formatter, "all"),
        }
    }
}
