//! Tables: by the rules drawn around their cells, or by cells that stand below one another.

mod aligned;
mod grid;

use super::lines::{Line, Piece, rows};
use super::paragraphs::{Joining, Vocabulary, join};
use super::words::Word;
use crate::inline::InlineText;
use crate::table::{CellDraft, RowDraft, TableDraft};

pub(super) use aligned::{Laid, aligned};
pub(super) use grid::{joined, ruled};

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
pub(super) fn draft(mut rows: Vec<Vec<Cell>>, targets: &[String]) -> TableDraft {
    let mut caption = InlineText::default();
    // A first row of one cell is the table's title.
    if rows.len() > 2
        && rows
            .first()
            .is_some_and(|row| row.len() == 1 && row[..].iter().all(|cell| cell.rows == 1))
    {
        caption = rows.remove(0).first().map(|cell| cell.text(targets)).unwrap_or_default();
    }
    let heads = head_rows(&rows);
    let has_side = has_bold_side(&rows[heads..]);
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

/// Counts the header rows from the top: bold ones, or one whose words stand above other things.
fn head_rows(rows: &[Vec<Cell>]) -> usize {
    let is_bold = |row: &&Vec<Cell>| {
        row.iter().any(|cell| !cell.words.is_empty())
            && row.iter().filter(|cell| !cell.words.is_empty()).all(Cell::is_bold)
    };
    let bold = rows.iter().take_while(is_bold).count();
    if (1..rows.len()).contains(&bold) {
        return bold;
    }
    let Some(first) = rows.first().filter(|_| rows.len() > 1) else {
        return 0;
    };
    let is_label = |cell: &Cell| {
        let letters = cell.words.iter().flat_map(|word| word.text.chars());
        let (digits, others) = letters.fold((0, 0), |(digits, others), letter| {
            if letter.is_numeric() { (digits + 1, others) } else { (digits, others + 1) }
        });
        cell.words.len() <= 8 && others > digits
    };
    if first.len() < 2 || !first.iter().all(is_label) {
        return 0;
    }
    // A header over several columns has theirs below it.
    let reach = first.iter().map(|cell| cell.rows).max().unwrap_or(1);
    let is_split = first.iter().any(|cell| cell.columns > 1);
    let two = is_split && rows.len() > 2 && rows.get(1).is_some_and(|row| row.iter().all(is_label));
    reach.max(if two { 2 } else { 1 }).min(rows.len() - 1)
}

/// Returns `true` if the first column alone is bold.
fn has_bold_side(rows: &[Vec<Cell>]) -> bool {
    let first = || rows.iter().filter_map(|row| row.first()).filter(|cell| !cell.words.is_empty());
    let others = || rows.iter().flat_map(|row| row.iter().skip(1));
    first().count() >= 2 && first().all(Cell::is_bold) && !others().all(Cell::is_bold)
}

/// Adds the rows of a table that goes on over the page, without its repeated header.
pub(in crate::pdf) fn continue_over(table: &mut TableDraft, next: TableDraft) {
    let text = |row: &RowDraft| -> Vec<String> {
        row.cells.iter().map(|cell| cell.text.text.clone()).collect()
    };
    let heads: Vec<Vec<String>> = table.rows.iter().filter(|row| row.is_head).map(text).collect();
    for mut row in next.rows {
        if row.is_head && heads.contains(&text(&row)) {
            continue;
        }
        if row.is_head {
            row.is_head = false;
            row.cells.iter_mut().for_each(|cell| cell.is_header = false);
        }
        table.rows.push(row);
    }
}
