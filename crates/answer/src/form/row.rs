//! The row of a table that a sentence writes out.

use campanile_text::Span;

use super::{Form, FormKind, FormPart, Quoted};

/// A column's name is no longer than so many words.
const NAME_WORDS: usize = 7;

/// One cell of a row, in bytes of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    /// What heads its column; none for the name of the row or of a group of rows.
    pub(super) name: Option<Span>,
    /// What it says.
    pub(super) text: Span,
}

/// The cells of the row that answers.
pub(super) fn form(quoted: &Quoted<'_>) -> Option<Form> {
    let line = quoted.words();
    let part = |cell: &Cell| FormPart {
        name: cell.name.and_then(|name| name.slice(line)).map(str::to_owned),
        ..quoted.part(cell.text)
    };
    Some(Form { kind: FormKind::Row, parts: cells(line)?.iter().map(part).collect() })
}

/// The cells of a table's row as it is written out (`Course: CS 101; ECTS: 6`); none for any other line.
///
/// `crates/corpus/src/table/sentences.rs` writes them so: what names the row or its group stands in front of a
/// dash, each cell behind its header and a colon, with a semicolon between two. Prose does that too, now and then:
/// a row has at least two headers, short ones that begin with a capital or a number, each its own.
pub(super) fn cells(line: &str) -> Option<Vec<Cell>> {
    const DASH: &str = " — ";
    let first_colon = line.find(": ")?;
    let mut cells = Vec::new();
    let mut start = 0;
    while let Some(at) = line.get(start..first_colon)?.find(DASH) {
        cells.push(Cell { name: None, text: Span::from_range(start..start + at) });
        start += at + DASH.len();
    }
    let named = cells.len();
    for piece in line.get(start..)?.split("; ") {
        let end = start + piece.len();
        match piece.split_once(": ").filter(|(name, _)| is_name(name)) {
            Some((name, _)) => cells.push(Cell {
                name: Some(Span::from_range(start..start + name.len())),
                text: Span::from_range(start + name.len() + 2..end),
            }),
            // A semicolon inside of a cell.
            None if cells.len() > named => {
                let last = cells.last_mut()?;
                last.text = last.text.joined(Span::from_range(start..end));
            }
            None => return None,
        }
        start = end + 2;
    }
    let names = || cells.iter().filter_map(|cell| cell.name?.slice(line));
    let own = names().enumerate().all(|(place, name)| names().take(place).all(|it| it != name));
    (names().count() >= 2 && own).then_some(cells)
}

fn is_name(text: &str) -> bool {
    let begins =
        text.starts_with(|letter: char| !letter.is_ascii_lowercase() && letter.is_alphanumeric());
    begins && !text.contains(['?', '!', ',']) && text.split(' ').count() <= NAME_WORDS
}
