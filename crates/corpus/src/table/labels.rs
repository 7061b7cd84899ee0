//! Labels: what heads each column.

use std::collections::BTreeMap;

use super::grid::{MOST_COLUMNS, Placed};

/// A header longer than this is cut where it stands in front of a cell.
const LABEL_BYTES: usize = 80;
/// A cell over more columns than this is not labelled with them.
const MOST_JOINED: usize = 3;

/// The headers of each column, from the top.
#[derive(Debug, Default)]
pub(super) struct Labels {
    columns: BTreeMap<usize, Vec<String>>,
}

impl Labels {
    /// Adds a row of headers below those that are there.
    pub(super) fn add(&mut self, row: &[Placed<'_>]) {
        for cell in row {
            let text = cell.text.trim_end_matches([':', ' ']);
            if text.is_empty() {
                continue;
            }
            for column in cell.column..(cell.column + cell.width).min(MOST_COLUMNS) {
                let levels = self.columns.entry(column).or_default();
                if levels.last().is_none_or(|last| last != text) {
                    levels.push(text.to_owned());
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The column's headers in one line (`Winter ECTS`), or `None` if it has none.
    pub(super) fn of(&self, column: usize) -> Option<String> {
        self.columns.get(&column).map(|levels| shortened(levels.join(" ")))
    }

    /// The header of a cell: those of all its columns, if they are few.
    pub(super) fn of_cell(&self, cell: &Placed<'_>) -> Option<String> {
        if cell.width == 1 {
            return self.of(cell.column);
        }
        if cell.width > MOST_JOINED {
            return None;
        }
        let columns: Vec<usize> = (cell.column..cell.column + cell.width).collect();
        let common = self.common(&columns);
        let mut labels = Vec::new();
        for column in columns {
            let label = if common.is_some() { self.below(column) } else { self.of(column) };
            labels.extend(label.filter(|label| !labels.contains(label)));
        }
        let joined = labels.join("/");
        let joined = common.map_or_else(|| joined.clone(), |common| format!("{common} {joined}"));
        (!joined.is_empty()).then(|| shortened(joined))
    }

    /// The columns that have headers, and these in one line.
    pub(super) fn columns(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        self.columns.iter().map(|(column, levels)| (*column, shortened(levels.join(" "))))
    }

    /// The header that all of the columns have in common above their own.
    pub(super) fn common(&self, columns: &[usize]) -> Option<&str> {
        let above = |column: &usize| match self.columns.get(column)?.as_slice() {
            [above, _, ..] => Some(above.as_str()),
            _ => None,
        };
        let common = above(columns.first()?)?;
        columns.iter().all(|column| above(column) == Some(common)).then_some(common)
    }

    /// The column's headers without the topmost.
    pub(super) fn below(&self, column: usize) -> Option<String> {
        let levels = self.columns.get(&column)?;
        Some(shortened(levels.get(1..)?.join(" ")))
    }
}

/// Cut behind a word, if it is too long to stand in front of a cell.
fn shortened(mut label: String) -> String {
    if label.len() <= LABEL_BYTES {
        return label;
    }
    let end = label.floor_char_boundary(LABEL_BYTES);
    let head = label.get(..end).unwrap_or_default();
    let word = head.rfind(char::is_whitespace).filter(|at| *at > end / 2);
    label.truncate(word.unwrap_or(end));
    label.truncate(label.trim_end().len());
    label
}
