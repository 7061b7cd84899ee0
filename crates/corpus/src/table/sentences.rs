//! Rows written out so that each can be read alone.

use std::ops::Range;

use super::Table;
use super::columns::{Form, Labels};
use super::layout::{Block, Line, Placed, blocks};
use super::look::{Mark, mark, names_a_total};

/// Between what a row is about and what it says of it.
const DASH: &str = " — ";
/// Beyond so much text rows are written without headers: a thousand columns of single digits, each
/// with a header, would grow a hundredfold.
// No table that people read comes near it.
const MOST_LABELLED_BYTES: usize = 20_000_000;

/// A row as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSentence {
    /// Its number among the table's rows.
    pub row: usize,
    /// The text of the sentence.
    pub text: String,
    /// The place of each cell's own text in it; a cell that is only a mark has none.
    pub cells: Vec<CellPlace>,
}

/// The place of a cell's text in a [`RowSentence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// Bytes of [`RowSentence::text`].
    pub range: Range<usize>,
    /// The number of the cell's row: one above, where the cell takes several rows or names a group.
    pub row: usize,
    /// The cell's place in that row.
    pub cell: usize,
}

impl Table {
    /// Each body row with its headers (`Course: CS 101; ECTS: 6`), so that it can be read alone;
    /// the head as it stands if there is no body. Rows without text are left out, and so is a head
    /// that is repeated further down.
    ///
    /// - A row that is one cell wide names the group of the rows below: `Winter term — Course: …`.
    /// - A row header without a header of its own stands first: `Phone: 555 0100`, `Total — ECTS: 6`.
    /// - Where times head the columns and the rows, each cell is a clause: `Monday, 10:00: Logic`.
    /// - Where cells are only marks, what they mark is listed: `Logic — Modules: Data, Networks`.
    ///
    /// No value is ever altered.
    ///
    /// ```
    /// use campanile_corpus::{Table, TableCell, TableRow};
    ///
    /// let row = |is_head, cells: [&str; 2]| TableRow {
    ///     is_head,
    ///     cells: cells.map(TableCell::new).to_vec(),
    /// };
    /// let table = Table {
    ///     rows: vec![row(true, ["Course", "ECTS"]), row(false, ["CS 101", "6"])],
    ///     ..Table::default()
    /// };
    /// assert_eq!(table.sentences()[0].text, "Course: CS 101; ECTS: 6");
    /// ```
    pub fn sentences(&self) -> Vec<RowSentence> {
        let mut out: Vec<RowSentence> = blocks(self).iter().flat_map(block_sentences).collect();
        out.retain(|row| !row.text.is_empty());
        // Heads that head nothing are written when their block ends, behind rows that came later.
        out.sort_by_key(|row| row.row);
        out
    }
}

fn block_sentences(block: &Block<'_>) -> Vec<RowSentence> {
    let mut labels = Labels::default();
    for row in &block.head {
        labels.add(row);
    }
    labels.without_names_of_levels(&block.head);
    let form = Form::of(&labels, &block.lines);
    let (no_labels, no_form) = (Labels::default(), Form::Columns);
    let mut bytes = 0;
    let lines = block.lines.iter().map(|line| {
        let is_plain = bytes > MOST_LABELLED_BYTES;
        let (labels, form) = if is_plain { (&no_labels, &no_form) } else { (&labels, &form) };
        let row = sentence(line, labels, form);
        bytes += row.text.len();
        row
    });
    lines.collect()
}

fn sentence(line: &Line<'_>, labels: &Labels, form: &Form) -> RowSentence {
    let mut out = Writer::default();
    for group in &line.groups {
        out.cell(group);
        out.push(DASH);
    }
    if line.is_alone {
        out.list(&line.cells, |_| None);
        return out.finish(line.row);
    }
    match form {
        Form::Calendar { first, columns, rows } => {
            calendar_row(&mut out, line, labels, (*first, *rows < *columns));
        }
        Form::Matrix { columns } => matrix_row(&mut out, line, labels, columns),
        Form::Columns => columns_row(&mut out, &line.cells, labels),
    }
    out.finish(line.row)
}

