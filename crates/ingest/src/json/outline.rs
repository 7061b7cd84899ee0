//! A JSON file that no rule knows, as a document: names become headings, lists of objects tables.

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};

use super::{Json, spaced};
use crate::Finding;
use crate::address::safe;
use crate::assemble::{Assembler, DEEPEST_HEADING};
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

pub(super) fn read(path: &str, value: Json, notes: Vec<Finding>) -> (Document, Report) {
    let mut assembler = Assembler::default();
    let mut report = Report { notes, ..Report::default() };
    let mut value = value;
    let title = stated(&mut value, &["title"], |_| true);
    let title = title.map(|title| clean_line(&title, &mut report));
    let title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| readable(path));
    let is_address = |text: &str| text.contains("://") && safe(text).is_some();
    let link = stated(&mut value, &["link", "url"], is_address).map(|link| link.trim().to_owned());
    add(&mut assembler, &value, 1);
    if matches!(value, Json::List(_)) {
        report.notes.push(Finding::NoRule { path: path.to_owned() });
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
