//! From fields as people write them to values, each in its own type, and to problems.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use super::date::{Date, Validity};
use super::field::{Field, Shape};
use super::level::HierarchyLevel;
use super::lists::{
    Batches, EXPECTED_BATCH, EXPECTED_NUMBER, Names, Numbers, means_everybody, name_key,
};

/// The statements of a front matter, a sidecar or a rule, field by field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// The fields that are stated and understood. A field with nothing in it is not stated;
    /// `"*"` is.
    pub values: BTreeMap<Field, FieldValue>,
    /// The fields that are not known, as they were written.
    pub unknown: BTreeMap<String, Value>,
    /// The values that could not be understood.
    pub problems: Vec<MetadataProblem>,
}

impl Fields {
    /// Reads fields in the order of their names.
    pub fn read(fields: &BTreeMap<String, Value>) -> Self {
        let mut read = Self::default();
        let mut named: BTreeMap<Field, &str> = BTreeMap::new();
        for (name, value) in fields {
            let Some(field) = Field::of(name) else {
                read.unknown.insert(name.clone(), value.clone());
                continue;
            };
            match read_value(field, name, value) {
                Ok(stated) => {
                    for (field, stated) in stated {
                        read.state(field, stated, name, value, &mut named);
                    }
                }
                Err(problem) => read.problems.push(problem),
            }
        }
        read
    }

    /// The first name of a field holds; a second one that says something else is a problem.
    fn state<'a>(
        &mut self,
        field: Field,
        stated: FieldValue,
        name: &'a str,
        written: &Value,
        named: &mut BTreeMap<Field, &'a str>,
    ) {
        if let Some(before) = named.get(&field) {
            if self.values.get(&field) != Some(&stated) {
                let expected = format!("`{before}` says the same with another value: keep one");
                self.problems.push(MetadataProblem::new(name, shown(written), &expected));
            }
            return;
        }
        named.insert(field, name);
        self.values.insert(field, stated);
    }
}

/// The value of a field, after reading.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A line of text.
    Text(String),
    /// `true` if the document is academic.
    Academic(bool),
    /// A level of the university.
    Level(HierarchyLevel),
    /// A list of names.
    Names(Names),
    /// A list of batches.
    Batches(Batches),
    /// Years or semesters of study.
    Numbers(Numbers),
    /// A day; none where a limit is lifted with `"*"`.
    Date(Option<Date>),
    /// Yes or no.
    Truth(bool),
}

/// Most text is short; what is longer was meant for somewhere else.
const MOST_CHARS: usize = 2_000;

