//! Finding the headers of a table whose format does not mark them.

use std::collections::BTreeSet;

use super::look::{
    is_address, is_figure, is_sentence, is_value, mark, names_a_field, outline, time,
};
use super::{Table, TableRow};

/// A header is no longer than this.
// Some ten words; a longer cell says something instead of naming it.
const HEADER_BYTES: usize = 80;
/// A unit is no longer than this: `EUR/h`, `(in per cent)`.
const UNIT_BYTES: usize = 16;
/// So many in a hundred of a column's cells tell what the column holds.
// Not all: columns of numbers have dashes, footnotes and an "n/a".
pub(super) const MOST_OF: usize = 70;
/// Rows that are looked at: the rest of a long table is like its beginning.
// A spreadsheet has a hundred thousand.
pub(super) const ROWS_LOOKED_AT: usize = 200;

impl Table {
    /// Marks the rows and cells that are headers though the format does not say so.
    ///
    /// A first row is a head if its cells could be names, each its own, and the rows below hold
    /// something else: numbers below words, say. With `first_row_is_likely` (a file of separated
    /// values mostly begins with its header) it is enough that it does not look like one more row.
    /// Under a head with an empty corner the first column names the rows; so does a first column
    /// that lists fields (`Phone`, `Room`) where nothing heads the columns.
    ///
    /// Cells that a reader has marked stay as they are.
    pub fn mark_headers(&mut self, first_row_is_likely: bool) {
        if self.labels_facts() {
            self.mark_first_column(0);
            return;
        }
        let marked = self.rows.iter().take_while(|row| row.is_head).count();
        if marked == 0 && self.holds_facts_side_by_side() {
            self.mark_every_other_column();
            return;
        }
        if let Some(heads) = self.mark_levels(marked) {
            if self.has_empty_corner(heads) {
                self.mark_first_column(heads);
            }
            return;
        }
        let is_marked = self.rows.iter().any(|row| row.is_head);
        let is_plain = self.rows.iter().flat_map(|row| &row.cells).all(|cell| !cell.is_header);
        let is_list = self.lists_fields() && !first_row_is_likely;
        if !is_marked && is_plain && (is_list || self.holds_facts() || self.begins_with_a_fact()) {
            self.mark_first_column(0);
            return;
        }
        let is_found = !is_marked && is_plain && self.begins_with_names(first_row_is_likely);
        if let Some(first) = self.rows.first_mut().filter(|_| is_found) {
            first.is_head = true;
            first.cells.iter_mut().for_each(|cell| cell.is_header = true);
        }
        let heads = self.rows.iter().take_while(|row| row.is_head).count();
        if heads > 0 && self.has_units(heads) {
            self.mark_row(heads);
        }
        let heads = self.rows.iter().take_while(|row| row.is_head).count();
        if heads > 0 && self.has_empty_corner(heads) {
            self.mark_first_column(heads);
        }
    }

    fn mark_row(&mut self, number: usize) {
        if let Some(row) = self.rows.get_mut(number) {
            row.is_head = true;
            row.cells.iter_mut().for_each(|cell| cell.is_header = true);
        }
    }

