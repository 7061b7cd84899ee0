//! Rows and cells as tables of all formats have them.

use crate::table::{CellDraft, RowDraft, TableDraft};

/// A cell longer than this is a part of the page's layout, as in HTML.
pub(super) const CELL_BYTES: usize = 1_200;
/// Columns that one cell may take.
pub(super) const MOST_COLUMNS: u32 = 1_000;

/// A row as it was found.
#[derive(Debug, Default)]
pub(super) struct FoundRow {
    /// The document says that it holds headers.
    pub(super) is_head: bool,
    pub(super) cells: Vec<FoundCell>,
}

#[derive(Debug)]
pub(super) struct FoundCell {
    pub(super) draft: CellDraft,
    /// All its words are bold, or in a style for headers.
    pub(super) stands_out: bool,
    /// The colour behind it, as the document names it; `None` for white.
    pub(super) ground: Option<String>,
}

impl FoundCell {
    /// A place without a cell.
    pub(super) fn gap(columns: u32) -> Self {
        let draft = CellDraft { text: Default::default(), is_header: false, columns, rows: 1 };
        Self { draft, stands_out: false, ground: None }
    }

    fn is_empty(&self) -> bool {
        self.draft.text.text.is_empty()
    }
}

/// The table of these rows. `shows_first_row` says that the table's style shows its first row in a
/// way of its own.
///
/// Most tables do not say which rows are their headers; people make them bold, or give them a
/// ground of another colour.
pub(super) fn draft(mut rows: Vec<FoundRow>, shows_first_row: bool) -> TableDraft {
    let mut table = TableDraft::default();
    let width = rows.iter().map(row_width).max().unwrap_or_default();
    // One cell over the whole width is a caption, not a header.
    let opens = rows.first().is_some_and(|first| {
        matches!(first.cells.as_slice(), [only] if only.draft.columns > 1
            && row_width(first) >= width && only.draft.rows == 1 && !only.is_empty())
    });
    if opens && rows.len() > 1 {
        let first = rows.remove(0);
        table.caption =
            first.cells.into_iter().next().map(|cell| cell.draft.text).unwrap_or_default();
    }
    let is_stated = rows.first().is_some_and(|first| first.is_head);
    let has_body = rows.len() > 1;
    if !is_stated {
        let is_shown = rows.first().zip(rows.get(1)).is_some_and(|(first, second)| {
            (stands_out(first) && !stands_out(second)) || has_own_ground(first, second)
        });
        for row in &mut rows {
            row.is_head = false;
        }
        if let Some(first) = rows.first_mut().filter(|_| has_body) {
            let is_row = filled(first).count() > 1;
            first.is_head = is_row && (shows_first_row || is_shown);
        }
    }
    let mut is_top = true;
    table.rows = rows
        .into_iter()
        .map(|row| {
            is_top &= row.is_head;
            finished(row, is_top)
        })
        .collect();
    table
}

fn row_width(row: &FoundRow) -> u32 {
    row.cells.iter().map(|cell| cell.draft.columns).fold(0, u32::saturating_add)
}

fn filled(row: &FoundRow) -> impl Iterator<Item = &FoundCell> {
    row.cells.iter().filter(|cell| !cell.is_empty())
}

fn stands_out(row: &FoundRow) -> bool {
    filled(row).next().is_some() && filled(row).all(|cell| cell.stands_out)
}

/// Returns `true` if all cells of a row share a colour that none below them has.
fn has_own_ground(row: &FoundRow, below: &FoundRow) -> bool {
    let Some(ground) = filled(row).next().and_then(|cell| cell.ground.as_ref()) else {
        return false;
    };
    filled(row).all(|cell| cell.ground.as_ref() == Some(ground))
        && filled(below).all(|cell| cell.ground.as_ref() != Some(ground))
}

fn finished(row: FoundRow, is_head: bool) -> RowDraft {
    let rest_stands_out = row.cells.iter().skip(1).any(|cell| cell.stands_out);
    let cells = row.cells.into_iter().enumerate().map(|(index, cell)| {
        let names_row = index == 0 && cell.stands_out && !rest_stands_out;
        CellDraft { is_header: is_head || names_row, ..cell.draft }
    });
    RowDraft { is_head, cells: cells.collect() }
}
