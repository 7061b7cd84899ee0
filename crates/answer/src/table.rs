//! Rows of tables, as a build writes them out: one to a line, each cell behind its header (`Course: CS 101; ECTS: 6`).

use campanile_text::{Span, sentences};

/// A column's name is no longer than so many words.
// A longer one is a clause of prose that a colon ends, and a row would be seen where none is.
const NAME_WORDS: usize = 7;

/// One cell of a row, in bytes of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The header of its column; none for the name of the row or of a group of rows.
    pub(crate) name: Option<Span>,
    /// The cell's own text.
    pub(crate) text: Span,
}

/// The cells of a table's row as it is written out (`Course: CS 101; ECTS: 6`); none for any other line.
///
/// `crates/corpus/src/table/sentences.rs` writes them so: what names the row or its group stands in front of a
/// dash, each cell behind its header and a colon, with a semicolon between two. Prose does that too, now and then:
/// a row has at least two headers, short ones that begin with a capital or a number, each its own.
pub(crate) fn cells(line: &str) -> Option<Vec<Cell>> {
    const DASH: &str = " — ";
    // The colon of a group's own name is no header's: `Guests: — Fee: …`.
    let mut colons = line.match_indices(": ").map(|(at, _)| at);
    let first_colon = colons.find(|at| !line[at + 1..].starts_with(DASH))?;
    let mut cells = Vec::new();
    let mut start = 0;
    while let Some(at) = line.get(start..first_colon)?.find(DASH) {
        cells.push(Cell { name: None, text: Span::from_range(start..start + at) });
        start += at + DASH.len();
    }
    let named = cells.len();
    for piece in line.get(start..)?.split("; ") {
        let end = start + piece.len();
        // Behind two plain names a third may have a comma: `Part time, per credit: £14`. Alone it may be prose.
        let is_row = cells.len() >= named + 2;
        let is_name = |name: &str| is_name(name) || is_row && is_name(&name.replace(',', ""));
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

/// A row of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// Its place in the passage.
    pub(crate) span: Span,
    /// Its cells, in bytes of the row.
    cells: Vec<Cell>,
}

/// The rows of a passage.
pub(crate) fn rows(text: &str) -> Vec<Row> {
    let lines = lines(text).into_iter();
    let row = |span: Span| Some(Row { span, cells: cells(span.slice(text)?)? });
    lines.filter_map(row).collect()
}

/// By row: the line in front of its table, where a passage has several; it tells two rows about the same apart.
pub(crate) fn captions<'a>(text: &'a str, rows: &[Row]) -> Vec<&'a str> {
    let mut found = Vec::with_capacity(rows.len());
    let (mut caption, mut is_new) = ("", true);
    let mut tables = 0;
    let mut rest = rows.iter().peekable();
    for line in lines(text) {
        if rest.next_if(|row| row.span == line).is_some() {
            tables += usize::from(is_new);
            is_new = false;
            found.push(caption);
        } else if let Some(line) = line.slice(text).filter(|line| !line.trim().is_empty()) {
            (caption, is_new) = (line, true);
        }
    }
    if tables > 1 { found } else { vec![""; rows.len()] }
}

impl Row {
    /// The part of some words that lies in one cell: in the one that has the most of them. None where they
    /// stand in headers alone.
    pub(crate) fn in_one_cell(&self, words: Span) -> Option<Span> {
        let parts = self.cells.iter().map(|cell| common(cell.text.shifted(self.span.start), words));
        parts.filter(|part| !part.is_empty()).max_by_key(|part| part.len())
    }

    /// The places of its cells in the passage, each with that of its header.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Option<Span>, Span)> + '_ {
        let place = |span: Span| span.shifted(self.span.start);
        self.cells.iter().map(move |cell| (cell.name.map(place), place(cell.text)))
    }

    /// The number of its cells from the left that have no header: the labels of its groups, and its own name.
    pub(crate) fn unnamed(&self) -> usize {
        self.cells.iter().take_while(|cell| cell.name.is_none()).count()
    }
}

/// The part of some words that lies in one row and one cell of it, else in one sentence: in the one that has the most
/// of them.
pub(crate) fn in_one_place(words: Span, text: &str, rows: &[Row]) -> Option<Span> {
    let shared = |row: &&Row| common(row.span, words).len();
    let row = rows.iter().filter(|row| row.span.overlaps(words)).max_by_key(shared);
    let sentence = || {
        let parts = sentences(text).into_iter().map(|sentence| common(sentence, words));
        parts.filter(|part| !part.is_empty()).max_by_key(|part| part.len())
    };
    match row {
        Some(row) => row.in_one_cell(words),
        None => sentence(),
    }
}

