//! Records: files that hold many small documents, one in each row or object.
//!
//! A course catalogue of five thousand courses is not one document: whoever asks for a course wants
//! that course, its title and its own address. What its fields mean only its keeper knows, so the
//! keeper says it in a [`RecordRule`].

mod document;
mod rule;
mod template;
#[cfg(test)]
mod tests;

use campanile_corpus::{Document, Table};

use crate::assemble::UniqueNames;
use crate::decode::decode;
use crate::json::{Json, parse, parse_lines};
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::tabular::{Part, Sheet, columns};
use crate::{Finding, IngestOptions, Kind, Noticed, Trouble, csv, spreadsheet};
use document::Plan;
use template::{has, nearest};

pub use rule::{Fields, RecordRule, RecordTable, RuleError, TextField};

/// The documents of a file that a rule matches, one of each record; `None` if none does.
pub(crate) fn read(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<Option<Vec<(Document, Report)>>, Trouble> {
    let wrong = |source| Trouble::Rule(Box::new(source));
    for rule in &options.records {
        if rule.matcher().map_err(wrong)?.is_match(path) {
            let plan = Plan::of(rule).map_err(wrong)?;
            let source = source(kind, path, bytes, rule, options)?;
            // An error, since without title and id no document is worth having; all other fields may be missing.
            check(&plan, rule, &source.records).map_err(wrong)?;
            let mut notes = source.notes;
            notes.extend(missing(&plan, path, rule, &source.records));
            return Ok(Some(documents(&plan, path, &source.records, notes)));
        }
    }
    Ok(None)
}

fn documents(
    plan: &Plan<'_>,
    path: &str,
    records: &[Json],
    mut notes: Vec<Finding>,
) -> Vec<(Document, Report)> {
    let mut names = Names::default();
    let mut found = Vec::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        let id = plan.id.as_ref().map(|id| id.render(record)).unwrap_or_default();
        let name = names.name(&id, index + 1);
        let title = clean_line(&plan.title.render(record), &mut Report::default());
        let title = if title.is_empty() { name.clone() } else { title };
        found.push(plan.document(&format!("{path}#{name}"), title, record));
    }
    notes.extend(names.repeated(path));
    // Once for the file, not with each of its documents.
    if let Some((_, report)) = found.first_mut() {
        report.notes.extend(notes);
    }
    found
}

/// Checks that some record has each field of title and id: without them there is nothing to call a document by.
fn check(plan: &Plan<'_>, rule: &RecordRule, records: &[Json]) -> Result<(), RuleError> {
    let title = plan.title.fields().map(|field| ("title", field));
    let id = plan.id.iter().flat_map(|id| id.fields()).map(|field| ("id", field));
    for (key, field) in title.chain(id) {
        if records.iter().any(|record| has(record, field)) {
            continue;
        }
        let hint = match nearest(records, field) {
            Some(name) => format!("is `{name}` meant?"),
            None => "look up the field's name in the file".to_owned(),
        };
        return Err(rule.wrong(format!(
            "names the field `{field}` in `{key}`, which none of the {} records has: {hint}",
            records.len()
        )));
    }
    Ok(())
}

/// Fields that records lack.
fn missing(
    plan: &Plan<'_>,
    path: &str,
    rule: &RecordRule,
    records: &[Json],
) -> impl Iterator<Item = Finding> {
    plan.fields().into_iter().filter_map(move |field| {
        let count = records.iter().filter(|record| !has(record, &field)).count();
        let is_nowhere = count == records.len();
        let missing = || Noticed::FieldMissing {
            rule: rule.files.clone(),
            nearest: if is_nowhere { nearest(records, &field) } else { None },
            field: field.clone(),
            count,
            of: records.len(),
        };
        (count > 0).then(|| missing().of(path))
    })
}

/// The names of a file's records, each given once.
#[derive(Debug, Default)]
struct Names {
    taken: UniqueNames,
    repeated: usize,
    example: String,
}

impl Names {
    /// A name for the record: its id without white space, or its number; numbered if it is taken.
    fn name(&mut self, id: &str, number: usize) -> String {
        let words: Vec<&str> = id
            .split(|character: char| character.is_whitespace() || character.is_control())
            .filter(|word| !word.is_empty())
            .collect();
        let plain = if words.is_empty() { number.to_string() } else { words.join("-") };
        // The second record of a name ends in `-2`.
        let name = self.taken.take(plain.clone(), 2);
        if name != plain {
            if self.repeated == 0 {
                self.example = plain;
            }
            self.repeated += 1;
        }
        name
    }

    fn repeated(self, path: &str) -> Option<Finding> {
        let (count, example) = (self.repeated, self.example);
        (count > 0).then(|| Noticed::RepeatedIds { count, example }.of(path))
    }
}

/// The records, and what was noticed on the way to them.
#[derive(Debug, Default)]
struct Source {
    pub(super) records: Vec<Json>,
    pub(super) notes: Vec<Finding>,
}

fn source(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    rule: &RecordRule,
    options: &IngestOptions,
) -> Result<Source, Trouble> {
    let wrong = |source| Trouble::Rule(Box::new(source));
    let none = |reason: String| wrong(rule.wrong(format!("finds no records: {reason}")));
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
            let (values, bad) = parse_lines(path, &decode(bytes)?)?;
            found.notes.extend(bad);
            found.records = values;
        }
        Kind::Json => {
            let value = parse(&decode(bytes)?)?;
            found.records = at(value, rule.rows.as_deref().unwrap_or_default()).map_err(none)?;
        }
        _ => {
            let problem = "matches it, but only spreadsheets, CSV, TSV, JSON and JSON lines hold records: \
                           narrow the rule's `match`";
            return Err(wrong(rule.wrong(problem)));
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
                // The last of one name counts, as in JSON elsewhere.
                let index = fields.iter().rposition(|(name, _)| *name == token);
                let names: Vec<String> =
                    fields.iter().take(20).map(|(name, _)| format!("`{name}`")).collect();
                let Some(index) = index else {
                    return Err(format!(
                        "`rows = \"{pointer}\"` asks for `{token}`, where there are only {}",
                        names.join(", ")
                    ));
                };
                // The other fields are not looked at again.
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
