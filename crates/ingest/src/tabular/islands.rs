//! The tables of a sheet, which empty rows and columns part.

use super::part::{Part, Sheet, SheetRow, columns};

/// The rows of each table, from the top and then from the left.
pub(super) fn islands(sheet: Sheet) -> Vec<Vec<SheetRow>> {
    let mut found: Vec<Island> = Vec::new();
    for band in bands(sheet.rows) {
        let pieces = if sheet.is_free { side_by_side(band) } else { vec![band] };
        let is_single = pieces.len() == 1;
        for piece in pieces {
            match found.last_mut().filter(|above| is_single && above.goes_on(&piece)) {
                Some(above) => above.rows.extend(piece),
                None => found.push(Island { columns: columns(&piece), rows: piece }),
            }
        }
    }
    found.into_iter().map(|island| island.rows).collect()
}

struct Island {
    rows: Vec<SheetRow>,
    /// The first and the last column of its first rows.
    columns: (u32, u32),
}

/// Rows without an empty row between them.
fn bands(rows: Vec<SheetRow>) -> Vec<Vec<SheetRow>> {
    let mut bands: Vec<Vec<SheetRow>> = Vec::new();
    // The first row that no cell so far reaches into.
    let mut free = 0;
    for row in rows {
        let is_next = row.number <= free && !bands.is_empty();
        let reach = row.cells.iter().map(|cell| cell.rows.max(1)).max().unwrap_or(1);
        free = row.number.saturating_add(reach).max(if is_next { free } else { 0 });
        match bands.last_mut().filter(|_| is_next) {
            Some(band) => band.push(row),
            None => bands.push(vec![row]),
        }
    }
    bands
}

impl Island {
    /// Returns `true` if the rows below an empty one are more rows of this table: in the same columns,
    /// without a header of their own.
    fn goes_on(&self, below: &[SheetRow]) -> bool {
        let (left, right) = self.columns;
        let (own_left, own_right) = columns(below);
        let is_within = own_left >= left && own_right <= right && right > left;
        let first_is_wide = below.first().is_some_and(|row| row.cells.len() > 1);
        if !is_within || !first_is_wide {
            return false;
        }
        if let [only] = self.rows.as_slice() {
            // A header, and some air below it.
            return only.cells.len() > 1;
        }
        let part = Part { titles: Vec::new(), rows: below.to_vec() };
        let has_head = part.table().rows.first().is_some_and(|row| row.is_head);
        !has_head
    }
}

/// Tables that an empty column parts, if each is one: two columns and two rows at least.
fn side_by_side(band: Vec<SheetRow>) -> Vec<Vec<SheetRow>> {
    let (left, right) = columns(&band);
    let mut edges: Vec<(u32, u32)> = band
        .iter()
        .flat_map(|row| &row.cells)
        .map(|cell| (cell.column, cell.column + cell.columns.max(1)))
        .collect();
    edges.sort_unstable();
    let mut starts = vec![left];
    let mut end = left;
    for (from, to) in edges {
        if from > end {
            starts.push(from);
        }
        end = end.max(to);
    }
    starts.push(right + 1);
    let pieces: Vec<Vec<SheetRow>> = starts
        .windows(2)
        .map(|pair| within(&band, pair.first().copied(), pair.last().copied()))
        .collect();
    let is_table = |piece: &Vec<SheetRow>| {
        let (left, right) = columns(piece);
        right > left && piece.len() > 1
    };
    if pieces.len() > 1 && pieces.iter().all(is_table) { pieces } else { vec![band] }
}

/// The cells from a column up to another.
fn within(band: &[SheetRow], from: Option<u32>, to: Option<u32>) -> Vec<SheetRow> {
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or(u32::MAX));
    let part = |row: &SheetRow| SheetRow {
        number: row.number,
        cells: row.cells.iter().filter(|cell| (from..to).contains(&cell.column)).cloned().collect(),
    };
    band.iter().map(part).filter(|row| !row.cells.is_empty()).collect()
}
