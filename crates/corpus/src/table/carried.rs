//! A first column that is filled only where it changes: `Botany` in front of its first course, and nothing in front of the next.
//!
//! People read the name on downwards. A column that is merely filled here and there (a title, a remark, a number) is told from it:
//! its words come again, or are marks, codes and abbreviations.

use std::collections::BTreeSet;

use super::header::{ROWS_LOOKED_AT, is_short_name};
use super::layout::Placed;
use super::look::{is_figure, mark, names_a_total, time};

/// Empty cells below names that make sure that they mean the name above: one alone may be a value that is missing.
const FEWEST_EMPTY: usize = 2;

/// Returns `true` if the names in the first column hold for the rows below them that leave it empty.
pub(super) fn first_column_goes_on(
    rows: &[Vec<Placed<'_>>],
    is_head: impl Fn(usize) -> bool,
) -> bool {
    if !is_head(0) {
        return false;
    }
    let body = rows.iter().enumerate().filter(|(number, _)| !is_head(*number));
    let body: Vec<&Vec<Placed<'_>>> = body
        .map(|(_, row)| row)
        .filter(|row| row.iter().any(|cell| !cell.text.is_empty()))
        .collect();
    let mut names: Vec<(&str, usize)> = Vec::new();
    for row in body.into_iter().take(ROWS_LOOKED_AT) {
        let first = row.first();
        let is_plain = first.is_none_or(|cell| cell.width == 1 && !cell.is_header);
        // A sum below the rows leaves more than one cell empty.
        if !is_plain || text(row, 1).is_empty() {
            return false;
        }
        match (text(row, 0), names.last_mut()) {
            ("", None) => return false,
            ("", Some((_, count))) => *count += 1,
            (name, _) => names.push((name, 1)),
        }
    }
    let distinct: BTreeSet<&str> = names.iter().map(|(name, _)| *name).collect();
    let empty: usize = names.iter().map(|(_, count)| count - 1).sum();
    let times = names.iter().filter(|(name, _)| time(name).is_some()).count();
    distinct.len() == names.len()
        && names.len() > 1
        && empty >= FEWEST_EMPTY
        && (times == names.len() || names.iter().all(|(name, _)| names_a_block(name)))
}

fn text<'a>(row: &[Placed<'a>], column: usize) -> &'a str {
    row.iter().find(|cell| cell.column == column).map_or("", |cell| cell.text)
}

/// Returns `true` if a text could name several rows: no figure, mark, code, sum or abbreviation (`Prof. Dr.`).
fn names_a_block(text: &str) -> bool {
    let is_code = text.chars().any(|character| character.is_ascii_digit()) && !text.contains(' ');
    is_short_name(text)
        && !is_code
        && !is_figure(text)
        && !text.ends_with('.')
        && mark(text).is_none()
        && !names_a_total(text)
}
