//! JSON and JSON lines.

pub(crate) mod outline;
#[cfg(test)]
mod tests;
mod value;

use campanile_corpus::Document;

use crate::report::Report;
use crate::{Finding, IngestError};
pub(crate) use value::{Json, spaced};

/// A file that no rule for records knows, as one document.
pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), IngestError> {
    let value = parse(path, source)?;
    Ok(outline::read(path, value, Vec::new()))
}

/// The same for a file of one value a line.
pub(crate) fn read_lines(path: &str, source: &str) -> Result<(Document, Report), IngestError> {
    let (values, bad) = parse_lines(path, source)?;
    Ok(outline::read(path, Json::List(values), bad.into_iter().collect()))
}

pub(crate) fn parse(path: &str, source: &str) -> Result<Json, IngestError> {
    Json::parse(source).map_err(|error| IngestError::Malformed {
        path: path.to_owned(),
        format: "JSON",
        reason: error.to_string(),
    })
}

/// The values of all lines that are JSON, and what is wrong with the others.
///
/// # Errors
/// [`IngestError::Malformed`] where no line is JSON.
pub(crate) fn parse_lines(
    path: &str,
    source: &str,
) -> Result<(Vec<Json>, Option<Finding>), IngestError> {
    let mut values = Vec::new();
    let mut bad: Option<(usize, usize, String)> = None;
    for (index, line) in source.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match Json::parse(line) {
            Ok(value) => values.push(value),
            Err(error) => {
                let first = || (0, index + 1, without_line(&error.to_string()));
                bad.get_or_insert_with(first).0 += 1;
            }
        }
    }
    let bad = bad.map(|(count, line, reason)| (path.to_owned(), count, line, reason));
    match bad {
        Some((path, _, line, reason)) if values.is_empty() => Err(IngestError::Malformed {
            path,
            format: "JSON lines",
            reason: format!("line {line}: {reason}"),
        }),
        bad => Ok((
            values,
            bad.map(|(path, count, line, reason)| Finding::BadLines { path, count, line, reason }),
        )),
    }
}

/// Returns a parser's message without the line that it counts within one line.
fn without_line(reason: &str) -> String {
    reason.replace(" at line 1 column ", " at column ")
}
