//! Names of groups with the sum of the group beside them: `Basics | | 12` above rows of 4 and 8 credits.
//!
//! Such a row is as full as one whose value is missing. It is told by its sums: each is that of the rows below it, up to the next
//! such row, and it leaves a column empty that all the others fill.

use std::collections::BTreeSet;

use super::header::ROWS_LOOKED_AT;
use super::layout::Placed;
use super::look::names_a_total;

/// Groups that make sure: one sum may be right by chance.
const FEWEST_GROUPS: usize = 2;
/// Rows of a group, below which a sum says nothing.
const FEWEST_ROWS: usize = 2;
/// Sums of decimals may be off by so much.
const ROUNDING: f64 = 1e-6;

/// The rows that name a group and hold its sum.
pub(super) fn groups_with_sums(
    rows: &[Vec<Placed<'_>>],
    is_head: impl Fn(usize) -> bool,
    width: usize,
) -> BTreeSet<usize> {
    let body = rows.iter().enumerate().filter(|(number, _)| !is_head(*number));
    let body: Vec<(usize, &Vec<Placed<'_>>)> = body
        .filter(|(_, row)| row.iter().any(|cell| !cell.text.is_empty()))
        .filter(|(_, row)| !row.first().is_some_and(|cell| names_a_total(cell.text)))
        .collect();
    // Beyond that a table is no longer added up by anybody who reads it.
    if !is_head(0) || width < 3 || body.len() > ROWS_LOOKED_AT {
        return BTreeSet::new();
    }
    let sums = (1..width).filter_map(|column| sums_of_column(&body, column));
    let leaves_a_column_free = |sums: &BTreeSet<usize>| {
        (1..width).any(|column| {
            body.iter().all(|(number, row)| sums.contains(number) == text(row, column).is_empty())
        })
    };
    sums.into_iter().find(leaves_a_column_free).unwrap_or_default()
}

/// The rows whose figure in a column is the sum of those below it, if they part all rows into groups.
fn sums_of_column(body: &[(usize, &Vec<Placed<'_>>)], column: usize) -> Option<BTreeSet<usize>> {
    let mut sums = BTreeSet::new();
    let mut open: Option<(f64, usize)> = None;
    for (number, row) in body {
        let figure = figure(text(row, column)).filter(|figure| *figure > 0.0)?;
        match &mut open {
            Some((left, rows)) if *left > ROUNDING => {
                *left -= figure;
                *rows += 1;
            }
            done => {
                if done.is_some_and(|(left, rows)| left < -ROUNDING || rows < FEWEST_ROWS) {
                    return None;
                }
                sums.insert(*number);
                *done = Some((figure, 0));
            }
        }
    }
    let is_whole = open.is_some_and(|(left, rows)| left.abs() <= ROUNDING && rows >= FEWEST_ROWS);
    (is_whole && sums.len() >= FEWEST_GROUPS).then_some(sums)
}

fn text<'a>(row: &[Placed<'a>], column: usize) -> &'a str {
    row.iter().find(|cell| cell.column == column).map_or("", |cell| cell.text)
}

/// The number in a cell that holds one: `12`, `EUR 30`, `4.5 h`.
fn figure(text: &str) -> Option<f64> {
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let number = numbers.next().filter(|number| number.is_finite())?;
    numbers.next().is_none().then_some(number)
}
