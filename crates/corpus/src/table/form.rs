//! The three forms a table has: named columns, a calendar, a matrix of marks.

use std::collections::BTreeMap;

use super::calendar::{Time, time};
use super::labels::Labels;
use super::layout::Line;
use super::look::{Mark, mark, names_a_field};

/// Columns of marks that make a matrix.
const FEWEST_MARK_COLUMNS: usize = 2;
/// Columns of `yes` and `no` that make one: two may well be two properties.
const FEWEST_WORD_COLUMNS: usize = 3;

/// The way in which the rows under one head are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Each cell says what its column's header names.
    Columns,
    /// Times head the columns from `first` on as well as the rows: each cell is at the time of both.
    Calendar { first: usize, columns: Time, rows: Time },
    /// The cells of these columns only mark what the headers name.
    Matrix { columns: Vec<usize> },
}

impl Form {
    pub(super) fn of(labels: &Labels, lines: &[Line<'_>]) -> Self {
        calendar(labels, lines).or_else(|| matrix(labels, lines)).unwrap_or(Self::Columns)
    }
}

fn calendar(labels: &Labels, lines: &[Line<'_>]) -> Option<Form> {
    let named: Vec<(usize, String)> = labels.columns().collect();
    let heads_rows = |label: &str| {
        let is_field = names_a_field(label) && !label.contains(char::is_whitespace);
        label.is_empty() || is_field || label.contains(['/', '\\'])
    };
    // The corner may be empty or name what the rows are.
    let corner = named.first().filter(|(column, _)| *column == 0);
    let skipped = usize::from(corner.is_some_and(|(_, label)| heads_rows(label)));
    let times = named.get(skipped..)?;
    let columns = time(&times.first()?.1)?;
    let is_calendar =
        times.len() >= 2 && times.iter().all(|(_, label)| time(label) == Some(columns));
    let first = times.first()?.0;
    if !is_calendar || first == 0 {
        return None;
    }
    let keys: Vec<Option<Time>> = lines
        .iter()
        .filter(|line| !line.is_alone)
        .filter_map(|line| line.cells.first().filter(|cell| cell.column < first))
        .map(|cell| time(cell.text))
        .collect();
    let rows = (*keys.first()?)?;
    let all_alike = keys.iter().all(|key| *key == Some(rows));
    (all_alike && rows != columns).then_some(Form::Calendar { first, columns, rows })
}

fn matrix(labels: &Labels, lines: &[Line<'_>]) -> Option<Form> {
    // For each column: whether all its cells are marks, whether one is set, whether it is a word.
    let mut seen: BTreeMap<usize, (bool, bool, bool)> = BTreeMap::new();
    for cell in lines.iter().filter(|line| !line.is_alone).flat_map(|line| &line.cells) {
        let found = mark(cell.text);
        let (only_marks, is_set, is_word) = seen.entry(cell.column).or_insert((true, false, false));
        *only_marks &= found.is_some() && cell.width == 1;
        *is_set |= found == Some(Mark::Set);
        *is_word |= cell.text.chars().filter(|character| character.is_alphabetic()).count() > 1;
    }
    let columns: Vec<usize> = seen
        .iter()
        .filter(|(column, (only_marks, _, _))| *only_marks && labels.of(**column).is_some())
        .map(|(column, _)| *column)
        .collect();
    let marked = |test: fn(&(bool, bool, bool)) -> bool| {
        columns.iter().filter_map(|column| seen.get(column)).filter(|column| test(column)).count()
    };
    let fewest = if marked(|(_, _, is_word)| *is_word) > 0 {
        FEWEST_WORD_COLUMNS
    } else {
        FEWEST_MARK_COLUMNS
    };
    let is_matrix = columns.len() >= fewest && marked(|(_, is_set, _)| *is_set) > 0;
    // Marks say something only of what the row names.
    let names_rows = seen.first_key_value().is_some_and(|(first, _)| !columns.contains(first));
    (is_matrix && names_rows).then_some(Form::Matrix { columns })
}
