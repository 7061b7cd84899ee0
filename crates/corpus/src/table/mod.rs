//! Tables: kept for display, and written out row by row.
//!
//! Neither a search nor an encoder reads a grid. So each row is written out as text that can be
//! read alone, every value with its header in front of it (`Course: CS 101; ECTS: 6`), and the grid
//! stays beside it for those who want to see the table.
//!
//! A row goes through three hands: `layout` finds the column of each cell and tells heads, groups (`groups`) and
//! rows apart, `columns` sees whether the rows are a calendar or a matrix of marks, and `sentences`
//! writes. `header` marks heads that a format does not mark, `levels` those of several rows; `facts` knows tables
//! without a head, `carried` a first column that is filled only where it changes, `sums` groups with their sums. All of it goes by what cells look like
//! (`look`), in English and German, and where nothing is sure each cell is read with its column's
//! header.

mod carried;
mod columns;
mod facts;
mod groups;
mod header;
mod layout;
mod levels;
mod look;
mod sentences;
mod sums;
#[cfg(test)]
mod tests;

use campanile_text::Span;
use serde::{Deserialize, Serialize};

pub(crate) use look::is_year;
pub use sentences::{CellPlace, RowSentence};

/// A table of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Table {
    /// The text above or below it; may be empty.
    pub caption: String,
    /// Its rows from the top, headers among them.
    pub rows: Vec<TableRow>,
    /// The places of its rows, written out, in [`Document::text`](crate::Document::text), in order.
    pub lines: Vec<TableLine>,
}

/// A row of a table as it is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct TableLine {
    /// Its number among [`Table::rows`].
    pub row: u32,
    /// Its text.
    pub span: Span,
}

impl Table {
    /// Returns the place of the whole table in [`Document::text`](crate::Document::text).
    pub fn span(&self) -> Span {
        match (self.lines.first(), self.lines.last()) {
            (Some(first), Some(last)) => first.span.joined(last.span),
            _ => Span::default(),
        }
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct TableRow {
    /// `true` if it holds the headers of the rows below.
    pub is_head: bool,
    /// Its cells from the left; a place that a cell from above reaches into has none of its own.
    pub cells: Vec<TableCell>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct TableCell {
    /// The text, on one line; may be empty.
    pub text: String,
    /// `true` if it is the header of its row or column.
    pub is_header: bool,
    /// The number of columns that it takes, 1 at least.
    pub columns: u32,
    /// The number of rows that it takes, 1 at least.
    pub rows: u32,
}

impl TableCell {
    /// A cell of one row and one column.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_header: false, columns: 1, rows: 1 }
    }

    /// The same as a header.
    pub fn header(text: impl Into<String>) -> Self {
        Self { is_header: true, ..Self::new(text) }
    }
}