    /// Returns `true` if the row below a head names the units of its columns: it leaves the first column empty, and has a short
    /// word where all rows below have a figure.
    fn has_units(&self, heads: usize) -> bool {
        let (Some(head), Some((units, body))) =
            (self.rows.get(heads - 1), self.rows.get(heads..).and_then(|rows| rows.split_first()))
        else {
            return false;
        };
        let body = &body[..body.len().min(ROWS_LOOKED_AT)];
        let is_even = [head, units]
            .into_iter()
            .chain(body)
            .all(|row| row.cells.iter().all(|cell| cell.columns == 1 && cell.rows == 1));
        let first = |row: &TableRow| row.cells.first().is_some_and(|cell| !cell.text.is_empty());
        if !is_even || body.is_empty() || !first(head) || first(units) || !body.iter().all(first) {
            return false;
        }
        let filled = units.cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty());
        let mut filled = filled.peekable();
        let is_unit = |(column, cell): (usize, &super::TableCell)| {
            let values = column_of(body, column);
            let heads = head.cells.get(column).is_some_and(|head| !head.text.is_empty());
            heads
                && cell.text.len() <= UNIT_BYTES
                && !cell.text.contains(|sign: char| sign.is_ascii_digit())
                && mark(&cell.text).is_none()
                && !values.is_empty()
                && values.iter().all(|text| is_figure(text))
        };
        filled.peek().is_some() && filled.all(is_unit)
    }

    /// Returns `true` if the first column is a list of fields, the first row among them: a head would not begin with one fact.
    fn begins_with_a_fact(&self) -> bool {
        let labels = self.rows.iter().take(ROWS_LOOKED_AT).filter_map(|row| row.cells.first());
        let labels: BTreeSet<&str> = labels.map(|cell| cell.text.as_str()).collect();
        let first = self.rows.first().and_then(|row| row.cells.first());
        self.lists_fields()
            && self.rows.len() > 2
            && labels.len() == self.rows.len().min(ROWS_LOOKED_AT)
            && first.is_some_and(|cell| names_a_field(&cell.text))
    }

    fn mark_first_column(&mut self, from: usize) {
        for row in self.rows.iter_mut().skip(from).filter(|row| !row.is_head) {
            if let Some(first) = row.cells.first_mut().filter(|cell| !cell.text.is_empty()) {
                first.is_header = true;
            }
        }
    }

    /// Returns `true` if the first column is a list of fields, such as `Phone`, `Room`, `E-mail`. A field
    /// beside a field is a head, and times (`1st year`, `Winter term`) are what a head is for.
    fn lists_fields(&self) -> bool {
        let rows = || self.rows.iter().take(ROWS_LOOKED_AT);
        // A name alone is a field without a value, or stands above the fields of one part.
        let is_pair = |row: &TableRow| (1..=2).contains(&row.cells.len());
        let pairs = rows().filter(|row| row.cells.len() == 2).count();
        let is_field = |text: &str| names_a_field(text) && time(text).is_none();
        let first = |row: &TableRow| row.cells.first().is_some_and(|cell| is_field(&cell.text));
        let second = self.rows.first().and_then(|row| row.cells.get(1));
        let fields = rows().filter(|row| first(row)).count();
        let begins_with_head = second.is_some_and(|cell| is_field(&cell.text));
        rows().all(is_pair)
            && 3 * pairs >= 2 * rows().count()
            && !begins_with_head
            && fields >= 2
            && 2 * fields >= rows().count()
    }

    /// Returns `true` if each row is a label that ends in a colon, and what it is.
    fn labels_facts(&self) -> bool {
        let is_fact = |row: &TableRow| match row.cells.as_slice() {
            [label, value] => label.text.ends_with(':') && !value.text.ends_with(':'),
            _ => false,
        };
        !self.rows.is_empty() && self.rows.iter().take(ROWS_LOOKED_AT).all(is_fact)
    }

    /// Returns `true` if the corner says nothing and the column below it does, in texts that could be names.
    fn has_empty_corner(&self, heads: usize) -> bool {
        let head_is_empty = self
            .rows
            .iter()
            .take(heads)
            .all(|row| row.cells.first().is_none_or(|cell| cell.text.is_empty()))
            && self.rows.first().is_some_and(|row| !row.cells.is_empty());
        let mut firsts =
            self.rows.iter().skip(heads).filter_map(|row| row.cells.first()).peekable();
        head_is_empty
            && firsts.peek().is_some()
            && firsts.all(|cell| cell.text.len() <= HEADER_BYTES && !is_sentence(&cell.text))
    }

    fn begins_with_names(&self, is_likely: bool) -> bool {
        let Some((first, body)) = self.rows.split_first() else { return false };
        let body = &body[..body.len().min(ROWS_LOOKED_AT)];
        let width = first.cells.len();
        let is_even = first.cells.iter().all(|cell| cell.columns == 1 && cell.rows == 1);
        if is_even && heads_a_series(first, body) {
            return true;
        }
        if body.is_empty() || width < 2 || !is_even || !could_be_names(first) {
            return false;
        }
        let texts: Vec<&str> = first.cells.iter().map(|cell| cell.text.as_str()).collect();
        if holds_a_figure_like_those_below(&texts, body) {
            return false;
        }
        let corner_is_empty = texts.first().is_some_and(|text| text.is_empty());
        let times = texts.iter().filter(|text| time(text).is_some()).count();
        let fields = texts.iter().filter(|text| names_a_field(text)).count();
        let body_is_times = body
            .iter()
            .all(|row| row.cells.iter().filter(|cell| time(&cell.text).is_some()).count() >= 2);
        corner_is_empty
            || (times >= 2 && times + 1 >= width && !body_is_times)
            || 2 * fields > width
            // Two by two cells with a number may as well be two rows of a field and its value.
            || (width > 2 || body.len() > 2) && heads_values(&texts, body)
            || is_likely && !is_like(&texts, body)
    }
}

