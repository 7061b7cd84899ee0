//! Lines of JSON to questions and back, and what is wrong with a line that is none.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Deserializer, Serialize};
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};
use thiserror::Error;

use crate::fields::{Field, GOLD, PROFILE, QUESTION, nearest};
use crate::question::{Category, Question};

/// Reads a question set: one JSON object a line, empty lines skipped.
///
/// # Errors
/// The first line that is no question, with its field and what is expected there; a name used
/// twice; an empty set.
pub fn read_questions(text: &str) -> Result<Vec<Question>, QuestionError> {
    let mut questions = Vec::new();
    // Names, so that records of two runs can be laid side by side: one that stands twice would pair the wrong
    // questions.
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let question =
            question_of(content).map_err(|problem| QuestionError::Line { line, problem })?;
        if let Some(first) = lines.insert(question.id.clone(), line) {
            return Err(QuestionError::Twice { line, first, id: question.id });
        }
        questions.push(question);
    }
    if questions.is_empty() {
        return Err(QuestionError::Empty);
    }
    Ok(questions)
}

/// Writes a question set, as [`read_questions`] reads it.
pub fn write_questions(questions: &[Question]) -> String {
    written(questions)
}

/// The lines of values that cannot fail to be JSON: questions and proposals are made of texts and whole numbers alone.
pub(crate) fn written<T: Serialize>(values: &[T]) -> String {
    let lines = write_lines(values);
    debug_assert!(lines.is_ok(), "texts and whole numbers always are JSON");
    lines.unwrap_or_default()
}

/// Reads the values of all lines but the empty ones. `wrong` makes the error of a line, given its number from 1, that is
/// no such value.
///
/// # Errors
/// The first line that is no such value.
pub fn read_lines<T: DeserializeOwned, E>(
    text: &str,
    wrong: impl Fn(usize, serde_json::Error) -> E,
) -> Result<Vec<T>, E> {
    let lines = (1..).zip(text.lines()).filter(|(_, content)| !content.trim().is_empty());
    lines
        .map(|(line, content)| serde_json::from_str(content).map_err(|source| wrong(line, source)))
        .collect()
}

/// Writes values as [`read_lines`] reads them.
///
/// # Errors
/// Where a value is no JSON.
pub fn write_lines<T: Serialize>(values: &[T]) -> serde_json::Result<String> {
    values.iter().map(|value| Ok(serde_json::to_string(value)? + "\n")).collect()
}

/// The question of one line.
pub fn question_of(line: &str) -> Result<Question, LineProblem> {
    // Twice: as a plain value, to name unknown fields and what stands in the place of an object, and as a question.
    let value = serde_json::from_str(line).map_err(|error| LineProblem::Syntax(words(&error)))?;
    let Value::Object(object) = &value else {
        return Err(LineProblem::NoObject(kind_of(&value)));
    };
    check_names(object)?;
    let mut json = serde_json::Deserializer::from_str(line);
    let question: Question =
        serde_path_to_error::deserialize(&mut json).map_err(|error| LineProblem::Wrong {
            field: error.path().to_string(),
            expected: expected_at(error.path()),
            found: words(error.inner()),
        })?;
    check_sense(&question)?;
    Ok(question)
}

/// All names are known, and those that have to be there are.
fn check_names(question: &Map<String, Value>) -> Result<(), LineProblem> {
    check_object(&QUESTION, question, "")?;
    let gold = question.get("gold").and_then(Value::as_array);
    for (index, gold) in gold.into_iter().flatten().enumerate() {
        if let Value::Object(gold) = gold {
            check_object(&GOLD, gold, &format!("gold[{index}]."))?;
        }
    }
    match question.get("profile") {
        Some(Value::Object(profile)) => check_object(&PROFILE, profile, "profile."),
        _ => Ok(()),
    }
}

fn check_object(
    fields: &[Field],
    object: &Map<String, Value>,
    place: &str,
) -> Result<(), LineProblem> {
    let is_known = |name: &&String| fields.iter().any(|field| field.names.contains(&name.as_str()));
    if let Some(name) = object.keys().find(|name| !is_known(name)) {
        return Err(LineProblem::Unknown {
            field: format!("{place}{name}"),
            nearest: nearest(fields, name),
            known: fields.iter().filter_map(|field| field.names.first().copied()).collect(),
        });
    }
    let is_missing = |field: &&Field| {
        field.required && !field.names.iter().any(|name| object.contains_key(*name))
    };
    match fields.iter().find(is_missing) {
        Some(Field { names: [name, ..], expected, .. }) => {
            Err(LineProblem::Missing { field: name, expected })
        }
        _ => Ok(()),
    }
}

