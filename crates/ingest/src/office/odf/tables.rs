//! Tables.

use super::super::tables::{self, CELL_BYTES, FoundCell, FoundRow, MOST_COLUMNS};
use super::super::words::{Place, Words};
use super::super::xml::Element;
use super::Reader;
use crate::table::CellDraft;

/// The most times that one number may repeat a row or a cell with text.
const MOST_REPEATED: usize = 100;
/// The most that such numbers may add to a document, in bytes of text and cells.
pub(super) const REPEATED_BYTES: usize = 200_000;

impl<'a> Reader<'a> {
    pub(super) fn table(&mut self, table: &'a Element) {
        let mut rows = Vec::new();
        gather(table, false, &mut rows);
        let before = self.is_shaded;
        self.is_shaded |= self.has_ground(table, "table");
        if is_for_layout(table, &rows) {
            for (row, _) in rows {
                row.elements().filter(|cell| is_cell(cell)).for_each(|cell| self.blocks(cell));
            }
        } else {
            let rows = self.rows(&rows);
            self.write_table(tables::draft(rows, false));
            self.read_after();
        }
        self.is_shaded = before;
    }

    fn rows(&mut self, rows: &[(&'a Element, bool)]) -> Vec<FoundRow> {
        let mut found: Vec<FoundRow> = Vec::new();
        for (row, is_head) in rows {
            if row.attribute("table:visibility").is_some_and(|shown| shown != "visible") {
                self.hide(row);
                continue;
            }
            let repeated = row.number("table:number-rows-repeated").unwrap_or(1_usize);
            let mut left = repeated.clamp(1, MOST_REPEATED);
            while left > 0 {
                let row = self.row(row, *is_head);
                let bytes: usize = row.cells.iter().map(bytes_of).sum();
                left = if bytes == row.cells.len() { 0 } else { self.repeats(left - 1, bytes) };
                found.push(row);
            }
        }
        found
    }

    fn row(&mut self, row: &'a Element, is_head: bool) -> FoundRow {
        let mut found = FoundRow { is_head, cells: Vec::new() };
        for cell in row.elements().filter(|cell| is_cell(cell)) {
            let repeated = cell.number("table:number-columns-repeated").unwrap_or(1_u32);
            let mut left = repeated.clamp(1, MOST_COLUMNS) as usize;
            while left > 0 {
                let mut read = self.cell(cell);
                if read.draft.text.text.is_empty() {
                    let columns = read.draft.columns.saturating_mul(repeated);
                    read.draft.columns = columns.clamp(1, MOST_COLUMNS);
                    left = 0;
                } else {
                    left = self.repeats((left - 1).min(MOST_REPEATED), bytes_of(&read));
                }
                found.cells.push(read);
            }
        }
        found
    }

    /// Takes room for one repeat of so many bytes, and returns `left`; 0 where there is no room.
    fn repeats(&mut self, left: usize, bytes: usize) -> usize {
        if left == 0 || bytes > self.room_for_repeats {
            return 0;
        }
        self.room_for_repeats -= bytes;
        left
    }

    fn cell(&mut self, cell: &'a Element) -> FoundCell {
        let span = |name: &str, most: u32| cell.number(name).unwrap_or(1).clamp(1, most);
        let before = self.is_shaded;
        self.is_shaded |= self.has_ground(cell, "table-cell");
        self.cell = Some(Words::new(Place::Cell));
        self.cell_stands_out = false;
        self.blocks(cell);
        self.is_shaded = before;
        let words = self.cell.take();
        let stands_out = self.cell_stands_out || words.as_ref().is_some_and(Words::is_bold);
        let text = words.map(|words| words.finish(self.report())).unwrap_or_default();
        let draft = CellDraft {
            text,
            is_header: false,
            columns: span("table:number-columns-spanned", MOST_COLUMNS),
            rows: span("table:number-rows-spanned", u32::from(u16::MAX)),
        };
        let style = cell.attribute("table:style-name");
        let ground = style.and_then(|name| self.styles.ground("table-cell", name));
        FoundCell { draft, stands_out, ground: ground.map(str::to_owned) }
    }

    fn has_ground(&self, element: &Element, family: &str) -> bool {
        let style = element.attribute("table:style-name");
        style.is_some_and(|name| self.styles.ground(family, name).is_some())
    }
}

/// The rows of a table, each with whether it is a header.
pub(super) fn gather<'a>(parent: &'a Element, is_head: bool, rows: &mut Vec<(&'a Element, bool)>) {
    for child in parent.elements() {
        match &*child.name {
            "table:table-row" => rows.push((child, is_head)),
            "table:table-header-rows" => gather(child, true, rows),
            "table:table-rows" | "table:table-row-group" => gather(child, is_head, rows),
            _ => {}
        }
    }
}

/// Returns the bytes that a cell takes up when it is repeated.
fn bytes_of(cell: &FoundCell) -> usize {
    cell.draft.text.text.len() + 1
}

/// A cell of its own; what another one covers is none.
fn is_cell(element: &Element) -> bool {
    element.is("table:table-cell")
}

/// Returns `true` if a table only lays out the page: it is read like any other text then.
fn is_for_layout(table: &Element, rows: &[(&Element, bool)]) -> bool {
    let mut cells = rows.iter().flat_map(|(row, _)| row.elements()).filter(|cell| is_cell(cell));
    let is_box = cells.next().is_some() && cells.next().is_none();
    is_box
        || table.descendants().any(|below| below.is("table:table") || below.is("text:h"))
        || table.all("table:table-cell").any(|cell| cell.text().len() > CELL_BYTES)
}
