//! The cells of tables, and tables given as values or as lists.

use campanile_corpus::BlockKind;

use super::marks::{bullet, enumerator};
use super::{Place, Reader};
use crate::inline::{Inline, InlineText};
use crate::table::{CellDraft, RowDraft, TableDraft};

/// A row of cells, each as the page has it.
pub(super) type Row = Vec<String>;

impl Reader {
    /// The text of a cell on one line; its paragraphs and items are set apart by commas.
    pub(super) fn cell(&mut self, lines: &[&str]) -> InlineText {
        let mut inline = Inline::default();
        for piece in pieces(lines) {
            inline.separate(true);
            self.push(&mut inline, &piece);
        }
        inline.take()
    }

    /// Adds a table of cells without spans: how many rows at the top and columns at the left are
    /// headers.
    pub(super) fn cells_table(
        &mut self,
        title: &str,
        rows: Vec<Row>,
        (heads, stubs): (usize, usize),
        place: Place,
    ) {
        self.emit_prefix(place.kind);
        let mut table = TableDraft { caption: self.line(title), ..TableDraft::default() };
        for (index, row) in rows.iter().enumerate() {
            let is_head = index < heads;
            let mut cells = Vec::with_capacity(row.len());
            for (column, cell) in row.iter().enumerate() {
                let text = self.cell(&cell.lines().collect::<Vec<_>>());
                let is_header = is_head || column < stubs;
                cells.push(CellDraft { text, is_header, columns: 1, rows: 1 });
            }
            table.rows.push(RowDraft { is_head, cells });
        }
        self.table(table);
    }

    /// Adds a table; one that holds nothing is none.
    pub(super) fn table(&mut self, table: TableDraft) {
        self.label = None;
        let has_text = |row: &RowDraft| row.cells.iter().any(|cell| !cell.text.text.is_empty());
        if table.rows.iter().any(has_text) {
            self.assembler.table(table);
        } else {
            self.assembler.block(BlockKind::Paragraph, table.caption);
        }
    }
}

/// The paragraphs and items of a cell.
fn pieces(lines: &[&str]) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in lines.iter().map(|line| line.trim()) {
        if line.is_empty() {
            goes_on = false;
            continue;
        }
        let mark = bullet(line).or_else(|| enumerator(line, None).filter(|_| !goes_on));
        // A sign alone says that there is nothing to say.
        let words = mark.and_then(|mark| line.get(mark..)).filter(|words| !words.is_empty());
        let is_line = line.starts_with("| ");
        let words = words.unwrap_or(line.strip_prefix("| ").unwrap_or(line));
        match pieces.last_mut().filter(|_| goes_on && mark.is_none() && !is_line) {
            Some(piece) => piece.extend(["\n", words]),
            None => pieces.push(words.to_owned()),
        }
        goes_on = true;
    }
    pieces
}

/// Values between delimiters, one row a line unless a quoted value goes over several.
pub(super) fn csv(source: &str, delimiter: char, quote: char) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row: Row = Vec::new();
    let mut value = String::new();
    let mut is_quoted = false;
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        if is_quoted {
            if character != quote {
                value.push(character);
            } else if characters.next_if_eq(&quote).is_some() {
                value.push(quote);
            } else {
                is_quoted = false;
            }
        } else if character == quote && value.trim().is_empty() {
            value.clear();
            is_quoted = true;
        } else if character == delimiter {
            row.push(std::mem::take(&mut value));
        } else if character == '\n' {
            end_row(&mut rows, &mut row, &mut value);
        } else {
            value.push(character);
        }
    }
    end_row(&mut rows, &mut row, &mut value);
    rows
}

fn end_row(rows: &mut Vec<Row>, row: &mut Row, value: &mut String) {
    row.push(std::mem::take(value));
    let row = std::mem::take(row);
    if row.iter().any(|value| !value.trim().is_empty()) {
        rows.push(row);
    }
}
