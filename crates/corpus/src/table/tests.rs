#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::{Table, TableCell, TableRow};

/// `=A|B` is a row of headers; `2x3*text` a cell of 2 columns and 3 rows.
fn table(source: &str) -> Table {
    let rows = source.lines().map(|line| {
        let (is_head, line) = match line.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let cells = line.split('|').map(|cell| {
            let (columns, rows, text) = match cell.split_once('*') {
                Some((size, text)) => {
                    let (columns, rows) = size.split_once('x').unwrap();
                    (columns.parse().unwrap(), rows.parse().unwrap(), text)
                }
                None => (1, 1, cell),
            };
            TableCell { text: text.to_owned(), is_header: is_head, columns, rows }
        });
        TableRow { is_head, cells: cells.collect() }
    });
    Table { rows: rows.collect(), ..Table::default() }
}

fn sentences(source: &str) -> Vec<String> {
    table(source).sentences().into_iter().map(|row| row.text).collect()
}

#[test]
fn rows_are_read_with_their_headers() {
    let cases: &[(&str, &[&str])] = &[
        ("=Course|ECTS\nCS 101|6", &["Course: CS 101; ECTS: 6"]),
        ("=Course|ECTS\nCS 101|", &["Course: CS 101"]),
        ("=Course|ECTS\n|", &[]),
        ("=Course|ECTS", &["Course; ECTS"]),
        ("Phone|555 0100", &["Phone: 555 0100"]),
        ("a|b|c", &["a; b; c"]),
        ("=1x2*Course|2x1*ECTS\n=Winter|Summer\nLogic|6|", &["Course: Logic; ECTS Winter: 6"]),
        (
            "=Term|Date\n1x2*Winter|1 May\n2 May",
            &["Term: Winter; Date: 1 May", "Term: Winter; Date: 2 May"],
        ),
    ];
    for (source, expected) in cases {
        assert_eq!(sentences(source), *expected, "{source}");
    }
}

proptest! {
    #[test]
    fn every_cell_stands_where_it_is_said_to(
        rows in proptest::collection::vec(
            (any::<bool>(), proptest::collection::vec(("\\PC{0,8}", 1u32..4, 1u32..4), 0..5)),
            0..8,
        )
    ) {
        let rows = rows.into_iter().map(|(is_head, cells)| TableRow {
            is_head,
            cells: cells
                .into_iter()
                .map(|(text, columns, rows)| TableCell { text, is_header: is_head, columns, rows })
                .collect(),
        });
        let table = Table { rows: rows.collect(), ..Table::default() };
        for sentence in table.sentences() {
            for place in sentence.cells {
                let cell = &table.rows[place.row].cells[place.cell];
                prop_assert_eq!(sentence.text.get(place.range), Some(cell.text.as_str()));
            }
        }
    }
}
