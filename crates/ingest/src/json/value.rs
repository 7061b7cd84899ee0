//! JSON as a reader of documents needs it: fields in their order, numbers as they are written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::html;

/// Values within values are read this deep.
// Every level is read from its text again, so time grows with depth times length.
const DEEPEST: usize = 64;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    /// A string, or a number or truth value as it is written.
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text.
    pub(crate) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        Self::of(serde_json::from_str(text)?, 0)
    }

    /// Reads a value from its text. Each level is read by itself, so that depth costs no stack.
    fn of(raw: &RawValue, depth: usize) -> Result<Self, serde_json::Error> {
        if depth > DEEPEST {
            let reason = format!("values are nested more than {DEEPEST} deep");
            return Err(serde_json::Error::custom(reason));
        }
        let text = raw.get();
        Ok(match text.as_bytes().first() {
            Some(b'{') => {
                let Pairs(pairs) = serde_json::from_str(text)?;
                let values =
                    pairs.into_iter().map(|(name, raw)| Ok((name, Self::of(raw, depth + 1)?)));
                Self::Object(values.collect::<Result<_, serde_json::Error>>()?).unwrapped()
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                let values = items.into_iter().map(|raw| Self::of(raw, depth + 1));
                Self::List(values.collect::<Result<_, _>>()?)
            }
            Some(b'"') => Self::Text(serde_json::from_str(text)?),
            Some(b'n') => Self::Null,
            _ => Self::Text(text.to_owned()),
        })
    }

    /// A text that WordPress wraps, by itself: `{"rendered": "<p>…</p>", "protected": false}`.
    fn unwrapped(self) -> Self {
        const BESIDE: [&str; 4] = ["rendered", "protected", "raw", "block_version"];
        let Self::Object(fields) = &self else { return self };
        let is_wrapper = fields.iter().all(|(name, _)| BESIDE.contains(&name.as_str()));
        let rendered = fields.iter().find(|(name, _)| name == "rendered").filter(|_| is_wrapper);
        match rendered {
            Some((_, text @ Self::Text(_))) => text.clone(),
            _ => self,
        }
    }

    /// Returns `true` if there is nothing in it to read.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(values) => values.iter().all(Self::is_empty),
            Self::Object(fields) => fields.iter().all(|(_, value)| value.is_empty()),
        }
    }

    /// The value in running text: items parted by commas, the fields of an object named.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => html::lines(text.trim()),
            Self::List(values) => {
                let of_objects = values.iter().any(|value| matches!(value, Self::Object(_)));
                joined(values.iter().map(Self::to_text), if of_objects { "; " } else { ", " })
            }
            Self::Object(fields) => {
                let named = fields.iter().filter(|(_, value)| !value.is_empty());
                joined(
                    named.map(|(name, value)| format!("{}: {}", spaced(name), value.to_text())),
                    ", ",
                )
            }
        }
    }
}

fn joined(parts: impl Iterator<Item = String>, separator: &str) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
}

/// A field's name as people write it: `start_time` is `start time`.
pub(crate) fn spaced(name: &str) -> String {
    name.split(['_', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The fields of an object, in order, not yet read.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor;
        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(PairsVisitor)
    }
}
