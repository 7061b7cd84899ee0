//! A table as a reader finds it, on its way into a document.

use std::ops::Range;

use campanile_corpus::{RowSentence, Table, TableCell, TableRow};

use crate::inline::InlineText;
use crate::report::Report;
use crate::sanitize::clean;

/// A table with the links in its cells.
#[derive(Debug, Default)]
pub(crate) struct TableDraft {
    pub(crate) caption: InlineText,
    pub(crate) rows: Vec<RowDraft>,
}

#[derive(Debug, Default)]
pub(crate) struct RowDraft {
    pub(crate) is_head: bool,
    pub(crate) cells: Vec<CellDraft>,
}

#[derive(Debug)]
pub(crate) struct CellDraft {
    pub(crate) text: InlineText,
    pub(crate) is_header: bool,
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl TableDraft {
    /// A table of cells that take one place each, below a head if there is one.
    pub(crate) fn of_rows(
        head: Option<Vec<String>>,
        rows: impl Iterator<Item = Vec<CellDraft>>,
    ) -> Self {
        let head = head.map(|names| RowDraft {
            is_head: true,
            cells: names.into_iter().map(CellDraft::header).collect(),
        });
        let body = rows.map(|cells| RowDraft { is_head: false, cells });
        Self { rows: head.into_iter().chain(body).collect(), ..Self::default() }
    }
}

impl CellDraft {
    pub(crate) fn plain(text: String) -> Self {
        Self { text: InlineText::plain(text), is_header: false, columns: 1, rows: 1 }
    }

    pub(crate) fn header(text: String) -> Self {
        Self { is_header: true, ..Self::plain(text) }
    }
}

/// The links of a cell: bytes of its text, and where each points.
type Links = Vec<(Range<usize>, String)>;

/// The table without what documents may not bring in, and its rows as text with their links.
/// Each with the number of the row in the table.
pub(crate) fn written_out(
    draft: TableDraft,
    report: &mut Report,
) -> (Table, Vec<(u32, InlineText)>) {
    let mut links: Vec<Vec<Links>> = Vec::with_capacity(draft.rows.len());
    let mut table = Table {
        caption: clean(draft.caption, report).text,
        rows: Vec::with_capacity(draft.rows.len()),
        ..Table::default()
    };
    for row in draft.rows {
        let mut cells = Vec::with_capacity(row.cells.len());
        let mut links_of_row = Vec::with_capacity(row.cells.len());
        for cell in row.cells {
            let InlineText { text, links } = clean(cell.text, report);
            let CellDraft { is_header, columns, rows, .. } = cell;
            cells.push(TableCell { text, is_header, columns, rows });
            links_of_row.push(links);
        }
        table.rows.push(TableRow { is_head: row.is_head, cells });
        // Beside the table, which keeps plain texts: the page shows them, the rows need the links.
        links.push(links_of_row);
    }
    // Behind the cleaning, so that what nobody sees makes no header.
    table.mark_headers(false);
    let rows = table.sentences().into_iter().map(|row| {
        let number = u32::try_from(row.row).unwrap_or(u32::MAX);
        (number, with_links(row, &links))
    });
    let rows = rows.collect();
    (table, rows)
}

fn with_links(row: RowSentence, links: &[Vec<Links>]) -> InlineText {
    let mut found = Vec::new();
    for place in &row.cells {
        let own = links.get(place.row).and_then(|row| row.get(place.cell));
        found.extend(own.into_iter().flatten().map(|(range, target)| {
            let start = place.range.start;
            (start + range.start..start + range.end, target.clone())
        }));
    }
    InlineText { text: row.text, links: found }
}