/// Returns the part that two spans have in common; empty where they have nothing.
fn common(left: Span, right: Span) -> Span {
    Span::new(left.start.max(right.start), left.end.min(right.end))
}

/// The lines of a text, without their breaks and the space in front of these.
pub(crate) fn lines(text: &str) -> Vec<Span> {
    let mut end = 0;
    let own = |line: &str| {
        let start = end;
        end += line.len();
        Span::from_range(start..start + line.trim_end().len())
    };
    text.split_inclusive('\n').map(own).collect()
}

#[cfg(test)]
mod tests {
    use campanile_text::{Analyzer, Language, Span};
    use proptest::prelude::*;

    use super::{cells, in_one_place, rows};
    use crate::row_choice::RowChoice;
    use crate::words::term_set;

    const TABLE: &str = "What is lent, and to whom.\n\
        Item: Atlases; Students: 7 days; Staff: 30 days\n\
        Item: Sheet music; Students: 10 days; Staff: 30 days\n\
        Item: Film reels; Students: not lent; Staff: 3 days\n\
        Ask at the desk. It opens at nine.";

    fn place(words: &str) -> Span {
        let start = TABLE.find(words).unwrap_or_else(|| unreachable!("{words:?}"));
        Span::from_range(start..start + words.len())
    }

    #[test]
    fn words_stay_in_one_row_one_cell_and_one_sentence() {
        let cases = [
            ("7 days", Some("7 days")),
            ("Students: 7 days", Some("7 days")),
            ("7 days; Staff: 30 days", Some("30 days")),
            ("3 days\nAsk at the desk.", Some("3 days")),
            ("Students", None),
            ("at the desk. It", Some("at the desk.")),
            ("whom.\nItem: Atlases; Students", Some("Atlases")),
            ("at nine", Some("at nine")),
        ];
        let rows = rows(TABLE);
        assert_eq!(rows.len(), 3);
        for (words, expected) in cases {
            let found = in_one_place(place(words), TABLE, &rows);
            assert_eq!(found.and_then(|span| span.slice(TABLE)), expected, "{words:?}");
        }
    }

    #[test]
    fn a_header_has_a_comma_where_two_before_it_make_a_row() {
        let cases: [(&str, &[&str]); 4] = [
            (
                "Programme: HNC; Full time: £1,340; Part time, per credit: £14",
                &["HNC", "£1,340", "£14"],
            ),
            ("Programme: HNC; Part time, at home: £14; Part time, abroad: £52", &[]),
            ("Hours, in winter: 9 to 12; Pool, indoors: closed", &[]),
            (
                "Item: Key; Fee: 5 euros; it is returned, if: nothing is lost",
                &["Key", "5 euros; it is returned, if: nothing is lost"],
            ),
        ];
        for (line, expected) in cases {
            let cells = cells(line).unwrap_or_default();
            let found: Vec<&str> = cells.iter().filter_map(|cell| cell.text.slice(line)).collect();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn a_question_means_the_rows_that_it_names() {
        let cases: [(&str, &[&str]); 5] = [
            ("How long may I keep sheet music?", &["Item: Sheet music"]),
            ("Do you lend reels of a film?", &["Item: Film reels"]),
            ("For how many days may staff keep things?", &[]),
            ("Atlases or film reels, which is lent?", &["Item: Atlases", "Item: Film reels"]),
            ("Where is the desk?", &[]),
        ];
        let analyzer = Analyzer::new(Language::English);
        let rows = rows(TABLE);
        for (question, expected) in cases {
            let found =
                RowChoice::new(&term_set(question, &analyzer), TABLE, &rows, &analyzer).meant();
            let found: Vec<&str> = found.iter().filter_map(|row| row.slice(TABLE)).collect();
            assert_eq!(found.len(), expected.len(), "{question}: {found:?}");
            assert!(
                found.iter().zip(expected).all(|(row, begin)| row.starts_with(begin)),
                "{found:?}"
            );
        }
    }

    proptest! {
        /// Whatever words a reader finds: they only ever become fewer, and never cross a line.
        #[test]
        fn words_only_become_fewer(start in 0..TABLE.len(), length in 1..80usize) {
            let end = (start + length).min(TABLE.len());
            let words = Span::from_range(start..end);
            if let Some(found) = in_one_place(words, TABLE, &rows(TABLE)) {
                prop_assert!(words.contains(found));
                prop_assert!(found.slice(TABLE).is_some_and(|text| !text.contains('\n')));
            }
        }
    }
}
