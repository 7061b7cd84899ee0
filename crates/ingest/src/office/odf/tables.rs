//! Tables.

use super::super::tables::{self, CELL_BYTES, FoundCell, FoundRow, MOST_COLUMNS};
use super::super::words::{Place, Words};
use super::super::xml::Element;
use super::Reader;
use crate::table::CellDraft;

/// How often a row or a cell with text may be repeated by one number.
const MOST_REPEATED: usize = 100;
/// Cells that such numbers may make in one table.
const MOST_CELLS: usize = 100_000;

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
        let mut count = 0;
        for (row, is_head) in rows {
            if row.attribute("table:visibility").is_some_and(|shown| shown != "visible") {
                self.hide(row);
                continue;
            }
            let repeated = row.number("table:number-rows-repeated").unwrap_or(1_usize);
            for _ in 0..repeated.clamp(1, MOST_REPEATED) {
                let row = self.row(row, *is_head);
                let is_empty = row.cells.iter().all(|cell| cell.draft.text.text.is_empty());
                count += row.cells.len();
                found.push(row);
                if count > MOST_CELLS || is_empty {
                    break;
                }
            }
            if count > MOST_CELLS {
                break;
            }
        }
        found
    }

    fn row(&mut self, row: &'a Element, is_head: bool) -> FoundRow {
        let mut found = FoundRow { is_head, cells: Vec::new() };
        for cell in row.elements().filter(|cell| is_cell(cell)) {
            let repeated = cell.number("table:number-columns-repeated").unwrap_or(1_u32);
            let read = self.cell(cell);
            if read.draft.text.text.is_empty() {
                let columns = read.draft.columns.saturating_mul(repeated).clamp(1, MOST_COLUMNS);
                found.cells.push(FoundCell { draft: CellDraft { columns, ..read.draft }, ..read });
                continue;
            }
            found.cells.push(read);
            for _ in 1..(repeated as usize).min(MOST_REPEATED) {
                found.cells.push(self.cell(cell));
            }
        }
        found
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
fn gather<'a>(parent: &'a Element, is_head: bool, rows: &mut Vec<(&'a Element, bool)>) {
    for child in parent.elements() {
        match &*child.name {
            "table:table-row" => rows.push((child, is_head)),
            "table:table-header-rows" => gather(child, true, rows),
            "table:table-rows" | "table:table-row-group" => gather(child, is_head, rows),
            _ => {}
        }
    }
}

/// A cell of its own; what another one covers is none.
fn is_cell(element: &Element) -> bool {
    element.is("table:table-cell")
}

/// Whether a table only lays out the page: it is read like any other text then.
fn is_for_layout(table: &Element, rows: &[(&Element, bool)]) -> bool {
    let mut cells = rows.iter().flat_map(|(row, _)| row.elements()).filter(|cell| is_cell(cell));
    let is_box = cells.next().is_some() && cells.next().is_none();
    is_box
        || table.descendants().any(|below| below.is("table:table") || below.is("text:h"))
        || table.all("table:table-cell").any(|cell| cell.text().len() > CELL_BYTES)
}