/// Returns `true` if each cell could head a column: short, its own, no value and no sentence. The first may
/// be empty.
fn could_be_names(row: &TableRow) -> bool {
    let texts = row.cells.iter().map(|cell| cell.text.as_str());
    let years = texts.clone().filter(|text| time(text).is_some()).count();
    let is_name = |(index, text): (usize, &str)| {
        let is_free = index == 0 && text.is_empty();
        let is_time = years >= 2 && time(text).is_some();
        is_free
            || !text.is_empty()
                && text.len() <= HEADER_BYTES
                && !is_sentence(text)
                && !is_address(text)
                && (is_time || !is_value(text) && mark(text).is_none())
    };
    let own: BTreeSet<&str> = texts.clone().collect();
    own.len() == row.cells.len() && texts.enumerate().all(is_name)
}

/// Returns `true` if the text could name a column: short, and neither a value nor a sentence.
pub(super) fn is_short_name(text: &str) -> bool {
    text.len() <= HEADER_BYTES
        && !is_sentence(text)
        && !is_address(text)
        && (time(text).is_some() || !is_value(text) && mark(text).is_none())
}

/// Returns `true` if the row names columns one after the other, as in `Course | CW 42 | CW 43`: texts of one make with
/// figures in them, of which the columns below hold none.
fn heads_a_series(first: &TableRow, body: &[TableRow]) -> bool {
    let texts: Vec<&str> = first.cells.iter().map(|cell| cell.text.as_str()).collect();
    let Some(last) = texts.last() else { return false };
    let make = outline(last);
    let count = texts.iter().rev().take_while(|text| outline(text) == make).count();
    let (names, series) = texts.split_at(texts.len() - count);
    let own: BTreeSet<&&str> = series.iter().collect();
    let is_bare = !make.contains(char::is_alphabetic);
    let numbers: Vec<Option<u32>> = series.iter().map(|text| text.parse().ok()).collect();
    // Bare numbers are weeks or days only if each is the next.
    let counts_on = numbers.is_sorted_by(|one, next| {
        one.zip(*next).is_some_and(|(one, next)| one.checked_add(1) == Some(next))
    });
    let is_series = make.contains('9')
        && own.len() == series.len()
        && if is_bare { count >= 3 && counts_on } else { count >= 2 };
    let is_named = |(place, text): (usize, &&str)| {
        place == 0 && text.is_empty() || !text.is_empty() && is_short_name(text)
    };
    let is_headed = !names.is_empty() && names.iter().enumerate().all(is_named);
    if !is_series || !is_headed || body.is_empty() {
        return false;
    }
    let cells = (names.len()..texts.len()).flat_map(|column| column_of(body, column));
    let alike: Vec<bool> = cells.map(|cell| outline(cell) == make).collect();
    let count = alike.iter().filter(|is_alike| **is_alike).count();
    100 * count <= (100 - MOST_OF) * alike.len()
}

/// Returns `true` if a column holds values, or marks, under a name.
fn heads_values(texts: &[&str], body: &[TableRow]) -> bool {
    (0..texts.len()).any(|column| {
        let cells = column_of(body, column);
        let holds = |text: &&&str| is_figure(text) || mark(text).is_some();
        !cells.is_empty() && 100 * cells.iter().filter(holds).count() >= MOST_OF * cells.len()
    })
}

/// Returns `true` if a cell is an amount of the make of those below it, as `3 min` is above `12 min`: no head has one.
fn holds_a_figure_like_those_below(texts: &[&str], body: &[TableRow]) -> bool {
    texts.iter().enumerate().any(|(column, text)| {
        let cells = column_of(body, column);
        let own = outline(text);
        let alike = cells.iter().filter(|cell| outline(cell) == own).count();
        // `Year 1` is a name.
        own.starts_with('9') && is_figure(text) && alike > 0 && 100 * alike >= MOST_OF * cells.len()
    })
}

/// Returns `true` if the row is one more of those below it: its texts have the outlines that theirs have.
fn is_like(texts: &[&str], body: &[TableRow]) -> bool {
    texts.iter().enumerate().all(|(column, text)| {
        let cells = column_of(body, column);
        let own = outline(text);
        !cells.is_empty()
            && 2 * cells.iter().filter(|cell| outline(cell) == own).count() >= cells.len()
    })
}

/// The texts of a column, empty ones aside. Rows without merged cells are meant.
fn column_of(body: &[TableRow], column: usize) -> Vec<&str> {
    body.iter()
        .filter_map(|row| row.cells.get(column))
        .map(|cell| cell.text.as_str())
        .filter(|text| !text.is_empty())
        .collect()
}
