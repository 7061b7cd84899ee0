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

/// A cell longer than this may be a part of the page's layout.
pub(crate) const LONG_CELL_BYTES: usize = 1_200;
/// A cell longer than this is one: descriptions of modules have cells of three thousand bytes.
const LONGEST_CELL_BYTES: usize = 8_000;
/// A first column of such cells names its rows.
const LABEL_BYTES: usize = 120;

/// What tells a table of data from one that only lays out the page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellSize {
    /// The length of its text.
    pub(crate) bytes: usize,
    /// The number of tables in it.
    pub(crate) tables: usize,
    pub(crate) holds_heading: bool,
}

impl CellSize {
    fn is_heavy(&self) -> bool {
        self.bytes > LONG_CELL_BYTES || self.tables > 0 || self.holds_heading
    }

    fn is_page(&self) -> bool {
        let is_long = self.bytes > LONG_CELL_BYTES;
        self.bytes > LONGEST_CELL_BYTES || self.tables > 1 || self.holds_heading && is_long
    }
}

/// Returns `true` if a table of such cells, row by row, only lays out the page: it is read like any other text then. One long
/// cell does not make it so: descriptions of modules have one in nearly every table.
pub(crate) fn lays_out(rows: &[Vec<CellSize>]) -> bool {
    let is_heavy = |row: &&Vec<CellSize>| row.iter().any(CellSize::is_heavy);
    let heavy = rows.iter().filter(is_heavy).count();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if heavy == 0 {
        return false;
    }
    if rows.len() < 2 || columns < 2 || rows.iter().flatten().any(CellSize::is_page) {
        return true;
    }
    let is_text_beside_text = |row: &Vec<CellSize>| {
        let filled = || row.iter().filter(|cell| cell.bytes > 0);
        filled().count() > 1 && filled().all(CellSize::is_heavy)
    };
    if rows.iter().any(is_text_beside_text) {
        return true;
    }
    let is_label = |cell: &CellSize| cell.bytes <= LABEL_BYTES && !cell.is_heavy();
    let labels = rows.iter().filter(|row| row.first().is_some_and(|cell| cell.bytes > 0)).count();
    let names_rows = rows.iter().all(|row| row.first().is_none_or(is_label));
    !(names_rows && 2 * labels > rows.len()) && 2 * heavy > rows.len()
}

/// The rows of a table in running text, as a cell of another table holds it.
pub(crate) fn in_a_cell(draft: TableDraft, report: &mut Report) -> String {
    let (_, rows) = written_out(draft, report);
    rows.into_iter().map(|(_, row)| row.text).collect::<Vec<_>>().join("; ")
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

#[cfg(test)]
mod tests {
    use super::{CellSize, lays_out};

    /// Cells by their length; `t` in front for a table inside, `h` for a heading.
    fn cells(source: &str) -> Vec<Vec<CellSize>> {
        let cell = |text: &str| CellSize {
            bytes: text.trim_start_matches(['t', 'h']).parse().unwrap_or(0),
            tables: text.matches('t').count(),
            holds_heading: text.contains('h'),
        };
        source.split('/').map(|row| row.split_whitespace().map(cell).collect()).collect()
    }

    #[test]
    fn tables_of_data_are_told_from_layout() {
        let cases = [
            // Descriptions of modules: labels, and a long cell or two.
            ("13 6/4 1/8 2000/11 15", false),
            ("13 6/8 2000/8 1800/10 1500/11 15", false),
            ("6 20 1 2000/6 30 1 1500/6 10 1 1400", false),
            ("8 t40/11 15/4 1", false),
            ("8 h10/11 15", false),
            // A first column that is long here and there.
            ("1500 6/40 6/40 6/30 6", false),
            // Text beside text, a frame, a page with its menu.
            ("2000 2000", true),
            ("10 10/2000 2000", true),
            ("2000/1500", true),
            ("40 9000/40 10", true),
            ("40 h3000/40 10", true),
            ("40 tt300/40 10", true),
            ("t300", true),
            // Nothing long at all.
            ("40 40/40 40", false),
        ];
        for (source, expected) in cases {
            assert_eq!(lays_out(&cells(source)), expected, "{source}");
        }
    }
}
