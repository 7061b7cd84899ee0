//! Tables of texts, and the sheets of spreadsheets.
//!
//! Each cell of a sheet holds the text that the program shows, so no format has to be understood.

use std::collections::BTreeSet;

use super::Reader;
use super::styles::Styles;
use crate::Noticed;
use crate::office::Drawn;
use crate::office::flow::{FoundCell, FoundRow, MOST_COLUMNS, table_of_rows};
use crate::office::words::{Look, Place, Words};
use crate::office::xml::{Element, Node};
use crate::report::Report;
use crate::sanitize::safe_target;
use crate::spreadsheet::{Book, MOST_CELLS, NOT_CALCULATED, add_drawn, left_out, never_calculated};
use crate::table::{CellDraft, CellSize, in_a_cell, lays_out};
use crate::tabular::{Sheet, SheetCell, SheetRow};

/// The most times that one number may repeat a row or a cell with text.
// An empty row is repeated down to the end of the sheet, a million times. Text is repeated as often as
// somebody copied a row.
const MOST_REPEATED: u32 = 100;
/// The most that such numbers may add to a document, in bytes of text and cells.
pub(super) const REPEATED_BYTES: usize = 200_000;

impl<'a> Reader<'a> {
    pub(super) fn table(&mut self, table: &'a Element) {
        let mut rows = Vec::new();
        gather(table, false, &mut rows);
        let before = self.is_shaded;
        self.is_shaded |= self.has_ground(table, "table");
        if let Some(mut words) = self.cell.take() {
            // A table in a cell of another.
            let rows = self.rows(&rows);
            let text = in_a_cell(table_of_rows(rows, false), self.report());
            words.text(&text, Look::default());
            words.next_paragraph();
            self.cell = Some(words);
        } else if is_for_layout(&rows) {
            // A bold line in a cell is a label of its cell.
            let bold_lines = std::mem::take(&mut self.bold_lines);
            for (row, _) in rows {
                row.elements().filter(|cell| is_cell(cell)).for_each(|cell| self.blocks(cell));
            }
            self.bold_lines = bold_lines;
        } else {
            let rows = self.rows(&rows);
            self.write_table(table_of_rows(rows, false));
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
            let repeated = row.number("table:number-rows-repeated").unwrap_or(1_u32);
            let mut left = repeated.clamp(1, MOST_REPEATED);
            while left > 0 {
                let row = self.row(row, *is_head);
                let bytes: usize = row.cells.iter().map(bytes_of).sum();
                // One byte for each cell is an empty row, which need not be repeated.
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
            let mut left = repeated.clamp(1, MOST_COLUMNS);
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
    fn repeats(&mut self, left: u32, bytes: usize) -> u32 {
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

/// Returns the bytes that a cell takes up when it is repeated.
fn bytes_of(cell: &FoundCell) -> usize {
    cell.draft.text.text.len() + 1
}

/// A cell of its own; what another one covers is none.
fn is_cell(element: &Element) -> bool {
    element.is("table:table-cell")
}

/// Returns `true` if a table only lays out the page: it is read like any other text then.
fn is_for_layout(rows: &[(&Element, bool)]) -> bool {
    let mut cells = rows.iter().flat_map(|(row, _)| row.elements()).filter(|cell| is_cell(cell));
    let is_box = cells.next().is_some() && cells.next().is_none();
    let size = |cell: &Element| CellSize {
        bytes: cell.text().len(),
        tables: cell.all("table:table").count(),
        holds_heading: cell.all("text:h").next().is_some(),
    };
    let rows = rows.iter().map(|(row, _)| row.elements().filter(|cell| is_cell(cell)));
    is_box || lays_out(&rows.map(|cells| cells.map(size).collect()).collect::<Vec<_>>())
}

/// The sheets of a document's content.
pub(super) fn book(path: &str, content: &Element, styles: &Styles) -> Book {
    let hidden_styles = hidden_styles(content);
    let mut book = Book::default();
    let mut hidden = Vec::new();
    let mut reader = SheetReader {
        styles,
        left: MOST_CELLS,
        hidden_rows: 0,
        hidden_columns: 0,
        uncalculated: 0,
        report: Report::default(),
        drawn: Drawn::default(),
    };
    let body = content.descend(&["office:body", "office:spreadsheet"]);
    let tables = body.into_iter().flat_map(Element::elements);
    for table in tables.filter(|table| table.is("table:table")) {
        let name = table.attribute("table:name").unwrap_or_default().to_owned();
        let style = table.attribute("table:style-name").unwrap_or_default();
        if hidden_styles.contains(style) {
            hidden.push(format!("`{name}`"));
            continue;
        }
        let sheet = reader.sheet(table);
        book.sheets.push((name, sheet));
    }
    book.notes = left_out(path, &hidden, reader.left == 0);
    if reader.hidden_rows > 0 {
        let what = format!("{} hidden rows. Show them if they should be found", reader.hidden_rows);
        book.notes.push(Noticed::SheetParts(what).of(path));
    }
    if reader.hidden_columns > 0 {
        let count = reader.hidden_columns;
        let what = format!("{count} hidden columns. Show them if they should be found");
        book.notes.push(Noticed::SheetParts(what).of(path));
    }
    if reader.uncalculated > 0 {
        book.notes.push(Noticed::SheetParts(never_calculated(reader.uncalculated)).of(path));
    }
    book.notes.extend(reader.report.struck_out(path));
    book
}

/// The names of styles whose sheets are not shown.
fn hidden_styles(content: &Element) -> BTreeSet<&str> {
    let styles = content.child("office:automatic-styles").into_iter().flat_map(Element::elements);
    let is_hidden = |style: &&Element| {
        let properties = style.child("style:table-properties");
        properties.and_then(|own| own.attribute("table:display")) == Some("false")
    };
    styles.filter(is_hidden).filter_map(|style| style.attribute("style:name")).collect()
}

struct SheetReader<'a> {
    styles: &'a Styles,
    /// Cells that may still be read.
    left: usize,
    hidden_rows: usize,
    hidden_columns: usize,
    uncalculated: usize,
    report: Report,
    /// What lies over the sheet that is being read.
    drawn: Drawn,
}

impl SheetReader<'_> {
    fn sheet(&mut self, table: &Element) -> Sheet {
        let mut elements = Vec::new();
        gather(table, false, &mut elements);
        let hidden = hidden_columns(table);
        // Hidden columns that hold something.
        let mut seen = BTreeSet::new();
        let mut rows = Vec::new();
        let mut number = 0_u32;
        for (row, _) in elements {
            let repeated = row.number("table:number-rows-repeated").unwrap_or(1_u32).max(1);
            let mut cells = self.cells(row);
            // What a filter hides has a word of its own.
            let is_hidden =
                row.attribute("table:visibility").is_some_and(|shown| shown != "visible");
            if !is_hidden {
                self.drawn_in(row, number);
            }
            cells.retain(|cell| {
                let is_hidden = hidden.iter().any(|columns| columns.contains(&cell.column));
                if is_hidden {
                    seen.insert(cell.column);
                }
                !is_hidden
            });
            self.hidden_rows += usize::from(is_hidden && !cells.is_empty());
            if !is_hidden && !cells.is_empty() {
                for copy in 0..repeated.min(MOST_REPEATED) {
                    if copy > 0 && !self.takes(cells.len()) {
                        break;
                    }
                    let number = number.saturating_add(copy);
                    rows.push(SheetRow { number, cells: cells.clone() });
                }
            }
            number = number.saturating_add(repeated);
        }
        self.hidden_columns += seen.len();
        let mut sheet = Sheet { rows, is_free: true };
        if let Some(shapes) = table.child("table:shapes") {
            self.drawn.take(shapes, None);
        }
        add_drawn(&mut sheet, std::mem::take(&mut self.drawn), |_, column| {
            hidden.iter().any(|columns| columns.contains(&column))
        });
        sheet
    }

    /// Takes what lies over the cells of a row.
    fn drawn_in(&mut self, row: &Element, number: u32) {
        let mut column = 0_u32;
        for cell in row.elements() {
            self.drawn.take(cell, Some((number, column)));
            let repeated = cell.number("table:number-columns-repeated").unwrap_or(1_u32).max(1);
            column = column.saturating_add(repeated);
        }
    }

    /// The cells of a row that show something.
    fn cells(&mut self, row: &Element) -> Vec<SheetCell> {
        let mut cells = Vec::new();
        let mut column = 0_u32;
        for cell in row.elements() {
            let repeated = cell.number("table:number-columns-repeated").unwrap_or(1_u32).max(1);
            // What another cell covers is not shown.
            let is_own = cell.is("table:table-cell");
            let text = if is_own { self.cell_text(cell) } else { String::new() };
            if !text.trim().is_empty() {
                let style = cell.attribute("table:style-name");
                let is_bold = style.is_some_and(|name| self.styles.is_bold("table-cell", name));
                let span = |name: &str| cell.number(name).unwrap_or(1_u32).max(1);
                for copy in 0..repeated.min(MOST_REPEATED) {
                    if !self.takes(1) {
                        break;
                    }
                    cells.push(SheetCell {
                        column: column.saturating_add(copy),
                        text: text.clone(),
                        is_bold,
                        columns: span("table:number-columns-spanned"),
                        rows: span("table:number-rows-spanned"),
                        link: cell_link(cell),
                    });
                }
            }
            column = column.saturating_add(repeated);
        }
        cells
    }

    /// The lines of a cell; a value that some program wrote without its text. What is struck out is counted.
    fn cell_text(&mut self, cell: &Element) -> String {
        let mut lines = Vec::new();
        for paragraph in cell.elements().filter(|child| child.is("text:p")) {
            let mut line = String::new();
            self.add_text(paragraph, &mut line);
            lines.push(line);
        }
        let text = if lines.is_empty() {
            let values = ["string-value", "date-value", "time-value", "boolean-value", "value"];
            let stated = |name: &&str| cell.attribute(&format!("office:{name}"));
            let Some(value) = values.iter().find_map(stated) else {
                if cell.attribute("table:formula").is_none() {
                    return String::new();
                }
                self.uncalculated += 1;
                return NOT_CALCULATED.to_owned();
            };
            value.to_owned()
        } else {
            lines.join("\n")
        };
        let style = cell.attribute("table:style-name");
        if style.is_some_and(|name| self.styles.is_struck("table-cell", name)) {
            self.report.struck(&text);
            return String::new();
        }
        text
    }

    fn add_text(&mut self, element: &Element, line: &mut String) {
        for child in &element.children {
            match child {
                Node::Text(text) => line.push_str(text),
                Node::Element(element) => match &*element.name {
                    "text:s" | "text:tab" => line.push(' '),
                    "text:line-break" => line.push('\n'),
                    "office:annotation" | "text:ruby-text" => {}
                    "text:span" if self.is_struck(element) => self.report.struck(&element.text()),
                    _ => self.add_text(element, line),
                },
            }
        }
    }

    fn is_struck(&self, span: &Element) -> bool {
        let style = span.attribute("text:style-name");
        style.is_some_and(|name| self.styles.is_struck("text", name))
    }

    /// Takes room for so many cells more, and returns `true` if there was enough.
    fn takes(&mut self, cells: usize) -> bool {
        let left = self.left.checked_sub(cells);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// The columns of a sheet that are hidden, or filtered away.
fn hidden_columns(table: &Element) -> Vec<std::ops::Range<u32>> {
    let mut hidden = Vec::new();
    let mut number = 0_u32;
    for column in table.all("table:table-column") {
        let repeated = column.number("table:number-columns-repeated").unwrap_or(1_u32).max(1);
        let end = number.saturating_add(repeated);
        if column.attribute("table:visibility").is_some_and(|shown| shown != "visible") {
            hidden.push(number..end);
        }
        number = end;
    }
    hidden
}

fn cell_link(cell: &Element) -> Option<String> {
    let target = cell.all("text:a").find_map(|link| link.attribute("xlink:href"))?;
    Some(safe_target(target).filter(|target| target.contains(':'))?.to_owned())
}
