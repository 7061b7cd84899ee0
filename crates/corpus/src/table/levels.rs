//! Heads of several rows that a format does not mark, or marks in part.
//!
//! The sign is a name over several columns (`Winter` over `Fee` and `Ticket`), with names right below it and values below
//! these. The upper name is a merged cell, or one that is repeated, or one with empty cells beside it.

use std::collections::BTreeSet;

use super::Table;
use super::header::{MOST_OF, ROWS_LOOKED_AT, is_short_name};
use super::layout::{Placed, placed, width};
use super::look::{is_figure, mark};

/// Rows of a head that is found by its form: more levels are hardly read together.
const MOST_LEVELS: usize = 3;

/// A head that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Levels {
    /// Its rows: from this one up to the next.
    rows: (usize, usize),
    /// Cells that reach further than they say: row, place in it, and the number of columns.
    wider: Vec<(usize, usize, u32)>,
}

impl Table {
    /// Marks a head of several rows; `marked` rows are known to be heads. Returns the row below it, or `None` if nothing
    /// says that there is one.
    pub(super) fn mark_levels(&mut self, marked: usize) -> Option<usize> {
        let Levels { rows: (start, end), mut wider } = levels(self, marked)?;
        // From the right, so that the places of those to the left stay.
        wider.sort_unstable_by(|a, b| b.cmp(a));
        for (row, place, columns) in wider {
            let Some(row) = self.rows.get_mut(row) else { continue };
            let Some(cell) = row.cells.get_mut(place) else { continue };
            cell.columns = columns;
            let last = (place + columns as usize).min(row.cells.len());
            row.cells.drain((place + 1).min(last)..last);
        }
        for row in self.rows.iter_mut().take(end).skip(start) {
            row.is_head = true;
            row.cells.iter_mut().for_each(|cell| cell.is_header = true);
        }
        Some(end)
    }
}

/// A name over several columns.
#[derive(Debug)]
struct Over<'a> {
    cell: Placed<'a>,
    width: usize,
    /// It says itself that it takes them, by being merged or repeated.
    is_stated: bool,
}

impl Over<'_> {
    fn columns(&self) -> std::ops::Range<usize> {
        self.cell.column..self.cell.column + self.width
    }
}

