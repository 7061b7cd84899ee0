//! The rows of a table that name its columns.
//!
//! Where no rule is below them and they are not bold, the words alone tell: names stand above other
//! things, and a first row that is like those below it is one of them. A table of two columns may have
//! no head at all, but a fact in each row: `Credits`, `7 ECTS`.

use super::{Cell, PageTable, has_bold_side};
use crate::pdf::text::Part;
use crate::table::{RowDraft, TableDraft};

/// So many in a hundred of a column's cells tell what it holds.
const MOST_OF: usize = 60;
/// Rows that are looked at: the rest of a long table is like its beginning.
const ROWS_LOOKED_AT: usize = 60;
/// Labels that two tables have in common if both describe something by the same fields.
const FEWEST_FIELDS: usize = 3;

/// Counts the header rows from the top: bold ones, or one whose words stand above other things.
pub(super) fn head_rows(rows: &[Vec<Cell>]) -> usize {
    let is_bold = |row: &&Vec<Cell>| {
        row.iter().any(|cell| !cell.words.is_empty())
            && row.iter().filter(|cell| !cell.words.is_empty()).all(Cell::is_bold)
    };
    let bold = rows.iter().take_while(is_bold).count();
    if (1..rows.len()).contains(&bold) {
        return bold;
    }
    // Bold labels in front of plain values: what the first row says is no name of a column.
    if has_bold_side(rows) && rows.iter().all(|row| row.len() <= 2) {
        return 0;
    }
    let Some(first) = rows.first().filter(|_| rows.len() > 1) else {
        return 0;
    };
    let is_label = |cell: &Cell| {
        let letters = cell.words.iter().flat_map(|word| word.text.chars());
        let (digits, others) = letters.fold((0, 0), |(digits, others), letter| {
            if letter.is_numeric() { (digits + 1, others) } else { (digits, others + 1) }
        });
        cell.words.len() <= 8 && others > digits
    };
    if first.len() < 2 || !first.iter().all(is_label) || is_one_more_row(rows) {
        return 0;
    }
    // A header over several columns has theirs below it.
    let reach = first.iter().map(|cell| cell.rows).max().unwrap_or(1);
    let is_split = first.iter().any(|cell| cell.columns > 1);
    let two = is_split && rows.len() > 2 && rows.get(1).is_some_and(|row| row.iter().all(is_label));
    reach.max(if two { 2 } else { 1 }).min(rows.len() - 1)
}

/// Returns `true` if a head would be known by its words alone.
pub(super) fn is_guess(rows: &[Vec<Cell>]) -> bool {
    !rows.first().is_some_and(|first| first.iter().any(Cell::is_bold)) && head_rows(rows) == 1
}

fn text(cell: &Cell) -> String {
    cell.text(&[]).text
}

/// Returns `true` if the first row is like those below it: its words are no names of columns.
fn is_one_more_row(rows: &[Vec<Cell>]) -> bool {
    let Some((first, body)) = rows.split_first() else {
        return false;
    };
    let body = body.get(..body.len().min(ROWS_LOOKED_AT)).unwrap_or_default();
    are_facts(rows)
        || first.iter().enumerate().any(|(column, cell)| {
            let own = outline(&text(cell));
            let others = body.iter().filter_map(|row| row.get(column));
            let others: Vec<Outline> =
                others.map(|cell| outline(&text(cell))).filter(|other| !other.is_empty()).collect();
            let alike = others.iter().filter(|other| **other == own).count();
            has_number(&own) && alike > 0 && 100 * alike >= MOST_OF * others.len()
        })
}

/// The form of a cell: its numbers, each as one sign, and its words. Behind a number any word counts as
/// the same: `12 April`, `30 May`.
type Outline = Vec<Option<String>>;

fn outline(text: &str) -> Outline {
    let mut outline: Outline = Vec::new();
    let mut is_value = false;
    for word in text.split_whitespace() {
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            is_value |= outline.is_empty();
            outline.push(None);
        } else {
            outline.push(Some(if is_value { String::new() } else { word.to_lowercase() }));
        }
    }
    outline
}

fn has_number(outline: &Outline) -> bool {
    outline.contains(&None)
}