/// Reads the value of a field. A value may state two fields (a period has two ends) or none (it is
/// empty).
fn read_value(
    field: Field,
    name: &str,
    value: &Value,
) -> Result<Vec<(Field, FieldValue)>, MetadataProblem> {
    let wrong = |expected: &str| MetadataProblem::new(name, shown(value), expected);
    let one = |value| vec![(field, value)];
    if is_empty(value) {
        return Ok(Vec::new());
    }
    match field.shape() {
        Shape::Text => {
            let text = scalar(value).ok_or_else(|| wrong("it must be text"))?;
            if text.chars().count() > MOST_CHARS {
                return Err(wrong("it must be at most 2000 characters long"));
            }
            Ok(one(FieldValue::Text(text)))
        }
        Shape::Address => {
            let expected = "it must be an address that begins with https://, http:// or mailto:, \
                            or a relative one";
            let text = scalar(value).filter(|text| is_address(text));
            text.map(|text| one(FieldValue::Text(text))).ok_or_else(|| wrong(expected))
        }
        Shape::Kind => {
            let expected = "it must be \"academic\" or \"non-academic\"";
            let text = scalar(value).ok_or_else(|| wrong(expected))?;
            match kind(&text) {
                Some(is_academic) => Ok(one(FieldValue::Academic(is_academic))),
                None => Err(wrong(expected).near(&text, ["academic", "non-academic"])),
            }
        }
        Shape::Level => {
            let expected = "it must be \"department\", \"faculty\" or \"university\"";
            let text = scalar(value).ok_or_else(|| wrong(expected))?;
            match HierarchyLevel::of(&text) {
                Some(level) => Ok(one(FieldValue::Level(level))),
                None => Err(wrong(expected).near(&text, HierarchyLevel::ALL.map(|it| it.name()))),
            }
        }
        Shape::Truth => {
            let expected = "it must be true or false";
            let text = scalar(value).ok_or_else(|| wrong(expected))?;
            match text.to_ascii_lowercase().as_str() {
                "true" | "yes" => Ok(one(FieldValue::Truth(true))),
                "false" | "no" => Ok(one(FieldValue::Truth(false))),
                _ => Err(wrong(expected).near(&text, ["true", "false"])),
            }
        }
        Shape::Names => {
            let names = list(value).ok_or_else(|| wrong("it must be a name or a list of names"))?;
            let value = FieldValue::Names(Names::new(&names));
            Ok(if is_blank(&names) { Vec::new() } else { one(value) })
        }
        Shape::Batches | Shape::Numbers => {
            let is_batch = field.shape() == Shape::Batches;
            let expected = if is_batch { EXPECTED_BATCH } else { EXPECTED_NUMBER };
            let members = list(value).ok_or_else(|| wrong(expected))?;
            let texts = members.iter().map(String::as_str);
            let value = if is_batch {
                Batches::read(texts).map(FieldValue::Batches)
            } else {
                Numbers::read(texts).map(FieldValue::Numbers)
            };
            // The member that is wrong, not the whole list.
            let wrong = |found| MetadataProblem::new(name, format!("\"{found}\""), expected);
            let value = value.map_err(wrong)?;
            Ok(if is_blank(&members) { Vec::new() } else { one(value) })
        }
        Shape::Date | Shape::Limit => {
            let expected = "it must be a date, as in 2026-03-31";
            let text = scalar(value).ok_or_else(|| wrong(expected))?;
            if field.shape() == Shape::Limit && means_everybody(&text) {
                return Ok(one(FieldValue::Date(None)));
            }
            let date = Date::of_timestamp(&text).ok_or_else(|| wrong(expected))?;
            Ok(one(FieldValue::Date(Some(date))))
        }
        Shape::Period => {
            let expected = "it must be a period, as in \"2024-10-01/2025-03-31\", \
                            \"from 2024-10-01\" or \"until 2025-03-31\"";
            let text = scalar(value).ok_or_else(|| wrong(expected))?;
            let ends = Validity::read_ends(&text).ok_or_else(|| wrong(expected))?;
            let stated = |field, end: Option<_>| end.map(|end| (field, FieldValue::Date(end)));
            Ok([stated(Field::ValidFrom, ends.0), stated(Field::ValidUntil, ends.1)]
                .into_iter()
                .flatten()
                .collect())
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

/// Returns `true` if a page may lead there: an address of the web, of a mailbox, or a relative one. No other
/// scheme (`javascript:`) is let through.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme);
    // A colon behind a slash is part of a path: `/rooms/5:07`.
    let is_relative = scheme.is_none_or(|scheme| scheme.contains(['/', '?', '#']));
    let is_known = scheme.is_some_and(|scheme| {
        ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
    });
    (is_relative || is_known) && !text.chars().any(char::is_control) && text.len() <= MOST_CHARS
}

fn is_blank(members: &[String]) -> bool {
    members.iter().all(|member| member.trim().is_empty())
}

/// A value that is one word or line.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A list, or a line with commas. The members of a list are not cut: they may hold commas.
fn list(value: &Value) -> Option<Vec<String>> {
    let member = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match value {
        Value::Array(values) => values.iter().map(member).collect(),
        Value::String(text) => Some(text.split(',').map(str::to_owned).collect()),
        value => member(value).map(|member| vec![member]),
    }
}

fn kind(text: &str) -> Option<bool> {
    let letters: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    match letters.as_str() {
        "academic" => Some(true),
        "nonacademic" => Some(false),
        _ => None,
    }
}

impl fmt::Display for FieldValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(formatter, "\"{text}\""),
            Self::Academic(true) => write!(formatter, "academic"),
            Self::Academic(false) => write!(formatter, "non-academic"),
            Self::Level(level) => write!(formatter, "{level}"),
            Self::Names(names) if names.is_everybody() => write!(formatter, "*"),
            Self::Names(names) => write!(formatter, "{}", names.listed().join(", ")),
            Self::Batches(batches) => write!(formatter, "{batches}"),
            Self::Numbers(numbers) => write!(formatter, "{numbers}"),
            Self::Date(None) => write!(formatter, "*"),
            Self::Date(Some(date)) => write!(formatter, "{date}"),
            Self::Truth(truth) => write!(formatter, "{truth}"),
        }
    }
}

/// Longest value shown in a message, in characters.
// So that a message stays on about a line of a terminal.
const SHOWN_CHARS: usize = 60;

/// A value that cannot be used; the field counts as not stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MetadataProblem {
    /// The field, as it was written.
    pub field: String,
    /// The value that stands there, as JSON, cut if long.
    pub found: String,
    /// A sentence on what may stand there.
    pub expected: String,
    /// The known value that was probably meant.
    pub nearest: Option<String>,
}

impl MetadataProblem {
    pub(crate) fn new(field: &str, found: String, expected: &str) -> Self {
        Self { field: field.to_owned(), found, expected: expected.to_owned(), nearest: None }
    }

    /// With the nearest of the known values, if one is near.
    pub(crate) fn near<'a>(
        mut self,
        found: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        self.nearest = nearest_name(found, known).map(str::to_owned);
        self
    }
}

impl fmt::Display for MetadataProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` is {}, but {}", self.field, self.found, self.expected)?;
        if let Some(nearest) = &self.nearest {
            write!(formatter, ". Did you mean \"{nearest}\"?")?;
        }
        Ok(())
    }
}

/// The known name that differs least, if it shares more than half of its letters.
pub fn nearest_name<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = name_key(found);
    known
        .into_iter()
        .map(|known| {
            let key = name_key(known);
            (strsim::osa_distance(&found, &key), key.chars().count(), known)
        })
        .filter(|(edits, letters, _)| edits * 2 < *letters)
        .min_by_key(|(edits, ..)| *edits)
        .map(|(_, _, known)| known)
}

/// A value as JSON, short enough for a message.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}
