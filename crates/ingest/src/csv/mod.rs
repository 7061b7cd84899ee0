//! Files of separated values: CSV, TSV and their like.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use campanile_corpus::Document;

use crate::assemble::{Assembler, title_from_path};
use crate::decode::decode_old;
use crate::report::Report;
use crate::tabular::{Sheet, SheetCell, SheetRow, add_parts};
use crate::{Finding, Noticed, Trouble};

/// Columns that are read; a line with more was not written by a person.
const MOST_COLUMNS: usize = 1_000;

/// A file of separated values as one document with its tables.
pub(crate) fn read(path: &str, bytes: &[u8], usual: u8) -> Result<(Document, Report), Trouble> {
    let mut assembler = Assembler::default();
    let rows = rows(path, bytes, usual)?;
    let sheet = rows.sheet(true);
    add_parts(&mut assembler, sheet.parts());
    let (document, mut report) =
        assembler.finish(path, title_from_path(path), None, BTreeMap::new());
    report.notes.extend(rows.notes(path));
    Ok((document, report))
}

/// The rows of a file, and what is odd about them.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    rows: Vec<Vec<String>>,
    /// The number of rows that have more fields than the first, and the line of the first of them.
    ragged: Option<(usize, u64)>,
    /// The finding on the text's encoding, if that is odd.
    old: Option<Finding>,
}

impl Rows {
    /// The rows as a sheet; `without_index` leaves out a first column that only counts the rows.
    pub(crate) fn sheet(&self, without_index: bool) -> Sheet {
        let skipped = usize::from(without_index && self.begin_with_index());
        let rows = self.rows.iter().enumerate().map(|(number, row)| {
            let cells = row.iter().enumerate().skip(skipped);
            let cells = cells.filter(|(_, text)| !text.trim().is_empty()).map(|(column, text)| {
                SheetCell::new(u32::try_from(column).unwrap_or(u32::MAX), text.as_str())
            });
            SheetRow { number: u32::try_from(number).unwrap_or(u32::MAX), cells: cells.collect() }
        });
        let rows = rows.filter(|row| !row.cells.is_empty()).collect();
        Sheet { rows, is_free: false }
    }

    /// Returns `true` if the first column has no name and numbers the rows: programs write such a column that
    /// nobody asked for.
    fn begin_with_index(&self) -> bool {
        let mut firsts = self.rows.iter().map(|row| row.first().map_or("", String::as_str));
        let mut numbers = firsts.by_ref().skip(1).map(|first| first.parse::<u64>().ok());
        // R counts from 1, pandas from 0.
        let Some(start) = numbers.next().flatten().filter(|start| *start <= 1) else {
            return false;
        };
        let counts = numbers.zip(start + 1..).all(|(number, expected)| number == Some(expected));
        let is_unnamed = self.rows.first().and_then(|row| row.first());
        counts && self.rows.len() > 2 && is_unnamed.is_some_and(|name| name.trim().is_empty())
    }

    /// Returns what is worth telling about them.
    pub(crate) fn notes(&self, path: &str) -> Vec<Finding> {
        let ragged = self.ragged;
        let ragged = ragged.map(|(count, line)| Noticed::RaggedRows { count, line }.of(path));
        self.old.iter().cloned().chain(ragged).collect()
    }
}

/// A reader that takes rows of any number of fields, the first like the others: a head is found later.
fn reader(source: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter).has_headers(false).flexible(true).from_reader(source.as_bytes())
}

/// Reads the rows of a file whose fields are parted by `usual` unless they are clearly not.
pub(crate) fn rows(path: &str, bytes: &[u8], usual: u8) -> Result<Rows, Trouble> {
    let decoded = decode_old(bytes)?;
    let source = &decoded.text;
    let mut reader = reader(source, delimiter(source, usual));
    let mut found = Rows { old: decoded.note(path), ..Rows::default() };
    let mut fields = None;
    for record in reader.records() {
        let record = record.map_err(|error| Trouble::malformed("CSV", error))?;
        // Spreadsheet programs write separators to the width of the sheet: what is empty at the end of a
        // row is no field.
        let filled = record.iter().enumerate().filter(|(_, field)| !field.trim().is_empty());
        let filled = filled.last().map_or(0, |(last, _)| last + 1);
        if filled > MOST_COLUMNS {
            let reason = format!("a row of {filled} fields, where at most {MOST_COLUMNS} are read");
            return Err(Trouble::malformed("CSV", reason));
        }
        // Titles and blank rows come before the header that says how many fields there are.
        let expected = *fields.get_or_insert(record.len());
        if filled > expected && expected > 1 {
            let line = record.position().map_or(0, csv::Position::line);
            let (count, _) = found.ragged.get_or_insert((0, line));
            *count += 1;
        } else if filled > expected {
            fields = Some(filled);
        }
        found.rows.push(record.iter().take(filled).map(str::to_owned).collect());
    }
    Ok(found)
}

/// The characters that do, the usual first.
const DELIMITERS: &[u8] = b",;\t|";
/// The part of a file that is looked at, in bytes and in rows.
// Rows of one file are alike, and a file of 50 MB is tried under four delimiters.
const BYTES_LOOKED_AT: usize = 64 * 1024;
const ROWS_LOOKED_AT: usize = 100;

/// The delimiter under which the rows are most alike; `usual` where it makes no difference.
pub(super) fn delimiter(source: &str, usual: u8) -> u8 {
    let end = source.floor_char_boundary(BYTES_LOOKED_AT);
    let head = &source[..end];
    let others = DELIMITERS.iter().copied().filter(|delimiter| *delimiter != usual);
    let mut best = (score(head, usual), usual);
    for delimiter in others {
        let own = score(head, delimiter);
        // Only a better one replaces the usual, so that a file of one column keeps it.
        if own > best.0 {
            best = (own, delimiter);
        }
    }
    best.1
}

/// Returns how many rows in a thousand have as many fields as most have, and how many fields that are; none
/// if most have only one.
fn score(head: &str, delimiter: u8) -> Option<(usize, usize)> {
    let mut reader = reader(head, delimiter);
    let mut counts: Vec<usize> =
        reader.records().take(ROWS_LOOKED_AT).map_while(Result::ok).map(|row| row.len()).collect();
    counts.sort_unstable();
    let mut usual = (0, 0);
    for run in counts.chunk_by(|a, b| a == b) {
        usual = usual.max((run.len(), run[0]));
    }
    let (rows, fields) = usual;
    (fields > 1).then(|| (1_000 * rows / counts.len().max(1), fields))
}
