//! The order in which the parts of a page are read.
//!
//! A page is cut into bands from the top down (a variant of the recursive XY-cut of Nagy and Seth,
//! 1984). A band with a gutter, a strip from its top to its bottom that nothing crosses, is set in
//! columns: they are read one after the other, each cut again. A heading over all columns crosses
//! the gutter and so ends the band.

use std::collections::VecDeque;

use hayro_interpret::kurbo::Rect;

use super::ink::median;
use super::lines::{Piece, rows};
use super::tables::{centred_table, is_one_table};

/// Pieces at one height, from left to right.
pub(super) type Row = Vec<Piece>;

/// Rows that are read one after the other.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) rows: Vec<Row>,
    /// `true` if it is a column among others.
    pub(super) is_column: bool,
    /// The right edge of its column, where that is known from elsewhere.
    pub(super) edge: Option<f64>,
    /// `true` if no sentence leads into it from the block before.
    pub(super) is_apart: bool,
}

/// A page with more rows than this is not looked at for columns.
// For each row a gutter is looked for in all rows above it: time grows with the square.
const MOST_ROWS: usize = 300;
/// The depth to which columns are looked for in columns.
const DEEPEST: usize = 4;
/// The narrowest column, in ems: list markers and numbers in a margin are narrower.
// At two ems the cells of a table are columns (`rows_of_short_cells_stay_together`).
const NARROWEST_EMS: f64 = 8.0;
/// The same for columns that were drawn one after the other.
const NARROWEST_DRAWN_EMS: f64 = 4.0;
/// The narrowest gutter, in ems: between words of a line gaps are half as wide.
const GUTTER_EMS: f64 = 0.8;
/// The same beside the few lines whose last mark hangs over the edge.
const HUNG_GUTTER_EMS: f64 = 0.55;
/// No gutter is narrower, in points.
const NARROWEST_GUTTER: f64 = 6.0;
/// Fewest rows in each column.
// With six, two columns of four lines are read across (`columns_do_not_mix_and_hyphens_are_mended`).
const FEWEST_ROWS: usize = 3;
/// The same where the document is known to be set in such columns.
const FEWEST_KNOWN_ROWS: usize = 2;
/// Edges that differ by less, in points, are those of one column.
const IN_LINE: f64 = 3.0;

/// The columns that a document is set in, as far as its pages show them beyond doubt.
#[derive(Debug, Default)]
pub(super) struct Gutters(Vec<Gutter>);

/// A gutter and the columns on either side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gutter {
    /// Where the column before it begins.
    left: f64,
    start: f64,
    /// Where the column after it begins.
    end: f64,
    /// The pages that have it.
    pages: usize,
    last_page: usize,
}

impl Gutter {
    fn middle(&self) -> f64 {
        (self.start + self.end) / 2.0
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.left - other.left).abs() < IN_LINE && (self.end - other.end).abs() < IN_LINE
    }
}

impl Gutters {
    /// The gutters of these pages.
    pub(super) fn of<'p>(pages: impl Iterator<Item = &'p [Piece]>) -> Self {
        let mut known: Vec<Gutter> = Vec::new();
        let mut count = 0;
        for (page, pieces) in pages.enumerate() {
            count += 1;
            let rows = rows(pieces.to_vec());
            if rows.len() > MOST_ROWS {
                continue;
            }
            for gutter in gutters(&rows, page) {
                match known.iter_mut().find(|known| known.is_like(&gutter)) {
                    Some(known) => {
                        known.pages += usize::from(known.last_page != page);
                        known.last_page = page;
                        known.start = known.start.max(gutter.start);
                    }
                    None => known.push(gutter),
                }
            }
        }
        // One page among many is set in columns for its own sake.
        known.retain(|gutter| 3 * gutter.pages >= count);
        Self(known)
    }

    /// The known gutter that runs through a free stretch with such sides.
    fn known(&self, rows: &[Row], gap: (f64, f64)) -> bool {
        let [left, right] = sides(rows, (gap.0 + gap.1) / 2.0);
        let begin_at = |side: &[&Piece], x: f64| {
            let own = side.iter().filter(|piece| (piece.bounds.x0 - x).abs() < IN_LINE).count();
            2 * own >= side.len().max(1)
        };
        self.0.iter().any(|gutter| {
            gap.0 < gutter.middle()
                && gutter.middle() < gap.1
                && begin_at(&left, gutter.left)
                && begin_at(&right, gutter.end)
        })
    }
}

