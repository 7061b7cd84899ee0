//! The records of a file, whatever its kind.

use campanile_corpus::Table;

use super::{RecordRule, RuleError};
use crate::decode::decode;
use crate::json::{Json, parse, parse_lines};
use crate::tabular::{Part, Sheet, columns};
use crate::{Finding, IngestError, IngestOptions, Kind, csv, spreadsheet};

/// The records, and what was noticed on the way to them.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) records: Vec<Json>,
    pub(super) notes: Vec<Finding>,
}

pub(super) fn source(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    rule: &RecordRule,
    options: &IngestOptions,
) -> Result<Source, IngestError> {
    let wrong = |source| IngestError::Rule { path: path.to_owned(), source: Box::new(source) };
    let none = |reason| wrong(RuleError::NoRecords { rule: rule.files.clone(), reason });
    let mut found = Source::default();
    match kind {
        Kind::Csv | Kind::Tsv => {
            let usual = if kind == Kind::Csv { b',' } else { b'\t' };
            let rows = csv::rows(path, bytes, usual)?;
            found.notes.extend(rows.notes(path));
            found.records = of_sheet(rows.sheet(false));
        }
        Kind::Xlsx | Kind::Xls | Kind::Ods => {
            let wanted = rule.rows.as_deref().map(|name| name.trim_start_matches('/'));
            let book = spreadsheet::sheets(kind, path, bytes, options)?;
            found.notes = book.notes;
            let names: Vec<String> =
                book.sheets.iter().map(|(name, _)| format!("`/{name}`")).collect();
            for (name, sheet) in book.sheets {
                if wanted.is_none_or(|wanted| wanted == name) {
                    found.records.extend(of_sheet(sheet));
                }
            }
            if found.records.is_empty() {
                return Err(none(format!("the sheets are {}", names.join(", "))));
            }
        }
        Kind::JsonLines => {
            let (values, bad) = parse_lines(path, &decode(path, bytes)?)?;
            found.notes.extend(bad);
            found.records = values;
        }
        Kind::Json => {
            let value = parse(path, &decode(path, bytes)?)?;
            found.records = at(value, rule.rows.as_deref().unwrap_or_default()).map_err(none)?;
        }
        _ => {
            return Err(wrong(RuleError::NoRecordKind { rule: rule.files.clone() }));
        }
    }
    found.records.retain(|record| !record.is_empty());
    if found.records.is_empty() {
        return Err(none("the file is empty".to_owned()));
    }
    Ok(found)
}

/// The list that a JSON Pointer leads to; a value that is no list is one record.
fn at(mut value: Json, pointer: &str) -> Result<Vec<Json>, String> {
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        value = match value {
            Json::Object(mut fields) => {
                let index = fields.iter().rposition(|(name, _)| *name == token);
                let names: Vec<String> =
                    fields.iter().take(20).map(|(name, _)| format!("`{name}`")).collect();
                let Some(index) = index else {
                    return Err(format!(
                        "`rows = \"{pointer}\"` asks for `{token}`, where there are only {}",
                        names.join(", ")
                    ));
                };
                fields.swap_remove(index).1
            }
            Json::List(mut values) => match token.parse::<usize>() {
                Ok(index) if index < values.len() => values.swap_remove(index),
                _ => {
                    return Err(format!(
                        "`rows = \"{pointer}\"` asks for `{token}` of a list of {}",
                        values.len()
                    ));
                }
            },
            Json::Null | Json::Text(_) => {
                return Err(format!("`rows = \"{pointer}\"` leads beyond `{token}`"));
            }
        };
    }
    match value {
        Json::List(values) => Ok(values),
        value @ Json::Object(_) => Ok(vec![value]),
        Json::Null | Json::Text(_) => Err(format!(
            "`rows = \"{pointer}\"` leads to a single value. Name the list that holds the records"
        )),
    }
}

/// The rows of a sheet's tables by the names in their heads.
fn of_sheet(sheet: Sheet) -> Vec<Json> {
    sheet.parts().iter().flat_map(of_part).collect()
}

fn of_part(part: &Part) -> Vec<Json> {
    let (left, right) = columns(&part.rows);
    let Some((_, body)) = part.rows.split_first() else { return Vec::new() };
    let names = names(&part.table(), left, right);
    let mut records = Vec::with_capacity(body.len());
    for row in body {
        let mut cells = row.cells.iter().peekable();
        let field = |(column, name): (u32, &String)| {
            let cell = cells.next_if(|cell| cell.column == column);
            (name.clone(), cell.map_or(Json::Null, |cell| Json::Text(cell.text.clone())))
        };
        records.push(Json::Object((left..).zip(&names).map(field).collect()));
    }
    records
}

/// The names in the first row; a column without one goes by its number.
fn names(table: &Table, left: u32, right: u32) -> Vec<String> {
    let head = table.rows.first().map(|row| row.cells.as_slice()).unwrap_or_default();
    let named = (left..=right).zip(1..).map(|(column, number): (u32, usize)| {
        let cell = head.get((column - left) as usize);
        let text = cell.map_or("", |cell| cell.text.as_str());
        if text.is_empty() { number.to_string() } else { text.to_owned() }
    });
    named.collect()
}
