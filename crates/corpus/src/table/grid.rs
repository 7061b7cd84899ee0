//! Which column each cell of a row stands in.

use std::collections::BTreeMap;

use super::TableRow;

/// The most bytes that cells that reach over several rows may add to a table by being repeated.
const MOST_REPEATED_BYTES: usize = 200_000;
/// Columns that are told apart; browsers stop at the same number.
pub(super) const MOST_COLUMNS: usize = 1_000;

/// A cell in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    /// Its first column.
    pub(super) column: usize,
    /// The number of columns that it takes.
    pub(super) width: usize,
    pub(super) text: &'a str,
    pub(super) is_header: bool,
    /// The row and the place in it where the cell is kept: a row above, for one that reaches down.
    pub(super) home: (usize, usize),
}

/// Cells that reach down into the rows below.
#[derive(Default)]
pub(super) struct Grid<'a> {
    /// By column: how many more rows, and the cell.
    reaching: BTreeMap<usize, (usize, Placed<'a>)>,
    repeated_bytes: usize,
}

impl<'a> Grid<'a> {
    /// The row's cells from the left, and those that reach into it from above.
    pub(super) fn place(&mut self, number: usize, row: &'a TableRow) -> Vec<Placed<'a>> {
        let mut placed = Vec::new();
        let mut below = BTreeMap::new();
        let above = std::mem::take(&mut self.reaching);
        let mut above = above.into_iter().peekable();
        let mut column = 0;
        let mut cells = row.cells.iter().enumerate();
        loop {
            if let Some((start, (rows, cell))) = above.next_if(|(start, _)| *start <= column) {
                column = column.max(start + cell.width);
                self.repeated_bytes += cell.text.len() + 1;
                if rows > 1 && self.repeated_bytes < MOST_REPEATED_BYTES {
                    below.insert(start, (rows - 1, cell));
                }
                placed.push(cell);
                continue;
            }
            if let Some((index, cell)) = cells.next() {
                let width = (cell.columns as usize).clamp(1, MOST_COLUMNS);
                let home = (number, index);
                let is_header = cell.is_header;
                let own = Placed { column, width, text: &cell.text, is_header, home };
                if cell.rows > 1 && column < MOST_COLUMNS {
                    below.insert(column, (cell.rows as usize - 1, own));
                }
                placed.push(own);
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
