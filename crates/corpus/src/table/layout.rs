//! The column of each cell, and the part of each row: it heads a table, groups the rows below it, or says something.

use std::collections::BTreeMap;

use super::carried::first_column_goes_on;
use super::groups::lone_rows_name_groups;
use super::look::{is_sentence, names_a_total, time};
use super::sums::groups_with_sums;
use super::{Table, TableRow};

/// Rows of headers; a table that has more is not one that labels help to read.
// Joined into one label in front of every value, five levels would be longer than the values.
const MOST_HEAD_ROWS: usize = 4;
/// A cell over the whole width that is longer than this is a remark, not the name of a group.
// As long as a long heading; remarks below a table begin at about this.
const GROUP_BYTES: usize = 120;
/// Groups within groups that are kept apart.
// Each is said again with every row.
const MOST_GROUPS: usize = 3;

/// Rows under the same headers.
#[derive(Debug, Default)]
pub(super) struct Block<'a> {
    pub(super) head: Vec<Vec<Placed<'a>>>,
    pub(super) lines: Vec<Line<'a>>,
}

/// A row that becomes a sentence.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) row: usize,
    /// The cells with text.
    pub(super) cells: Vec<Placed<'a>>,
    /// The names of the groups that it stands in, from the outermost.
    pub(super) groups: Vec<Placed<'a>>,
    /// A remark, or a head or group without rows of its own: written as it stands.
    pub(super) is_alone: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Head,
    Group,
    Body,
    /// A sentence over the whole width.
    Remark,
}

/// The rows of a table, sorted out.
pub(super) fn blocks(table: &Table) -> Vec<Block<'_>> {
    let rows = placed(table, usize::MAX);
    let is_head = |number: usize| table.rows.get(number).is_some_and(|row| row.is_head);
    let width = width(&rows);
    let lone = Lone {
        names_groups: lone_rows_name_groups(&rows, is_head, width),
        first_column_is_named: first_column_is_named(&rows, is_head),
        width,
    };
    let goes_on = first_column_goes_on(&rows, is_head);
    let sums = groups_with_sums(&rows, is_head, width);
    let mut above: Option<Placed<'_>> = None;
    let mut sorter = Sorter::default();
    for (number, row) in rows.iter().enumerate() {
        // A header that reaches below the head heads columns, it does not fill cells.
        let reaches = |cell: &&Placed<'_>| cell.home.0 != number && is_head(cell.home.0);
        let mut filled: Vec<Placed<'_>> = row
            .iter()
            .filter(|cell| is_head(number) || !reaches(cell))
            .filter(|cell| !cell.text.is_empty())
            .copied()
            .collect();
        if filled.is_empty() {
            continue;
        }
        if goes_on && !is_head(number) {
            let own = filled.first().filter(|cell| cell.column == 0).copied();
            if own.is_none() {
                filled.splice(0..0, above);
            }
            above = own.or(above);
        }
        let next = rows.get(number + 1).filter(|_| !is_head(number + 1));
        let next = next.map(Vec::as_slice);
        // Below groups that have their sums, a sum is that of all.
        if !sums.is_empty() && filled.first().is_some_and(|cell| names_a_total(cell.text)) {
            sorter.groups.clear();
        }
        if sums.contains(&number) {
            sorter.group_with_sum(number, filled);
            continue;
        }
        match role(number, &filled, is_head(number), lone, next) {
            Role::Head => sorter.head(number, filled),
            Role::Group => sorter.group(number, filled),
            Role::Body => sorter.body(number, filled),
            Role::Remark => sorter.alone(number, filled),
        }
    }
    sorter.finish()
}

/// The cells of the first rows of a table, in their places.
pub(super) fn placed(table: &Table, rows: usize) -> Vec<Vec<Placed<'_>>> {
    let mut grid = Grid::default();
    let rows = table.rows.iter().take(rows).enumerate();
    rows.map(|(number, row)| grid.place(number, row)).collect()
}