fn levels(table: &Table, marked: usize) -> Option<Levels> {
    let rows = placed(table, ROWS_LOOKED_AT + MOST_LEVELS);
    let width = width(&rows);
    // A name over all columns of two is the title of both.
    if width < 3 {
        return None;
    }
    let start = if marked > 0 { 0 } else { titles(&rows, width) };
    let first = rows.get(start)?;
    let is_name = |cell: &Placed<'_>| cell.text.is_empty() || is_short_name(cell.text);
    if marked == 0 && !first.iter().all(is_name) {
        return None;
    }
    let index_row =
        (start + 1..start + 1 + MOST_LEVELS).find(|row| names_the_index(&rows, start, *row));
    let mut end = start + 1;
    // What may be the end of the head, with the names over several columns above it.
    let mut found: Vec<(usize, Vec<Over<'_>>)> = Vec::new();
    while end < rows.len() && end < start + MOST_LEVELS.max(marked) {
        let over = names_over(&rows, end, (width, index_row.is_some()));
        if !over.is_empty() {
            found.push((end + 1, over));
        } else if end >= marked {
            break;
        }
        end += 1;
    }
    let values = |end: usize, columns: std::ops::Range<usize>, needs_all: bool| {
        let mut columns = columns.map(|column| holds_values(&rows, end, column));
        if needs_all { columns.all(|holds| holds) } else { columns.any(|holds| holds) }
    };
    // The deepest head whose columns hold values; of a marked one the rows are known, and only the reach of its names is not.
    while let Some((end, over)) = found.last() {
        let end = (*end).max(marked);
        let holds = over.iter().all(|over| values(end, over.columns(), !over.is_stated))
            || repeats_names(over, rows.get(end - 1)?);
        if holds {
            break;
        }
        found.pop();
    }
    let (end, _) = found.last()?;
    let mut end = (*end).max(marked);
    if index_row == Some(end) {
        end += 1;
    }
    let implied = found.iter().flat_map(|(_, over)| over).filter(|over| !over.is_stated);
    let wider = implied.filter_map(|over| {
        let (row, place) = over.cell.home;
        Some((row, place, u32::try_from(over.width).ok()?))
    });
    let wider: Vec<_> = wider.collect();
    let is_new = end > marked || !wider.is_empty();
    is_new.then_some(Levels { rows: (start, end), wider })
}

/// Returns the number of rows above the head that are one cell over the whole width.
fn titles(rows: &[Vec<Placed<'_>>], width: usize) -> usize {
    let is_title = |row: &&Vec<Placed<'_>>| matches!(row.as_slice(), [only] if only.width >= width);
    rows.iter().take_while(is_title).count()
}

/// The names of a row over several columns each, if the row below has a name of its own in each of these columns, and
/// nothing of its own in the others.
fn names_over<'a>(
    rows: &[Vec<Placed<'a>>],
    below_row: usize,
    (width, names_levels): (usize, bool),
) -> Vec<Over<'a>> {
    let above_row = below_row - 1;
    let (Some(above), Some(below)) = (rows.get(above_row), rows.get(below_row)) else {
        return Vec::new();
    };
    let own = |cell: &&Placed<'_>| cell.home.0 == below_row;
    let mut found: Vec<Over<'a>> = Vec::new();
    let mut cells = above.iter().peekable();
    while let Some(cell) = cells.next() {
        if cell.text.is_empty() || cell.home.0 != above_row {
            continue;
        }
        let mut over = Over { cell: *cell, width: cell.width, is_stated: cell.width > 1 };
        let is_next = |over: &Over<'_>, next: &Placed<'_>| next.column == over.columns().end;
        while let Some(next) = cells.next_if(|next| is_next(&over, next) && next.text == cell.text)
        {
            over.width += next.width;
            over.is_stated = true;
        }
        if !over.is_stated {
            let is_free = |next: &Placed<'_>| next.text.is_empty() && next.home.0 == above_row;
            while let Some(next) = cells.next_if(|next| is_next(&over, next) && is_free(next)) {
                over.width += next.width;
            }
            // A row may be shorter than the table: what is empty at its end is not there.
            if cells.peek().is_none() {
                over.width = width - cell.column;
            }
        }
        if over.width > 1
            && over.width < width
            && is_named(rows, below_row, over.columns(), MOST_LEVELS - 1)
        {
            found.push(over);
        }
    }
    // Beside them the row below goes on with the row above, or has a name where that has none.
    let is_over = |column: usize| found.iter().any(|over| over.columns().contains(&column));
    let is_named_above = |cell: &Placed<'_>| {
        above.iter().any(|other| other.column == cell.column && !other.text.is_empty())
    };
    let goes_on = below.iter().filter(own).filter(|cell| !is_over(cell.column)).all(|cell| {
        let is_name = is_short_name(cell.text) && (names_levels || !is_named_above(cell));
        cell.text.is_empty() || is_name
    });
    if goes_on { found } else { Vec::new() }
}

