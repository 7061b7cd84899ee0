//! PDF files made for one question each.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod formulas;
mod heads;
mod hostile;
mod marks;
#[cfg(unix)]
mod ocr;
mod order;
mod structure;
mod support;

use campanile_corpus::{BlockKind, Document};
use campanile_ingest::{Finding, IngestOptions, read_bytes};
use support::{Page, Pdf};

const BODY: [&str; 4] = [
    "Students register for each examination in the portal, and pay the fee in time",
    "before the lectures of the term begin, unless the board has decided otherwise",
    "for all students of the faculty. Whoever misses the date may ask the board for",
    "another one in writing.",
];

fn read(pdf: &Pdf) -> (Document, Vec<Finding>) {
    let reading = read_bytes("a/rules.pdf", &pdf.bytes(), &IngestOptions::default()).unwrap();
    let mut documents = reading.documents;
    assert_eq!(documents.len(), 1);
    (documents.remove(0), reading.findings)
}

/// Every block: its page, its heading's path, what it is and what it says.
fn blocks(document: &Document) -> Vec<String> {
    let mut shown = Vec::new();
    for section in &document.sections {
        for block in &section.blocks {
            let page = document.page_at(block.span.start).map_or(0, |page| page.number);
            let kind = match block.kind {
                BlockKind::Paragraph => "",
                BlockKind::ListItem => "* ",
                BlockKind::TableRow => "| ",
                _ => "? ",
            };
            let text = block.span.slice(&document.text).unwrap();
            shown.push(format!("{page} {} {kind}{text}", section.path.join(">")));
        }
    }
    shown
}

#[test]
fn a_page_of_headings_and_paragraphs() {
    let page = Page::new()
        .bold(50.0, 60.0, 20.0, "Examination rules")
        .bold(50.0, 100.0, 13.0, "1 Dates")
        .lines(50.0, 120.0, 10.0, &BODY)
        .bold(50.0, 190.0, 13.0, "1.1 January")
        .text(50.0, 210.0, 10.0, "• bring your card")
        .text(50.0, 222.0, 10.0, "• bring a pen")
        .bold(50.0, 250.0, 13.0, "2 Fees")
        .text(50.0, 270.0, 10.0, "None.");
    let (document, findings) = read(&Pdf::new([page]));
    assert_eq!(document.title, "Examination rules");
    let expected = [
        format!("1 Examination rules>1 Dates {}", BODY.join(" ")),
        "1 Examination rules>1 Dates>1.1 January * bring your card".to_owned(),
        "1 Examination rules>1 Dates>1.1 January * bring a pen".to_owned(),
        "1 Examination rules>2 Fees None.".to_owned(),
    ];
    assert_eq!(blocks(&document), expected);
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn columns_do_not_mix_and_hyphens_are_mended() {
    let left = [
        "The left column is read to its end be-",
        "fore the right one, whatever stands at",
        "the same height. It speaks of Bachelor-",
        "and Master programmes, and of the Otto-",
        "Friedrich University in 2010-",
        "2012, as well as of regulations that",
    ];
    let right = [
        "go on in the right column without any",
        "break in between. Here is a second sen-",
        "tence, so that this column has as many",
        "lines as the other one has, and ends.",
    ];
    let page = Page::new()
        .bold(50.0, 60.0, 18.0, "A heading that reaches over both of the columns")
        .lines(50.0, 100.0, 10.0, &left)
        .lines(320.0, 100.0, 10.0, &right);
    let (document, _) = read(&Pdf::new([page]));
    let expected = "The left column is read to its end before the right one, whatever stands at \
         the same height. It speaks of Bachelor- and Master programmes, and of the Otto-Friedrich \
         University in 2010-2012, as well as of regulations that go on in the right column without \
         any break in between. Here is a second sentence, so that this column has as many lines as \
         the other one has, and ends.";
    let found = blocks(&document);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with(expected), "{found:?}");
}