/// Checks what a type cannot say: texts that must not be empty, and fields that must not contradict each
/// other.
fn check_sense(question: &Question) -> Result<(), LineProblem> {
    let wrong =
        |field: &str, reason| Err(LineProblem::Contradiction { field: field.to_owned(), reason });
    if question.id.trim().is_empty() {
        return wrong("id", "it is empty: give the question a name, as in \"q1\"");
    }
    if question.question.trim().is_empty() {
        return wrong("question", "it is empty: write the question as a student would ask it");
    }
    let is_unanswerable = question.category == Category::Unanswerable;
    if is_unanswerable && !question.answers.is_empty() {
        return wrong(
            "answers",
            "an unanswerable question has none: take them away, or change the `category`",
        );
    }
    if is_unanswerable && !question.gold.is_empty() {
        return wrong(
            "gold",
            "an unanswerable question has none: take it away, or change the `category`",
        );
    }
    for (index, gold) in question.gold.iter().enumerate() {
        if [&gold.document, &gold.link].into_iter().flatten().all(|name| name.trim().is_empty()) {
            return wrong(
                &format!("gold[{index}]"),
                "name the `document` by its path, or its public address as `link`",
            );
        }
    }
    Ok(())
}

/// Returns what is expected at a place of a question.
fn expected_at(path: &Path) -> &'static str {
    let names: Vec<&str> = path
        .iter()
        .filter_map(|segment| match segment {
            Segment::Map { key } => Some(key.as_str()),
            _ => None,
        })
        .collect();
    let (fields, name): (&[Field], _) = match names.as_slice() {
        ["gold", name, ..] => (&GOLD, *name),
        ["profile", name, ..] => (&PROFILE, *name),
        [name, ..] => (&QUESTION, *name),
        [] => return "a question",
    };
    fields
        .iter()
        .find(|field| field.names.contains(&name))
        .map_or("a known field", |field| field.expected)
}

/// An error's words without the place: columns of a line of JSON help nobody.
fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(place) => text[..place].to_owned(),
        None => text,
    }
}

const fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A text, or a whole number as one: `2023` for `"2023"`.
pub(super) fn text_or_number<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged, expecting = "a text or a whole number is expected")]
    enum TextOrNumber {
        Text(String),
        Number(u64),
    }
    Ok(Option::deserialize(from)?.map(|value| match value {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    }))
}

/// A list of texts, or one alone.
pub(super) fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged, expecting = "a text or a list of texts is expected")]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Option::deserialize(from)? {
        None => Vec::new(),
        Some(OneOrMany::One(one)) => vec![one],
        Some(OneOrMany::Many(many)) => many,
    })
}

/// Why a question set cannot be read.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// A line is no question.
    #[error("line {line} of the question set: {problem}")]
    Line {
        /// 1-based.
        line: usize,
        /// The problem with it.
        problem: LineProblem,
    },
    /// Two questions share a name.
    #[error("line {line} of the question set: the id `{id}` was used in line {first}")]
    Twice {
        /// 1-based.
        line: usize,
        /// The line where it was used before.
        first: usize,
        /// The name.
        id: String,
    },
    /// The set holds nothing.
    #[error("the question set is empty: one JSON object a line is expected")]
    Empty,
}

/// A problem with a line of a question set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineProblem {
    /// It is no JSON.
    #[error("one JSON object is expected: {0}")]
    Syntax(String),
    /// It is JSON, but no object.
    #[error("one JSON object is expected, found {0}")]
    NoObject(&'static str),
    /// A field is not known.
    #[error("the field `{field}` is not known{}", hint(*.nearest, .known))]
    Unknown {
        /// Its place, as in `gold[0].pasage`.
        field: String,
        /// The name that was probably meant.
        nearest: Option<&'static str>,
        /// The names that are known there.
        known: Vec<&'static str>,
    },
    /// A field that has to be there is not.
    #[error("the field `{field}` is missing: {expected} is expected", expected = .expected.trim_end_matches(','))]
    Missing {
        /// Its name.
        field: &'static str,
        /// The content that it should have.
        expected: &'static str,
    },
    /// A field holds something else than it should.
    #[error("field `{field}`: {expected} is expected ({found})")]
    Wrong {
        /// Its place, as in `gold[0].grade`.
        field: String,
        /// The content that it should have.
        expected: &'static str,
        /// The content that it has.
        found: String,
    },
    /// Fields that cannot be true together.
    #[error("field `{field}`: {reason}")]
    Contradiction {
        /// One of them.
        field: String,
        /// Why, and the way out.
        reason: &'static str,
    },
}

fn hint(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(name) => format!(": did you mean `{name}`?"),
        None => format!(": `{}` are", known.join("`, `")),
    }
}
