//! Tables one below the other without an empty row between them.

use super::{SheetRow, columns, is_figure};

/// The tables that bold heads begin, each with the title above its head.
///
/// Bold alone is no head: a row of a table may be set off. A second sign has to be there: a title above it, the names of the first
/// head once more, other columns than the table above has, or a name over figures in a column of words.
pub(super) fn one_below_the_other(mut rows: Vec<SheetRow>) -> Vec<Vec<SheetRow>> {
    let mut tables = Vec::new();
    // From the end, so that each part is moved once.
    for start in starts(&rows).into_iter().rev() {
        tables.push(rows.split_off(start));
    }
    tables.push(rows);
    tables.reverse();
    tables
}

/// The rows with which a further table begins.
fn starts(rows: &[SheetRow]) -> Vec<usize> {
    let Some(first) = rows.iter().position(|row| row.cells.len() > 1) else { return Vec::new() };
    let mut found = Vec::new();
    // Where the first table's head is not bold, another's is not known by that.
    if !rows.get(first).is_some_and(is_bold) {
        return found;
    }
    let mut head = first;
    // The head may have several rows, and a title is bold too.
    let mut has_rows = false;
    for (place, window) in (first + 1..).zip(rows.get(first..).unwrap_or_default().windows(3)) {
        let [above, row, below] = window else { break };
        has_rows |= is_wide(above) && !is_bold(above);
        if !has_rows || !may_be_head(row, below) {
            continue;
        }
        let table = rows.get(head..place).unwrap_or_default();
        let has_title = above.cells.len() == 1 && left(above) == left(row);
        let is_repeated = table.first().is_some_and(|head| texts(head) == texts(row));
        let is_head = has_title
            || is_repeated
            || has_other_columns(table, row, below)
            || heads_figures(table, row, below);
        if is_head {
            found.push(if has_title { place - 1 } else { place });
            (head, has_rows) = (place, false);
        }
    }
    found
}

/// Returns `true` for names in bold above a row that is not.
fn may_be_head(row: &SheetRow, below: &SheetRow) -> bool {
    let has_figure = row.cells.iter().any(|cell| is_figure(&cell.text));
    is_wide(row) && is_bold(row) && !is_bold(below) && !has_figure
}

fn is_wide(row: &SheetRow) -> bool {
    row.cells.len() > 1
}

fn left(row: &SheetRow) -> Option<u32> {
    row.cells.first().map(|cell| cell.column)
}

fn is_bold(row: &SheetRow) -> bool {
    row.cells.iter().all(|cell| cell.is_bold)
}

fn texts(row: &SheetRow) -> Vec<&str> {
    row.cells.iter().map(|cell| cell.text.trim()).collect()
}

/// Returns `true` if the row, and the one below it, fill other columns than the head of the table above.
fn has_other_columns(table: &[SheetRow], row: &SheetRow, below: &SheetRow) -> bool {
    let columns_of = |row: &SheetRow| columns(std::slice::from_ref(row));
    let Some(head) = table.first() else { return false };
    let own = columns_of(row);
    own != columns_of(head) && own == columns_of(below) && row.cells.len() == below.cells.len()
}

/// Rows above a head whose cells are compared with those below it.
const NEAR: usize = 20;

/// Returns `true` if a cell of the row stands over a figure, in a column that has words in the table above.
fn heads_figures(table: &[SheetRow], row: &SheetRow, below: &SheetRow) -> bool {
    let at = |row: &SheetRow, column: u32| {
        row.cells.iter().find(|cell| cell.column == column).map(|cell| is_figure(&cell.text))
    };
    let near = || table.iter().rev().take(NEAR);
    row.cells.iter().any(|cell| {
        at(below, cell.column) == Some(true)
            && near().all(|row| at(row, cell.column) != Some(true))
            && table.last().is_some_and(|last| at(last, cell.column).is_some())
    })
}
