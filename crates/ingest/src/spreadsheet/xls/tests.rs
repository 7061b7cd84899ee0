//! Workbooks of records that the tests write themselves.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::records::Records;
use crate::{IngestOptions, Reading, read_bytes};

/// One record: its number, its length, its bytes.
fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&kind.to_le_bytes()[..], &length.to_le_bytes()[..], data].concat()
}

fn words(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn begin(of_what: u16) -> Vec<u8> {
    record(0x0809, &words(&[0x0600, of_what, 0, 0, 0, 0, 0, 0]))
}

fn font(options: u16, weight: u16) -> Vec<u8> {
    record(0x31, &[words(&[200, options, 0x7FFF, weight, 0, 0, 0]), vec![1, 0, b'A']].concat())
}

fn format(number: u16, code: &str) -> Vec<u8> {
    let units: Vec<u16> = code.encode_utf16().collect();
    let length = u16::try_from(units.len()).unwrap();
    record(0x041E, &[words(&[number, length]), vec![1], words(&units)].concat())
}

fn style(font: u16, format: u16) -> Vec<u8> {
    record(0xE0, &[words(&[font, format]), vec![0; 16]].concat())
}

fn text(row: u16, column: u16, style: u16, text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    let text = [words(&[row, column, style, length]), vec![0], text.as_bytes().to_vec()];
    record(0x0204, &text.concat())
}

fn number(row: u16, column: u16, style: u16, value: f64) -> Vec<u8> {
    record(0x0203, &[words(&[row, column, style]), value.to_le_bytes().to_vec()].concat())
}

fn formula(row: u16, column: u16, value: [u8; 8], options: u16) -> Vec<u8> {
    // The formula itself is the number 1.
    let end = [words(&[options, 0, 0, 3]), vec![0x1E, 1, 0]].concat();
    record(6, &[words(&[row, column, 0]), value.to_vec(), end].concat())
}

const BLANK: [u8; 8] = [3, 0, 0, 0, 0, 0, 0xFF, 0xFF];

/// The stream of a workbook of one sheet, without what its last record would say.
fn stream(globals: &[Vec<u8>], cells: &[Vec<u8>]) -> Vec<u8> {
    let globals = globals.concat();
    let name = [vec![0, 0, 1, 0], b"S".to_vec()].concat();
    let end = record(0x0A, &[]);
    let start = begin(5).len() + globals.len() + (4 + 4 + name.len()) + end.len();
    let start = u32::try_from(start).unwrap().to_le_bytes().to_vec();
    let sheet = record(0x85, &[start, name].concat());
    [begin(5), globals, sheet, end.clone(), begin(0x10), cells.concat(), end].concat()
}

/// The stream in a Compound File of its own: the table of sectors, the directory and the stream itself.
fn workbook(globals: &[Vec<u8>], cells: &[Vec<u8>]) -> Vec<u8> {
    const END: u32 = u32::MAX - 1;
    const SECTOR: usize = 512;
    let mut records = stream(globals, cells);
    // As all programs write it: a short stream would lie elsewhere in the file.
    records.resize(records.len().max(4_096).next_multiple_of(SECTOR), 0);
    let mut header = vec![0; SECTOR];
    let mut put = |place: usize, bytes: &[u8]| {
        header[place..place + bytes.len()].copy_from_slice(bytes);
    };
    put(0, crate::kind::COMPOUND_FILE);
    put(26, &[3, 0, 0xFE, 0xFF, 9, 0, 6, 0]);
    put(44, &1_u32.to_le_bytes());
    put(48, &1_u32.to_le_bytes());
    put(56, &4_096_u32.to_le_bytes());
    put(60, &END.to_le_bytes());
    put(68, &END.to_le_bytes());
    put(76, &[0xFF; 512 - 76]);
    put(76, &[0; 4]);
    let last = 1 + u32::try_from(records.len() / SECTOR).unwrap();
    let next = |sector: u32| if sector < 2 || sector == last { END } else { sector + 1 };
    let mut table: Vec<u8> = (0..=last).flat_map(|sector| next(sector).to_le_bytes()).collect();
    table.resize(SECTOR, 0xFF);
    let entry = |name: &str, kind: u8, start: u32, size: usize| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let name_bytes = u8::try_from(entry.len()).unwrap() + 2;
        entry.resize(128, 0);
        entry[64] = name_bytes;
        entry[66] = kind;
        entry[68..80].fill(0xFF);
        entry[116..120].copy_from_slice(&start.to_le_bytes());
        entry[120..124].copy_from_slice(&u32::try_from(size).unwrap().to_le_bytes());
        entry
    };
    let root = entry("Root Entry", 5, END, 0);
    let mut directory = [root, entry("Workbook", 2, 2, records.len())].concat();
    directory.resize(SECTOR, 0);
    [header, table, directory, records].concat()
}

