//! OpenDocument spreadsheets: what their cells show.
//!
//! Each cell holds the text that the program shows, so no format has to be understood.

use std::collections::BTreeSet;

use super::super::xml::{Element, Node};
use super::styles::Styles;
use super::tables::gather;
use crate::Finding;
use crate::address::safe;
use crate::spreadsheet::{Book, MOST_CELLS, left_out};
use crate::tabular::{Sheet, SheetCell, SheetRow};

/// The most times that one number may repeat a row or a cell with text.
const MOST_REPEATED: u32 = 100;

/// The sheets of a document's content.
pub(super) fn book(path: &str, content: &Element, styles: &Styles) -> Book {
    let hidden_styles = hidden_styles(content);
    let mut book = Book::default();
    let mut hidden = Vec::new();
    let mut reader = Reader { styles, left: MOST_CELLS, hidden_rows: 0 };
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
        book.notes.push(Finding::SheetParts { path: path.to_owned(), what });
    }
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

struct Reader<'a> {
    styles: &'a Styles,
    /// Cells that may still be read.
    left: usize,
    hidden_rows: usize,
}

impl Reader<'_> {
    fn sheet(&mut self, table: &Element) -> Sheet {
        let mut elements = Vec::new();
        gather(table, false, &mut elements);
        let mut rows = Vec::new();
        let mut number = 0_u32;
        for (row, _) in elements {
            let repeated = row.number("table:number-rows-repeated").unwrap_or(1_u32).max(1);
            let cells = self.cells(row);
            let is_hidden = row.attribute("table:visibility") == Some("collapse");
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
        Sheet { rows, is_free: true }
    }

    /// The cells of a row that show something.
    fn cells(&mut self, row: &Element) -> Vec<SheetCell> {
        let mut cells = Vec::new();
        let mut column = 0_u32;
        for cell in row.elements() {
            let repeated = cell.number("table:number-columns-repeated").unwrap_or(1_u32).max(1);
            // What another cell covers is not shown.
            let text = if cell.is("table:table-cell") { text(cell) } else { String::new() };
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
                        link: link(cell),
                    });
                }
            }
            column = column.saturating_add(repeated);
        }
        cells
    }

    /// Takes room for so many cells more, and returns `true` if there was enough.
    fn takes(&mut self, cells: usize) -> bool {
        let left = self.left.checked_sub(cells);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// The lines of a cell; a value that some program wrote without its text.
fn text(cell: &Element) -> String {
    let mut lines = Vec::new();
    for paragraph in cell.elements().filter(|child| child.is("text:p")) {
        let mut line = String::new();
        add_text(paragraph, &mut line);
        lines.push(line);
    }
    if lines.is_empty() {
        let values = ["string-value", "date-value", "time-value", "boolean-value", "value"];
        let stated = |name: &&str| cell.attribute(&format!("office:{name}"));
        return values.iter().find_map(stated).unwrap_or_default().to_owned();
    }
    lines.join("\n")
}

fn add_text(element: &Element, line: &mut String) {
    for child in &element.children {
        match child {
            Node::Text(text) => line.push_str(text),
            Node::Element(element) => match &*element.name {
                "text:s" | "text:tab" => line.push(' '),
                "text:line-break" => line.push('\n'),
                "office:annotation" | "text:ruby-text" => {}
                _ => add_text(element, line),
            },
        }
    }
}

fn link(cell: &Element) -> Option<String> {
    let target = cell.all("text:a").find_map(|link| link.attribute("xlink:href"))?;
    Some(safe(target).filter(|target| target.contains(':'))?.to_owned())
}
