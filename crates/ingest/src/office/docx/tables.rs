//! Tables.

use std::collections::BTreeMap;

use super::blocks::is_prompt;
use super::styles::is_shaded;
use super::{Reader, is_on};
use crate::office::flow::{FoundCell, FoundRow, MOST_COLUMNS, Role, table_of_rows};
use crate::office::words::{Look, Place, Words};
use crate::office::xml::Element;
use crate::table::{CellDraft, CellSize, in_a_cell, lays_out};

/// The cells that reach down, by column: the row in which each began, and the place in it.
type Reaching = BTreeMap<u32, (usize, usize)>;

impl<'a> Reader<'a> {
    pub(super) fn table(&mut self, table: &'a Element) {
        let own = table.child("w:tblPr");
        let value = |name: &str| own.and_then(|own| own.child(name));
        let style = value("w:tblStyle").and_then(|style| style.attribute("w:val"));
        let style = self.styles.table(style);
        let has_ground = style.is_shaded || value("w:shd").is_some_and(is_shaded);
        let before = self.is_shaded;
        self.is_shaded |= has_ground;
        if self.is_for_layout(table) {
            // A bold line in a cell is a label of its cell.
            let bold_lines = std::mem::take(&mut self.bold_lines);
            for row in members(table, "w:tr") {
                for cell in members(row, "w:tc") {
                    self.in_cell(cell, |reader| reader.blocks(cell));
                }
            }
            self.bold_lines = bold_lines;
        } else {
            let shows_first = style.has_first_row && value("w:tblLook").is_none_or(shows_first_row);
            let rows = self.rows(table);
            self.flow.table(table_of_rows(rows, shows_first));
            self.read_after();
        }
        self.is_shaded = before;
    }

    /// Returns `true` if a table only lays out the page: it is read like any other text then.
    fn is_for_layout(&self, table: &Element) -> bool {
        let mut cells = members(table, "w:tr").into_iter().flat_map(|row| members(row, "w:tc"));
        // A single cell is a frame around text.
        let is_box = cells.next().is_some() && cells.next().is_none();
        let size = |cell: &Element| CellSize {
            bytes: cell.all("w:t").map(|text| text.text().len()).sum(),
            tables: cell.all("w:tbl").count(),
            holds_heading: cell
                .all("w:p")
                .any(|own| matches!(self.style(own).role, Role::Heading(_))),
        };
        let rows = members(table, "w:tr").into_iter();
        let rows = rows.map(|row| members(row, "w:tc").into_iter().map(size).collect());
        is_box || lays_out(&rows.collect::<Vec<_>>())
    }

    fn rows(&mut self, table: &'a Element) -> Vec<FoundRow> {
        let mut rows: Vec<FoundRow> = Vec::new();
        let mut reaching = Reaching::new();
        for row in members(table, "w:tr") {
            let own = row.child("w:trPr");
            if own.is_some_and(|own| own.child("w:del").is_some()) {
                self.report().tracked_changes += 1;
                continue;
            }
            let value = |name: &str| own.and_then(|own| own.child(name));
            let mut found =
                FoundRow { is_head: value("w:tblHeader").is_some_and(is_on), cells: Vec::new() };
            let before = value("w:gridBefore").and_then(|count| count.number("w:val")).unwrap_or(0);
            if before > 0 {
                found.cells.push(FoundCell::gap(before.min(MOST_COLUMNS)));
            }
            let mut column = before;
            let mut below = Reaching::new();
            for cell in members(row, "w:tc") {
                let own = cell.child("w:tcPr");
                let value = |name: &str| own.and_then(|own| own.child(name));
                let columns = value("w:gridSpan").and_then(|span| span.number("w:val"));
                let columns = columns.unwrap_or(1).clamp(1, MOST_COLUMNS);
                let merge = value("w:vMerge").map(|merge| merge.attribute("w:val"));
                let goes_on = matches!(merge, Some(None | Some("continue")));
                let above = reaching.get(&column).copied().filter(|_| goes_on);
                // Where no cell above begins in the same column it is a cell of its own, whatever it says.
                let origin = above.and_then(|(row, cell)| rows.get_mut(row)?.cells.get_mut(cell));
                if let (Some(cell), Some(place)) = (origin, above) {
                    cell.draft.rows = cell.draft.rows.saturating_add(1);
                    below.insert(column, place);
                } else {
                    if merge.is_some() {
                        below.insert(column, (rows.len(), found.cells.len()));
                    }
                    found.cells.push(self.cell(cell, columns));
                }
                column = column.saturating_add(columns);
            }
            reaching = below;
            rows.push(found);
        }
        rows
    }

    fn cell(&mut self, cell: &'a Element, columns: u32) -> FoundCell {
        let mut words = Words::new(Place::Cell);
        self.in_cell(cell, |reader| reader.cell_words(cell, &mut words));
        let stands_out = words.is_bold();
        let text = words.finish(self.report());
        let draft = CellDraft { text, is_header: false, columns, rows: 1 };
        let ground = cell.descend(&["w:tcPr", "w:shd"]).filter(|ground| is_shaded(ground));
        let ground = ground.map(|ground| {
            let theme = ground.attribute("w:themeFill").or_else(|| ground.attribute("w:fill"));
            theme.unwrap_or_default().to_owned()
        });
        FoundCell { draft, stands_out, ground }
    }

    fn cell_words(&mut self, parent: &'a Element, words: &mut Words) {
        for child in parent.elements() {
            match &*child.name {
                "w:p" => {
                    let style = self.style(child);
                    self.fill(words, &[child], &style);
                    words.next_paragraph();
                }
                "w:tbl" => {
                    let rows = self.rows(child);
                    let text = in_a_cell(table_of_rows(rows, false), self.report());
                    words.text(&text, Look::default());
                    words.next_paragraph();
                }
                "w:sdt" if is_prompt(child) => self.report().prompt(&child.text()),
                "w:sdt" => {
                    if let Some(content) = child.child("w:sdtContent") {
                        self.cell_words(content, words);
                    }
                }
                "w:ins" | "w:moveTo" | "w:customXml" | "w:smartTag" => {
                    self.cell_words(child, words);
                }
                "mc:AlternateContent" => {
                    child.chosen().for_each(|chosen| self.cell_words(chosen, words))
                }
                _ => {}
            }
        }
    }

    /// Reads a cell on its own ground.
    fn in_cell(&mut self, cell: &Element, read: impl FnOnce(&mut Self)) {
        let ground = cell.descend(&["w:tcPr", "w:shd"]).is_some_and(is_shaded);
        let before = self.is_shaded;
        self.is_shaded |= ground;
        read(self);
        self.is_shaded = before;
    }
}

/// Returns `true` if the table asks its style for a first row of its own (`w:tblLook`).
fn shows_first_row(look: &Element) -> bool {
    const FIRST_ROW: u32 = 0x20;
    match look.attribute("w:firstRow") {
        Some(value) => matches!(value, "1" | "true" | "on"),
        None => look
            .attribute("w:val")
            .and_then(|bits| u32::from_str_radix(bits, 16).ok())
            .is_none_or(|bits| bits & FIRST_ROW != 0),
    }
}

/// The rows of a table or the cells of a row, in controls and insertions too.
fn members<'a>(parent: &'a Element, name: &str) -> Vec<&'a Element> {
    let mut found = Vec::new();
    for child in parent.elements() {
        match &*child.name {
            own if own == name => found.push(child),
            "w:sdt" | "w:sdtContent" | "w:customXml" | "w:ins" | "w:moveTo" => {
                found.extend(members(child, name));
            }
            _ => {}
        }
    }
    found
}
