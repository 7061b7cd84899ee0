//! Rows with a text in their first cell alone: whether they name the groups of the rows below them.
//!
//! Without merged cells such a row may as well be one whose values are missing. What stands in the other rows tells: figures
//! in each of them, or none with a cell left empty, or the same things once more under another name.

use std::collections::BTreeSet;

use super::layout::Placed;
use super::look::is_figure;

/// Rows with one cell that make sure that it names a group: one alone may be a row whose value is missing.
const FEWEST_GROUPS: usize = 2;
/// Columns from which on rows that leave no cell empty say something: in two, each row with a value is full.
const FEWEST_FULL_COLUMNS: usize = 3;
/// Such rows right below each other: the levels of groups within groups.
const MOST_LEVELS: usize = 2;

/// The rows of a table below its head, without empty cells.
struct Body<'a> {
    rows: Vec<Vec<&'a Placed<'a>>>,
    width: usize,
}

/// Returns `true` if rows with a text in the first column alone name the groups of the rows below them.
pub(super) fn lone_rows_name_groups(
    rows: &[Vec<Placed<'_>>],
    is_head: impl Fn(usize) -> bool,
    width: usize,
) -> bool {
    let below = rows.iter().enumerate().filter(|(number, _)| !is_head(*number));
    let filled = below.map(|(_, row)| row.iter().filter(|cell| !cell.text.is_empty()).collect());
    let filled = filled.filter(|row: &Vec<_>| !row.is_empty());
    let body = Body { rows: filled.collect(), width };
    if width < 2 || !is_head(0) || !body.may_be_grouped() {
        return false;
    }
    body.repeats_keys() || body.begins_with_lone() && body.has_several_groups()
}

impl Body<'_> {
    /// Each row with several cells has one in the first column, and rows with that cell alone have rows below them.
    fn may_be_grouped(&self) -> bool {
        let others = || self.rows.iter().filter(|row| !is_lone(row));
        let levels = self.rows.chunk_by(|above, below| is_lone(above) == is_lone(below));
        let fits =
            |run: &[Vec<&Placed<'_>>]| !run.iter().any(is_lone_row) || run.len() <= MOST_LEVELS;
        self.rows.iter().any(is_lone_row)
            && !self.rows.last().is_some_and(is_lone_row)
            && levels.into_iter().all(fits)
            && others().all(|row| row.first().is_some_and(|cell| cell.column == 0))
    }

    fn begins_with_lone(&self) -> bool {
        self.rows.first().is_some_and(is_lone_row)
    }

    /// There are several such rows, never two in a row, and all between them hold a figure, or leave no cell empty and are
    /// more.
    fn has_several_groups(&self) -> bool {
        let lone = self.rows.iter().filter(|row| is_lone(row)).count();
        let twice = self.rows.windows(2).any(|pair| pair.iter().all(is_lone_row));
        let others = || self.rows.iter().filter(|row| !is_lone(row));
        let holds_figure = |row: &Vec<&Placed<'_>>| row.iter().any(|cell| is_figure(cell.text));
        let is_full =
            |row: &Vec<&Placed<'_>>| row.iter().map(|cell| cell.width).sum::<usize>() >= self.width;
        let are_full =
            self.width >= FEWEST_FULL_COLUMNS && others().all(is_full) && others().count() > lone;
        lone >= FEWEST_GROUPS && !twice && (others().all(holds_figure) || are_full)
    }

    /// The rows under one name say things of what the rows under another are about too, each once: `Violin` for children
    /// and for adults.
    fn repeats_keys(&self) -> bool {
        let mut above: BTreeSet<&str> = BTreeSet::new();
        let mut repeats = false;
        for group in self.rows.chunk_by(|_, row| !is_lone(row)) {
            let keys = group.iter().filter(|row| !is_lone(row)).filter_map(|row| row.first());
            let mut own = BTreeSet::new();
            for key in keys {
                if !own.insert(key.text) {
                    return false;
                }
            }
            repeats |= own.iter().any(|key| above.contains(key));
            above.append(&mut own);
        }
        repeats
    }
}

fn is_lone(row: &[&Placed<'_>]) -> bool {
    matches!(row, [only] if only.column == 0)
}

fn is_lone_row(row: &Vec<&Placed<'_>>) -> bool {
    is_lone(row)
}