/// Returns `true` if a row has several names of its own in these columns, each column under one of them. A name goes on over the
/// empty cells beside it where the row below has names in all of its columns.
fn is_named(
    rows: &[Vec<Placed<'_>>],
    row: usize,
    columns: std::ops::Range<usize>,
    levels: usize,
) -> bool {
    let Some(cells) = rows.get(row) else { return false };
    let mut names: Vec<(&str, std::ops::Range<usize>)> = Vec::new();
    let mut next = columns.start;
    let mut goes_on = false;
    for cell in cells.iter().filter(|cell| columns.contains(&cell.column)) {
        let end = cell.column + cell.width;
        if cell.column != next || end > columns.end || cell.home.0 != row {
            return false;
        }
        match names.last_mut().filter(|_| cell.text.is_empty()) {
            Some((_, range)) => {
                range.end = end;
                goes_on = true;
            }
            None if !is_short_name(cell.text) || cell.text.is_empty() => return false,
            None => names.push((cell.text, cell.column..end)),
        }
        next = end;
    }
    // What is empty at a row's end is not there.
    if let Some((_, range)) = names.last_mut().filter(|_| next < columns.end) {
        let is_end = cells.iter().all(|cell| cell.column < columns.end);
        if !is_end || !goes_on && levels == 0 {
            return false;
        }
        range.end = columns.end;
        goes_on = true;
    }
    let own: BTreeSet<&str> = names.iter().map(|(name, _)| *name).collect();
    let is_below = |range: std::ops::Range<usize>| {
        range.len() == 1 || levels > 0 && is_named(rows, row + 1, range, levels - 1)
    };
    own.len() == names.len()
        && names.len() > 1
        && (!goes_on || names.into_iter().all(|(_, range)| is_below(range)))
}

/// Returns `true` if the same names stand under each of several names: no row of values looks so.
fn repeats_names(over: &[Over<'_>], below: &[Placed<'_>]) -> bool {
    let names = |over: &Over<'_>| -> Vec<&str> {
        let columns = over.columns();
        let own = below.iter().filter(|cell| columns.contains(&cell.column));
        own.map(|cell| cell.text).collect()
    };
    let mut all = over.iter().map(names);
    let first = all.next().unwrap_or_default();
    let has_letters = |name: &&str| name.chars().any(char::is_alphabetic);
    over.len() > 1 && first.iter().all(has_letters) && all.all(|own| own == first)
}

/// Returns `true` if a column holds values, or marks, from a row on.
fn holds_values(rows: &[Vec<Placed<'_>>], from: usize, column: usize) -> bool {
    let cells = rows.iter().skip(from).flatten().filter(|cell| {
        (cell.column..cell.column + cell.width).contains(&column) && !cell.text.is_empty()
    });
    let holds: Vec<bool> =
        cells.map(|cell| is_figure(cell.text) || mark(cell.text).is_some()).collect();
    let count = holds.iter().filter(|holds| **holds).count();
    !holds.is_empty() && 100 * count >= MOST_OF * holds.len()
}

/// Returns `true` if a row below a head only names the columns in front, as tables of pandas name their index. The head leaves these
/// columns free, or names its levels there.
fn names_the_index(rows: &[Vec<Placed<'_>>], start: usize, row: usize) -> bool {
    let (Some(names), Some(next)) = (rows.get(row), rows.get(row + 1)) else { return false };
    let filled = |row: &[Placed<'_>], column: usize| {
        row.iter().any(|cell| cell.column == column && !cell.text.is_empty())
    };
    let names: Vec<&Placed<'_>> = names.iter().filter(|cell| !cell.text.is_empty()).collect();
    let behind = names.len();
    let leads = names.iter().enumerate().all(|(column, cell)| {
        cell.column == column
            && cell.home.0 == row
            && is_short_name(cell.text)
            && filled(next, column)
    });
    // A cell that reaches down from the head is a name of its column already.
    let own = |number: usize, column: usize| {
        rows.get(number).is_some_and(|row| {
            row.iter()
                .any(|cell| cell.column == column && cell.home.0 == number && !cell.text.is_empty())
        })
    };
    let head = start..row;
    let is_even = (0..behind).all(|column| {
        let count = head.clone().filter(|number| own(*number, column)).count();
        count == 0 || count == head.len()
    });
    let has_more = |row: &Vec<Placed<'_>>| {
        row.iter().any(|cell| cell.column >= behind && !cell.text.is_empty())
    };
    behind > 0
        && leads
        && is_even
        && head.len() > 1
        && rows.get(head).is_some_and(|head| head.iter().all(has_more))
        && has_more(next)
}