/// Returns the number of columns of the table.
pub(super) fn width(rows: &[Vec<Placed<'_>>]) -> usize {
    rows.iter().flatten().map(|cell| cell.column + cell.width).max().unwrap_or_default()
}

fn role(
    number: usize,
    filled: &[Placed<'_>],
    is_head: bool,
    Lone { names_groups, first_column_is_named, width }: Lone,
    next: Option<&[Placed<'_>]>,
) -> Role {
    let plain = if is_head { Role::Head } else { Role::Body };
    let &[cell] = filled else { return plain };
    let is_name = cell.text.len() <= GROUP_BYTES && !is_sentence(cell.text);
    let spans_all = width > 1 && cell.width >= width;
    if !is_name {
        // Without merged cells, a sentence alone in the first of several columns is a remark too.
        // In two columns a sentence on the left is a question, and the right one is missing.
        let stands_alone = width > 2 && cell.column == 0 && is_sentence(cell.text);
        return if spans_all || stands_alone { Role::Remark } else { Role::Body };
    }
    // What states a fact below the last row, as in `As of: 1 May`, is no row of the table.
    let states_fact = cell.text.contains(": ") || cell.text.starts_with("* ");
    if next.is_none() && width > 2 && cell.column == 0 && !is_head && states_fact {
        return Role::Remark;
    }
    if width < 2 || cell.home.0 != number || cell.column > 0 {
        return plain;
    }
    if is_head {
        return if spans_all { Role::Group } else { Role::Head };
    }
    // Without merged cells, a name in the first column groups the rows below if these leave that
    // column free, or if it says so.
    let leaves_free = next.is_some_and(|row| {
        let first = row.iter().find(|cell| cell.column == 0);
        first.is_none_or(|cell| cell.text.is_empty())
            && row.iter().any(|cell| !cell.text.is_empty())
    });
    let is_marked = cell.is_header && !first_column_is_named;
    let says_so =
        names_groups || is_marked || cell.text.ends_with(':') || time(cell.text).is_some();
    let has_rows = next.is_some_and(|row| row.iter().any(|cell| !cell.text.is_empty()));
    if spans_all || (has_rows && (leaves_free || says_so)) { Role::Group } else { Role::Body }
}

/// What a row with one cell means in a table.
#[derive(Clone, Copy)]
struct Lone {
    /// Such rows name the groups of the rows below them.
    names_groups: bool,
    /// The first column holds the headers of the rows: one of them alone is a field without a value.
    first_column_is_named: bool,
    /// The number of columns of the table.
    width: usize,
}

/// Returns `true` if most rows with a value have a header in front of it.
fn first_column_is_named(rows: &[Vec<Placed<'_>>], is_head: impl Fn(usize) -> bool) -> bool {
    let body = rows.iter().enumerate().filter(|(number, _)| !is_head(*number));
    let filled = body.map(|(_, row)| row.iter().filter(|cell| !cell.text.is_empty()));
    let first: Vec<bool> = filled
        .filter(|cells| cells.clone().count() > 1)
        .filter_map(|mut cells| cells.next().map(|cell| cell.column == 0 && cell.is_header))
        .collect();
    !first.is_empty() && 2 * first.iter().filter(|is_named| **is_named).count() > first.len()
}

/// Puts rows under their heads and groups as they come.
#[derive(Default)]
struct Sorter<'a> {
    blocks: Vec<Block<'a>>,
    block: Block<'a>,
    /// The numbers of the head's rows.
    head_rows: Vec<usize>,
    groups: Vec<(usize, Placed<'a>)>,
    /// `true` if a row has come since the last head; the next field, since the last group.
    head_is_used: bool,
    groups_are_used: bool,
}

impl<'a> Sorter<'a> {
    fn head(&mut self, number: usize, cells: Vec<Placed<'a>>) {
        if self.repeats_head(&cells) {
            return;
        }
        if self.head_is_used {
            self.close();
        }
        if self.block.head.len() >= MOST_HEAD_ROWS {
            return self.body(number, cells);
        }
        self.block.head.push(cells);
        self.head_rows.push(number);
    }

    /// Returns `true` if the row says what a row of the head said: a long table names its columns again on
    /// each page.
    fn repeats_head(&self, cells: &[Placed<'a>]) -> bool {
        let same = |row: &Vec<Placed<'_>>| {
            row.len() == cells.len()
                && row.iter().zip(cells).all(|(a, b)| a.text == b.text && a.column == b.column)
        };
        self.head_is_used && self.block.head.iter().any(same)
    }

    fn group(&mut self, number: usize, cells: Vec<Placed<'a>>) {
        if self.groups_are_used {
            let kept = cells.first().map_or(0, |cell| self.outer_groups(cell));
            self.groups.truncate(kept);
            self.groups_are_used = false;
        }
        self.groups.extend(cells.first().map(|cell| (number, *cell)));
        if self.groups.len() > MOST_GROUPS {
            let (row, cell) = self.groups.remove(0);
            self.alone(row, vec![cell]);
        }
    }

    /// A name of the rows below that says something of them all too.
    fn group_with_sum(&mut self, row: usize, cells: Vec<Placed<'a>>) {
        self.group(row, cells.iter().take(1).copied().collect());
        let outer = self.groups.split_last().map_or(&[][..], |(_, outer)| outer);
        let groups = outer.iter().map(|(_, cell)| *cell).collect();
        self.block.lines.push(Line { row, cells, groups, is_alone: false });
        self.head_is_used = true;
    }

    /// Counts the groups that go on around a new one: those outside of the innermost group of its own look, where the
    /// outermost looks otherwise (a cell over the whole width above names in the first column).
    fn outer_groups(&self, new: &Placed<'_>) -> usize {
        let looks_like = |cell: &Placed<'_>| (cell.width, cell.is_header);
        let mut looks = self.groups.iter().map(|(_, cell)| looks_like(cell));
        let is_outermost = looks.next() == Some(looks_like(new));
        let own = self.groups.iter().rposition(|(_, cell)| looks_like(cell) == looks_like(new));
        own.filter(|_| !is_outermost).unwrap_or_default()
    }

    fn body(&mut self, row: usize, cells: Vec<Placed<'a>>) {
        if self.repeats_head(&cells) {
            return;
        }
        self.head_is_used = true;
        self.groups_are_used = true;
        let groups = self.groups.iter().map(|(_, cell)| *cell).collect();
        self.block.lines.push(Line { row, cells, groups, is_alone: false });
    }

    fn alone(&mut self, row: usize, cells: Vec<Placed<'a>>) {
        self.block.lines.push(Line { row, cells, groups: Vec::new(), is_alone: true });
    }

    /// Ends the rows under one head. What heads nothing is kept as it stands.
    fn close(&mut self) {
        if !self.head_is_used {
            let head = std::mem::take(&mut self.block.head);
            for (row, cells) in std::mem::take(&mut self.head_rows).into_iter().zip(head) {
                self.alone(row, cells);
            }
        }
        self.head_rows.clear();
        self.head_is_used = false;
        self.blocks.push(std::mem::take(&mut self.block));
    }

    fn finish(mut self) -> Vec<Block<'a>> {
        if !self.groups_are_used {
            for (row, cell) in std::mem::take(&mut self.groups) {
                self.alone(row, vec![cell]);
            }
        }
        self.close();
        self.blocks
    }
}

/// The most bytes that cells that reach over several rows may add to a table by being repeated.
// One cell of 65,000 rows and a kilobyte would otherwise become 65 MB: a small file must not fill the memory.
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
struct Grid<'a> {
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
