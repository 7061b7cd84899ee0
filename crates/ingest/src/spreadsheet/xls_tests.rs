//! A workbook of `tests/scripts/make_xls.py`.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use crate::{IngestOptions, RecordRule, read_bytes};

const PLAN: &[u8] = include_bytes!("../../tests/fixtures/plan.xls");

#[test]
fn a_workbook_of_1997_is_read() {
    let reading = read_bytes("plans/exam-plan.xls", PLAN, &IngestOptions::default()).unwrap();
    let document = &reading.documents[0];
    assert_eq!(document.title, "Exam plan");
    assert_eq!(
        document.text,
        "Winter term\n\nExaminations 2026\n\nCourse: Logic – für alle; Date: 2026-01-07; Points: 6; \
         Fee: 0.5\nCourse: Algebra; Date: 2026-02-09; Points: 9; Fee: 120.25\n\nRooms\n\n\
         Name: Anna; Room: W 1\nName: Tom; Room: W 2"
    );
    assert_eq!(document.tables[0].caption, "Examinations 2026");
    assert_eq!(reading.findings.len(), 1);
    assert!(reading.findings[0].to_string().contains("the hidden sheets `Salaries`"));
}

#[test]
fn its_rows_are_records_under_a_rule() {
    let rule: RecordRule =
        toml::from_str("match = \"*.xls\"\nrows = \"/Rooms\"\ntitle = \"{Name}\"\nid = \"Name\"")
            .unwrap();
    let options = IngestOptions { records: vec![rule], ..IngestOptions::default() };
    let reading = read_bytes("plan.xls", PLAN, &options).unwrap();
    let paths: Vec<_> = reading.documents.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(paths, ["plan.xls#Anna", "plan.xls#Tom"]);
}

#[test]
fn what_is_none_is_named() {
    let refusal = |bytes: &[u8]| {
        read_bytes("a.xls", bytes, &IngestOptions::default()).map(|_| ()).unwrap_err().to_string()
    };
    for bytes in [b"".as_slice(), b"Course\tECTS", &PLAN[..8], &PLAN[..600]] {
        let message = refusal(bytes);
        assert!(message.starts_with("`a.xls` is no sound Excel file"), "{message}");
    }
    let page = b"<html><table><tr><th>Course<th>ECTS<tr><td>Logic<td>6</table>";
    let reading = read_bytes("a.xls", page, &IngestOptions::default()).unwrap();
    assert_eq!(reading.documents[0].text, "Course: Logic; ECTS: 6");
    assert!(reading.findings[0].to_string().contains("an HTML page despite its name"));
}
