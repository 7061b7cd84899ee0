#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Cursor, Write as _};

use rust_xlsxwriter::{
    ExcelDateTime, Format, Formula, Image, Shape, Url, Workbook, Worksheet, XlsxError,
};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::check;
use crate::{IngestOptions, Reading, RecordRule, Trouble, read_bytes};

fn workbook(write: impl FnOnce(&mut Workbook) -> Result<(), XlsxError>) -> Vec<u8> {
    let mut workbook = Workbook::new();
    write(&mut workbook).unwrap();
    workbook.save_to_buffer().unwrap()
}

fn sheet(write: impl FnOnce(&mut Worksheet) -> Result<(), XlsxError>) -> Vec<u8> {
    workbook(|workbook| write(workbook.add_worksheet()))
}

fn reading(bytes: &[u8]) -> Reading {
    read_bytes("plans/exam-plan.xlsx", bytes, &Default::default()).unwrap()
}

fn refusal(bytes: &[u8]) -> String {
    read_bytes("a.xlsx", bytes, &Default::default()).unwrap_err().to_string()
}

fn strings(sheet: &mut Worksheet, rows: &[&[&str]]) -> Result<(), XlsxError> {
    for (row, cells) in (0..).zip(rows) {
        for (column, text) in (0..).zip(*cells).filter(|(_, text)| !text.is_empty()) {
            sheet.write_string(row, column, *text)?;
        }
    }
    Ok(())
}

#[test]
fn values_are_read_as_they_are_shown() {
    let bytes = sheet(|sheet| {
        strings(sheet, &[&["Course", "Date", "Begins", "Share", "Fee", "Points", "Sum", "Long"]])?;
        sheet.write_string(1, 0, "Logic")?;
        let date = Format::new().set_num_format("dd.mm.yyyy");
        sheet.write_datetime_with_format(1, 1, ExcelDateTime::from_ymd(2026, 1, 7)?, &date)?;
        let time = Format::new().set_num_format("hh:mm");
        sheet.write_datetime_with_format(1, 2, ExcelDateTime::from_hms(10, 30, 0)?, &time)?;
        sheet.write_number_with_format(1, 3, 0.38, &Format::new().set_num_format("0%"))?;
        let fee = Format::new().set_num_format("#,##0.00 \"€\"");
        sheet.write_number_with_format(1, 4, 1120.5, &fee)?;
        sheet.write_number(1, 5, 0.1 + 0.2)?;
        sheet.write_formula(1, 6, Formula::new("=2*3").set_result("6"))?;
        let length = Format::new().set_num_format("[hh]:mm");
        sheet.write_number_with_format(1, 7, 1.5, &length)?;
        Ok(())
    });
    let document = &reading(&bytes).documents[0];
    assert_eq!(document.title, "Exam plan");
    assert_eq!(
        document.text,
        "Course: Logic; Date: 2026-01-07; Begins: 10:30; Share: 38%; Fee: 1,120.50 €; Points: 0.3; \
         Sum: 6; Long: 36:00"
    );
}

#[test]
fn each_sheet_is_a_section_and_hidden_ones_are_reported() {
    let bytes = workbook(|workbook| {
        let winter = workbook.add_worksheet().set_name("Winter term")?;
        strings(winter, &[&["Examinations"], &[""], &["Course", "ECTS"], &["Logic", "6"]])?;
        workbook.add_worksheet().set_name("Empty")?;
        let summer = workbook.add_worksheet().set_name("Summer term")?;
        strings(summer, &[&["Course", "ECTS"], &["Algebra", "9"]])?;
        let secret = workbook.add_worksheet().set_name("Salaries")?;
        secret.write_string(0, 0, "secret")?.set_hidden(true);
        Ok(())
    });
    let reading = reading(&bytes);
    let document = &reading.documents[0];
    assert_eq!(
        document.text,
        "Winter term\n\nExaminations\n\nCourse: Logic; ECTS: 6\n\nSummer term\n\nCourse: Algebra; ECTS: 9"
    );
    assert_eq!(document.sections[1].path, ["Summer term"]);
    let message = reading.findings[0].to_string();
    assert!(message.contains("left out the hidden sheets `Salaries`"), "{message}");
}

