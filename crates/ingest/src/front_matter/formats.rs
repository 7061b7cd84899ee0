//! The formats of front matter as one: fields with values as JSON knows them.

use serde_json::{Map, Value};
use serde_yaml_ng::Value as Yaml;

use crate::report::Report;
use crate::sanitize::clean_line;

pub(super) fn yaml_fields(
    mapping: serde_yaml_ng::Mapping,
    report: &mut Report,
) -> Vec<(String, Value)> {
    let mut field = |(key, value)| {
        let name = match json(key, report) {
            Value::String(name) => name,
            other => other.to_string(),
        };
        (name, json(value, report))
    };
    mapping.into_iter().map(&mut field).collect()
}

/// YAML as JSON: names become strings, tags are dropped, what JSON cannot say becomes a string.
/// The YAML parser bounds the depth.
fn json(value: Yaml, report: &mut Report) -> Value {
    match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(truth) => Value::Bool(truth),
        Yaml::Number(number) => {
            serde_json::to_value(&number).unwrap_or_else(|_| Value::String(number.to_string()))
        }
        Yaml::String(text) => Value::String(clean_line(&text, report)),
        Yaml::Sequence(values) => {
            Value::Array(values.into_iter().map(|value| json(value, report)).collect())
        }
        Yaml::Mapping(mapping) => {
            let entry = |(key, value)| {
                let name = match json(key, report) {
                    Value::String(name) => name,
                    other => other.to_string(),
                };
                (name, json(value, report))
            };
            Value::Object(mapping.into_iter().map(entry).collect())
        }
        Yaml::Tagged(tagged) => json(tagged.value, report),
    }
}

/// A table of TOML; otherwise the line, from 1, and what is wrong with it.
pub(super) fn toml_table(text: &str) -> Result<Map<String, Value>, (usize, String)> {
    match toml::from_str::<toml::Table>(text) {
        Ok(table) => Ok(table.into_iter().map(|(name, value)| (name, toml_value(value))).collect()),
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start.min(text.len())).unwrap_or_default();
            Err((before.matches('\n').count() + 1, error.message().to_owned()))
        }
    }
}

/// The parser bounds the depth.
fn toml_value(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(values) => values.into_iter().map(toml_value).collect(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(name, value)| (name, toml_value(value))).collect()
        }
    }
}

/// The object that a page begins with, and what follows it on the lines below.
pub(super) fn json_object(source: &str) -> Option<(Map<String, Value>, &str)> {
    if !source.starts_with("{\n") && !source.starts_with("{\"") {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(source).into_iter::<Value>();
    let Some(Ok(Value::Object(object))) = values.next() else {
        return None;
    };
    let body = source.get(values.byte_offset()..)?;
    (body.is_empty() || body.starts_with('\n')).then_some((object, body))
}

pub(super) fn cleaned_fields(
    fields: Map<String, Value>,
    report: &mut Report,
) -> Vec<(String, Value)> {
    let mut field =
        |(name, value): (String, Value)| (clean_line(&name, report), cleaned(value, report));
    fields.into_iter().map(&mut field).collect()
}

fn cleaned(value: Value, report: &mut Report) -> Value {
    match value {
        Value::String(text) => Value::String(clean_line(&text, report)),
        Value::Array(values) => values.into_iter().map(|value| cleaned(value, report)).collect(),
        Value::Object(fields) => cleaned_fields(fields, report).into_iter().collect(),
        other => other,
    }
}
