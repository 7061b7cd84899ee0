//! Rows whose cells stand in the middle of their height, with no room between the rows.
//!
//! A row of two lines has its short cells half a line below the first, so no line is a row:
//!
//! ```text
//!           for members of the
//! Sailing   association, who       12
//!           come with a friend
//! Rowing    for everyone           8
//! ```
//!
//! What gives the rows away is a column with one line in each: from one of them to the next, each row
//! reaches as far below its line as above it.

use super::layout::{PlacedLine, Record};

/// Fewest rows.
const FEWEST: usize = 3;
/// Places that differ by less than this share of the distance of two lines are the same.
const NEAR: f64 = 0.2;
/// Lines of two cells that are in the middle of one row are at most this share of that distance apart.
const BETWEEN: f64 = 0.7;

/// The rows of such a table, if the lines are one.
pub(super) fn centred_rows(lines: &[PlacedLine], columns: usize) -> Option<Vec<Record>> {
    // First, since it is asked for each length of each table: lines at even distances are rows or their lines.
    let gaps = || lines.windows(2).map(gap);
    if gaps().fold(f64::MAX, f64::min) > BETWEEN * gaps().fold(0.0, f64::max) {
        return None;
    }
    let pitch = pitch(lines, columns)?;
    let is_between = |gap: f64| gap < BETWEEN * pitch;
    if lines.iter().any(|line| line.spans.is_some()) || !gaps().any(is_between) {
        return None;
    }
    (0..columns).find_map(|column| rows_around(lines, columns, column, pitch))
}

fn gap(pair: &[PlacedLine]) -> f64 {
    match pair {
        [above, below] => below.baseline() - above.baseline(),
        _ => 0.0,
    }
}

/// The distance from one line of a cell to the next: the least in any column.
fn pitch(lines: &[PlacedLine], columns: usize) -> Option<f64> {
    let mut last: Vec<Option<f64>> = vec![None; columns];
    let mut least: Option<f64> = None;
    for line in lines {
        for (column, last) in last.iter_mut().enumerate() {
            if line.extent(column).is_none() {
                continue;
            }
            if let Some(before) = last.replace(line.baseline()) {
                let gap = line.baseline() - before;
                least = Some(least.map_or(gap, |least| least.min(gap)));
            }
        }
    }
    least.filter(|least| *least > 0.0)
}

/// The rows, if each has one line in this column, and all of its cells around that.
fn rows_around(
    lines: &[PlacedLine],
    columns: usize,
    column: usize,
    pitch: f64,
) -> Option<Vec<Record>> {
    let middles =
        lines.iter().filter(|line| line.extent(column).is_some()).map(PlacedLine::baseline);
    let mut top = lines.first()?.baseline() - 0.5 * pitch;
    let mut records = Vec::new();
    let mut start = 0;
    for middle in middles {
        let bottom = 2.0 * middle - top;
        let rest = lines.get(start..)?;
        let count = rest.iter().take_while(|line| line.baseline() < bottom).count();
        let own = rest.get(..count)?;
        let low = own.last()?.baseline() + 0.5 * pitch;
        let is_centred = (0..columns).all(|column| is_around(own, column, middle, pitch));
        if !is_centred || (low - bottom).abs() > NEAR * pitch {
            return None;
        }
        records.push(Record { lines: start..start + count, joins_above: false });
        start += count;
        top = low;
    }
    (start == lines.len() && records.len() >= FEWEST).then_some(records)
}

/// Returns `true` if the lines of a cell are one pitch apart, around the middle of its row.
fn is_around(row: &[PlacedLine], column: usize, middle: f64, pitch: f64) -> bool {
    let own: Vec<f64> =
        row.iter().filter(|line| line.extent(column).is_some()).map(PlacedLine::baseline).collect();
    let (Some(first), Some(last)) = (own.first(), own.last()) else {
        return true;
    };
    let is_next = |pair: &[f64]| match pair {
        [above, below] => (below - above - pitch).abs() < NEAR * pitch,
        _ => true,
    };
    (f64::midpoint(*first, *last) - middle).abs() < NEAR * pitch && own.windows(2).all(is_next)
}
