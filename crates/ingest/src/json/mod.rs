//! JSON and JSON lines.
//!
//! In a file that no rule for records knows, names become headings and lists of objects tables.

#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};

use crate::assemble::{Assembler, DEEPEST_HEADING, title_from_path};
use crate::html::{self, Layout};
use crate::inline::InlineText;
use crate::report::Report;
use crate::sanitize::{clean_line, safe_target};
use crate::table::{CellDraft, TableDraft};
use crate::tabular::{Sheet, SheetCell, SheetRow, add_parts, one_line};
use crate::{Finding, Noticed, Trouble};

pub(crate) use value::{Json, spaced};

/// A file that no rule for records knows, as one document.
pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let value = parse(source)?;
    Ok(document(path, value, Vec::new()))
}

/// The same for a file of one value a line.
pub(crate) fn read_lines(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let (values, bad) = parse_lines(path, source)?;
    Ok(document(path, Json::List(values), bad.into_iter().collect()))
}

pub(crate) fn parse(source: &str) -> Result<Json, Trouble> {
    Json::parse(source).map_err(|error| Trouble::malformed("JSON", error))
}

/// The values of all lines that are JSON, and what is wrong with the others.
///
/// # Errors
/// [`Trouble::Malformed`] where no line is JSON.
pub(crate) fn parse_lines(
    path: &str,
    source: &str,
) -> Result<(Vec<Json>, Option<Finding>), Trouble> {
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
    let bad = match bad {
        Some((_, line, reason)) if values.is_empty() => {
            let reason = format!("line {line}: {reason}");
            return Err(Trouble::malformed("JSON lines", reason));
        }
        bad => bad,
    };
    let bad = bad.map(|(count, line, reason)| Noticed::BadLines { count, line, reason }.of(path));
    Ok((values, bad))
}

/// Returns a parser's message without the line that it counts within one line.
fn without_line(reason: &str) -> String {
    reason.replace(" at line 1 column ", " at column ")
}

/// A text longer than this is a paragraph of its own, not a value beside its name.
const VALUE_BYTES: usize = 200;
/// A list of objects with more fields than this in all is no table.
const MOST_COLUMNS: usize = 100;

fn document(path: &str, value: Json, notes: Vec<Finding>) -> (Document, Report) {
    let mut assembler = Assembler::default();
    let mut report = Report::default();
    report.notes.extend(notes);
    let mut value = value;
    // Taken out of its fields, so that the text does not say it again.
    let title = stated(&mut value, &["title"], |_| true);
    let title = title.map(|title| clean_line(&title, &mut report));
    let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| title_from_path(path));
    let is_address = |text: &str| text.contains("://") && safe_target(text).is_some();
    let link = stated(&mut value, &["link", "url"], is_address).map(|link| link.trim().to_owned());
    add(&mut assembler, &value, 1);
    if matches!(value, Json::List(_)) {
        report.notes.push(Noticed::NoRule.of(path));
    }
    let (document, found) = assembler.finish(path, title, link, BTreeMap::new());
    report.absorb(found);
    (document, report)
}

