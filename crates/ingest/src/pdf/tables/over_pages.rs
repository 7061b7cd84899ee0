//! Tables that go on over pages: down, with or without their head again, and to the side, where a sheet is wider than the paper.

use super::layout::{Extent, TextLine, column_of, reach};
use super::{Cell, Drawn};
use crate::pdf::lines::{Line, Piece};
use crate::pdf::paragraphs::{Vocabulary, append};
use crate::pdf::text::Part;
use crate::table::{CellDraft, RowDraft, TableDraft};

/// Sides that differ by less, in points, are those of one table.
const SAME_SIDE: f64 = 6.0;
/// Rows of a sheet that is wider than its paper stand at the same heights on each page, within so many points.
const SAME_HEIGHT: f64 = 1.5;
/// Fewest rows, names among them, that tell that two pages are parts of one sheet.
const FEWEST_ROWS: usize = 3;

/// A table and where it is.
#[derive(Debug)]
pub(in crate::pdf) struct PageTable {
    pub(in crate::pdf) draft: TableDraft,
    /// From 0.
    pub(in crate::pdf) page: usize,
    /// The rows that begin a page, and which.
    pub(in crate::pdf) page_breaks: Vec<(usize, usize)>,
    /// Its sides and columns, to know it again on the next page.
    left: f64,
    right: f64,
    columns: Vec<Extent>,
    /// The page of each row, counted from its first, and how far down it is; empty where that is not known.
    rows: Vec<(usize, f64)>,
    /// The page it ends on, from 0.
    last_page: usize,
    /// Nothing but the words of its first row says that this is a head.
    pub(super) is_head_guessed: bool,
}

impl PageTable {
    pub(in crate::pdf) fn new(drawn: Drawn, page: usize, left: f64, right: f64) -> Self {
        let Drawn { draft, columns, rows, is_head_guessed } = drawn;
        let rows = rows.into_iter().map(|top| (0, top)).collect();
        Self {
            draft,
            page,
            page_breaks: Vec::new(),
            left,
            right,
            columns,
            rows,
            last_page: page,
            is_head_guessed,
        }
    }
}

impl PageTable {
    /// Takes the last line of the page before as the names of the columns, if it stands in them and
    /// names what all rows have figures of. Returns whether it did.
    pub(in crate::pdf) fn take_head(&mut self, line: &Line, targets: &[String]) -> bool {
        let placed = TextLine::of(vec![Piece::of_words(line.words.clone())]);
        let count = placed.runs().len();
        if count < 2 || 3 * count < 2 * self.columns.len() || !stands_in(&placed, &self.columns) {
            return false;
        }
        let mut head = row_of(&placed, &self.columns, targets);
        let is_name = |cell: &CellDraft| !has_digit(cell) && !cell.text.text.is_empty();
        let names_figures = |(column, name): (usize, &CellDraft)| {
            let mut rows = self.draft.rows.iter();
            is_name(name) && rows.all(|row| row.cells.get(column).is_some_and(has_digit))
        };
        if head.cells.iter().any(has_digit) || !head.cells.iter().enumerate().any(names_figures) {
            return false;
        }
        // What was taken for its head is its first row.
        for row in self.draft.rows.iter_mut().filter(|row| row.is_head) {
            row.is_head = false;
            row.cells.iter_mut().for_each(|cell| cell.is_header = false);
        }
        head.is_head = true;
        head.cells.iter_mut().for_each(|cell| cell.is_header = true);
        self.draft.rows.insert(0, head);
        self.page_breaks.iter_mut().for_each(|(row, _)| *row += 1);
        self.rows.clear();
        true
    }
}

fn has_digit(cell: &CellDraft) -> bool {
    cell.text.text.contains(|letter: char| letter.is_ascii_digit())
}

/// Adds a table, or goes on with the one that the page before ended with.
pub(in crate::pdf) fn add_page_table(parts: &mut Vec<Part>, table: PageTable) {
    match parts.last_mut() {
        Some(Part::Table(last)) if is_continued_by(last, &table) => {
            continue_over(last, table);
        }
        _ => parts.push(Part::Table(table)),
    }
    join_strips(parts);
}

