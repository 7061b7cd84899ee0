//! Tables, row by row, each readable alone.

use std::collections::BTreeMap;

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

use super::Layout;
use super::walk::{inline_of, passes_over};
use crate::inline::{Inline, InlineText};
use crate::report::Report;

/// A header longer than this is cut where it stands in front of a cell.
const LABEL_BYTES: usize = 80;
/// Rows of headers; a table that has more is not one that labels help to read.
const MOST_HEAD_ROWS: usize = 4;
/// What cells that reach over several rows may add to a table by being repeated, in bytes.
const MOST_REPEATED_BYTES: usize = 200_000;
/// A cell longer than this is a part of the page's layout, and repeated over rows it would swell.
const CELL_BYTES: usize = 1_200;
/// Columns that one cell may span; browsers stop at the same number.
const MOST_COLUMNS: usize = 1_000;

struct Cell {
    text: InlineText,
    is_header: bool,
    columns: usize,
    rows: usize,
}

struct Row {
    cells: Vec<Cell>,
    is_head: bool,
}

/// The table's rows as text (`Course: CS 101; ECTS: 6`), or `None` for a table that only lays out
/// the page and should be read like any other element.
pub(super) fn rows(
    table: NodeRef<'_, Node>,
    layout: Layout,
    report: &mut Report,
) -> Option<Vec<InlineText>> {
    if is_for_layout(table) {
        return None;
    }
    // Findings count only if the table is kept as one.
    let mut noticed = Report::default();
    let rows = read_rows(table, layout, &mut noticed);
    let is_long = |cell: &Cell| cell.text.text.len() > CELL_BYTES;
    if rows.iter().flat_map(|row| &row.cells).any(is_long) {
        return None;
    }
    report.absorb(noticed);
    Some(written_out(rows))
}