/// The gutters of a page: where, and between which edges.
fn gutters(rows: &[Row], page: usize) -> Vec<Gutter> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = rows.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((length, middle)) = band(rest, &Gutters::default()) else {
            at += 1;
            continue;
        };
        let band = rest.get(..length).unwrap_or_default();
        let [before, behind] = sides(band, middle);
        let left = before.iter().map(|piece| piece.bounds.x0).fold(f64::MAX, f64::min);
        let start = before.iter().map(|piece| piece.bounds.x1).fold(f64::MIN, f64::max);
        let end = behind.iter().map(|piece| piece.bounds.x0).fold(f64::MAX, f64::min);
        found.push(Gutter { left, start, end, pages: 1, last_page: page });
        at += length;
    }
    found
}

/// Puts the pieces of a page in order.
pub(super) fn blocks(pieces: Vec<Piece>, gutters: &Gutters) -> Vec<Block> {
    let mut blocks = Vec::new();
    cut(rows(pieces), 0, gutters, &mut blocks);
    blocks
}

fn cut(rows: Vec<Row>, depth: usize, gutters: &Gutters, blocks: &mut Vec<Block>) {
    let is_column = depth > 0;
    if depth >= DEEPEST || rows.len() > MOST_ROWS {
        blocks.push(Block { rows, is_column, edge: None, is_apart: false });
        return;
    }
    let mut plain: Vec<Row> = Vec::new();
    let mut rest = VecDeque::from(rows);
    while !rest.is_empty() {
        let Some((length, gutter)) = band(rest.make_contiguous(), gutters) else {
            plain.extend(rest.pop_front());
            continue;
        };
        // Its rows share no heights, as lines of columns do not.
        if let Some(length) = centred_table(rest.make_contiguous()) {
            plain.extend(rest.drain(..length));
            continue;
        }
        one_sided(std::mem::take(&mut plain), is_column, gutters, blocks);
        let (left, right): (Vec<Piece>, Vec<Piece>) =
            rest.drain(..length).flatten().partition(|piece| piece.bounds.center().x < gutter);
        for column in [left, right] {
            cut(super::lines::rows(column), depth + 1, gutters, blocks);
        }
    }
    one_sided(plain, is_column, gutters, blocks);
}

/// Rows outside of columns, and runs of them that fill one column of a page and leave the other
/// free, as the last lines of a text may.
fn one_sided(rows: Vec<Row>, is_column: bool, gutters: &Gutters, blocks: &mut Vec<Block>) {
    let mut open = Block { rows: Vec::new(), is_column, edge: None, is_apart: false };
    for row in rows {
        let edge = (!is_column).then(|| column_edge(&row, gutters)).flatten();
        if edge != open.edge && !open.rows.is_empty() {
            let next = Block { rows: Vec::new(), is_column, edge, is_apart: true };
            blocks.push(std::mem::replace(&mut open, next));
        }
        open.edge = edge;
        open.is_column = is_column || edge.is_some();
        open.rows.push(row);
    }
    if !open.rows.is_empty() {
        blocks.push(open);
    }
}

/// The right edge of the column before a known gutter, if a row is in it and reaches no farther.
fn column_edge(row: &Row, gutters: &Gutters) -> Option<f64> {
    let (first, last) = (row.first()?, row.last()?);
    let is_own = |gutter: &&Gutter| {
        let size = first.size;
        first.bounds.x0 > gutter.left - IN_LINE
            && first.bounds.x0 < gutter.left + 3.0 * size
            && last.bounds.x1 < gutter.start + IN_LINE
    };
    gutters.0.iter().find(is_own).map(|gutter| gutter.start)
}

