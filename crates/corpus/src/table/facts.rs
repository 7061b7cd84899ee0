//! Tables of facts: each row is the name of a field and what it holds, once, or several times side by side.
//!
//! The second column decides: in a table below a head it is of one kind, in a list of facts a name, a number, an
//! address and a date follow one another.

use std::collections::BTreeSet;

use super::header::{ROWS_LOOKED_AT, is_short_name};
use super::look::{is_address, is_figure, is_sentence, mark, names_a_field, time};
use super::{Table, TableCell};

/// Rows from which on the kinds of their values say something.
const FEWEST_ROWS: usize = 4;
/// Kinds of values that no column below a head has.
// Two are common there: a column of fees says `free` once.
const FEWEST_KINDS: usize = 3;
/// Facts side by side in one row: forms have two, seldom three.
const MOST_BESIDE: usize = 3;
/// A value longer than this is a text.
const TEXT_BYTES: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Figure,
    Time,
    Address,
    Mark,
    /// `TE-204`.
    Code,
    Text,
    Name,
}

fn kind(text: &str) -> Kind {
    let has_digit = text.chars().any(|character| character.is_ascii_digit());
    if is_address(text) {
        Kind::Address
    } else if mark(text).is_some() {
        Kind::Mark
    } else if time(text).is_some() {
        Kind::Time
    } else if is_figure(text) {
        Kind::Figure
    } else if is_sentence(text) || text.len() > TEXT_BYTES {
        Kind::Text
    } else if has_digit && !text.contains(' ') {
        Kind::Code
    } else {
        Kind::Name
    }
}

impl Table {
    /// Returns `true` if each row is a name and a value, and the values are of too many kinds for a column below a head.
    pub(super) fn holds_facts(&self) -> bool {
        let rows = || self.rows.iter().take(ROWS_LOOKED_AT);
        let pairs: Vec<(&TableCell, &TableCell)> = rows()
            .filter_map(|row| match row.cells.as_slice() {
                [label, value] => Some((label, value)),
                _ => None,
            })
            .collect();
        let names: BTreeSet<&str> = pairs.iter().map(|(label, _)| label.text.as_str()).collect();
        let is_name = |text: &&str| is_short_name(text) && kind(text) == Kind::Name;
        let is_plain = |cell: &TableCell| cell.columns == 1 && cell.rows == 1;
        let head_names_field = pairs.first().is_some_and(|(_, value)| names_a_field(&value.text));
        // The value of the first row may be the head of the others.
        let filled = pairs.iter().skip(1).filter(|(_, value)| !value.text.is_empty());
        let kinds: BTreeSet<Kind> = filled.map(|(_, value)| kind(&value.text)).collect();
        pairs.len() == rows().count()
            && pairs.len() >= FEWEST_ROWS
            && names.len() == pairs.len()
            && names.iter().all(is_name)
            && pairs.iter().all(|(label, value)| is_plain(label) && is_plain(value))
            && !head_names_field
            && kinds.len() >= FEWEST_KINDS
    }

    /// Returns `true` if each row holds several names of fields with their values: `Room | B 2 | Phone | 12 34`.
    pub(super) fn holds_facts_side_by_side(&self) -> bool {
        let rows = || self.rows.iter().take(ROWS_LOOKED_AT);
        let width = rows().map(|row| row.cells.len()).max().unwrap_or_default();
        let is_plain = |cell: &TableCell| cell.columns == 1 && cell.rows == 1 && !cell.is_header;
        let may_be = width >= 4
            && width % 2 == 0
            && width / 2 <= MOST_BESIDE
            && self.rows.len() > 1
            && rows().all(|row| row.cells.iter().all(is_plain));
        if !may_be {
            return false;
        }
        let cells = |odd: usize| {
            rows()
                .flat_map(move |row| row.cells.iter().skip(odd).step_by(2))
                .map(|cell| cell.text.as_str())
                .filter(|text| !text.is_empty())
        };
        let labels = cells(0).count();
        let count =
            |odd: usize, test: fn(&str) -> bool| cells(odd).filter(|text| test(text)).count();
        let ends_in_colon = |text: &str| text.ends_with(':');
        let distinct: BTreeSet<&str> = cells(0).collect();
        if distinct.len() < labels || labels < 4 {
            return false;
        }
        count(0, ends_in_colon) == labels && count(1, ends_in_colon) == 0
            || cells(0).all(|text| is_short_name(text) && kind(text) == Kind::Name)
                && 2 * count(0, names_a_field) >= labels
                && count(1, names_a_field) == 0
    }

    /// Marks the names of facts that stand side by side.
    pub(super) fn mark_every_other_column(&mut self) {
        for row in &mut self.rows {
            let labels = row.cells.iter_mut().step_by(2).filter(|cell| !cell.text.is_empty());
            labels.for_each(|cell| cell.is_header = true);
        }
    }
}