fn reading(globals: &[Vec<u8>], cells: &[Vec<u8>]) -> Reading {
    let bytes = workbook(globals, cells);
    read_bytes("fees.xls", &bytes, &IngestOptions::default()).unwrap()
}

fn findings(reading: &Reading) -> String {
    reading.findings.iter().map(|finding| format!("{finding}\n")).collect()
}

fn heads(names: &[&str]) -> Vec<u8> {
    let columns = (0..).zip(names);
    columns.flat_map(|(column, name)| text(0, column, 0, name)).collect()
}

#[test]
fn numbers_are_shown_under_their_formats() {
    let globals = [
        format(164, "000000"),
        format(165, "#,##0.00 \"€\";-0;\"free\""),
        format(166, "d. mmm"),
        style(0, 0),
        style(0, 164),
        style(0, 165),
        style(0, 9),
        style(0, 166),
    ];
    // Two numbers in four bytes each: whole ones, and hundredths.
    let rk = |value: u32, is_hundredth: bool| value << 2 | 2 | u32::from(is_hundredth);
    let several = [
        words(&[2, 1]),
        words(&[1]),
        rk(73, false).to_le_bytes().to_vec(),
        words(&[2]),
        rk(8_450, true).to_le_bytes().to_vec(),
        words(&[2]),
    ];
    let cells = [
        heads(&["Module", "Number", "Fee", "Share", "Until"]),
        text(1, 0, 0, "Harbour Law"),
        number(1, 1, 1, 4_711.0),
        number(1, 2, 2, 0.0),
        number(1, 3, 3, 0.38),
        number(1, 4, 4, 46_217.0),
        text(2, 0, 0, "Tidal Lab"),
        record(0xBD, &several.concat()),
    ];
    assert_eq!(
        reading(&globals, &cells).documents[0].text,
        "Module: Harbour Law; Number: 004711; Fee: free; Share: 38%; Until: 14. Jul\n\
         Module: Tidal Lab; Number: 000073; Fee: 84.50 €"
    );
}

#[test]
fn what_is_hidden_or_struck_is_left_out_and_counted() {
    let globals = [
        font(0, 400),
        font(0, 400),
        font(0, 400),
        font(0, 400),
        // The fifth font has the number 5.
        font(0x08, 400),
        style(0, 0),
        style(5, 0),
    ];
    let columns = record(0x7D, &words(&[2, 3, 0x0900, 0, 1, 0]));
    let row = |number: u16, options: u16| {
        record(0x0208, &words(&[number, 0, 4, 0x00FF, 0, 0, options, 0x0F]))
    };
    let cells = [
        columns,
        row(1, 0x0100),
        row(3, 0x0120),
        heads(&["Service", "Fee", "Remark"]),
        text(1, 0, 0, "Locker"),
        text(1, 1, 0, "EUR 15"),
        text(1, 2, 0, "Brandt knows"),
        text(2, 0, 1, "Night access"),
        text(2, 1, 1, "EUR 20"),
        text(3, 0, 0, "Old tank"),
        text(3, 1, 0, "EUR 99"),
        text(4, 0, 0, "Dive suit"),
        text(4, 1, 0, "EUR 7"),
    ];
    let reading = reading(&globals, &cells);
    assert_eq!(
        reading.documents[0].text,
        "Service: Locker; Fee: EUR 15\nService: Dive suit; Fee: EUR 7"
    );
    let findings = findings(&reading);
    for said in ["1 hidden rows", "1 hidden columns", "(2 pieces, such as \"Night access\")"] {
        assert!(findings.contains(said), "{said}: {findings}");
    }
}

#[test]
fn a_bold_row_is_the_head() {
    let globals = [font(0, 400), font(0, 700), style(0, 0), style(1, 0)];
    let cells = [
        text(0, 0, 1, "Room"),
        text(0, 1, 1, "Key"),
        text(1, 0, 0, "Attic"),
        text(1, 1, 0, "Brass"),
        text(2, 0, 0, "Cellar"),
        text(2, 1, 0, "Steel"),
    ];
    let expected = "Room: Attic; Key: Brass\nRoom: Cellar; Key: Steel";
    assert_eq!(reading(&globals, &cells).documents[0].text, expected);
}

