//! Rows of tables.

use campanile_text::Span;

use super::Rule;
use super::block::Block;
use super::draft::Draft;

/// Headers of the column that names what a row is about.
const NAMES: &[&str] = &[
    "course",
    "course code",
    "course name",
    "course title",
    "kurs",
    "lehrveranstaltung",
    "modul",
    "module",
    "module name",
    "modulname",
    "veranstaltung",
];
/// Headers of columns whose numbers a thing has: "has 6 ECTS".
const AMOUNTS: &[&str] = &[
    "contact hours",
    "cp",
    "credit hours",
    "credit points",
    "credits",
    "ects",
    "ects credits",
    "ects points",
    "ects-punkte",
    "leistungspunkte",
    "lp",
    "sws",
    "units",
];

/// A cell as it is written out.
struct Cell<'a> {
    span: Span,
    label: &'a str,
    value: &'a str,
    /// The value's place, from the beginning of the text.
    value_span: Span,
}

/// The row as it is written out with its headers, and a sentence for each number that the row's
/// subject surely has; where that is all the row says, only the sentences.
pub(super) fn drafts(block: &Block<'_>) -> Vec<Draft> {
    let cells = cells(block);
    let mut found = Vec::new();
    let mut is_all = cells.len() > 1;
    if let Some((name, others)) = cells.split_first()
        && NAMES.contains(&name.label.to_lowercase().as_str())
        && !name.value.is_empty()
    {
        for cell in others {
            let label = cell.label.to_lowercase();
            if AMOUNTS.contains(&label.as_str()) && is_amount(cell.value) {
                let text = format!("{} has {} {}.", name.value, cell.value, cell.label);
                let draft = Draft::reworded(cell.span, text, Rule::Row);
                found.push(draft.with_stem(name.value_span));
            } else {
                is_all = false;
            }
        }
    }
    if found.is_empty() || !is_all {
        found.insert(0, Draft::plain(block.text, block.span));
    }
    found
}

/// The cells of a row `Course: CS 101; ECTS: 6`; none where one of them has no label.
fn cells<'a>(block: &Block<'a>) -> Vec<Cell<'a>> {
    let text = block.span.slice(block.text).unwrap_or_default();
    let mut start = block.span.start as usize;
    let mut cells = Vec::new();
    for cell in text.split("; ") {
        let Some((label, value)) = cell.split_once(": ") else { return Vec::new() };
        let span = Span::from_range(start..start + cell.len());
        let value_start = start + label.len() + 2;
        let value_span = Span::from_range(value_start..start + cell.len());
        cells.push(Cell { span, label, value, value_span });
        start += cell.len() + 2;
    }
    cells
}

/// A plain number other than one, which would need another form of the noun.
fn is_amount(value: &str) -> bool {
    let is_number = value.split(['.', ',']).all(|digits| {
        !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_number && value != "1"
}
