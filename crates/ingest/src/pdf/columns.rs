//! The order in which the parts of a page are read.
//!
//! A page is cut into bands from the top down (a variant of the recursive XY-cut of Nagy and Seth,
//! 1984). A band with a gutter, a strip from its top to its bottom that nothing crosses, is set in
//! columns: they are read one after the other, each cut again. A heading over all columns crosses
//! the gutter and so ends the band.

use std::collections::VecDeque;

use hayro_interpret::kurbo::Rect;

use super::lines::{Piece, rows};
use super::tables::is_one_table;

/// Pieces at one height, from left to right.
pub(super) type Row = Vec<Piece>;

/// Rows that are read one after the other.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    /// `true` if it is a column among others.
    pub(super) is_column: bool,
}

/// A page with more rows than this is not looked at for columns.
// For each row a gutter is looked for in all rows above it: time grows with the square.
const MOST_ROWS: usize = 300;
/// The depth to which columns are looked for in columns.
const DEEPEST: usize = 4;
/// The narrowest column, in ems: list markers and numbers in a margin are narrower.
// At two ems the cells of a table are columns (`rows_of_short_cells_stay_together`).
const NARROWEST_EMS: f64 = 8.0;
/// Fewest rows in each column.
// With six, two columns of four lines are read across (`columns_do_not_mix_and_hyphens_are_mended`).
const FEWEST_ROWS: usize = 3;

/// Puts the pieces of a page in order.
pub(super) fn blocks(pieces: Vec<Piece>) -> Vec<Block> {
    let mut blocks = Vec::new();
    cut(rows(pieces), 0, &mut blocks);
    blocks
}

fn cut(rows: Vec<Row>, depth: usize, blocks: &mut Vec<Block>) {
    let is_column = depth > 0;
    if depth >= DEEPEST || rows.len() > MOST_ROWS {
        blocks.push(Block { rows, is_column });
        return;
    }
    let mut plain: Vec<Row> = Vec::new();
    let mut rest = VecDeque::from(rows);
    while !rest.is_empty() {
        let Some((length, gutter)) = band(rest.make_contiguous()) else {
            plain.extend(rest.pop_front());
            continue;
        };
        if !plain.is_empty() {
            blocks.push(Block { rows: std::mem::take(&mut plain), is_column });
        }
        let (left, right): (Vec<Piece>, Vec<Piece>) =
            rest.drain(..length).flatten().partition(|piece| piece.bounds.center().x < gutter);
        for column in [left, right] {
            cut(super::lines::rows(column), depth + 1, blocks);
        }
    }
    if !plain.is_empty() {
        blocks.push(Block { rows: plain, is_column });
    }
}

/// The longest band of columns that begins with the first of these rows: its length, and where its
/// first gutter runs.
fn band(rows: &[Row]) -> Option<(usize, f64)> {
    let mut gaps: Vec<(f64, f64)> = vec![(f64::MIN, f64::MAX)];
    let mut best = None;
    for (index, row) in rows.iter().enumerate() {
        for piece in row {
            gaps = without(&gaps, piece.bounds.x0, piece.bounds.x1);
        }
        let rows = rows.get(..=index)?;
        // Without the margins at either end.
        let inner: Vec<(f64, f64)> = gaps
            .iter()
            .copied()
            .filter(|(start, end)| *start > f64::MIN && *end < f64::MAX)
            .collect();
        if index + 1 >= FEWEST_ROWS
            && let Some(gutter) = inner.iter().find(|gap| is_gutter(rows, **gap))
        {
            best = Some((index + 1, (gutter.0 + gutter.1) / 2.0));
        // No gap is left that further rows could keep free.
        } else if best.is_some() && inner.is_empty() {
            break;
        }
    }
    best.filter(|(length, gutter)| {
        rows.get(..*length).is_some_and(|rows| !is_table_like(rows, *gutter))
    })
}

/// Free stretches without the one from `start` to `end`.
fn without(gaps: &[(f64, f64)], start: f64, end: f64) -> Vec<(f64, f64)> {
    let mut left = Vec::with_capacity(gaps.len() + 1);
    for &(from, to) in gaps {
        if end <= from || start >= to {
            left.push((from, to));
            continue;
        }
        if start > from {
            left.push((from, start));
        }
        if end < to {
            left.push((end, to));
        }
    }
    left
}

/// The pieces on either side of a gutter.
fn sides(rows: &[Row], gutter: f64) -> [Vec<&Piece>; 2] {
    let (left, right) =
        rows.iter().flatten().partition(|piece: &&Piece| piece.bounds.center().x < gutter);
    [left, right]
}