/// Takes a text that the file states about itself out of its fields.
fn stated(value: &mut Json, names: &[&str], is_sound: impl Fn(&str) -> bool) -> Option<String> {
    let Json::Object(fields) = value else { return None };
    let is_meant = |(name, value): &(String, Json)| {
        let is_text =
            matches!(value, Json::Text(text) if !text.trim().is_empty() && is_sound(text));
        is_text && names.contains(&name.to_lowercase().as_str())
    };
    let index = fields.iter().position(is_meant)?;
    match fields.remove(index).1 {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

/// Adds a value below a heading. The parser bounds the depth.
fn add(assembler: &mut Assembler, value: &Json, level: u8) {
    match value {
        Json::Null => {}
        Json::Text(text) => add_text(assembler, text),
        Json::List(values) => add_list(assembler, values, level),
        Json::Object(fields) => add_object(assembler, fields, level),
    }
}

/// Paragraph by paragraph. A line that begins like one is one, unless lines were broken to fit.
pub(crate) fn add_text(assembler: &mut Assembler, text: &str) {
    let text = text.replace("\r\n", "\n");
    if let Some(page) = html::has_tags(&text).then(|| html::parse(&text).ok()).flatten() {
        return html::read_into(assembler, &page, Layout::Text);
    }
    let text = html::lines(&text);
    for paragraph in text.split("\n\n") {
        let lines = || paragraph.lines().map(str::trim).filter(|line| !line.is_empty());
        let begins = |line: &str| line.chars().next().is_some_and(|first| !first.is_lowercase());
        if lines().skip(1).all(begins) {
            lines().for_each(|line| assembler.block(BlockKind::Paragraph, InlineText::plain(line)));
        } else {
            assembler.block(BlockKind::Paragraph, InlineText::plain(paragraph.trim()));
        }
    }
}

/// Short values as rows, everything else under a heading.
fn add_object(assembler: &mut Assembler, fields: &[(String, Json)], level: u8) {
    if let Some((sheet, used)) = named_rows(fields) {
        let rest = fields.iter().filter(|(name, _)| !used.contains(&name.as_str())).cloned();
        add_object(assembler, &rest.collect::<Vec<_>>(), level);
        return add_parts(assembler, sheet.parts());
    }
    let is_short = |(_, value): &&(String, Json)| match value {
        Json::Text(text) => text.len() <= VALUE_BYTES && !text.trim().contains('\n'),
        Json::List(values) => values.iter().all(|value| matches!(value, Json::Text(_))),
        Json::Null => true,
        Json::Object(_) => false,
    };
    let (short, long): (Vec<_>, Vec<_>) = fields.iter().partition(is_short);
    let facts = short.into_iter().map(|(name, value)| (spaced(name), value.to_text()));
    assembler.table(facts_table(facts));
    for (name, value) in long.into_iter().filter(|(_, value)| !value.is_empty()) {
        assembler.heading(level.min(DEEPEST_HEADING), InlineText::plain(spaced(name)), None);
        add(assembler, value, level.saturating_add(1));
    }
}

/// Names and values as the rows of a table; values that say nothing are left out.
pub(crate) fn facts_table(facts: impl Iterator<Item = (String, String)>) -> TableDraft {
    let rows = facts
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| vec![CellDraft::header(name), CellDraft::plain(one_line(&value))]);
    TableDraft::of_rows(None, rows)
}

/// Names under which programs put the names of columns beside the rows.
const COLUMNS: &[&str] = &["columns", "fields", "header", "headers", "names"];
/// Names under which they name or number the rows.
const INDEX: &str = "index";

/// The rows of a list of lists of one length, as tables are written by many programs; `None` for coordinates and the like.
fn rows(values: &[Json]) -> Option<Vec<Vec<String>>> {
    let cell = |value: &Json| match value {
        Json::Text(_) | Json::Null => Some(value.to_text()),
        Json::List(_) | Json::Object(_) => None,
    };
    let row = |value: &Json| match value {
        Json::List(cells) => cells.iter().map(cell).collect::<Option<Vec<String>>>(),
        _ => None,
    };
    let rows: Vec<Vec<String>> = values.iter().map(row).collect::<Option<_>>()?;
    let width = rows.first()?.len();
    let is_even = rows.len() > 1 && width > 1 && rows.iter().all(|row| row.len() == width);
    let is_number = |cell: &String| cell.parse::<f64>().is_ok();
    let has_words = rows.iter().flatten().any(|cell| !cell.is_empty() && !is_number(cell));
    (is_even && has_words).then_some(rows)
}

/// The rows of an object under their names (`columns` beside `data`), and the fields that make them.
fn named_rows(fields: &[(String, Json)]) -> Option<(Sheet, Vec<&str>)> {
    let list = |name: &str| {
        fields.iter().find_map(|(own, value)| match value {
            Json::List(values) if own.eq_ignore_ascii_case(name) => Some((own.as_str(), values)),
            _ => None,
        })
    };
    let (columns, names) = COLUMNS.iter().find_map(|name| list(name))?;
    let name_of = |value: &Json| match value {
        Json::Text(text) => Some(text.trim().to_owned()),
        Json::Object(fields) => {
            let text = |wanted: &&str| {
                fields.iter().find_map(|(name, value)| match value {
                    Json::Text(text) if name == wanted => Some(text.trim().to_owned()),
                    _ => None,
                })
            };
            ["name", "title", "label", "field", "id"].iter().find_map(text)
        }
        _ => None,
    };
    let names: Vec<String> = names.iter().map(name_of).collect::<Option<_>>()?;
    let (data, mut rows) = fields.iter().find_map(|(name, value)| match value {
        Json::List(values) if name != columns => {
            let row = |value: &Json| match value {
                Json::List(cells) if cells.len() == names.len() => {
                    Some(cells.iter().map(Json::to_text).collect::<Vec<_>>())
                }
                _ => None,
            };
            let rows: Vec<Vec<String>> = values.iter().map(row).collect::<Option<_>>()?;
            (!rows.is_empty()).then_some((name.as_str(), rows))
        }
        _ => None,
    })?;
    let mut head: Vec<String> = names.iter().map(|name| spaced(name)).collect();
    let mut used = vec![columns, data];
    if let Some((name, index)) = list(INDEX).filter(|(_, index)| index.len() == rows.len()) {
        used.push(name);
        let names: Vec<String> = index.iter().map(Json::to_text).collect();
        // Bare numbers only count the rows.
        if names.iter().any(|name| name.parse::<i64>().is_err()) {
            head.insert(0, String::new());
            rows.iter_mut().zip(names).for_each(|(row, name)| row.insert(0, name));
        }
    }
    rows.insert(0, head);
    Some((sheet(rows), used))
}

fn sheet(rows: Vec<Vec<String>>) -> Sheet {
    let rows = (0..).zip(rows).map(|(number, cells)| SheetRow {
        number,
        cells: (0..)
            .zip(cells)
            .filter(|(_, text)| !text.is_empty())
            .map(|(column, text)| SheetCell::new(column, text))
            .collect(),
    });
    Sheet { rows: rows.filter(|row| !row.cells.is_empty()).collect(), is_free: false }
}

fn add_list(assembler: &mut Assembler, values: &[Json], level: u8) {
    let objects: Vec<&Vec<(String, Json)>> = values
        .iter()
        .filter_map(|value| match value {
            Json::Object(fields) => Some(fields),
            _ => None,
        })
        .collect();
    let mut columns: Vec<&str> = Vec::new();
    // Beside the list, which keeps the order of the file.
    let mut seen = std::collections::BTreeSet::new();
    for (name, _) in objects.iter().flat_map(|fields| fields.iter()) {
        if seen.insert(name.as_str()) {
            columns.push(name);
        }
    }
    if !objects.is_empty() && objects.len() == values.len() && columns.len() <= MOST_COLUMNS {
        let head = columns.iter().map(|name| spaced(name)).collect();
        let rows = objects.into_iter().map(|fields| {
            let cell = |column: &&str| {
                let value = fields.iter().rev().find(|(name, _)| name == column);
                CellDraft::plain(
                    value.map_or_else(String::new, |(_, value)| one_line(&value.to_text())),
                )
            };
            columns.iter().map(cell).collect()
        });
        return assembler.table(TableDraft::of_rows(Some(head), rows));
    }
    if let Some(rows) = rows(values) {
        return add_parts(assembler, sheet(rows).parts());
    }
    for value in values {
        match value {
            Json::Text(text) => {
                assembler.block(BlockKind::ListItem, InlineText::plain(one_line(text)))
            }
            other => add(assembler, other, level),
        }
    }
}
