//! Tables: by the rules drawn around their cells, by rules above and below them, or by cells that
//! stand below one another.
//!
//! `grid` reads what rules part, `layout` (and `centred`) what only the text parts; `open` and `aligned` find tables
//! for it, between level rules (`stripes`: between the edges of coloured rows) and without any. `heads` tells which rows name the columns. `over_pages` puts together what pages part.

mod aligned;
mod centred;
mod grid;
mod heads;
mod layout;
mod open;
mod over_pages;
mod stripes;

use super::lines::{Line, Piece, rows};
use super::paragraphs::{Joining, Vocabulary, join};
use super::words::Word;
use crate::inline::InlineText;
use crate::table::{CellDraft, RowDraft, TableDraft};

pub(super) use aligned::{Laid, aligned, centred_table, is_one_table};
pub(super) use grid::{joined, ruled};
pub(super) use heads::tell_fields;
use heads::{are_facts, head_rows, is_guess};
pub(super) use over_pages::{PageTable, add_page_table, add_rows};
pub(super) use stripes::striped;

/// The rows at the top of a table that name its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heads {
    /// Nothing is drawn that tells: the cells themselves do.
    Unknown,
    /// So many, as a rule below them tells.
    Known(usize),
}

/// A table as it is on its page.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) draft: TableDraft,
    /// Its columns, and how far down each of its rows is; empty where that is not known.
    pub(super) columns: Vec<(f64, f64)>,
    pub(super) rows: Vec<f64>,
    /// Nothing but the words of its first row says that this is a head.
    pub(super) is_head_guessed: bool,
}

impl Drawn {
    /// The table of these rows of cells, `tops` being where each begins.
    fn of(
        cells: Vec<Vec<Cell>>,
        heads: Heads,
        (columns, tops): (Vec<(f64, f64)>, Vec<f64>),
        targets: &[String],
    ) -> Self {
        let is_head_guessed = heads == Heads::Unknown && is_guess(&cells);
        let draft = draft(cells, heads, targets);
        // The first row may have become the title.
        let titles = tops.len().saturating_sub(draft.rows.len());
        let rows: Vec<f64> = tops.into_iter().skip(titles.min(1)).collect();
        let is_even = rows.len() == draft.rows.len();
        let rows = if is_even { rows } else { Vec::new() };
        Self { draft, columns, rows, is_head_guessed }
    }
}

/// A cell as it stands on the page.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) words: Vec<Word>,
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Cell {
    pub(super) fn single(words: Vec<Word>) -> Self {
        Self { words, columns: 1, rows: 1 }
    }

    fn is_bold(&self) -> bool {
        !self.words.is_empty() && self.words.iter().all(|word| word.style.bold)
    }

    fn text(&self, targets: &[String]) -> InlineText {
        let pieces = self.words.iter().map(|word| Piece::of_words(vec![word.clone()]));
        let line =
            |row: Vec<Piece>| Line::of(row.into_iter().flat_map(|piece| piece.words).collect());
        let lines: Vec<Line> = rows(pieces.collect()).into_iter().map(line).collect();
        join(&lines, Joining { vocabulary: &Vocabulary::default(), links: targets })
    }
}

/// The table of these rows of cells.
fn draft(rows: Vec<Vec<Cell>>, heads: Heads, targets: &[String]) -> TableDraft {
    let mut rows = unfolded(rows);
    let mut heads = heads;
    let mut caption = InlineText::default();
    // A first row of one cell is the table's title.
    if rows.len() > 2
        && rows
            .first()
            .is_some_and(|row| row.len() == 1 && row[..].iter().all(|cell| cell.rows == 1))
    {
        caption = rows.remove(0).first().map(|cell| cell.text(targets)).unwrap_or_default();
        if let Heads::Known(count) = &mut heads {
            *count = count.saturating_sub(1);
        }
    }
    let heads = match heads {
        Heads::Known(count) if count > 0 && count < rows.len() => count,
        _ => head_rows(&rows),
    };
    let has_side = has_bold_side(&rows[heads..]) || heads == 0 && are_facts(&rows);
    let row = |(index, row): (usize, Vec<Cell>)| {
        let is_head = index < heads;
        let cell = |(place, cell): (usize, Cell)| CellDraft {
            text: cell.text(targets),
            is_header: is_head || (has_side && place == 0),
            columns: u32::try_from(cell.columns).unwrap_or(1).max(1),
            rows: u32::try_from(cell.rows).unwrap_or(1).max(1),
        };
        RowDraft { is_head, cells: row.into_iter().enumerate().map(cell).collect() }
    };
    let rows = rows.into_iter().enumerate().map(row).collect();
    TableDraft { caption, rows }
}

/// Rows of label, value, label, value as rows of one label and its value each.
fn unfolded(rows: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let is_label = |cell: &Cell| cell.words.is_empty() || cell.is_bold();
    let is_plain = |cell: &Cell| !cell.words.iter().any(|word| word.style.bold);
    let is_single = |cell: &Cell| cell.columns == 1 && cell.rows == 1;
    let is_folded = |row: &Vec<Cell>| match row.as_slice() {
        [one, first, two, second] => {
            row.iter().all(is_single)
                && is_label(one)
                && is_label(two)
                && is_plain(first)
                && is_plain(second)
        }
        // A value over the rest of the row, or the name of them all.
        [label, value] => is_label(label) && is_plain(value) && value.columns == 3,
        [only] => only.columns == 4,
        _ => false,
    };
    let is_two = |row: &&Vec<Cell>| matches!(row.as_slice(), [one, _, two, _] if one.is_bold() && two.is_bold());
    if rows.iter().filter(is_two).count() < 2 || !rows.iter().all(is_folded) {
        return rows;
    }
    let mut pairs = Vec::new();
    for row in rows {
        let mut cells = row.into_iter().peekable();
        while let Some(mut label) = cells.next() {
            label.columns = label.columns.min(2);
            let value = cells.next().map(|value| Cell { columns: 1, ..value });
            if !label.words.is_empty() {
                pairs.push(std::iter::once(label).chain(value).collect());
            }
        }
    }
    pairs
}

/// Returns `true` if the first column alone is bold.
fn has_bold_side(rows: &[Vec<Cell>]) -> bool {
    let first = || rows.iter().filter_map(|row| row.first()).filter(|cell| !cell.words.is_empty());
    let others = || rows.iter().flat_map(|row| row.iter().skip(1));
    first().count() >= 2 && first().all(Cell::is_bold) && !others().all(Cell::is_bold)
}
