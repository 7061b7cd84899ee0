//! Pages that are pictures, read by a script in the place of `tesseract`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use campanile_ingest::{IngestError, IngestOptions, Ocr, Reading, read_bytes};
use tempfile::TempDir;

use crate::support::{Page, Pdf};
use crate::{PICTURE, SPREAD};

fn read_with(script: &str) -> Result<Reading, IngestError> {
    let folder = TempDir::new().unwrap();
    let command = folder.path().join("tesseract");
    fs::write(&command, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&command, fs::Permissions::from_mode(0o755)).unwrap();
    read_by(&command.to_string_lossy())
}

fn read_by(command: &str) -> Result<Reading, IngestError> {
    let text = Page::new().text(10.0, 60.0, 10.0, "A page with text.");
    let pdf = Pdf::new([text, Page::new().raw(SPREAD)]).object(PICTURE).small();
    let ocr = Ocr { command: command.to_owned(), languages: "deu+eng".to_owned() };
    let options = IngestOptions { ocr: Some(ocr), ..IngestOptions::default() };
    read_bytes("a/scan.pdf", &pdf.bytes(), &options)
}

#[test]
fn pictures_are_read_where_there_is_no_text() {
    // Says what it was given, in the form of the real program.
    let script = r#"
first=$(head -c 4 | tail -c 3)
cat >/dev/null
printf '4\t1\t1\t1\t1\t0\t200\t300\t900\t50\t-1\t\n'
printf '5\t1\t1\t1\t1\t1\t200\t300\t300\t50\t95\t%s\n' "$first"
printf '5\t1\t1\t1\t1\t2\t540\t300\t360\t50\t95\t%s\n' "$*"
"#;
    let reading = read_with(script).unwrap();
    let document = &reading.documents[0];
    assert_eq!(document.text, "A page with text.\n\nPNG - - -l deu+eng tsv");
    assert_eq!(document.page_at(20).map(|page| page.number), Some(2));
    let message = reading.findings[0].to_string();
    assert!(message.contains("`a/scan.pdf`: 1 page read from pictures"), "{message}");
}

#[test]
fn a_word_that_could_not_be_made_out_is_named() {
    let script = r#"
cat >/dev/null
printf '4\t1\t1\t1\t1\t0\t200\t300\t900\t50\t-1\t\n'
printf '5\t1\t1\t1\t1\t1\t200\t300\t300\t50\t95\tLarkmere\n'
printf '5\t1\t1\t1\t1\t2\t540\t300\t360\t50\t9\tGanNet\n'
printf '5\t1\t1\t1\t1\t3\t920\t300\t10\t50\t9\t|\n'
"#;
    let reading = read_with(script).unwrap();
    assert_eq!(reading.documents[0].text, "A page with text.\n\nLarkmere");
    let said: Vec<String> = reading.findings.iter().map(ToString::to_string).collect();
    let expected = "1 word in its pictures could not be made out, such as `GanNet`";
    assert!(said.iter().any(|message| message.contains(expected)), "{said:?}");
}

#[test]
fn what_goes_wrong_is_named() {
    let missing = read_by("/no/such/tesseract").unwrap_err().to_string();
    assert!(missing.contains("`/no/such/tesseract`, which is to read them, is not"), "{missing}");
    assert!(missing.contains("apt install tesseract-ocr"), "{missing}");
    let failed = read_with("cat >/dev/null; echo 'Failed loading language deu' >&2; exit 1");
    let failed = failed.unwrap_err().to_string();
    assert!(failed.starts_with("page 2 of `a/scan.pdf` is a picture that `"), "{failed}");
    assert!(failed.contains("(Failed loading language deu): check that its languages"), "{failed}");
}

#[test]
fn a_picture_without_words_is_still_reported() {
    let reading = read_with("cat >/dev/null").unwrap();
    let message = reading.findings[0].to_string();
    assert!(message.contains("1 page without text, page 2 first"), "{message}");
}