/// Adds the first lines of a page to the table that the page before ended with, if they stand in its columns: rows too few
/// to be known as a table, and what goes on the last row. `next` is a table right below them. Returns how many lines it took.
pub(in crate::pdf) fn add_rows(
    table: &mut PageTable,
    lines: &[&Line],
    next: Option<&PageTable>,
    page: usize,
    targets: &[String],
) -> usize {
    let is_even = table.draft.rows.iter().flat_map(|row| &row.cells).all(|cell| cell.columns == 1);
    if table.last_page >= page
        || !is_even
        || table.columns.len() < 2
        || width(&table.draft) != u32::try_from(table.columns.len()).ok()
    {
        return 0;
    }
    let placed: Vec<TextLine> = lines
        .iter()
        .map(|line| TextLine::of(vec![Piece::of_words(line.words.clone())]))
        .take_while(|line| stands_in(line, &table.columns))
        .collect();
    let near = placed.windows(2).take_while(|pair| match pair {
        [above, below] => below.top() - above.bottom() < 2.2 * below.size,
        _ => false,
    });
    let count = placed.len().min(1 + near.count());
    let Some(placed) = placed.get(..count).filter(|placed| !placed.is_empty()) else {
        return 0;
    };
    let is_row = |line: &TextLine| {
        let runs = line.runs();
        runs.len() > 1
            && 3 * runs.len() >= 2 * table.columns.len()
            && reach(&table.columns, runs[0]).start == 0
    };
    let is_whole = count == lines.len() && next.is_some_and(|next| is_continued_by(table, next));
    if !placed.iter().any(is_row) && !is_whole {
        return 0;
    }
    for line in placed {
        let begins = is_row(line);
        let row = row_of(line, &table.columns, targets);
        match table.draft.rows.last_mut() {
            Some(last) if !begins && last.cells.len() == row.cells.len() => go_on(last, row),
            _ => {
                if table.last_page < page {
                    table.page_breaks.push((table.draft.rows.len(), page));
                    table.last_page = page;
                }
                table.draft.rows.push(row);
            }
        }
    }
    table.rows.clear();
    // A table below goes on from the page before still.
    if is_whole {
        table.last_page = page.saturating_sub(1);
    }
    count
}

/// Returns `true` if each run of a line is in one column, and it is a row or goes on a cell that is not the first.
fn stands_in(line: &TextLine, columns: &[Extent]) -> bool {
    let reached: Vec<_> = line.runs().iter().map(|run| reach(columns, *run)).collect();
    reached.iter().all(|columns| columns.len() == 1)
        && (reached.len() > 1 || reached.iter().all(|columns| columns.start > 0))
}

fn row_of(line: &TextLine, columns: &[Extent], targets: &[String]) -> RowDraft {
    let mut cells: Vec<Cell> = columns.iter().map(|_| Cell::single(Vec::new())).collect();
    for word in &line.words {
        if let Some(cell) = cells.get_mut(column_of(columns, word)) {
            cell.words.push(word.clone());
        }
    }
    let cell =
        |cell: Cell| CellDraft { text: cell.text(targets), is_header: false, columns: 1, rows: 1 };
    RowDraft { is_head: false, cells: cells.into_iter().map(cell).collect() }
}

/// Returns `true` if the table on a later page goes on with this one.
fn is_continued_by(last: &PageTable, next: &PageTable) -> bool {
    last.last_page < next.page
        && (last.left - next.left).abs() < SAME_SIDE
        && (last.right - next.right).abs() < SAME_SIDE
        && width(&last.draft) == width(&next.draft)
        && have_same_columns(last, next)
        && !(names_columns(&next.draft) && has_other_names(&last.draft, &next.draft))
}

/// Returns `true` if the first row is surely a head: it has words where all rows below have figures.
fn names_columns(draft: &TableDraft) -> bool {
    let [head, body @ ..] = draft.rows.as_slice() else {
        return false;
    };
    let heads_figures = |(column, name): (usize, &CellDraft)| {
        !has_digit(name)
            && !name.text.text.is_empty()
            && body.iter().all(|row| row.cells.get(column).is_some_and(has_digit))
    };
    head.is_head && body.len() >= 2 && head.cells.iter().enumerate().any(heads_figures)
}

