//! The headers of columns, and the form in which the rows below are read: named columns, a calendar, a matrix of marks.

use std::collections::BTreeMap;

use super::layout::{Line, MOST_COLUMNS, Placed};
use super::look::{Mark, Time, mark, names_a_field, time};

/// A header longer than this is cut where it stands in front of a cell.
// It stands in front of each value of the column, and a row has to stay readable.
const LABEL_BYTES: usize = 80;
/// A cell over more columns than this is not labelled with them.
// "Mon/Tue/Wed" can be read; a cell over the whole week is said without its days.
const MOST_JOINED: usize = 3;

/// The headers of each column, from the top.
#[derive(Debug, Default)]
pub(super) struct Labels {
    columns: BTreeMap<usize, Vec<String>>,
}

impl Labels {
    /// Adds a row of headers below those that are there.
    pub(super) fn add(&mut self, row: &[Placed<'_>]) {
        for cell in row {
            let text = cell.text.trim_end_matches([':', ' ']);
            if text.is_empty() {
                continue;
            }
            for column in cell.column..(cell.column + cell.width).min(MOST_COLUMNS) {
                let levels = self.columns.entry(column).or_default();
                if levels.last().is_none_or(|last| last != text) {
                    levels.push(text.to_owned());
                }
            }
        }
    }

    /// Where the last row of several only names columns in front, as pandas names an index, what stands above these names is the name
    /// of a level, and none of the column.
    pub(super) fn without_names_of_levels(&mut self, head: &[Vec<Placed<'_>>]) {
        let [.., above, last] = head else { return };
        let end = last.iter().map(|cell| cell.column + cell.width).max().unwrap_or_default();
        let is_index = last.iter().enumerate().all(|(place, cell)| cell.column == place);
        let has_more = above.iter().any(|cell| cell.column >= end);
        if !is_index || !has_more {
            return;
        }
        for (_, levels) in self.columns.range_mut(..end) {
            levels.drain(..levels.len().saturating_sub(1));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The column's headers in one line (`Winter ECTS`), or `None` if it has none.
    pub(super) fn of(&self, column: usize) -> Option<String> {
        self.columns.get(&column).map(|levels| shortened(levels.join(" ")))
    }

    /// The header of a cell: those of all its columns, if they are few.
    pub(super) fn of_cell(&self, cell: &Placed<'_>) -> Option<String> {
        if cell.width == 1 {
            return self.of(cell.column);
        }
        if cell.width > MOST_JOINED {
            return None;
        }
        let columns: Vec<usize> = (cell.column..cell.column + cell.width).collect();
        let common = self.common(&columns);
        let mut labels = Vec::new();
        for column in columns {
            let label = if common.is_some() { self.below(column) } else { self.of(column) };
            labels.extend(label.filter(|label| !labels.contains(label)));
        }
        let joined = labels.join("/");
        let joined = common.map_or_else(|| joined.clone(), |common| format!("{common} {joined}"));
        (!joined.is_empty()).then(|| shortened(joined))
    }

    /// The columns that have headers, and these in one line.
    pub(super) fn columns(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        self.columns.iter().map(|(column, levels)| (*column, shortened(levels.join(" "))))
    }

    /// The header that all of the columns have in common above their own.
    pub(super) fn common(&self, columns: &[usize]) -> Option<&str> {
        let above = |column: &usize| match self.columns.get(column)?.as_slice() {
            [above, _, ..] => Some(above.as_str()),
            _ => None,
        };
        let common = above(columns.first()?)?;
        columns.iter().all(|column| above(column) == Some(common)).then_some(common)
    }

    /// The column's headers without the topmost.
    pub(super) fn below(&self, column: usize) -> Option<String> {
        let levels = self.columns.get(&column)?;
        Some(shortened(levels.get(1..)?.join(" ")))
    }
}

/// Cut behind a word, if it is too long to stand in front of a cell.
fn shortened(mut label: String) -> String {
    if label.len() <= LABEL_BYTES {
        return label;
    }
    let end = label.floor_char_boundary(LABEL_BYTES);
    let head = &label[..end];
    let word = head.rfind(char::is_whitespace).filter(|at| *at > end / 2);
    label.truncate(word.unwrap_or(end));
    label.truncate(label.trim_end().len());
    label
}

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
        // A mark over two columns does not say which of them it is for.
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
