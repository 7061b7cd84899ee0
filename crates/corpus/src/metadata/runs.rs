//! Lists of runs: which years of study, semesters or batches a document is for.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::names::means_everybody;

/// Whom a document is for, by one aspect; an empty list is for everybody.
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

    /// Whom it is for; none for everybody.
    pub fn listed(&self) -> &[Item] {
        &self.listed
    }
}

impl<Item: PartialEq> Listed<Item> {
    /// Reads a list as people write it, each once; everybody, where one is `*`. The error is the first
    /// text that `read` does not understand.
    pub(super) fn read_with<'a>(
        texts: impl IntoIterator<Item = &'a str>,
        read: fn(&str) -> Option<Item>,
    ) -> Result<Self, String> {
        let mut listed = Vec::new();
        let mut is_everybody = false;
        for text in texts.into_iter().map(str::trim).filter(|text| !text.is_empty()) {
            if means_everybody(text) {
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