/// The longest band of columns that begins with the first of these rows: its length, and where its
/// first gutter runs.
fn band(rows: &[Row], known: &Gutters) -> Option<(usize, f64)> {
    let mut gaps: Vec<(f64, f64)> = vec![(f64::MIN, f64::MAX)];
    let mut best = None;
    // The same of columns that were drawn one after the other.
    let mut best_drawn = None;
    let fewest = if known.0.is_empty() { FEWEST_ROWS } else { FEWEST_KNOWN_ROWS };
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
        let is_found =
            |gap: &&(f64, f64)| is_gutter(rows, **gap) || index > 0 && known.known(rows, **gap);
        if index + 1 >= fewest
            && let Some(gutter) = inner.iter().find(is_found)
        {
            let middle = (gutter.0 + gutter.1) / 2.0;
            best = Some((index + 1, middle));
            if index + 1 >= FEWEST_ROWS && is_drawn_in_turn(rows, middle) {
                best_drawn = best;
            }
        // No gap is left that further rows could keep free.
        } else if best.is_some() && inner.is_empty() {
            break;
        }
    }
    // Before it is judged: a heading below the rows of a table makes them no text.
    let is_text = |(length, gutter): &(usize, f64)| {
        rows.get(..*length).is_some_and(|rows| !is_table_like(rows, *gutter))
    };
    let whole = |found| {
        let found = before_break(rows, found);
        without_headings(rows, found).filter(|(length, _)| *length >= fewest)
    };
    best.and_then(whole).filter(is_text).or(best_drawn.and_then(whole))
}

/// A band up to a heading that stands alone between the columns above and below: nothing is beside it. What is
/// above may be too few rows for a band: the last ones of a table.
fn before_break(rows: &[Row], (length, gutter): (usize, f64)) -> (usize, f64) {
    let whole = rows.get(..length).unwrap_or_default();
    for at in 1..length {
        let (Some(above), Some([row, below @ ..])) = (whole.get(..at), whole.get(at..)) else {
            break;
        };
        if is_heading(row, above, gutter)
            && parts_columns(above, row, below, gutter)
            && sides(above, gutter).iter().all(|side| !side.is_empty())
        {
            return (at, gutter);
        }
    }
    (length, gutter)
}

/// Returns `true` if both columns end above a row and begin again below it, side by side. Beside a heading in
/// one of two columns the other goes on.
fn parts_columns(above: &[Row], row: &Row, below: &[Row], gutter: f64) -> bool {
    let Some(first) = row.first() else {
        return false;
    };
    let is_left = |piece: &Piece| piece.bounds.center().x < gutter;
    let ends = sides(above, gutter)
        .map(|side| side.iter().map(|piece| piece.bounds.y1).fold(f64::MIN, f64::max));
    let begins = |side: bool| {
        let mut own = below.iter().flatten().filter(|piece| is_left(piece) == side);
        own.next().map(|piece| piece.baseline())
    };
    let (Some(left), Some(right)) = (begins(true), begins(false)) else {
        return false;
    };
    let room = first.bounds.y0 - 0.3 * first.size;
    is_left(first)
        && ends.iter().all(|end| *end < room)
        && (left - right).abs() < IN_LINE
        && left - first.baseline() > first.size
}

/// A band without the headings at its end: a heading ends no column, it belongs to what follows below all of them.
fn without_headings(rows: &[Row], (length, gutter): (usize, f64)) -> Option<(usize, f64)> {
    let band = rows.get(..length)?;
    let is_followed = rows.len() > length;
    let heads = band.iter().rev().take_while(|row| is_followed && is_heading(row, band, gutter));
    Some((length - heads.count(), gutter))
}