#[test]
fn merged_cells_titles_links_and_errors() {
    let bytes = sheet(|sheet| {
        let bold = Format::new().set_bold();
        sheet.merge_range(0, 0, 0, 2, "Study plan 2026", &bold)?;
        sheet.merge_range(1, 0, 2, 0, "Course", &bold)?;
        sheet.merge_range(1, 1, 1, 2, "ECTS", &bold)?;
        sheet.write_string_with_format(2, 1, "Winter", &bold)?;
        sheet.write_string_with_format(2, 2, "Summer", &bold)?;
        sheet.write_url(3, 0, Url::new("https://x.edu/logic").set_text("Logic"))?;
        sheet.write_number(3, 1, 6)?;
        sheet.write_string(4, 0, "Algebra")?;
        sheet.write_formula(4, 2, Formula::new("=1/0").set_result("#DIV/0!"))?;
        Ok(())
    });
    let reading = reading(&bytes);
    let document = &reading.documents[0];
    assert_eq!(document.text, "Study plan 2026\n\nCourse: Logic; ECTS Winter: 6\nCourse: Algebra");
    assert_eq!(document.tables[0].caption, "Study plan 2026");
    let link = &document.links[0];
    assert_eq!(link.span.slice(&document.text), Some("Logic"));
    assert_eq!(link.target, "https://x.edu/logic");
    let message = reading.findings[0].to_string();
    assert!(message.contains("1 cells that show an error"), "{message}");
}

#[test]
fn a_sheet_as_large_as_a_sheet_can_be_costs_nothing() {
    let bytes = sheet(|sheet| {
        strings(sheet, &[&["Course", "ECTS"], &["Logic", "6"]])?;
        sheet.write_string(1_048_575, 16_383, "far away")?;
        Ok(())
    });
    assert_eq!(reading(&bytes).documents[0].text, "Course: Logic; ECTS: 6\n\nfar away");
}

#[test]
fn rows_are_records_under_a_rule() {
    let bytes = workbook(|workbook| {
        let staff = workbook.add_worksheet().set_name("Staff")?;
        strings(staff, &[&["Name", "Room"], &["Anna", "W 1"], &["Tom", ""]])?;
        workbook.add_worksheet().set_name("Notes")?.write_string(0, 0, "x")?;
        Ok(())
    });
    let rule = |rows: &str| -> RecordRule {
        toml::from_str(&format!(
            "match = \"*.xlsx\"\nrows = \"{rows}\"\nid = \"Name\"\ntitle = \"{{Name}}\"\nfacts = {{ Room = \"Room\" }}"
        ))
        .unwrap()
    };
    let options = |rows| IngestOptions { records: vec![rule(rows)], ..IngestOptions::default() };
    let found = read_bytes("a.xlsx", &bytes, &options("/Staff")).unwrap();
    let texts: Vec<_> = found.documents.iter().map(|found| found.text.as_str()).collect();
    assert_eq!(texts, ["Anna\n\nRoom: W 1", "Tom"]);
    let error = read_bytes("a.xlsx", &bytes, &options("/Stuff")).unwrap_err().to_string();
    assert!(error.contains("the sheets are `/Staff`, `/Notes`"), "{error}");
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn what_is_unpacked_has_a_limit() {
    let bytes = sheet(|sheet| strings(sheet, &[&["Course", "ECTS"], &["Logic", "6"]]));
    let options = IngestOptions { max_inflated_bytes: 1_000, ..IngestOptions::default() };
    let message = read_bytes("a.xlsx", &bytes, &options).unwrap_err().to_string();
    assert!(
        message.contains("more than 0.1 MB") && message.contains("max_inflated_mb"),
        "{message}"
    );
}

#[test]
fn hostile_files_end_in_named_errors() {
    let sound = sheet(|sheet| strings(sheet, &[&["Course", "ECTS"], &["Logic", "6"]]));
    let half = refusal(&sound[..sound.len() / 2]);
    assert!(half.contains("`a.xlsx` is no sound Excel file"), "{half}");
    for bytes in [&b""[..], b"PK\x03\x04", b"Course,ECTS", &archive(&[("a.txt", b"x")])] {
        let message = refusal(bytes);
        assert!(message.contains("`a.xlsx` is no sound Excel file"), "{message}");
    }
    let mut encrypted = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    encrypted.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    assert!(refusal(&encrypted).contains("`a.xlsx` is encrypted"));
    assert!(refusal(&encrypted[..8]).contains("Excel 97"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

    /// A sound workbook with some bytes changed.
    #[test]
    fn damage_never_panics(
        changes in proptest::collection::vec((0.0_f64..1.0, proptest::prelude::any::<u8>()), 1..8),
    ) {
        let mut bytes = sheet(|sheet| strings(sheet, &[&["Course", "ECTS"], &["Logic", "6"]]));
        for (place, byte) in changes {
            let place = (place * bytes.len() as f64) as usize;
            bytes[place] = byte;
        }
        match read_bytes("a.xlsx", &bytes, &Default::default()) {
            Ok(_) => {}
            Err(error) => {
                proptest::prop_assert!(!error.to_string().contains("please report"), "{error}");
            }
        }
    }
}

/// A workbook of `tests/scripts/make_xls.py`.
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
    for bytes in [b"".as_slice(), b"Course ECTS", &PLAN[..8], &PLAN[..600]] {
        let message = refusal(bytes);
        assert!(message.starts_with("`a.xls` is no sound Excel file"), "{message}");
    }
    let page = b"<html><table><tr><th>Course<th>ECTS<tr><td>Logic<td>6</table>";
    let reading = read_bytes("a.xls", page, &IngestOptions::default()).unwrap();
    assert_eq!(reading.documents[0].text, "Course: Logic; ECTS: 6");
    assert!(reading.findings[0].to_string().contains("an HTML page despite its name"));
    let values = b"Course\tECTS\nLogic\t6";
    let reading = read_bytes("a.xls", values, &IngestOptions::default()).unwrap();
    assert_eq!(reading.documents[0].text, "Course: Logic; ECTS: 6");
}

fn archive_of_spaces(noughts: usize) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("xl/workbook.xml", SimpleFileOptions::default()).unwrap();
    writer.write_all(&vec![b' '; noughts]).unwrap();
    writer.finish().unwrap().into_inner()
}

#[test]
fn what_is_unpacked_is_counted() {
    let bytes = archive_of_spaces(100_000);
    assert!(bytes.len() < 1_000);
    assert!(check(&bytes, 100_000).is_ok());
    let error = check(&bytes, 99_999).unwrap_err();
    assert!(matches!(error, Trouble::Inflated { limit_bytes: 99_999, .. }), "{error}");
    assert!(
        error
            .of("a.xlsx")
            .to_string()
            .contains("`a.xlsx` holds more than 0.1 MB when it is unpacked")
    );
}

#[test]
fn a_size_that_is_not_true_is_not_believed() {
    let mut bytes = archive_of_spaces(100_000);
    let size = 100_000_u32.to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..at + 4] == size).collect();
    assert_eq!(places.len(), 2, "in front of the file and in the directory");
    for at in places {
        bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    }
    let error = check(&bytes, 50_000).unwrap_err();
    let is_named = matches!(error, Trouble::Inflated { .. } | Trouble::Malformed { .. });
    assert!(is_named, "{error}");
}

