#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::delimiter;
use crate::read_bytes;
use crate::tabular::one_line;

/// A name, the file, its rows as text.
const CASES: &[(&str, &str, &[&str])] = &[
    ("commas", "Course,ECTS\nLogic,6\n", &["Course: Logic; ECTS: 6"]),
    ("semicolons", "Kurs;ECTS\nLogik;7,5\n", &["Kurs: Logik; ECTS: 7,5"]),
    ("bars", "Course|ECTS\nLogic|6\n", &["Course: Logic; ECTS: 6"]),
    ("a mark of the byte order", "\u{feff}Course,ECTS\r\nLogic,6\r\n", &["Course: Logic; ECTS: 6"]),
    (
        "quotes and lines in a cell",
        "Who,Rule\nBSc,\"Say \"\"yes\"\",\nthen sign\"\n",
        &["Who: BSc; Rule: Say \"yes\", then sign"],
    ),
    (
        "lists in a cell",
        "Term,Courses\nFall,\"Logic\nAlgebra\"\n",
        &["Term: Fall; Courses: Logic, Algebra"],
    ),
    (
        "rows of differing length",
        "Name,Room,Phone\nAnna,W 1\nTom,W 2,555,urgent\n",
        &["Name: Anna; Room: W 1", "Name: Tom; Room: W 2; Phone: 555; urgent"],
    ),
    (
        "a column that counts the rows",
        ",Name,Room\n0,Anna,W 1\n1,Tom,W 2\n",
        &["Name: Anna; Room: W 1", "Name: Tom; Room: W 2"],
    ),
    (
        "names of rows below an empty corner",
        ",Fall,Spring\nCore,Logic,Algebra\n",
        &["Core — Fall: Logic; Spring: Algebra"],
    ),
    (
        "a title above the header",
        "Examinations in winter,,\nDate,Course,Room\n2026-01-12,Logic,HS 1\n",
        &["Examinations in winter", "Date: 2026-01-12; Course: Logic; Room: HS 1"],
    ),
    (
        "two tables with a blank row between them",
        "Course,ECTS\nLogic,6\nAlgebra,9\n,\nRoom,Seats\nHS 1,120\nHS 2,80\n",
        &[
            "Course: Logic; ECTS: 6",
            "Course: Algebra; ECTS: 9",
            "Room: HS 1; Seats: 120",
            "Room: HS 2; Seats: 80",
        ],
    ),
    (
        "a blank row within a table",
        "Course,ECTS\nLogic,6\nAlgebra,9\n,\nTopology,6\n",
        &["Course: Logic; ECTS: 6", "Course: Algebra; ECTS: 9", "Course: Topology; ECTS: 6"],
    ),
    ("one column", "Logic\nAlgebra\n", &["Logic", "Algebra"]),
    ("fields and values", "Phone,555 0100\nRoom,W 1\n", &["Phone: 555 0100", "Room: W 1"]),
    ("nothing", "", &[]),
    ("blank fields", ",,\n,,\n", &[]),
];

#[test]
fn files_become_rows() {
    for (name, source, expected) in CASES {
        let reading = read_bytes("a/b.csv", source.as_bytes(), &Default::default()).unwrap();
        let document = &reading.documents[0];
        let found: Vec<&str> = document
            .sections
            .iter()
            .flat_map(|section| &section.blocks)
            .map(|block| block.span.slice(&document.text).unwrap())
            .collect();
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn a_title_is_the_tables_caption() {
    let source = b"Deadlines\tthis term\t\n\t\t\nDeadlines of the term\t\t\nDate\tDay\tEvent\n1 May\tFri\tHoliday\n";
    let reading = read_bytes("a.tsv", source, &Default::default()).unwrap();
    let tables = &reading.documents[0].tables;
    assert_eq!(tables.last().unwrap().caption, "Deadlines of the term");
}

#[test]
fn what_is_odd_is_reported() {
    let reading =
        read_bytes("a.csv", b"Name,Room\nAnna,1\nTom,2,x\n", &Default::default()).unwrap();
    let message = reading.findings[0].to_string();
    assert!(message.starts_with("`a.csv`: 1 row has more fields than the first row"), "{message}");
    assert!(message.contains("line 3"), "{message}");
    let latin = read_bytes("a.csv", b"Name\nJos\xE9\n", &Default::default()).unwrap();
    assert!(latin.documents[0].text.contains("José"), "{latin:?}");
    assert!(latin.findings[0].to_string().contains("read as Windows-1252"), "{latin:?}");
    let mixed = read_bytes("a.csv", b"Jos\xC3\xA9\nJos\xE9\n", &Default::default()).unwrap_err();
    assert!(mixed.to_string().contains("iconv -f WINDOWS-1252"), "{mixed}");
    let wide = format!("a,b\n{}\n", "x,".repeat(2_000));
    let wide = read_bytes("a.csv", wide.as_bytes(), &Default::default()).unwrap_err();
    assert!(wide.to_string().contains("a row of 2000 fields"), "{wide}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_cell_is_in_the_text(
        rows in prop::collection::vec(
            prop::collection::vec("[A-Za-zé0-9 ,\"\n.:@-]{0,12}", 1..6), 1..12,
        ),
    ) {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        // The header's fields cannot be mistaken for a count of the rows.
        writer.write_record(["Course", "Room of it", "c", "d", "e", "f"]).unwrap();
        for row in &rows {
            // A blank row may part two tables, of which the second may have a header of its own.
            let first = std::iter::once("Logic".to_owned());
            writer.write_record(first.chain(row.iter().cloned())).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let reading = read_bytes("a.csv", &bytes, &Default::default()).unwrap();
        let text: String = reading.documents.iter().map(|found| found.text.as_str()).collect();
        let is_mark = |cell: &str| matches!(cell, "-" | "x" | "X" | "");
        for cell in rows.iter().flatten() {
            let cell = one_line(cell);
            prop_assert!(is_mark(&cell) || text.contains(&cell), "{cell:?} in {text:?}");
        }
    }
}

#[test]
fn the_delimiter_is_the_one_that_makes_rows_alike() {
    let cases: &[(&str, u8, u8)] = &[
        ("a,b\n1,2\n", b',', b','),
        ("a;b\n1,5;2\n3;4\n", b',', b';'),
        ("a\tb\n1, 2\t3\n", b',', b'\t'),
        ("a|b\n1|2\n", b',', b'|'),
        ("a,b\n1,2\n", b'\t', b','),
        ("\"a;b\",c\n\"d;e;f\",g\n", b',', b','),
        ("one\ntwo\n", b',', b','),
        ("", b'\t', b'\t'),
    ];
    for (source, usual, expected) in cases {
        assert_eq!(delimiter(source, *usual), *expected, "{source:?}");
    }
}
