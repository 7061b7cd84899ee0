//! What is drawn through, above and beside the words of a line.

use super::support::{Page, Pdf};
use super::{BODY, blocks, read};

/// Helvetica at ten points: `EUR 55` is 34.5 points wide, `costs ` 27.2, `A permit ` 39.4.
const PRICE: &str = "A permit costs EUR 55 EUR 72 per term.";
const STRUCK: (f64, f64) = (115.6, 150.1);

fn said(page: Page) -> (Vec<String>, String) {
    let (document, findings) = read(&Pdf::new([page]));
    let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
    (blocks(&document), findings.join("\n"))
}

#[test]
fn words_with_a_line_through_them_are_left_out_and_reported() {
    let (left, right) = STRUCK;
    let page = || Page::new().text(50.0, 100.0, 10.0, PRICE);
    let (y, middle) = (97.0, f64::midpoint(left, right));
    let pages = [
        // In one piece, in two, as a thin box, twice, and by the note of a viewer.
        page().line((left, y), (right, y)),
        page().line((left, y), (middle, y)).line((middle - 0.3, y), (right + 0.2, y)),
        page().raw(&format!("{left} {} {} 0.7 re f", 800.0 - y, right - left)),
        page().line((left, 96.5), (right, 96.5)).line((left, 97.8), (right, 97.8)),
        page().struck([left, 91.0, right, 102.0], 4),
        // With another one below the words beside it.
        page().line((left, y), (right, y)).line((right + 3.0, 101.5), (right + 37.0, 101.5)),
    ];
    for (at, page) in pages.into_iter().enumerate() {
        let (blocks, findings) = said(page);
        assert_eq!(blocks, ["1  A permit costs EUR 72 per term."], "{at}");
        assert!(
            findings.contains("struck out were left out (1 piece, such as \"EUR 55\")"),
            "{at}"
        );
    }
}

#[test]
fn other_lines_strike_nothing_out() {
    let (left, right) = STRUCK;
    let page = || Page::new().text(50.0, 100.0, 10.0, PRICE);
    let pages = [
        // Below the words, above them, on past them, beside an upright one, in a note that nobody sees.
        page().line((left, 101.0), (right, 101.0)),
        page().line((left, 92.5), (right, 92.5)),
        page().line((40.0, 97.0), (400.0, 97.0)),
        page().line((left, 97.0), (right, 97.0)).line((left, 80.0), (left, 120.0)),
        page().struck([left, 91.0, right, 102.0], 2),
    ];
    for (at, page) in pages.into_iter().enumerate() {
        let (blocks, findings) = said(page);
        assert_eq!(blocks, [format!("1  {PRICE}")], "{at}");
        assert_eq!(findings, "", "{at}");
    }
}

/// Two sections; the first refers to two notes at the foot of the page, the table to a third.
fn with_notes(mark_size: f64, rise: f64, note: impl Fn(Page, f64, &str, &str) -> Page) -> Page {
    let mark = |page: Page, x: f64, mark: &str| page.text(x, 112.0 - rise, mark_size, mark);
    let page = Page::new()
        .bold(50.0, 90.0, 14.0, "1 Credits")
        .text(50.0, 112.0, 10.0, "A student takes 28");
    // In Helvetica `A student takes 28` is 82.8 points wide, a figure five ninths of its size.
    let page = mark(page, 133.0, "1").text(140.0, 112.0, 10.0, "credits in 3 terms");
    let page = mark(page, 216.3, "2").text(222.0, 112.0, 10.0, "and a hall of 40 m");
    let page = mark(page, 301.7, "2")
        .text(301.8 + 0.556 * mark_size, 112.0, 10.0, ".")
        .bold(50.0, 140.0, 14.0, "2 Thesis")
        .text(50.0, 162.0, 10.0, "The thesis is written within 14 weeks.");
    let page = note(page, 700.0, "1", "In the first year 22.");
    note(page, 711.0, "2", "Four in the evening.")
}

