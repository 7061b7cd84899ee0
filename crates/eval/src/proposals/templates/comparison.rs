//! Two rows of a table, and a number in each.

use campanile_questions::{QuestionKind, SourceRow};

use super::super::words::{Pattern, in_the_middle, on_one_line};
use super::row::subject_of;
use super::{Draft, SourcePassage, Template};

pub(super) static NUMBER: Pattern = Pattern::new(
    r"^(?<before>[€$£] ?|EUR |USD |)(?<number>\d+(?:,\d{3})*(?:\.\d+)?)(?<after>[^\d]{0,20})$",
);

/// One table's rows give at most so many comparisons: they are much alike.
const MOST: usize = 2;

/// Rows that follow each other, by the first column whose numbers differ and mean the same thing.
pub(super) fn drafts(passage: &SourcePassage) -> Vec<Draft> {
    let pairs = passage.rows.iter().zip(passage.rows.iter().skip(1));
    let of_one_table = pairs.filter(|(left, right)| left.table == right.table);
    of_one_table.filter_map(|(left, right)| compared(left, right)).take(MOST).collect()
}

fn compared(left: &SourceRow, right: &SourceRow) -> Option<Draft> {
    let ((first, left_cells), (second, right_cells)) = (subject_of(left)?, subject_of(right)?);
    if first == second {
        return None;
    }
    left_cells.iter().zip(right_cells).find_map(|((header, left_cell), (_, right_cell))| {
        let (a, b) = (amount(left_cell)?, amount(right_cell)?);
        if a.1 != b.1 || (a.0 - b.0).abs() < f64::EPSILON {
            return None;
        }
        let name = in_the_middle(&on_one_line(header));
        Some(Draft {
            template: Template::Comparison,
            question: format!("Which has the higher {name}, {first} or {second}?"),
            answer: if a.0 > b.0 { first } else { second }.to_owned(),
            kind: QuestionKind::Comparative,
            evidence: vec![left.line.clone(), right.line.clone()],
            subject: None,
        })
    })
}

/// A number, and what stands around it: `€5` and `5 ECTS` cannot be compared. A bare number may be a
/// year, a room or a telephone number; only one with a unit, or a small one, is an amount.
fn amount(cell: &str) -> Option<(f64, String)> {
    const MOST_BARE: f64 = 1_000.0;
    let cell = on_one_line(cell);
    let found = NUMBER.captures(&cell)?;
    let number: f64 = found.name("number")?.as_str().replace(',', "").parse().ok()?;
    let unit = format!("{}#{}", &found["before"], &found["after"]);
    let is_amount = unit.len() > 1 || number <= MOST_BARE;
    is_amount.then(|| (number, unit.trim_end_matches('s').to_lowercase()))
}