fn is_gutter(rows: &[Row], (start, end): (f64, f64)) -> bool {
    let sides = sides(rows, (start + end) / 2.0);
    let size = sides.iter().flatten().map(|piece| piece.size).fold(f64::MAX, f64::min);
    if end - start < (0.8 * size).max(6.0) {
        return false;
    }
    let bounds = |side: &[&Piece]| -> Option<Rect> {
        side.iter().map(|piece| piece.bounds).reduce(|all, next| all.union(next))
    };
    let [left, right] = &sides;
    let (Some(left_bounds), Some(right_bounds)) = (bounds(left), bounds(right)) else {
        return false;
    };
    let is_column = |side: &[&Piece], bounds: Rect| {
        let words: usize = side.iter().map(|piece| piece.words.len()).sum();
        side.len() >= FEWEST_ROWS
            && bounds.width() >= NARROWEST_EMS * size
            && words >= 2 * side.len()
    };
    let shared = left_bounds.y1.min(right_bounds.y1) - left_bounds.y0.max(right_bounds.y0);
    is_column(left, left_bounds) && is_column(right, right_bounds) && shared > 2.0 * size
}

/// Rows of a table stand side by side as columns do, but its cells are short and share their
/// heights, where running text fills its column.
fn is_table_like(rows: &[Row], gutter: f64) -> bool {
    let [left, right] = sides(rows, gutter);
    let is_filled = |side: &[&Piece]| {
        let end = side.iter().map(|piece| piece.bounds.x1).fold(f64::MIN, f64::max);
        let start = side.iter().map(|piece| piece.bounds.x0).fold(f64::MAX, f64::min);
        // At 0.4 the shorter cells of a table pass for running text.
        let full = |piece: &&&Piece| piece.bounds.x1 - piece.bounds.x0 > 0.75 * (end - start);
        2 * side.iter().filter(full).count() >= side.len()
    };
    let shared = rows
        .iter()
        .filter(|row| {
            let is_left = |piece: &Piece| piece.bounds.center().x < gutter;
            row.iter().any(is_left) && !row.iter().all(is_left)
        })
        .count();
    let is_shared = 5 * shared >= 4 * rows.len();
    is_shared && (!(is_filled(&left) || is_filled(&right)) || is_one_table(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: Vec<Piece>) -> String {
        let blocks = blocks(pieces);
        let rows = blocks.into_iter().map(|block| {
            let rows = block
                .rows
                .iter()
                .map(|row| row.iter().map(Piece::text).collect::<Vec<_>>().join("_"));
            rows.collect::<Vec<_>>().join(" ")
        });
        rows.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn columns_are_read_one_after_the_other() {
        let mut pieces = vec![Piece::sample("t t t t t t t t t t t t t t t", 0.0, 20.0)];
        for row in 0..4 {
            let baseline = 50.0 + 12.0 * f64::from(row);
            pieces.push(Piece::sample(&format!("a{row} a a a a a"), 0.0, baseline));
            pieces.push(Piece::sample(&format!("b{row} b b b b b"), 230.0, baseline + 1.5));
        }
        pieces.push(Piece::sample("e e e e e e e e e e e e e", 0.0, 120.0));
        let a = "a0 a a a a a a1 a a a a a a2 a a a a a a3 a a a a a";
        let b = a.replace('a', "b");
        let expected =
            format!("t t t t t t t t t t t t t t t | {a} | {b} | e e e e e e e e e e e e e");
        assert_eq!(read(pieces), expected);
    }

    #[test]
    fn markers_and_short_lines_are_no_columns() {
        let mut pieces = Vec::new();
        for row in 0..5 {
            let baseline = 50.0 + 12.0 * f64::from(row);
            pieces.push(Piece::sample("1.", 0.0, baseline));
            pieces.push(Piece::sample("a b c d e f", 40.0, baseline));
        }
        assert_eq!(read(pieces).matches(" | ").count(), 0);
        let short = (0..5).map(|row| Piece::sample("a b", 0.0, 50.0 + 12.0 * f64::from(row)));
        assert_eq!(read(short.collect()).matches(" | ").count(), 0);
    }

    #[test]
    fn rows_of_short_cells_stay_together() {
        let mut pieces = Vec::new();
        for row in 0..5 {
            let baseline = 50.0 + 12.0 * f64::from(row);
            let (left, right) = if row == 0 { ("a b c d", "a b c d") } else { ("a b", "c d") };
            pieces.push(Piece::sample(left, 0.0, baseline));
            pieces.push(Piece::sample(right, 200.0, baseline));
        }
        let expected = "a b c d_a b c d a b_c d a b_c d a b_c d a b_c d";
        assert_eq!(read(pieces), expected);
    }
}