#[test]
fn notes_stand_behind_what_refers_to_them() {
    let small = |page: Page, y: f64, mark: &str, text: &str| {
        page.text(50.0, y, 8.0, mark).text(67.0, y, 8.0, text)
    };
    let raised = |page: Page, y: f64, mark: &str, text: &str| {
        page.text(62.0, y - 3.0, 6.0, mark).text(66.0, y, 9.0, text)
    };
    let ruled = |page: Page, y: f64, mark: &str, text: &str| {
        let page = page.line((50.0, 688.0), (190.0, 688.0));
        page.text(50.0, y, 10.0, mark).text(62.0, y, 10.0, text)
    };
    let listed = |page: Page, y: f64, mark: &str, text: &str| {
        page.text(50.0, y, 10.0, &format!("{mark}. {text}"))
    };
    let pages = [
        with_notes(6.0, 4.4, small),
        with_notes(8.6, 2.5, raised),
        with_notes(5.0, 5.0, ruled),
        with_notes(7.0, 3.3, listed),
    ];
    for (at, page) in pages.into_iter().enumerate() {
        let (blocks, findings) = said(page);
        let expected = [
            "1 1 Credits A student takes 28 credits in 3 terms and a hall of 40 m².",
            "1 1 Credits In the first year 22.",
            "1 1 Credits Four in the evening.",
            "1 2 Thesis The thesis is written within 14 weeks.",
        ];
        assert_eq!(blocks, expected, "{at}");
        assert_eq!(findings, "", "{at}");
    }
}

#[test]
fn a_note_that_nothing_refers_to_keeps_its_mark_and_place() {
    let page = Page::new()
        .text(50.0, 112.0, 10.0, "The hall has 40 m")
        .text(129.7, 108.0, 6.0, "2")
        .text(136.0, 112.0, 10.0, "of room.")
        .lines(50.0, 140.0, 10.0, &BODY)
        .text(50.0, 700.0, 8.0, "2 This is no note, since no word bears its mark.");
    let expected = [
        "1  The hall has 40 m² of room.".to_owned(),
        format!("1  {}", BODY.join(" ")),
        "1  2 This is no note, since no word bears its mark.".to_owned(),
    ];
    assert_eq!(said(page).0, expected);
}

#[test]
fn what_lies_across_a_page_is_left_out_and_reported() {
    let slanted = |degrees: f64, size: f64| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        format!("BT /F2 {size} Tf {cosine} {sine} {} {cosine} 120 500 Tm (COPY) Tj ET", -sine)
    };
    let pages = [
        Page::new()
            .raw(&format!("0.8 g {} 0 g", slanted(45.0, 90.0)))
            .lines(50.0, 60.0, 10.0, &BODY),
        Page::new().lines(50.0, 60.0, 10.0, &BODY).raw(&slanted(30.0, 24.0)),
        Page::new().raw(&slanted(60.0, 70.0)).lines(50.0, 60.0, 10.0, &BODY),
        // Level and pale, under the text.
        Page::new()
            .raw("0.85 g")
            .bold(100.0, 100.0, 80.0, "COPY")
            .raw("0 g")
            .lines(50.0, 60.0, 10.0, &BODY),
        // Far below it.
        Page::new()
            .raw("0.85 g")
            .bold(100.0, 400.0, 80.0, "COPY")
            .raw("0 g")
            .lines(50.0, 60.0, 10.0, &BODY),
    ];
    for (at, page) in pages.into_iter().enumerate() {
        let (blocks, findings) = said(page);
        assert_eq!(blocks, [format!("1  {}", BODY.join(" "))], "{at}");
        assert!(findings.contains("across the page were left out (1 piece, such as \"COPY\")"));
    }
    // A large grey heading, and one that lies on nothing.
    for page in [
        Page::new().raw("0.5 g").bold(50.0, 60.0, 30.0, "Copy").raw("0 g"),
        Page::new().raw("0.8 g").bold(50.0, 60.0, 30.0, "Copy").raw("0 g"),
        // One on a dark ground.
        Page::new().raw("0.1 g 40 720 500 60 re f 0.9 g").bold(50.0, 60.0, 48.0, "Copy").raw("0 g"),
    ] {
        let (blocks, findings) = said(page.lines(50.0, 120.0, 10.0, &BODY));
        assert_eq!(blocks, [format!("1 Copy {}", BODY.join(" "))]);
        assert_eq!(findings, "");
    }
}

#[test]
fn numbers_of_lines_are_left_out_and_reported() {
    for (size, x) in [(6.0, 36.0), (10.0, 30.0), (10.0, 520.0)] {
        let mut page = Page::new().bold(50.0, 60.0, 14.0, "1 Dates").text(x, 60.0, size, "8");
        page = page.lines(50.0, 80.0, 10.0, &BODY);
        for line in 0..4 {
            page = page.text(x, 80.0 + 12.0 * f64::from(line), size, &(9 + line).to_string());
        }
        let (document, findings) = read(&Pdf::new([page]));
        assert_eq!(blocks(&document), [format!("1 1 Dates {}", BODY.join(" "))], "{size} {x}");
        assert_eq!(
            findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["`a/rules.pdf`: left out 5 line numbers in the margin. Nothing needs to be done"]
        );
    }
}
