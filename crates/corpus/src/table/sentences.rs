//! Rows written out so that each can be read alone.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Table;
use super::grid::{Grid, MOST_COLUMNS, Placed};

/// A header longer than this is cut where it stands in front of a cell.
const LABEL_BYTES: usize = 80;
/// Rows of headers; a table that has more is not one that labels help to read.
const MOST_HEAD_ROWS: usize = 4;

/// A row as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSentence {
    /// Its number among the table's rows.
    pub row: usize,
    /// What it says.
    pub text: String,
    /// Where each cell's own text stands in it.
    pub cells: Vec<CellPlace>,
}

/// Where a cell's text stands in a [`RowSentence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPlace {
    /// Bytes of [`RowSentence::text`].
    pub range: Range<usize>,
    /// The number of the cell's row: one above, where the cell takes several rows.
    pub row: usize,
    /// The cell's place in that row.
    pub cell: usize,
}

impl Table {
    /// Each body row with its headers (`Course: CS 101; ECTS: 6`); the head alone if there is no
    /// body. Rows without text are left out.
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
        let mut labels: BTreeMap<usize, String> = BTreeMap::new();
        let mut grid = Grid::default();
        let mut out = Vec::new();
        let has_body = self.rows.iter().any(|row| !row.is_head);
        for (number, row) in self.rows.iter().enumerate() {
            let placed = grid.place(number, row);
            if row.is_head && has_body && number < MOST_HEAD_ROWS {
                for cell in placed {
                    for column in cell.column..(cell.column + cell.width).min(MOST_COLUMNS) {
                        add_label(labels.entry(column).or_default(), cell.text);
                    }
                }
            } else {
                out.push(sentence(number, &placed, &labels));
            }
        }
        out.retain(|row| !row.text.is_empty());
        out
    }
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

fn sentence(row: usize, placed: &[Placed<'_>], labels: &BTreeMap<usize, String>) -> RowSentence {
    let filled: Vec<_> = placed.iter().filter(|cell| !cell.text.is_empty()).collect();
    let has_value = filled.iter().any(|cell| !cell.is_header);
    let names_the_rest = |index: usize, cell: &Placed<'_>| {
        // `Phone | 555 0100`, or a row that begins with its own header.
        let is_pair = labels.is_empty() && filled.len() == 2;
        index == 0 && has_value && filled.len() > 1 && (cell.is_header || is_pair)
    };
    let mut text = String::new();
    let mut cells = Vec::with_capacity(filled.len());
    for (index, cell) in filled.iter().enumerate() {
        if let Some(label) = labels.get(&cell.column).filter(|label| !label.is_empty()) {
            text.push_str(label);
            text.push_str(": ");
        }
        let start = text.len();
        text.push_str(cell.text);
        let (row, cell_in_row) = cell.home;
        cells.push(CellPlace { range: start..text.len(), row, cell: cell_in_row });
        if index + 1 < filled.len() {
            let colon = names_the_rest(index, cell) && labels.is_empty();
            text.push_str(match (colon, cell.text.ends_with(':')) {
                (true, true) => " ",
                (true, false) => ": ",
                (false, _) => "; ",
            });
        }
    }
    RowSentence { row, text, cells }
}
