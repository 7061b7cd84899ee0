//! Problems with the values of fields.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// Longest value shown in a message, in characters.
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
        self.nearest = nearest(found, known).map(str::to_owned);
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
pub(crate) fn nearest<'a>(
    found: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let found = super::names::name_key(found);
    known
        .into_iter()
        .map(|known| {
            let key = super::names::name_key(known);
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
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}