/// `Course: CS 101; ECTS: 6`.
fn columns_row(out: &mut Writer, cells: &[Placed<'_>], labels: &Labels) {
    // Names of fields beside their values, in more columns than one.
    if labels.is_empty()
        && cells.iter().any(|cell| cell.is_header && cell.column > 1)
        && cells.iter().any(|cell| !cell.is_header)
    {
        return fields_row(out, cells);
    }
    let names = leading_names(cells, labels);
    let (names, values) = cells.split_at(names);
    for (index, name) in names.iter().enumerate() {
        out.push(if index > 0 { ", " } else { "" });
        out.cell(name);
    }
    if !names.is_empty() {
        let ends_in_colon = names.last().is_some_and(|name| name.text.ends_with(':'));
        out.push(match (labels.is_empty(), ends_in_colon) {
            (_, true) => " ",
            (true, false) => ": ",
            (false, false) => DASH,
        });
    }
    out.list(values, |cell| labels.of_cell(cell));
}

/// `Room: B 2; Phone: 12 34`.
fn fields_row(out: &mut Writer, cells: &[Placed<'_>]) {
    let mut before: Option<&Placed<'_>> = None;
    for cell in cells {
        let name = before.filter(|name| name.is_header && !cell.is_header);
        let is_value = name.is_some_and(|name| name.column + name.width == cell.column);
        out.push(match before {
            None => "",
            Some(name) if is_value && name.text.ends_with(':') => " ",
            Some(_) if is_value => ": ",
            Some(_) => "; ",
        });
        out.cell(cell);
        before = Some(cell);
    }
}

/// Counts the cells from the left that say what the row is about, without a header that says what they are.
fn leading_names(cells: &[Placed<'_>], labels: &Labels) -> usize {
    let [first, rest @ ..] = cells else { return 0 };
    if rest.is_empty() || cells.iter().all(|cell| cell.is_header) {
        return 0;
    }
    if labels.is_empty() && rest.len() == 1 || names_a_total(first.text) {
        return 1;
    }
    let is_name = |cell: &&Placed<'_>| cell.is_header && labels.of(cell.column).is_none();
    cells.iter().take_while(is_name).count()
}

/// `Monday, 10:00–12:00: Algorithms; Tuesday, 10:00–12:00: Logic`.
fn calendar_row(
    out: &mut Writer,
    line: &Line<'_>,
    labels: &Labels,
    (first, row_leads): (usize, bool),
) {
    let keys = line.cells.iter().take_while(|cell| cell.column < first).count();
    let (keys, values) = line.cells.split_at(keys);
    if values.is_empty() {
        return out.list(keys, |_| None);
    }
    for (index, value) in values.iter().enumerate() {
        out.push(if index > 0 { "; " } else { "" });
        let label = labels.of_cell(value).unwrap_or_default();
        if !row_leads && !label.is_empty() {
            out.push(&label);
            out.push(if keys.is_empty() { "" } else { ", " });
        }
        for (index, key) in keys.iter().enumerate() {
            out.push(if index > 0 { ", " } else { "" });
            out.cell(key);
        }
        if row_leads && !label.is_empty() {
            out.push(if keys.is_empty() { "" } else { ", " });
            out.push(&label);
        }
        out.push(": ");
        out.cell(value);
    }
}

/// `Course: Logic — Modules: Data Science, Networks`.
fn matrix_row(out: &mut Writer, line: &Line<'_>, labels: &Labels, columns: &[usize]) {
    let is_mark = |cell: &&Placed<'_>| columns.binary_search(&cell.column).is_ok();
    let (marks, others): (Vec<Placed<'_>>, Vec<Placed<'_>>) = line.cells.iter().partition(is_mark);
    columns_row(out, &others, labels);
    let common = labels.common(columns);
    let name = |cell: &Placed<'_>| match common {
        Some(_) => labels.below(cell.column),
        None => labels.of(cell.column),
    };
    let of_kind = |kind: Mark| marks.iter().filter(move |cell| mark(cell.text) == Some(kind));
    let set: Vec<String> = of_kind(Mark::Set).filter_map(name).collect();
    if !set.is_empty() {
        out.push(if others.is_empty() { "" } else { DASH });
        if let Some(common) = common {
            out.push(common);
            out.push(": ");
        }
        out.push(&set.join(", "));
    }
    for (index, cell) in of_kind(Mark::Denied).enumerate() {
        let is_first = index == 0 && set.is_empty();
        out.push(if !is_first {
            "; "
        } else if others.is_empty() {
            ""
        } else {
            DASH
        });
        out.push(&labels.of(cell.column).unwrap_or_default());
        out.push(": ");
        out.cell(cell);
    }
}

/// A sentence while it grows.
#[derive(Default)]
struct Writer {
    text: String,
    cells: Vec<CellPlace>,
}

impl Writer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn cell(&mut self, cell: &Placed<'_>) {
        let start = self.text.len();
        self.text.push_str(cell.text);
        let (row, place) = cell.home;
        self.cells.push(CellPlace { range: start..self.text.len(), row, cell: place });
    }

    /// Cells with what heads each in front of it.
    fn list(&mut self, cells: &[Placed<'_>], label: impl Fn(&Placed<'_>) -> Option<String>) {
        for (index, cell) in cells.iter().enumerate() {
            self.push(if index > 0 { "; " } else { "" });
            if let Some(label) = label(cell) {
                self.push(&label);
                self.push(": ");
            }
            self.cell(cell);
        }
    }

    fn finish(self, row: usize) -> RowSentence {
        RowSentence { row, text: self.text, cells: self.cells }
    }
}