fn is_for_layout(table: NodeRef<'_, Node>) -> bool {
    let role = table.value().as_element().and_then(|element| element.attr("role"));
    matches!(role, Some("presentation" | "none"))
        || table.descendants().skip(1).any(|node| {
            let name = node.value().as_element().map(Element::name);
            matches!(name, Some("table" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
        })
}

fn read_rows(table: NodeRef<'_, Node>, layout: Layout, report: &mut Report) -> Vec<Row> {
    let mut rows = Vec::new();
    let is_row = |node: &NodeRef<'_, Node>| name(*node) == Some("tr");
    for row in table.descendants().filter(is_row) {
        let in_head = row.parent().and_then(name) == Some("thead");
        let around = row.parent().into_iter().chain([row]);
        if around.filter_map(|node| Some((node, node.value().as_element()?))).any(
            |(node, element)| node.id() != table.id() && passes_over(node, element, layout, report),
        ) {
            continue;
        }
        let mut cells = Vec::new();
        for cell in row.children() {
            let Some(element) = cell.value().as_element() else {
                continue;
            };
            if !matches!(element.name(), "td" | "th") {
                continue;
            }
            let spans = |attribute: &str, most: usize| {
                let value = element.attr(attribute).and_then(|value| value.trim().parse().ok());
                value.unwrap_or(1_usize).clamp(1, most)
            };
            cells.push(Cell {
                text: visible(cell, true, layout, report).unwrap_or_default(),
                is_header: element.name() == "th",
                columns: spans("colspan", MOST_COLUMNS),
                rows: spans("rowspan", usize::from(u16::MAX)),
            });
        }
        if cells.iter().any(|cell| !cell.text.text.is_empty()) {
            rows.push(Row { is_head: in_head, cells });
        }
    }
    let has_head = rows.iter().any(|row| row.is_head);
    let has_body = rows.len() > 1;
    if let Some(first) = rows.first_mut().filter(|_| !has_head && has_body) {
        // One cell over the whole width is a caption, not a header.
        first.is_head = first.cells.len() > 1 && first.cells.iter().all(|cell| cell.is_header);
    }
    rows
}

/// The text of an element on one line, if the element is shown.
pub(super) fn visible(
    node: NodeRef<'_, Node>,
    is_cell: bool,
    layout: Layout,
    report: &mut Report,
) -> Option<InlineText> {
    let element = node.value().as_element()?;
    let is_shown = !passes_over(node, element, layout, report);
    is_shown.then(|| inline_of(node, is_cell, layout, report))
}

fn name(node: NodeRef<'_, Node>) -> Option<&str> {
    node.value().as_element().map(Element::name)
}

/// Each body row with its headers; the head alone if there is no body.
fn written_out(rows: Vec<Row>) -> Vec<InlineText> {
    let mut labels: BTreeMap<usize, String> = BTreeMap::new();
    let mut grid = Grid::default();
    let mut out = Vec::new();
    let has_body = rows.iter().any(|row| !row.is_head);
    for (index, row) in rows.into_iter().enumerate() {
        let is_head = row.is_head && has_body && index < MOST_HEAD_ROWS;
        let placed = grid.place(row);
        if is_head {
            for (column, width, cell) in placed {
                for column in column..(column + width).min(MOST_COLUMNS) {
                    add_label(labels.entry(column).or_default(), &cell.text.text);
                }
            }
        } else {
            out.push(row_text(&placed, &labels));
        }
    }
    out.retain(|row| !row.text.is_empty());
    out
}

/// Headers over several rows are read from the top: `Winter ECTS`.
fn add_label(label: &mut String, text: &str) {
    let text = text.trim_end_matches([':', ' ']);
    if label.as_str() == text || text.is_empty() {
        return;
    }
    if !label.is_empty() {
        label.push(' ');
    }
    label.push_str(text);
    label.truncate(label.floor_char_boundary(LABEL_BYTES));
}

fn row_text(placed: &[(usize, usize, Cell)], labels: &BTreeMap<usize, String>) -> InlineText {
    let mut line = Inline::default();
    let filled: Vec<_> = placed.iter().filter(|(_, _, cell)| !cell.text.text.is_empty()).collect();
    let has_value = filled.iter().any(|(_, _, cell)| !cell.is_header);
    let is_named = |index: usize, cell: &Cell| {
        // `Phone | 555 0100`, or a row that begins with its own header.
        let is_pair = labels.is_empty() && filled.len() == 2;
        index == 0 && has_value && filled.len() > 1 && (cell.is_header || is_pair)
    };
    for (index, (column, _, cell)) in filled.iter().enumerate() {
        if let Some(label) = labels.get(column).filter(|label| !label.is_empty()) {
            line.push_text(label);
            line.push_text(": ");
        }
        line.append(&cell.text);
        if index + 1 < filled.len() {
            let colon = is_named(index, cell) && labels.is_empty();
            let ends = cell.text.text.ends_with(':');
            line.push_text(match (colon, ends) {
                (true, true) => " ",
                (true, false) => ": ",
                (false, _) => "; ",
            });
        }
    }
    line.take()
}

/// Cells that reach down into the rows below.
#[derive(Default)]
struct Grid {
    /// By column: how many more rows, how many columns, and what the cell says.
    reaching: BTreeMap<usize, (usize, usize, InlineText)>,
    repeated_bytes: usize,
}

impl Grid {
    /// The row's cells, each with its column and width, and those that reach into it from above.
    fn place(&mut self, row: Row) -> Vec<(usize, usize, Cell)> {
        let mut placed = Vec::new();
        let mut below = BTreeMap::new();
        let above = std::mem::take(&mut self.reaching);
        let mut above = above.into_iter().peekable();
        let mut column = 0;
        let mut cells = row.cells.into_iter();
        loop {
            if let Some((start, (rows, width, text))) = above.next_if(|(start, _)| *start <= column)
            {
                column = column.max(start + width);
                self.repeated_bytes += text.text.len() + 1;
                if rows > 1 && self.repeated_bytes < MOST_REPEATED_BYTES {
                    below.insert(start, (rows - 1, width, text.clone()));
                }
                let cell = Cell { text, is_header: false, columns: width, rows: 1 };
                placed.push((start, width, cell));
                continue;
            }
            if let Some(cell) = cells.next() {
                let width = cell.columns;
                if cell.rows > 1 && column < MOST_COLUMNS {
                    below.insert(column, (cell.rows - 1, width, cell.text.clone()));
                }
                placed.push((column, width, cell));
                column += width;
            } else if let Some((start, _)) = above.peek() {
                column = *start;
            } else {
                break;
            }
        }
        self.reaching = below;
        placed
    }
}