/// A picture of so many pixels on each side; its pixels are nobody's business.
fn picture(pixels: u32, words: &str) -> Image {
    let size = pixels.to_be_bytes();
    let head: [&[u8]; 3] = [b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR", &size, &size];
    let end: [&[u8]; 2] = [&[8, 2, 0, 0, 0, 0, 0, 0, 0], b"\0\0\0\0IEND\xAE\x42\x60\x82"];
    let image = Image::new_from_buffer(&[head.concat(), end.concat()].concat()).unwrap();
    image.set_alt_text(words)
}

#[test]
fn pictures_and_boxes_of_text_say_what_they_say() {
    let bytes = sheet(|sheet| {
        strings(
            sheet,
            &[
                &["Fees of the harbour"],
                &[],
                &["Room", "Projector", "Seats"],
                &["H 1", "", "24"],
                &["H 2", "", "30"],
            ],
        )?;
        sheet.insert_image(0, 4, &picture(16, "University of the coast"))?;
        sheet.insert_image(3, 1, &picture(16, "yes"))?;
        sheet.insert_image(4, 1, &picture(16, "no"))?;
        sheet.insert_image(4, 2, &picture(16, "Picture 3"))?;
        // Too large for a cell.
        let plan = "The plan shows the way from the gate to the hall.";
        sheet.insert_image(6, 1, &picture(400, plan))?;
        sheet.insert_shape(30, 0, &Shape::textbox().set_text("Ask the porter\nfor the key."))?;
        Ok(())
    });
    assert_eq!(
        reading(&bytes).documents[0].text,
        "Fees of the harbour\n\nRoom: H 1; Projector: yes; Seats: 24\nRoom: H 2; Projector: no; Seats: 30\n\n\
         The plan shows the way from the gate to the hall.\n\nAsk the porter for the key."
    );
}