#[test]
fn headers_footers_and_page_numbers_go_and_pages_are_kept() {
    let page = |number: usize, text: &str| {
        Page::new()
            .text(50.0, 30.0, 8.0, "Handbook of the Department")
            .text(50.0, 100.0, 10.0, text)
            .text(280.0, 780.0, 8.0, &format!("Page {number} of 3"))
    };
    let pdf = Pdf::new([
        page(1, "The first page ends in a sentence."),
        page(2, "The second page has another."),
        page(3, "The third is the last."),
    ])
    .catalog("/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 1 /P (A-) >>] >>");
    let (document, findings) = read(&pdf);
    assert_eq!(
        document.text,
        "The first page ends in a sentence.\n\nThe second page has another.\n\nThe third is the last."
    );
    let pages: Vec<_> = document
        .pages
        .iter()
        .map(|page| {
            (page.number, page.label.clone().unwrap(), page.span.slice(&document.text).unwrap())
        })
        .collect();
    assert_eq!(pages[0], (1, "i".to_owned(), "The first page ends in a sentence."));
    assert_eq!(pages[2], (3, "A-2".to_owned(), "The third is the last."));
    let said: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let expected = [
        "`a/rules.pdf`: left out 3 page numbers. Nothing needs to be done",
        "`a/rules.pdf`: left out 3 lines that stand at the same place on several pages, apart from \
         their text: \"Handbook of the Department\" (3 times). If one of them is text, move it into \
         the text",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_paragraph_goes_on_over_the_page_past_a_note() {
    let first = Page::new()
        .lines(50.0, 640.0, 10.0, &BODY[..3])
        .text(50.0, 760.0, 7.0, "1 As decided in May.");
    let second = Page::new().lines(50.0, 60.0, 10.0, &BODY[3..]);
    let (document, _) = read(&Pdf::new([first, second]));
    let expected = [format!("1  {}", BODY.join(" ")), "1  1 As decided in May.".to_owned()];
    assert_eq!(blocks(&document), expected);
}

#[test]
fn a_ruled_table_with_a_caption_and_a_merged_cell() {
    let page = Page::new()
        .lines(50.0, 60.0, 10.0, &BODY)
        .text(50.0, 138.0, 10.0, "Table 1: Modules of the first year")
        .grid(&[50.0, 150.0, 250.0], &[150.0, 170.0])
        .line((50.0, 190.0), (250.0, 190.0))
        .line((150.0, 210.0), (250.0, 210.0))
        .line((50.0, 230.0), (250.0, 230.0))
        .line((50.0, 170.0), (50.0, 230.0))
        .line((150.0, 170.0), (150.0, 230.0))
        .line((250.0, 170.0), (250.0, 230.0))
        .bold(55.0, 164.0, 10.0, "Module")
        .bold(155.0, 164.0, 10.0, "ECTS")
        .text(55.0, 184.0, 10.0, "Logic")
        .text(155.0, 184.0, 10.0, "6")
        .text(55.0, 212.0, 10.0, "Ethics")
        .text(155.0, 204.0, 10.0, "3 or")
        .text(155.0, 224.0, 10.0, "9");
    let (document, _) = read(&Pdf::new([page]));
    assert_eq!(document.tables.len(), 1);
    let table = &document.tables[0];
    assert_eq!(table.caption, "Table 1: Modules of the first year");
    let rows: Vec<&str> = table.span().slice(&document.text).unwrap().split('\n').collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert_eq!(rows[0], "Module: Logic; ECTS: 6");
    assert!(rows[1].contains("Ethics") && rows[1].contains("3 or"), "{rows:?}");
    assert!(rows[2].contains("Ethics") && rows[2].contains('9'), "{rows:?}");
}

#[test]
fn a_table_without_rules_and_one_that_goes_on_over_the_page() {
    let row = |page: Page, y: f64, cells: [&str; 3]| {
        let [a, b, c] = cells;
        page.text(50.0, y, 10.0, a).text(200.0, y, 10.0, b).text(350.0, y, 10.0, c)
    };
    let mut first = Page::new().lines(50.0, 60.0, 10.0, &BODY);
    first = row(first, 700.0, ["Course", "Day", "Room"]);
    first = row(first, 712.0, ["Logic", "Monday", "R 12"]);
    first = row(first, 724.0, ["Ethics", "Tuesday", "R 14"]);
    first = row(first, 736.0, ["Music", "Friday", "Hall"]);
    let (document, _) = read(&Pdf::new([first]));
    let rows: Vec<String> =
        blocks(&document).into_iter().filter(|block| block.contains('|')).collect();
    let expected = [
        "1  | Course: Logic; Day: Monday; Room: R 12",
        "1  | Course: Ethics; Day: Tuesday; Room: R 14",
        "1  | Course: Music; Day: Friday; Room: Hall",
    ];
    assert_eq!(rows, expected);

    let ruled = |page: Page, top: f64, cells: [[&str; 2]; 2]| {
        let mut page = page.grid(&[50.0, 200.0, 400.0], &[top, top + 20.0, top + 40.0]);
        for (index, [a, b]) in cells.iter().enumerate() {
            let y = top + 14.0 + 20.0 * index as f64;
            page = page.text(55.0, y, 10.0, a).text(205.0, y, 10.0, b);
        }
        page
    };
    let first = ruled(Page::new(), 700.0, [["Name", "Phone"], ["Miller", "100"]]);
    let second = ruled(Page::new(), 100.0, [["Name", "Phone"], ["Smith", "200"]]);
    let (document, _) = read(&Pdf::new([first, second]));
    assert_eq!(
        blocks(&document),
        ["1  | Name: Miller; Phone: 100", "2  | Name: Smith; Phone: 200"]
    );
}

/// Rows of cells at these places, 12 points apart.
fn rows_of(mut page: Page, top: f64, places: &[f64], rows: &[&[&str]]) -> Page {
    for (index, row) in rows.iter().enumerate() {
        for (place, text) in places.iter().zip(*row).filter(|(_, text)| !text.is_empty()) {
            page = page.text(*place, top + 12.0 * index as f64, 10.0, text);
        }
    }
    page
}

#[test]
fn a_head_that_ends_a_page_names_the_columns_of_the_next() {
    let places = [50.0, 200.0, 350.0];
    let rows: &[&[&str]] = &[
        &["Botany", "3 March", "Hall 2"],
        &["Mycology", "9 March", "Hall 5"],
        &["Algae", "12 March", "Hall 1"],
    ];
    for is_ruled in [true, false] {
        let frame = |page: Page, rows: &[f64]| match is_ruled {
            true => page.grid(&[45.0, 195.0, 345.0, 500.0], rows),
            false => page,
        };
        let names: &[&str] = &["Examination", "Date", "Room"];
        let first = rows_of(Page::new().lines(50.0, 60.0, 10.0, &BODY), 700.0, &places, &[names]);
        let first = frame(first, &[689.0, 704.0]);
        let second = rows_of(Page::new(), 60.0, &places, rows);
        let second = frame(second, &[50.0, 63.0, 75.0, 88.0]);
        let found = blocks(&read(&Pdf::new([first, second])).0);
        let expected = [
            "2  | Examination: Botany; Date: 3 March; Room: Hall 2",
            "2  | Examination: Mycology; Date: 9 March; Room: Hall 5",
            "2  | Examination: Algae; Date: 12 March; Room: Hall 1",
        ];
        assert_eq!(found.get(1..).unwrap_or_default(), expected, "{found:?}");
    }
    // A line of text, or what says something else, is no head.
    let first = Page::new().lines(50.0, 60.0, 10.0, &BODY);
    let second = rows_of(Page::new(), 60.0, &places, rows);
    let found = blocks(&read(&Pdf::new([first, second])).0);
    assert!(found.iter().all(|block| !block.contains("Examination:")), "{found:?}");
}

#[test]
fn a_row_goes_on_over_the_page_and_each_stands_on_its_own() {
    let places = [50.0, 150.0, 300.0];
    let first = rows_of(
        Page::new().lines(50.0, 60.0, 10.0, &BODY),
        650.0,
        &places,
        &[
            &["Prize", "Given for", "Amount"],
            &["Moss", "the best paper", "100 euros"],
            &["Reed", "the best poster", "150 euros"],
            &["Fern", "the best herbarium", "250 euros"],
        ],
    );
    let second = rows_of(
        Page::new(),
        60.0,
        &places,
        &[
            &["", "of the second year", ""],
            &["Lichen", "the best excursion", "90 euros"],
            &["Algae", "the best photograph", "80 euros"],
        ],
    );
    // One row is too few to be known as a table by itself.
    let third = rows_of(Page::new(), 60.0, &places, &[&["Cone", "the best seminar", "70 euros"]]);
    let (document, _) = read(&Pdf::new([first, second, third]));
    let rows: Vec<String> =
        blocks(&document).into_iter().filter(|block| block.contains('|')).collect();
    let row = |page: u32, prize: &str, given: &str, amount: &str| {
        format!("{page}  | Prize: {prize}; Given for: the best {given}; Amount: {amount} euros")
    };
    let expected = [
        row(1, "Moss", "paper", "100"),
        row(1, "Reed", "poster", "150"),
        row(1, "Fern", "herbarium of the second year", "250"),
        row(2, "Lichen", "excursion", "90"),
        row(2, "Algae", "photograph", "80"),
        row(3, "Cone", "seminar", "70"),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_sheet_wider_than_its_paper_is_put_together() {
    let left: [&[&str]; 4] =
        [&["Programme", "Fee"], &["Waves", "EUR 148"], &["Tides", "EUR 162"], &["Ice", "EUR 175"]];
    let right: [&[&str]; 4] =
        [&["Places", "Contact"], &["45", "Aalto"], &["60", "Brandvik"], &["18", "Isaksen"]];
    let page = |rows: &[&[&str]]| rows_of(Page::new(), 100.0, &[50.0, 150.0], rows);
    let (document, _) = read(&Pdf::new([page(&left), page(&right)]));
    let expected = [
        "1  | Programme: Waves; Fee: EUR 148; Places: 45; Contact: Aalto",
        "1  | Programme: Tides; Fee: EUR 162; Places: 60; Contact: Brandvik",
        "1  | Programme: Ice; Fee: EUR 175; Places: 18; Contact: Isaksen",
    ];
    assert_eq!(blocks(&document), expected);
    // At other heights, or with rows that go on, they are two tables or one below the other.
    let (document, _) =
        read(&Pdf::new([page(&left), rows_of(Page::new(), 130.0, &[50.0, 150.0], &right)]));
    assert_eq!(blocks(&document)[3], "2  | Places: 45; Contact: Aalto");
    let more: [&[&str]; 4] =
        [&["Fog", "EUR 10"], &["Rain", "EUR 20"], &["Snow", "EUR 30"], &["Hail", "EUR 40"]];
    let (document, _) = read(&Pdf::new([page(&left), page(&more)]));
    assert_eq!(blocks(&document)[3], "2  | Programme: Fog; Fee: EUR 10");
}

#[test]
fn bold_labels_beside_values_have_no_head() {
    let sheet = |mut page: Page, top: f64, rows: &[[&str; 2]]| {
        let heights: Vec<f64> = (0..=rows.len()).map(|row| top + 20.0 * row as f64).collect();
        page = page.grid(&[50.0, 200.0, 400.0], &heights);
        for (index, [label, value]) in rows.iter().enumerate() {
            let y = top + 14.0 + 20.0 * index as f64;
            page = page.bold(55.0, y, 10.0, label).text(205.0, y, 10.0, value);
        }
        page
    };
    let page = sheet(
        Page::new(),
        100.0,
        &[["Module title", "Bioacoustics"], ["Code", "MA 427"], ["Credits", "5"]],
    );
    // Label, value, label, value: two labels in each row.
    let page = page.grid(&[50.0, 150.0, 250.0, 350.0, 450.0], &[300.0, 320.0, 340.0]);
    let page = page
        .bold(55.0, 314.0, 10.0, "Code")
        .text(155.0, 314.0, 10.0, "MA 350")
        .bold(255.0, 314.0, 10.0, "Credits")
        .text(355.0, 314.0, 10.0, "7")
        .bold(55.0, 334.0, 10.0, "Term")
        .text(155.0, 334.0, 10.0, "winter")
        .bold(255.0, 334.0, 10.0, "Language")
        .text(355.0, 334.0, 10.0, "English");
    let (document, _) = read(&Pdf::new([page]));
    let expected = [
        "1  | Module title: Bioacoustics",
        "1  | Code: MA 427",
        "1  | Credits: 5",
        "1  | Code: MA 350",
        "1  | Credits: 7",
        "1  | Term: winter",
        "1  | Language: English",
    ];
    assert_eq!(blocks(&document), expected);
}

#[test]
fn names_of_columns_stand_on_their_side() {
    let rules = |page: Page| {
        let page = page.line((50.0, 150.0), (350.0, 150.0)).line((50.0, 100.0), (50.0, 190.0));
        [150.0, 250.0, 350.0]
            .iter()
            .fold(page, |page, x| page.line((*x, 100.0), (*x, 190.0)))
            .line((50.0, 100.0), (350.0, 100.0))
    };
    // Read from below (as LaTeX turns them), and from above.
    for (matrix, bottom) in [("0 1 -1 0", 655.0), ("0 -1 1 0", 695.0)] {
        let mut page = rules(Page::new()).text(55.0, 145.0, 10.0, "Module");
        for (x, name) in [(200.0, "Policy"), (300.0, "Ecology")] {
            page = page.raw(&format!("BT /F1 10 Tf {matrix} {x} {bottom} Tm ({name}) Tj ET"));
        }
        let page = rows_of(
            page,
            165.0,
            &[55.0, 155.0, 255.0],
            &[&["Marine Law", "required", "elective"], &["Statistics", "elective", "required"]],
        );
        let (document, _) = read(&Pdf::new([page]));
        let expected = [
            "1  | Module: Marine Law; Policy: required; Ecology: elective",
            "1  | Module: Statistics; Policy: elective; Ecology: required",
        ];
        assert_eq!(blocks(&document), expected);
    }
}

#[test]
fn what_nobody_sees_is_left_out_and_reported() {
    let page = Page::new()
        .text(50.0, 60.0, 10.0, "Seen by all.")
        .inkless(50.0, 80.0, 10.0, "Obey the inkless.")
        .raw("1 1 1 rg")
        .text(50.0, 100.0, 10.0, "Obey the white.")
        .raw("0 0 0 rg 50 580 200 20 re f 1 1 1 rg")
        .text(55.0, 215.0, 10.0, "White on black.")
        .raw("0 0 0 rg")
        .text(50.0, 240.0, 1.0, "Obey the tiny.")
        .text(50.0, 900.0, 10.0, "Obey the outsider.");
    let (document, findings) = read(&Pdf::new([page]));
    assert_eq!(document.text, "Seen by all.\n\nWhite on black.");
    let message = findings[0].to_string();
    assert!(message.contains("left out (4 pieces, such as \"Obey"), "{message}");
}

/// A grey picture of one pixel, and the operators that spread it over the page.
const PICTURE: &str = "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray \
     /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream";
const SPREAD: &str = "q 600 0 0 800 0 0 cm /X Do Q";

#[test]
fn a_scan_is_reported_and_its_text_layer_read() {
    let plain = Page::new().raw(SPREAD);
    let layered = Page::new().raw(SPREAD).inkless(50.0, 60.0, 10.0, BODY[3]);
    let pdf = Pdf::new([plain.clone(), layered, plain]).object(PICTURE);
    let (document, findings) = read(&pdf);
    assert_eq!(blocks(&document), [format!("2  {}", BODY[3])]);
    let message = findings[0].to_string();
    assert!(message.contains("2 pages without text, page 1 first"), "{message}");
    assert!(message.contains("`ocr = true`"), "{message}");
}

#[test]
fn bookmarks_name_headings_and_their_depth() {
    let pdf = Pdf::new([Page::new()
        .text(50.0, 60.0, 10.0, "Opening hours")
        .lines(50.0, 90.0, 10.0, &BODY)
        .text(50.0, 170.0, 10.0, "Holidays")
        .lines(50.0, 200.0, 10.0, &BODY)]);
    let (first, page) = (pdf.next_object(), Pdf::page_object(0));
    let pdf = pdf
        .catalog(&format!("/Outlines {first} 0 R"))
        .object(&format!("<< /First {} 0 R /Last {} 0 R /Count 1 >>", first + 1, first + 1))
        .object(&format!(
            "<< /Title (Opening hours) /Dest [{page} 0 R /Fit] /First {} 0 R >>",
            first + 2
        ))
        .object(&format!("<< /Title (Holidays) /A << /S /GoTo /D [{page} 0 R /Fit] >> >>"));
    let (document, _) = read(&pdf);
    let paths: Vec<String> =
        document.sections.iter().map(|section| section.path.join(">")).collect();
    assert_eq!(paths, ["Opening hours", "Opening hours>Holidays"]);
}

#[test]
fn a_table_of_contents_is_left_out() {
    let page = Page::new()
        .bold(50.0, 60.0, 14.0, "Contents")
        .text(50.0, 90.0, 10.0, "Scope ............................ 2")
        .text(50.0, 102.0, 10.0, "Fees and deadlines ............... 2")
        .text(50.0, 114.0, 10.0, "Appeals .......................... 3");
    let second =
        Page::new().text(50.0, 60.0, 10.0, "Fees and deadlines").lines(50.0, 90.0, 10.0, &BODY);
    let (document, findings) = read(&Pdf::new([page, second]));
    assert_eq!(blocks(&document), [format!("2 Fees and deadlines {}", BODY.join(" "))]);
    assert!(findings.iter().any(|finding| finding.to_string().contains("contents of 4 lines")));
}

#[test]
fn links_lead_from_their_words() {
    let page = Page::new()
        .text(50.0, 60.0, 10.0, "See")
        .text(80.0, 60.0, 10.0, "the office")
        .text(150.0, 60.0, 10.0, "for more.")
        .link([78.0, 50.0, 128.0, 63.0], "https://x.edu/office")
        .link([148.0, 50.0, 200.0, 63.0], "javascript:alert\\(1\\)");
    let (document, findings) = read(&Pdf::new([page]));
    assert_eq!(document.text, "See the office for more.");
    let links: Vec<_> = document
        .links
        .iter()
        .map(|link| (link.span.slice(&document.text).unwrap(), link.target.as_str()))
        .collect();
    assert_eq!(links, [("the office", "https://x.edu/office")]);
    assert!(findings.iter().any(|finding| finding.to_string().contains("javascript:alert(1)")));
}

#[test]
fn tags_and_turned_pages_are_understood() {
    // A page on its side: `/Rotate` is not needed, the text itself is turned.
    let turned = Page::new()
        .raw("BT /F1 10 Tf 0 1 -1 0 100 200 Tm (Turned text is read,) Tj ET")
        .raw("BT /F1 10 Tf 0 1 -1 0 112 200 Tm (line by line.) Tj ET");
    let tagged = Page::new()
        .raw("/Artifact <</Type /Pagination>> BDC")
        .text(50.0, 300.0, 10.0, "Only furniture.")
        .raw("EMC /H2 <</MCID 0>> BDC")
        .text(50.0, 330.0, 10.0, "Tagged heading")
        .raw("EMC /P <</MCID 1>> BDC")
        .raw("BT /F1 10 Tf 1 0 0 1 50 450 Tm (Plain text, and a re) Tj")
        .raw("/Span <</ActualText <FEFF00AD>>> BDC (-) Tj EMC ET")
        .lines(50.0, 362.0, 10.0, &["placed hyphen, with the rest of it."])
        .raw("EMC");
    let (document, findings) = read(&Pdf::new([turned, tagged]));
    let expected = [
        "1  Turned text is read, line by line.",
        "2 Tagged heading Plain text, and a replaced hyphen, with the rest of it.",
    ];
    assert_eq!(blocks(&document), expected);
    assert!(findings.iter().any(|finding| finding.to_string().contains("Only furniture.")));
}

#[test]
fn stated_titles_and_dates_are_kept() {
    let pdf = Pdf::new([Page::new().text(50.0, 60.0, 10.0, "Text.")])
        .info("/Title (Handbook of Rules) /Author (A. Miller) /CreationDate (D:20240131120000Z)");
    let (document, _) = read(&pdf);
    assert_eq!(document.title, "Handbook of Rules");
    let stated: Vec<String> =
        document.metadata.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(stated, ["author=\"A. Miller\"", "created=\"2024-01-31\"", "pages=1"]);
    let junk = Pdf::new([Page::new().text(50.0, 60.0, 10.0, "Text.")])
        .info("/Title (Microsoft Word - rules_v2.doc)");
    assert_eq!(read(&junk).0.title, "Rules");
}

#[test]
fn files_within_a_file_are_named() {
    let pdf = Pdf::new([Page::new().text(50.0, 60.0, 10.0, "Open this in a viewer.")]);
    let number = pdf.next_object();
    let file = |name: &str, held: &str| format!("<< /Type /Filespec /F ({name}) {held} >>");
    let pdf = pdf
        .catalog(&format!(
            "/Names << /EmbeddedFiles << /Kids [<< /Names [(a) {} (b) {} (c) {}] >> {number} 0 R] >> >>",
            file("keys.pdf", "/EF << /F 5 0 R >>"),
            file("fees.xlsx", "/EF << /F 5 0 R >>"),
            // Named only: it lies elsewhere.
            file("elsewhere.pdf", ""),
        ))
        // A tree that holds itself.
        .object(&format!("<< /Kids [{number} 0 R {number} 0 R] >>"));
    let (_, findings) = read(&pdf);
    assert_eq!(
        findings[0].to_string(),
        "`a/rules.pdf` holds 2 other files that were not read: `keys.pdf`, `fees.xlsx`. Save them \
         beside it to have them found"
    );
}

fn refusal(bytes: &[u8]) -> String {
    read_bytes("a/rules.pdf", bytes, &IngestOptions::default()).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_read_is_named_with_the_way_out() {
    let pdf = Pdf::new([Page::new().lines(50.0, 60.0, 10.0, &BODY)]);
    let locked = pdf.clone().trailer(
        "/ID [<00112233445566778899AABBCCDDEEFF> <00112233445566778899AABBCCDDEEFF>] \
         /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 \
         /O <0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF> \
         /U <0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF> >>",
    );
    let message = refusal(&locked.bytes());
    assert!(
        message.starts_with("`a/rules.pdf` is encrypted: save it without a password"),
        "{message}"
    );
    let whole = pdf.bytes();
    for bytes in [&whole[..40], b"", b"Hello, I am a text.", b"%PDF-1.7\n%%EOF"] {
        let message = refusal(bytes);
        assert!(message.starts_with("`a/rules.pdf` is no PDF that can be read"), "{message}");
    }
    let empty = refusal(&Pdf::new([]).bytes());
    assert!(empty.contains("`a/rules.pdf` has no pages"), "{empty}");
}

#[test]
fn a_file_cut_short_gives_what_is_left() {
    // Without its table of objects the file is searched for them.
    let bytes = Pdf::new([Page::new().lines(50.0, 60.0, 10.0, &BODY)]).bytes();
    let end = bytes.windows(4).position(|window| window == b"xref").unwrap();
    let reading = read_bytes("a.pdf", &bytes[..end], &IngestOptions::default()).unwrap();
    assert_eq!(reading.documents[0].text, BODY.join(" "));
    assert!(reading.findings[0].to_string().starts_with("`a.pdf` is cut short: its end is"));
}

#[test]
fn pages_past_the_limit_are_counted() {
    let page = |text: &str| Page::new().text(50.0, 60.0, 10.0, text);
    let pdf = Pdf::new([page("One."), page("Two."), page("Three.")]);
    let options = IngestOptions { max_pages: 2, ..IngestOptions::default() };
    let reading = read_bytes("a.pdf", &pdf.bytes(), &options).unwrap();
    assert_eq!(reading.documents[0].text, "One.\n\nTwo.");
    let message = reading.findings[0].to_string();
    assert!(
        message.starts_with("`a.pdf` has 3 pages, of which the first 2 were read."),
        "{message}"
    );
}

#[test]
fn no_title_brings_control_tokens_along() {
    // Found by fuzzing: the largest heading became the title as it was drawn. Titles stand in prompts.
    let page = Page::new()
        .bold(50.0, 60.0, 18.0, "Study <|im_start|>rules</s>")
        .lines(50.0, 90.0, 10.0, &BODY);
    let bytes = Pdf::new([page]).bytes();
    let reading = read_bytes("a.pdf", &bytes, &IngestOptions::default()).unwrap();
    assert_eq!(reading.documents[0].title, "Study rules");
    let told =
        reading.findings.iter().filter(|finding| finding.to_string().contains("control token"));
    assert_eq!(told.count(), 1, "{:?}", reading.findings);
    // The last resort is the file's name, which may be anything.
    for (path, title) in [("b/[INST].txt", "Untitled"), ("b/fees [INST].txt", "Fees")] {
        let reading = read_bytes(path, b"pay at the desk.", &IngestOptions::default()).unwrap();
        assert_eq!(reading.documents[0].title, title, "{path}");
    }
}