#[test]
fn formulas_without_values_are_named() {
    let six = 6_f64.to_le_bytes();
    // What the two formulas hold, with their options, and how many were never calculated.
    let cases = [
        ([BLANK, BLANK], 0, 2),
        ([BLANK, six], 0, 0),
        ([BLANK, six], 2, 1),
        ([[0; 8], six], 2, 1),
        ([[0; 8], six], 0, 0),
        ([six, six], 2, 0),
    ];
    for (values, options, uncalculated) in cases {
        let cells = [
            heads(&["Status", "Total", "Rest"]),
            text(1, 0, 0, "Guest"),
            formula(1, 1, values[0], options),
            formula(1, 2, values[1], options),
        ];
        let reading = reading(&[style(0, 0)], &cells);
        let text = &reading.documents[0].text;
        let findings = findings(&reading);
        assert_eq!(text.matches("not calculated").count(), uncalculated, "{values:?}: {text}");
        let is_said = findings.contains(&format!("{uncalculated} cells whose formula"));
        assert_eq!(is_said, uncalculated > 0, "{values:?}: {findings}");
    }
}

/// A text of the table of texts, with the places from which on its fonts hold.
fn shared(text: &str, fonts: &[(u16, u16)]) -> Vec<u8> {
    let count = |length: usize| u16::try_from(length).unwrap();
    let fonts_of: Vec<u16> = fonts.iter().flat_map(|(from, font)| [*from, *font]).collect();
    let options = if fonts.is_empty() { 0 } else { 0x08 };
    let head = [words(&[count(text.len())]), vec![options]].concat();
    let fonts = if fonts.is_empty() { Vec::new() } else { words(&[count(fonts.len())]) };
    [head, fonts, text.as_bytes().to_vec(), words(&fonts_of)].concat()
}

#[test]
fn struck_words_within_a_text_are_left_out() {
    let texts = [shared("Fee", &[]), shared("EUR 40 EUR 55", &[(0, 1), (7, 0)])].concat();
    let cell = |row: u16, number: u16| record(0xFD, &words(&[row, 0, 0, number, 0]));
    // The table of texts may be cut anywhere, also in the middle of a text.
    let whole = [vec![2, 0, 0, 0, 2, 0, 0, 0], texts].concat();
    let in_letters = whole.len() - 8 - 4;
    let (first, second) = whole.split_at(in_letters);
    let cut = [record(0xFC, first), record(0x3C, &[&[0], second].concat())].concat();
    for table in [record(0xFC, &whole), cut] {
        let globals = [font(0, 400), font(0x08, 400), style(0, 0), table];
        let reading = reading(&globals, &[cell(0, 0), cell(1, 1)]);
        assert_eq!(reading.documents[0].text, "Fee\n\nEUR 55");
        assert!(findings(&reading).contains("such as \"EUR 40\""));
    }
}

#[test]
fn charts_within_a_sheet_do_not_end_it() {
    let chart = [begin(0x20), number(1, 1, 0, 9.0), record(0x0A, &[])].concat();
    let globals = [format(164, "000"), style(0, 0), style(0, 164)];
    let cells = [heads(&["Room", "Code"]), chart, text(1, 0, 0, "Attic"), number(1, 1, 1, 7.0)];
    assert_eq!(reading(&globals, &cells).documents[0].text, "Room: Attic; Code: 007");
}

#[test]
fn sheets_that_overlap_are_read_once() {
    // Each names the place of a sheet a little further on, and none ends.
    let mut bytes = begin(5);
    for place in 0..2_000_u32 {
        let name = [place.to_le_bytes().to_vec(), vec![0, 0, 1, 0, b'S']].concat();
        bytes.extend(record(0x85, &name));
    }
    bytes.extend(record(0x0A, &[]));
    let started = std::time::Instant::now();
    assert_eq!(Records::of(&bytes).sheets.len(), 2_000);
    assert!(started.elapsed().as_secs() < 5);
}

proptest! {
    #[test]
    fn no_stream_breaks_off(mut noise in proptest::collection::vec(any::<u8>(), 0..40), at in 0_usize..400) {
        let globals = [font(8, 700), format(164, "000"), style(0, 164)];
        let table = record(0xFC, &[vec![1, 0, 0, 0, 1, 0, 0, 0], shared("ab", &[(0, 0)])].concat());
        let cells = [text(0, 0, 0, "a"), number(0, 1, 0, 1.0), formula(1, 0, BLANK, 2)];
        let mut bytes = stream(&[globals.concat(), table], &cells);
        let at = at.min(bytes.len());
        let end = (at + noise.len()).min(bytes.len());
        noise.truncate(end - at);
        bytes[at..end].copy_from_slice(&noise);
        let records = Records::of(&bytes);
        records.look(0, (0, 1));
    }
}