/// Returns `true` if both have heads, without a name in common.
fn has_other_names(last: &TableDraft, next: &TableDraft) -> bool {
    let heads = |draft: &TableDraft| -> Vec<String> {
        let heads = draft.rows.iter().filter(|row| row.is_head);
        let names = heads.flat_map(texts).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    let (last, next) = (heads(last), heads(next));
    !last.is_empty() && !next.is_empty() && !next.iter().any(|name| last.contains(name))
}

fn have_same_columns(last: &PageTable, next: &PageTable) -> bool {
    let overlap = |a: &Extent, b: &Extent| a.0.max(b.0) < a.1.min(b.1);
    last.columns.len() != next.columns.len()
        || last.columns.iter().zip(&next.columns).all(|(a, b)| overlap(a, b))
}

fn width(draft: &TableDraft) -> Option<u32> {
    let cells = |row: &RowDraft| row.cells.iter().map(|cell| cell.columns).sum::<u32>();
    draft.rows.iter().map(cells).max()
}

fn texts(row: &RowDraft) -> Vec<&str> {
    row.cells.iter().map(|cell| cell.text.text.as_str()).collect()
}

/// Adds the rows of a table that goes on over the page, without its repeated header.
fn continue_over(table: &mut PageTable, next: PageTable) {
    let PageTable { draft, page, rows, .. } = next;
    let heads: Vec<Vec<String>> = table
        .draft
        .rows
        .iter()
        .filter(|row| row.is_head)
        .map(|row| texts(row).into_iter().map(str::to_owned).collect())
        .collect();
    let are_known = !table.rows.is_empty() && rows.len() == draft.rows.len();
    let tops = rows.into_iter().map(|(_, top)| Some(top)).chain(std::iter::repeat(None));
    let mut is_first = true;
    for (mut row, top) in draft.rows.into_iter().zip(tops) {
        if row.is_head && heads.iter().any(|head| *head == texts(&row)) {
            continue;
        }
        if row.is_head {
            row.is_head = false;
            row.cells.iter_mut().for_each(|cell| cell.is_header = false);
        }
        let begins_page = std::mem::take(&mut is_first);
        if begins_page
            && let Some(last) = table.draft.rows.last_mut().filter(|last| is_torn(last, &row))
        {
            go_on(last, row);
            table.page_breaks.push((table.draft.rows.len(), page));
            continue;
        }
        if begins_page {
            table.page_breaks.push((table.draft.rows.len(), page));
        }
        table.rows.extend(top.map(|top| (page - table.page, top)));
        table.draft.rows.push(row);
    }
    if !are_known {
        table.rows.clear();
    }
    table.last_page = page;
}

/// Returns `true` if a row has only parts of cells that stand on the page before: nothing in its first cell, and nothing in another.
fn is_torn(last: &RowDraft, row: &RowDraft) -> bool {
    let is_free = |cell: &CellDraft| cell.text.text.is_empty();
    let is_even = |row: &RowDraft| row.cells.iter().all(|cell| cell.columns == 1 && cell.rows == 1);
    let filled = row.cells.iter().filter(|cell| !is_free(cell)).count();
    row.cells.first().is_some_and(is_free)
        && filled > 0
        && (filled + 1 < row.cells.len() || row.cells.len() == 2)
        && !last.is_head
        && last.cells.len() == row.cells.len()
        && is_even(last)
        && is_even(row)
}

fn go_on(last: &mut RowDraft, row: RowDraft) {
    for (cell, more) in last.cells.iter_mut().zip(row.cells) {
        if !more.text.text.is_empty() {
            append(&mut cell.text, more.text, &Vocabulary::default());
        }
    }
}

/// Puts the last table beside the one before it, if the two are strips of one sheet: pages with the same number of rows at the
/// same heights, other names at the top of each, and nothing else between them.
fn join_strips(parts: &mut Vec<Part>) {
    let [.., Part::Table(left), Part::Table(right)] = parts.as_slice() else {
        return;
    };
    if !are_strips(left, right) {
        return;
    }
    let Some(Part::Table(right)) = parts.pop() else {
        return;
    };
    if let Some(Part::Table(left)) = parts.last_mut() {
        // The names of the rows may be printed on each page.
        let repeated = usize::from(has_same_names(&left.draft, &right.draft));
        for (row, more) in left.draft.rows.iter_mut().zip(right.draft.rows) {
            row.cells.extend(more.cells.into_iter().skip(repeated));
        }
        left.last_page = right.last_page;
    }
}

fn are_strips(left: &PageTable, right: &PageTable) -> bool {
    let is_head = |table: &PageTable| -> Vec<bool> {
        table.draft.rows.iter().map(|row| row.is_head).collect()
    };
    let same_heights = left
        .rows
        .iter()
        .zip(&right.rows)
        .all(|(one, other)| one.0 == other.0 && (one.1 - other.1).abs() < SAME_HEIGHT);
    let is_full = |row: &RowDraft| row.cells.iter().all(|cell| cell.rows == 1 && cell.columns == 1);
    left.last_page < right.page
        && left.rows.len() >= FEWEST_ROWS
        && left.rows.len() == right.rows.len()
        && left.rows.len() == left.draft.rows.len()
        && right.rows.len() == right.draft.rows.len()
        && same_heights
        && is_head(left) == is_head(right)
        && names_columns(&right.draft)
        && names_rows_beside(&left.draft, &right.draft)
        && left.draft.rows.iter().chain(&right.draft.rows).all(is_full)
}

/// Returns `true` if the tables have other names of columns, the first aside where that names the rows of both.
fn names_rows_beside(left: &TableDraft, right: &TableDraft) -> bool {
    if !has_same_names(left, right) {
        return has_other_names(left, right);
    }
    let rest = |draft: &TableDraft| -> Vec<String> {
        let head = draft.rows.first();
        head.map(texts).unwrap_or_default().into_iter().skip(1).map(str::to_owned).collect()
    };
    let left = rest(left);
    !rest(right).iter().any(|name| left.contains(name))
}

fn has_same_names(left: &TableDraft, right: &TableDraft) -> bool {
    let names = |draft: &TableDraft| -> Vec<Option<String>> {
        draft.rows.iter().map(|row| row.cells.first().map(|cell| cell.text.text.clone())).collect()
    };
    names(left) == names(right)
}
