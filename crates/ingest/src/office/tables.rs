//! What tables of all formats have in common.

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
}

impl FoundCell {
    /// A place without a cell.
    pub(super) fn gap(columns: u32) -> Self {
        let draft = CellDraft { text: Default::default(), is_header: false, columns, rows: 1 };
        Self { draft, stands_out: false }
    }

    fn is_empty(&self) -> bool {
        self.draft.text.text.is_empty()
    }
}

/// The table of these rows. `shows_first_row` says that the table's style shows its first row in a
/// way of its own.
///
/// Most tables do not say which rows are their headers; people make them bold instead.
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
        let second_stands_out = rows.get(1).is_some_and(stands_out);
        for row in &mut rows {
            row.is_head = false;
        }
        if let Some(first) = rows.first_mut().filter(|_| has_body) {
            let is_row = first.cells.iter().filter(|cell| !cell.is_empty()).count() > 1;
            first.is_head =
                is_row && (shows_first_row || (stands_out(first) && !second_stands_out));
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

fn stands_out(row: &FoundRow) -> bool {
    let mut filled = row.cells.iter().filter(|cell| !cell.is_empty()).peekable();
    filled.peek().is_some() && filled.all(|cell| cell.stands_out)
}

fn finished(row: FoundRow, is_head: bool) -> RowDraft {
    let rest_stands_out = row.cells.iter().skip(1).any(|cell| cell.stands_out);
    let cells = row.cells.into_iter().enumerate().map(|(index, cell)| {
        let names_row = index == 0 && cell.stands_out && !rest_stands_out;
        CellDraft { is_header: is_head || names_row, ..cell.draft }
    });
    RowDraft { is_head, cells: cells.collect() }
}
