//! OpenDocument spreadsheets.

use campanile_ingest::{IngestOptions, RecordRule, read_bytes};

use crate::hostile::error;
use crate::odf::odf;
use crate::support::{read, shown};

fn cell(attributes: &str, text: &str) -> String {
    format!("<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>")
}

fn row(cells: &[&str]) -> String {
    let cells: String = cells.iter().map(|text| cell("", text)).collect();
    format!("<table:table-row>{cells}</table:table-row>")
}

fn sheet(name: &str, rows: &str) -> String {
    format!("<table:table table:name=\"{name}\">{rows}</table:table>")
}

const EMPTY_ROWS: &str = "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell \
    table:number-columns-repeated=\"16384\"/></table:table-row>";

#[test]
fn cells_say_what_they_show() {
    let head = row(&["Course", "Share", "Begins", "Web"]);
    let rows = format!(
        "{}{EMPTY_ROWS}<table:table-header-rows>{head}</table:table-header-rows><table:table-row>{}{}\
         <table:table-cell office:value-type=\"date\" office:date-value=\"2026-01-07\"/>{}</table:table-row>",
        row(&["Plan of 2026"]),
        cell(
            "",
            "Logic<text:s/>I<office:annotation><text:p>Whisper</text:p></office:annotation></text:p><text:p>and II"
        ),
        cell("office:value-type=\"percentage\" office:value=\"0.38\"", "38 %"),
        cell("", "<text:a xlink:href=\"https://x.edu/logic\">page</text:a>"),
    );
    let winter = sheet("Winter", &rows);
    let hidden = sheet("Salaries", &row(&["secret"]))
        .replace("<table:table ", "<table:table table:style-name=\"ta2\" ");
    let summer = sheet("Summer", &[row(&["Course", "ECTS"]), row(&["Algebra", "9"])].concat());
    let file = odf("spreadsheet", &format!("{winter}{hidden}{summer}"));
    let reading = read("a/plan.ods", &file);
    assert_eq!(
        shown(&reading),
        "# Winter\n\
         Plan of 2026\n\
         | Course: Logic I and II; Share: 38 %; Begins: 2026-01-07; Web: page\n\
         # Summer\n\
         | Course: Algebra; ECTS: 9\n\
         [page](https://x.edu/logic)\n\
         ! left out the hidden sheets `Salaries`. Show them if they should be found"
    );
}

#[test]
fn pictures_and_boxes_over_cells_say_what_they_say() {
    let picture = |size: &str, words: &str| {
        format!(
            "<draw:frame svg:width=\"{size}\" svg:height=\"{size}\"><draw:image/><svg:desc>{words}</svg:desc></draw:frame>"
        )
    };
    let beside = |name: &str, inside: &str, seats: &str| {
        let rest = format!("<table:table-cell>{inside}</table:table-cell>{}", cell("", seats));
        format!("<table:table-row>{}{rest}</table:table-row>", cell("", name))
    };
    let plan = "The plan shows the way from the gate to the hall.";
    let rows = [
        row(&["Room", "Projector", "Seats"]),
        beside("H 1", &picture("0.4cm", "yes"), "24"),
        beside("H 2", &(picture("0.4cm", "no") + &picture("9cm", plan)), "30"),
        beside("H 3", &picture("0.4cm", "yes"), "12")
            .replace("<table:table-row", "<table:table-row table:visibility=\"collapse\""),
    ];
    let shapes = "<table:shapes><draw:custom-shape><text:p>Ask the porter.</text:p></draw:custom-shape></table:shapes>";
    let file = odf("spreadsheet", &sheet("Rooms", &(shapes.to_owned() + &rows.concat())));
    assert_eq!(
        shown(&read("rooms.ods", &file)),
        format!(
            "| Room: H 1; Projector: yes; Seats: 24\n| Room: H 2; Projector: no; Seats: 30\n{plan}\nAsk the porter.\n\
             ! left out 1 hidden rows. Show them if they should be found"
        )
    );
}