/// Returns `true` if each row is a field and what it is: all fields end in a colon, or the first is
/// followed by an amount.
pub(super) fn are_facts(rows: &[Vec<Cell>]) -> bool {
    let is_pair = |row: &Vec<Cell>| {
        row.len() == 2 && row.iter().all(|cell| cell.columns == 1 && cell.rows == 1)
    };
    if rows.len() < 2 || !rows.iter().all(is_pair) {
        return false;
    }
    let ends_in_colon = |cell: Option<&Cell>| {
        cell.and_then(|cell| cell.words.last()).is_some_and(|word| word.text.ends_with(':'))
    };
    let looked_at = || rows.iter().take(ROWS_LOOKED_AT);
    if looked_at().all(|row| ends_in_colon(row.first()) && !ends_in_colon(row.get(1))) {
        return true;
    }
    let is_label = |row: &Vec<Cell>| {
        row.first().is_some_and(|cell| {
            !cell.words.is_empty()
                && cell.words.len() <= 6
                && !cell.words.iter().any(|word| word.text.contains(|c: char| c.is_ascii_digit()))
        })
    };
    let first = rows.first().and_then(|row| row.get(1));
    looked_at().all(is_label) && first.is_some_and(is_amount)
}

/// `7 ECTS`, `210 hours, of which 60 in class`; not `1st year` or `2. term`.
fn is_amount(cell: &Cell) -> bool {
    let [number, unit, ..] = cell.words.as_slice() else {
        return false;
    };
    number.text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '–' | '-'))
        && number.text.ends_with(|last: char| last.is_ascii_digit())
        && unit.text.starts_with(char::is_alphabetic)
}

/// Finds the tables of two columns that describe one thing each by the same fields, as those of modules do:
/// what was taken for the head of each is a field too.
pub(in crate::pdf) fn tell_fields(parts: &mut [Part]) {
    let heads: Vec<Option<Fields>> = parts.iter().map(Fields::of).collect();
    let mut described: Vec<usize> = Vec::new();
    let known: Vec<(usize, &Fields)> =
        heads.iter().enumerate().filter_map(|(at, fields)| Some((at, fields.as_ref()?))).collect();
    // Only neighbours: modules follow one another.
    for pair in known.windows(2) {
        if let [(at, fields), (next_at, next)] = pair
            && fields.describes_like(next)
        {
            described.extend([*at, *next_at]);
        }
    }
    for at in described {
        if let Some(Part::Table(table)) = parts.get_mut(at) {
            without_head(&mut table.draft);
        }
    }
}

/// The fields of a table of two columns, and what its first row says.
struct Fields {
    labels: Vec<String>,
    first: String,
}

impl Fields {
    fn of(part: &Part) -> Option<Self> {
        let Part::Table(PageTable { draft, is_head_guessed: true, .. }) = part else {
            return None;
        };
        let is_pair = |row: &RowDraft| row.cells.len() == 2;
        let heads = draft.rows.iter().filter(|row| row.is_head).count();
        if heads != 1 || !draft.rows.iter().all(is_pair) {
            return None;
        }
        let cell = |row: &RowDraft, at: usize| row.cells.get(at).map(|cell| cell.text.text.clone());
        let looked_at = draft.rows.iter().take(ROWS_LOOKED_AT);
        let labels = looked_at.filter_map(|row| cell(row, 0)).collect();
        Some(Self { labels, first: cell(draft.rows.first()?, 1)? })
    }

    fn describes_like(&self, other: &Self) -> bool {
        let shared = self.labels.iter().filter(|label| other.labels.contains(label)).count();
        let fewest = self.labels.len().min(other.labels.len());
        // The names of a column of values are the same in both, or `Fee 2030` and `Fee 2031`.
        let has_word = |word: &str| other.first.split_whitespace().any(|own| own == word);
        let is_named_alike = self.first.split_whitespace().any(has_word);
        shared >= FEWEST_FIELDS
            && 100 * shared >= MOST_OF * fewest
            && self.labels.first() == other.labels.first()
            && !is_named_alike
    }
}

/// The first row as one of the others, and the first column as their names.
fn without_head(draft: &mut TableDraft) {
    for row in &mut draft.rows {
        row.is_head = false;
        for (place, cell) in row.cells.iter_mut().enumerate() {
            cell.is_header = place == 0;
        }
    }
}
