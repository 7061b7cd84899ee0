//! A sheet and its parts: tables with their titles, and text between them.

use campanile_corpus::{BlockKind, Table, TableCell, TableRow};

use super::islands::islands;
use super::one_line;
use crate::assemble::Assembler;
use crate::inline::InlineText;
use crate::table::{CellDraft, RowDraft, TableDraft};

/// Titles above a table's header.
const MOST_TITLES: usize = 3;

/// A sheet: the rows that hold something, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) rows: Vec<SheetRow>,
    /// `true` if tables may stand side by side.
    pub(crate) is_free: bool,
}

/// The cells of a row that hold something, from the left.
#[derive(Clone, Debug, Default)]
pub(crate) struct SheetRow {
    /// Its place in the sheet, from 0.
    pub(crate) number: u32,
    pub(crate) cells: Vec<SheetCell>,
}

#[derive(Clone, Debug)]
pub(crate) struct SheetCell {
    /// Its place in the row, from 0.
    pub(crate) column: u32,
    /// The text, over as many lines as it has.
    pub(crate) text: String,
    pub(crate) is_bold: bool,
    /// The number of columns that it takes.
    pub(crate) columns: u32,
    /// The number of rows that it takes.
    pub(crate) rows: u32,
    pub(crate) link: Option<String>,
}

impl SheetCell {
    pub(crate) fn new(column: u32, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { column, text, is_bold: false, columns: 1, rows: 1, link: None }
    }
}

/// A table of a sheet with the titles above it, or lines of text where `rows` has one column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) titles: Vec<String>,
    pub(crate) rows: Vec<SheetRow>,
}

impl Sheet {
    /// The tables and texts of the sheet, from the top.
    pub(crate) fn parts(self) -> Vec<Part> {
        let is_free = self.is_free;
        islands(self).into_iter().map(|rows| with_titles(rows, is_free)).collect()
    }
}

/// Takes the rows above the header that hold a title.
fn with_titles(mut rows: Vec<SheetRow>, is_free: bool) -> Part {
    let (left, right) = columns(&rows);
    let is_title = |row: &SheetRow| {
        row.cells.len() == 1 && row.cells.first().is_some_and(|cell| cell.column == left)
    };
    let count = rows.iter().take_while(|row| is_title(row)).count();
    let has_table = right > left && count < rows.len();
    // Below a title stands a header: several names side by side.
    let next_is_wide = rows.get(count).is_some_and(|row| row.cells.len() > 1);
    let count = if has_table && next_is_wide { count } else { 0 };
    if count > MOST_TITLES && !is_free {
        return Part { titles: Vec::new(), rows };
    }
    let titles = rows.drain(..count).flat_map(|row| row.cells).map(|cell| one_line(&cell.text));
    Part { titles: titles.collect(), rows }
}

/// The first and the last column that hold something.
pub(crate) fn columns(rows: &[SheetRow]) -> (u32, u32) {
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let left = cells().map(|cell| cell.column).min().unwrap_or_default();
    let right = cells().map(|cell| cell.column + cell.columns.max(1) - 1).max();
    (left, right.unwrap_or_default())
}

impl Part {
    /// The rows as a table, its head marked.
    pub(crate) fn table(&self) -> Table {
        let (left, right) = columns(&self.rows);
        let last = self.rows.last().map_or(0, |row| row.number);
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut covered = Covered::default();
        for (index, row) in self.rows.iter().enumerate() {
            let below = self.rows.get(index + 1..).unwrap_or_default();
            rows.push(TableRow {
                is_head: false,
                cells: covered.cells(row, (left, right), last, below),
            });
        }
        let mut table = Table { rows, ..Table::default() };
        self.mark_bold_head(&mut table);
        table.mark_headers(true);
        table
    }

    /// A first row in bold above rows that are not is a head.
    fn mark_bold_head(&self, table: &mut Table) {
        let is_bold = |row: &SheetRow| row.cells.iter().all(|cell| cell.is_bold);
        let heads = self.rows.iter().take_while(|row| is_bold(row)).count();
        if heads == 0 || heads > 3 || heads == self.rows.len() || table.rows.len() < 2 {
            return;
        }
        for row in table.rows.iter_mut().take(heads) {
            row.is_head = true;
            row.cells.iter_mut().for_each(|cell| cell.is_header = true);
        }
    }
}

/// The places that merged cells reach into, by column: until which row.
#[derive(Default)]
struct Covered(std::collections::BTreeMap<u32, u32>);

impl Covered {
    /// The row's cells from the first to the last column, empty ones too.
    fn cells(
        &mut self,
        row: &SheetRow,
        (left, right): (u32, u32),
        last: u32,
        below: &[SheetRow],
    ) -> Vec<TableCell> {
        let mut cells = Vec::new();
        let mut own = row.cells.iter().peekable();
        let mut column = left;
        while column <= right {
            while own.next_if(|cell| cell.column < column).is_some() {}
            if self.0.get(&column).is_some_and(|until| *until >= row.number) {
                column += 1;
                continue;
            }
            let Some(cell) = own.next_if(|cell| cell.column == column) else {
                cells.push(TableCell::new(""));
                column += 1;
                continue;
            };
            let until = row.number.saturating_add(cell.rows.max(1) - 1).min(last);
            let columns = cell.columns.clamp(1, right - column + 1);
            for covered in column..column + columns {
                self.0.insert(covered, until);
            }
            let rows = below.iter().take_while(|row| row.number <= until).count() + 1;
            cells.push(TableCell {
                text: one_line(&cell.text),
                is_header: false,
                columns,
                rows: u32::try_from(rows).unwrap_or(u32::MAX),
            });
            column += columns;
        }
        // A row may be shorter than the table; nothing needs to fill it up.
        while cells.last().is_some_and(|cell| cell.text.is_empty()) && cells.len() > 1 {
            cells.pop();
        }
        cells
    }
}

/// Adds the parts of a sheet to a document.
pub(crate) fn add_parts(assembler: &mut Assembler, parts: Vec<Part>) {
    for part in parts {
        let (left, right) = columns(&part.rows);
        if left == right {
            for line in part.titles {
                assembler.block(BlockKind::Paragraph, InlineText::plain(line));
            }
            for cell in part.rows.into_iter().flat_map(|row| row.cells) {
                assembler.block(BlockKind::Paragraph, linked(&cell, one_line(&cell.text)));
            }
            continue;
        }
        let table = part.table();
        let caption = InlineText::plain(part.titles.join(", "));
        let rows = table.rows.into_iter().zip(&part.rows).map(|(row, source)| draft(row, source));
        assembler.table(TableDraft { caption, rows: rows.collect() });
    }
}

fn draft(row: TableRow, source: &SheetRow) -> RowDraft {
    let mut sources = source.cells.iter();
    let cells = row.cells.into_iter().map(|cell| {
        let is_source = |source: &&SheetCell| one_line(&source.text) == cell.text;
        let source = if cell.text.is_empty() { None } else { sources.find(is_source) };
        let text = match source {
            Some(source) => linked(source, cell.text),
            None => InlineText::plain(cell.text),
        };
        CellDraft { text, is_header: cell.is_header, columns: cell.columns, rows: cell.rows }
    });
    RowDraft { is_head: row.is_head, cells: cells.collect() }
}

fn linked(cell: &SheetCell, text: String) -> InlineText {
    let links = cell.link.iter().map(|target| (0..text.len(), target.clone())).collect();
    InlineText { text, links }
}