#[test]
fn formulas_without_a_value_are_named() {
    let formula = |rest: &str| format!("<table:table-cell table:formula=\"of:=1+1\" {rest}");
    let cells = [
        cell("", "Card"),
        formula("/>"),
        formula("office:value-type=\"float\" office:value=\"3\"/>"),
        formula(
            "office:value-type=\"string\" office:string-value=\"\"><text:p/></table:table-cell>",
        ),
    ];
    let rows = format!(
        "{}<table:table-row>{}</table:table-row>",
        row(&["Kind", "Fee", "Total", "Remark"]),
        cells.concat()
    );
    assert_eq!(
        shown(&read("a/fees.ods", &odf("spreadsheet", &sheet("Fees", &rows)))),
        "| Kind: Card; Fee: not calculated; Total: 3\n\
         ! left out the values of 1 cells whose formula was never calculated. Open the workbook in a spreadsheet program and save it"
    );
}

#[test]
fn cells_over_several_columns_and_rows_that_are_hidden() {
    let spanned = cell("table:style-name=\"ce1\" table:number-columns-spanned=\"2\"", "ECTS");
    let rows = format!(
        "<table:table-row>{}{spanned}<table:covered-table-cell/></table:table-row>{}{}\
         <table:table-row table:visibility=\"collapse\">{}</table:table-row>",
        cell("table:style-name=\"ce1\" table:number-rows-spanned=\"2\"", "Course"),
        "<table:table-row><table:covered-table-cell/>".to_owned()
            + &cell("table:style-name=\"ce1\"", "Winter")
            + &cell("table:style-name=\"ce1\"", "Summer")
            + "</table:table-row>",
        row(&["Logic", "6", "3"]),
        cell("", "Secret"),
    );
    let reading = read("a.ods", &odf("spreadsheet", &sheet("Plan", &rows)));
    let text = &reading.documents[0].text;
    assert!(text.contains("Logic") && text.contains("ECTS Winter: 6; ECTS Summer: 3"), "{text}");
    assert!(!text.contains("Secret"));
    assert!(reading.findings[0].to_string().contains("1 hidden rows"), "{:?}", reading.findings);
}

#[test]
fn rows_are_records_under_a_rule() {
    let rooms = sheet("Rooms", &[row(&["Name", "Room"]), row(&["Anna", "W 1"])].concat());
    let rule: RecordRule =
        toml::from_str("match = \"*.ods\"\ntitle = \"{Name}\"\nfacts = { Room = \"Room\" }")
            .unwrap();
    let options = IngestOptions { records: vec![rule], ..IngestOptions::default() };
    let reading = read_bytes("a.ods", &odf("spreadsheet", &rooms), &options).unwrap();
    assert_eq!(reading.documents[0].text, "Anna\n\nRoom: W 1");
}

#[test]
fn sheets_do_not_grow_large_and_others_are_named() {
    let long = cell("table:number-columns-repeated=\"16384\"", "abcdefgh");
    let rows =
        format!("<table:table-row table:number-rows-repeated=\"1048576\">{long}</table:table-row>");
    let sheets: String = (0..20).map(|number| sheet(&format!("S{number}"), &rows)).collect();
    let reading = read("a.ods", &odf("spreadsheet", &sheets));
    assert!(reading.documents[0].text.len() < 5_000_000);
    let text = read("a.ods", &odf("text", "<text:p>Text.</text:p>"));
    assert!(text.findings[0].to_string().contains("an OpenDocument text (ODT) despite"));
    assert!(error("a.ods", b"no zip").to_string().contains("plain text"));
    let sheet = odf("spreadsheet", &sheet("Plan", &row(&["Words", "More"])));
    let reading = read("a.odt", &sheet);
    assert!(reading.findings[0].to_string().contains("an OpenDocument spreadsheet (ODS) despite"));
}
