//! A JSON file that no rule knows, as a document: names become headings, lists of objects tables.

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};

use super::{Json, spaced};
use crate::Finding;
use crate::address::safe;
use crate::assemble::Assembler;
use crate::inline::InlineText;
use crate::name::readable;
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::table::{CellDraft, TableDraft};
use crate::tabular::one_line;

/// A text longer than this is a paragraph of its own, not a value beside its name.
const VALUE_BYTES: usize = 200;
/// A list of objects with more fields than this in all is no table.
const MOST_COLUMNS: usize = 100;
const DEEPEST_HEADING: u8 = 6;

pub(super) fn read(path: &str, value: &Json, notes: Vec<Finding>) -> (Document, Report) {
    let mut assembler = Assembler::default();
    let mut report = Report { notes, ..Report::default() };
    let mut stated = |names: &[&str]| {
        let Json::Object(fields) = value else { return None };
        let field = fields.iter().find(|(name, _)| names.contains(&name.to_lowercase().as_str()));
        let Json::Text(text) = &field?.1 else { return None };
        Some(clean_line(text, &mut report)).filter(|text| !text.is_empty())
    };
    let title = stated(&["title"]).unwrap_or_else(|| readable(path));
    let link = stated(&["link", "url"]).filter(|link| link.contains("://"));
    let link = link.and_then(|link| safe(&link).map(str::to_owned));
    add(&mut assembler, value, 1);
    if matches!(value, Json::List(_)) {
        report.notes.push(Finding::NoRule { path: path.to_owned() });
    }
    let (document, found) = assembler.finish(path, title, link, BTreeMap::new());
    report.absorb(found);
    (document, report)
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

/// Paragraph by paragraph.
pub(crate) fn add_text(assembler: &mut Assembler, text: &str) {
    let text = text.replace("\r\n", "\n");
    for paragraph in text.split("\n\n") {
        assembler.block(BlockKind::Paragraph, InlineText::plain(paragraph.trim()));
    }
}

/// Short values as rows, everything else under a heading.
fn add_object(assembler: &mut Assembler, fields: &[(String, Json)], level: u8) {
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

fn add_list(assembler: &mut Assembler, values: &[Json], level: u8) {
    let objects: Vec<&Vec<(String, Json)>> = values
        .iter()
        .filter_map(|value| match value {
            Json::Object(fields) => Some(fields),
            _ => None,
        })
        .collect();
    let mut columns: Vec<&str> = Vec::new();
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
    for value in values {
        match value {
            Json::Text(text) => {
                assembler.block(BlockKind::ListItem, InlineText::plain(one_line(text)))
            }
            other => add(assembler, other, level),
        }
    }
}