/// Returns `true` if a row on one side of a gutter is bold or large, and the rows of its band are not.
fn is_heading(row: &Row, band: &[Row], gutter: f64) -> bool {
    let is_left = |piece: &Piece| piece.bounds.center().x < gutter;
    let is_one_sided = row.iter().all(is_left) || !row.iter().any(is_left);
    let own = || row.iter().flat_map(|piece| &piece.words);
    let all = || band.iter().flatten().flat_map(|piece| &piece.words);
    let usual = median(all().map(|word| word.size)).unwrap_or(0.0);
    let bold = all().filter(|word| word.style.bold).count();
    let is_large = own().all(|word| word.size > 1.1 * usual);
    let is_bold = own().all(|word| word.style.bold) && 2 * bold < all().count();
    is_one_sided && own().next().is_some() && (is_large || is_bold)
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
    // Marks at the ends of lines may hang over the edge of a column, as microtypography sets hyphens.
    let usual = end - GUTTER_EMS * size;
    let hanging = sides[0].iter().filter(|piece| piece.bounds.x1 > usual).count();
    let least = if 3 * hanging <= sides[0].len() { HUNG_GUTTER_EMS } else { GUTTER_EMS };
    if end - start < (least * size).max(NARROWEST_GUTTER) {
        return false;
    }
    let bounds = |side: &[&Piece]| -> Option<Rect> {
        side.iter().map(|piece| piece.bounds).reduce(|all, next| all.union(next))
    };
    let [left, right] = &sides;
    let (Some(left_bounds), Some(right_bounds)) = (bounds(left), bounds(right)) else {
        return false;
    };
    let is_drawn_in_turn = is_drawn_in_turn(rows, (start + end) / 2.0);
    let narrowest = if is_drawn_in_turn { NARROWEST_DRAWN_EMS } else { NARROWEST_EMS };
    let is_column = |side: &[&Piece], bounds: Rect| {
        let words: usize = side.iter().map(|piece| piece.words.len()).sum();
        side.len() >= FEWEST_ROWS && bounds.width() >= narrowest * size && words >= 2 * side.len()
    };
    let shared = left_bounds.y1.min(right_bounds.y1) - left_bounds.y0.max(right_bounds.y0);
    is_column(left, left_bounds) && is_column(right, right_bounds) && shared > 2.0 * size
}

/// Returns `true` if one side of a gutter was drawn before the other: a table is drawn row by row.
fn is_drawn_in_turn(rows: &[Row], gutter: f64) -> bool {
    let order = |piece: &&Piece| piece.words.iter().map(|word| word.order).min();
    let [left, right] = sides(rows, gutter).map(|side| {
        let order: Vec<usize> = side.iter().filter_map(order).collect();
        Some((order.iter().min().copied()?, order.iter().max().copied()?))
    });
    let (Some(left), Some(right)) = (left, right) else {
        return false;
    };
    left.1 < right.0 || right.1 < left.0
}

/// Rows of a table stand side by side as columns do, but its cells are short and share their
/// heights, where running text fills its column.
fn is_table_like(rows: &[Row], gutter: f64) -> bool {
    // Headings and a line of text above its first row are no part of a table.
    let above = rows.iter().take_while(|row| row.len() == 1).count();
    let rows = rows.get(above..).unwrap_or_default();
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
        || has_named_rows(rows, gutter)
}

