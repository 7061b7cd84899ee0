#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::look::mark;
use super::{Table, TableCell, TableRow};

const CASES: &str = include_str!("cases.txt");

fn table<'a>(lines: impl Iterator<Item = &'a str>) -> Table {
    let rows = lines.map(|line| {
        let (is_head, line) = match line.strip_prefix('=') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let cells = line.split('|').map(|cell| {
            let (is_header, cell) = match cell.strip_prefix('!') {
                Some(rest) => (true, rest),
                None => (is_head, cell),
            };
            let (columns, rows, text) = match cell.split_once('*') {
                Some((size, text)) => {
                    let (columns, rows) = size.split_once('x').unwrap();
                    (columns.parse().unwrap(), rows.parse().unwrap(), text)
                }
                None => (1, 1, cell),
            };
            TableCell { text: text.to_owned(), is_header, columns, rows }
        });
        TableRow { is_head, cells: cells.collect() }
    });
    Table { rows: rows.collect(), ..Table::default() }
}

#[test]
fn tables_become_the_sentences_that_they_should() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for case in CASES.split("\n--- ").skip(1) {
        let (name, case) = case.split_once('\n').unwrap();
        let (rows, expected) = case.split_once("=>").unwrap();
        let mut table = table(rows.lines());
        table.mark_headers(name.ends_with("(file)"));
        let found: Vec<String> = table.sentences().into_iter().map(|row| row.text).collect();
        if found.join("\n") != expected.trim() {
            wrong.push(format!("{name}\nfound:\n{}\nnot:{expected}", found.join("\n")));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 40, "{count} cases");
}

#[test]
fn what_a_row_says_does_not_depend_on_how_long_it_is() {
    let long = "All students may register. ".repeat(100);
    let table = table(["=Who|Rule", &format!("BSc|{}", long.trim())].into_iter());
    assert_eq!(table.sentences()[0].text, format!("Who: BSc; Rule: {}", long.trim()));
}

fn any_table() -> impl Strategy<Value = Table> {
    let word = prop_oneof![
        2 => "\\PC{0,8}",
        2 => prop::sample::select(vec![
            "", "x", "yes", "–", "no", "Monday", "10:00", "Fall", "Year 1", "Name", "Total", "6",
            "a@b.edu", "A sentence, as it were.",
        ]).prop_map(str::to_owned),
    ];
    let cell = (word, any::<bool>(), 1u32..4, 1u32..4)
        .prop_map(|(text, is_header, columns, rows)| TableCell { text, is_header, columns, rows });
    let row = (prop::bool::weighted(0.2), prop::collection::vec(cell, 0..5))
        .prop_map(|(is_head, cells)| TableRow { is_head, cells });
    prop::collection::vec(row, 0..8).prop_map(|rows| Table { rows, ..Table::default() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_cell_stands_where_it_is_said_to(table in any_table(), is_likely in any::<bool>()) {
        let mut table = table;
        table.mark_headers(is_likely);
        let mut last = None;
        for sentence in table.sentences() {
            prop_assert!(!sentence.text.is_empty() && Some(sentence.row) > last);
            last = Some(sentence.row);
            for place in sentence.cells {
                let cell = &table.rows[place.row].cells[place.cell];
                prop_assert_eq!(sentence.text.get(place.range), Some(cell.text.as_str()));
            }
        }
    }

    /// Heads aside, what a cell says is said somewhere, unless it is only a mark.
    #[test]
    fn no_value_is_lost(table in any_table()) {
        let text: Vec<String> = table.sentences().into_iter().map(|row| row.text).collect();
        let text = text.join("\n");
        for row in table.rows.iter().filter(|row| !row.is_head) {
            let repeats = |head: &&TableRow| {
                head.is_head && head.cells.iter().any(|cell| row.cells.iter().any(|own| own.text == cell.text))
            };
            if table.rows.iter().any(|head| repeats(&head)) {
                continue;
            }
            for cell in row.cells.iter().filter(|cell| mark(&cell.text).is_none()) {
                prop_assert!(text.contains(&cell.text), "{:?} in {text}", cell.text);
            }
        }
    }
}

#[test]
fn a_huge_table_does_not_grow_without_bounds() {
    let head = (0..300).map(|n| format!("A rather long header of column {n}")).collect::<Vec<_>>();
    let row = "1|".repeat(299) + "1";
    let rows = std::iter::once(format!("={}", head.join("|")));
    let lines: Vec<String> = rows.chain(std::iter::repeat_n(row, 2_500)).collect();
    let sentences = table(lines.iter().map(String::as_str)).sentences();
    let bytes: usize = sentences.iter().map(|row| row.text.len()).sum();
    assert!(bytes < 30_000_000, "{bytes}");
    assert!(sentences[0].text.starts_with("A rather long header of column 0: 1; A rather"));
    assert!(sentences[2_499].text.starts_with("1; 1; 1"));
}
