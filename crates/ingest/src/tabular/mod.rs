//! Rows of cells as files of separated values and spreadsheets hold them, and the tables in them.
//!
//! A sheet is paper, not a table: it may hold a title, a remark, and several tables with empty rows
//! or columns between them.

mod islands;
mod line;
mod part;
#[cfg(test)]
mod tests;

pub(crate) use line::one_line;
pub(crate) use part::{Part, Sheet, SheetCell, SheetRow, add_parts, columns};