/// Returns `true` if there is something behind the gutter where a line begins at the left edge, and nothing where
/// one does not: the lines between go on a cell of a table whose rows have names.
fn has_named_rows(rows: &[Row], gutter: f64) -> bool {
    let edge = rows.iter().flatten().map(|piece| piece.bounds.x0).fold(f64::MAX, f64::min);
    let is_left = |piece: &Piece| piece.bounds.center().x < gutter;
    let is_named = |row: &Row| row.iter().any(|piece| piece.bounds.x0 - edge < IN_LINE);
    let is_ended = |row: &Row| !row.iter().all(is_left);
    let is_whole = |row: &&Row| row.iter().filter(|piece| is_left(piece)).count() > 1;
    let count = |holds: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| holds(row)).count();
    let (named, ended) = (count(&is_named), count(&is_ended));
    let both = rows.iter().filter(|row| is_named(row) && is_ended(row));
    let whole = both.clone().filter(is_whole).count();
    let both = both.count();
    named < rows.len()
        && both >= FEWEST_ROWS
        && 5 * both >= 4 * named.max(ended)
        && 5 * whole >= 4 * both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_names_are_no_columns_below_a_heading() {
        let rows: [&[(&str, f64)]; 8] = [
            &[("Boats and their crews", 0.0)],
            &[("Boat", 0.0), ("What it may be used for", 60.0), ("Who may take it", 260.0)],
            &[("Heron", 0.0), ("trips on the river by", 60.0), ("crews with the badge", 260.0)],
            &[("day and alone", 60.0)],
            &[("Otter", 0.0), ("lessons beside the stage with", 60.0), ("anyone who can", 260.0)],
            &[("a teacher", 60.0)],
            &[("Gull", 0.0), ("races and the four weeks", 60.0), ("members of the team", 260.0)],
            &[("Teal", 0.0), ("carrying goods to the", 60.0), ("the harbour master", 260.0)],
        ];
        let pieces = rows.iter().enumerate().flat_map(|(index, row)| {
            let baseline = 100.0 + 14.0 * index as f64;
            row.iter().map(move |(text, left)| Piece::sample(text, *left, baseline))
        });
        assert_eq!(blocks(pieces.collect(), &Gutters::default()).len(), 1);
    }

    fn read(pieces: Vec<Piece>) -> String {
        let blocks = blocks(pieces, &Gutters::default());
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
    fn a_hyphen_that_hangs_over_the_edge_leaves_the_gutter() {
        let column = |end: f64| -> Vec<Piece> {
            let line = |row: i32| {
                let baseline = 50.0 + 12.0 * f64::from(row);
                let mut left = Piece::sample("a a a a a a", 0.0, baseline);
                if row == 3 {
                    left.words.iter_mut().rev().take(1).for_each(|word| word.right = end);
                }
                [Piece::of_words(left.words), Piece::sample("b b b b b b", 187.0, baseline)]
            };
            (0..5).flat_map(line).collect()
        };
        for end in [177.0, 180.5] {
            let found = read(column(end));
            assert_eq!(found.matches(" | ").count(), 1, "{found}");
        }
        // Of most lines it is too narrow.
        let near = (0..5).flat_map(|row| {
            let baseline = 50.0 + 12.0 * f64::from(row);
            [
                Piece::sample("a a a a a a", 0.0, baseline),
                Piece::sample("b b b b b b", 183.5, baseline),
            ]
        });
        assert_eq!(read(near.collect()).matches(" | ").count(), 0);
    }

    #[test]
    fn a_heading_below_a_table_does_not_cut_its_rows() {
        let rows = [
            ["Repairs", "Ida Marlow", "Shed 4"],
            ["Invoices", "Ruth Alder", "Office 12"],
            ["First aid", "Jon Birk", "Ward 3"],
            ["Sails", "Mia Corran", "Loft 7"],
        ];
        let mut pieces = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let baseline = 50.0 + 14.0 * index as f64;
            pieces.extend(
                row.iter()
                    .zip([0.0, 150.0, 330.0])
                    .map(|(text, left)| Piece::sample(text, left, baseline)),
            );
        }
        let mut heading = Piece::sample("Boats and crews", 0.0, 130.0);
        heading.words.iter_mut().for_each(|word| word.style.bold = true);
        pieces.push(heading);
        pieces.push(Piece::sample("t t t t t t t t t t t t t t t t t t t t t t", 0.0, 150.0));
        let found = read(pieces);
        assert!(found.starts_with("Repairs_Ida Marlow_Shed 4 Invoices_Ruth Alder_Office 12 First aid_Jon Birk_Ward 3 Sails_"), "{found}");
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
