//! The order in which what is side by side is read.

use super::support::{Page, Pdf};
use super::{blocks, read};

/// Text in Helvetica of ten points is about so wide.
const EM: f64 = 10.0;

/// Each language is whole, though one clause is far longer than the other.
#[test]
fn languages_side_by_side_do_not_mix() {
    let mut page = Page::new();
    for (clause, top) in [(1.0, 100.0), (2.0, 180.0), (3.0, 260.0)] {
        let number = format!("({clause}) Wer sich zu spät einschreibt, zahlt");
        page = page.lines(50.0, top, EM, &[&number, "40 Euro, und das bis zum 12. Oktober."]);
        let number = format!("({clause}) Whoever enrols late pays a fee of");
        let lines = [
            &number,
            "40 euros, and does so by 12 October at",
            "the latest, or at the counter of the",
            "cashier on the day itself.",
        ];
        page = page.lines(245.0, top, EM, &lines);
    }
    let found = blocks(&read(&Pdf::new([page])).0);
    assert_eq!(found.len(), 6, "{found:?}");
    for (clause, text) in found.iter().enumerate() {
        let whole = if clause < 3 {
            format!(
                "({}) Wer sich zu spät einschreibt, zahlt 40 Euro, und das bis zum 12. Oktober.",
                clause + 1
            )
        } else {
            format!(
                "({}) Whoever enrols late pays a fee of 40 euros, and does so by 12 October at the latest, or at the counter of the cashier on the day itself.",
                clause - 2
            )
        };
        assert!(text.ends_with(&whole), "{text}");
    }
}

/// A heading over both columns ends them; the last column is alone.
#[test]
fn columns_above_and_below_a_heading_over_both() {
    let left = [
        "Applicants apply by 15 May on the portal",
        "of the office, and whoever comes from an-",
        "other country applies by 1 April, because",
        "papers have to be looked at twice, first",
    ];
    let right = [
        "by the office and then by the ministry, a",
        "matter of six weeks. A waiting list is",
        "kept until the end of September.",
    ];
    let below = [
        "Each student has two supervisors, and the",
        "first meeting takes place within 30 days",
        "of the enrolment, in room Keel 3.14, where",
        "the agreement is signed by all of them.",
    ];
    let page = Page::new()
        .lines(50.0, 100.0, EM, &left)
        // Half a line lower, as where another size is above one of them.
        .lines(252.0, 105.0, EM, &right)
        .bold(120.0, 180.0, 14.0, "Part Two: Rules for Doctoral Students")
        .lines(50.0, 210.0, EM, &below);
    let found = blocks(&read(&Pdf::new([page])).0);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("on the portal of the office, and whoever comes from another country applies by 1 April, because papers have to be looked at twice, first by the office and then by the ministry, a matter of six weeks. A waiting list is kept until the end of September."), "{found:?}");
    assert!(found[1].ends_with("Part Two: Rules for Doctoral Students Each student has two supervisors, and the first meeting takes place within 30 days of the enrolment, in room Keel 3.14, where the agreement is signed by all of them."), "{found:?}");
}

/// The lines of the last heading's text go below all boxes, not into the first.
#[test]
fn boxes_are_read_one_after_the_other() {
    let cards = [
        (50.0, "Counselling", ["Room Tank 2.21", "Free of charge", "Three weeks"]),
        (220.0, "Disability", ["Room Tank 2.25", "Apply by 10", "January"]),
        (390.0, "Childcare", ["Room Buoy 0.01", "EUR 6 per hour", "From 7:30"]),
    ];
    for has_frames in [true, false] {
        let mut page = Page::new().bold(50.0, 60.0, 18.0, "Student services");
        for (left, title, lines) in cards {
            if has_frames {
                page = page.grid(&[left - 8.0, left + 140.0], &[85.0, 160.0]);
            }
            page = page.bold(left, 100.0, 12.0, title).lines(left, 120.0, EM, &lines);
        }
        let page = page.bold(50.0, 190.0, 12.0, "Housing").text(
            50.0,
            210.0,
            EM,
            "Rooms are let by the housing office from 1 October to everyone who asks for one.",
        );
        let found = blocks(&read(&Pdf::new([page])).0).join("\n");
        let order = [
            "Counselling", "Room Tank 2.21", "Three weeks", "Disability", "Room Tank 2.25",
            "January", "Childcare", "Room Buoy 0.01", "From 7:30", "Housing",
        ];
        let places: Vec<Option<usize>> = order.iter().map(|text| found.find(text)).collect();
        assert!(places.is_sorted() && !places.contains(&None), "{places:?}: {found}");
        assert!(found.lines().all(|line| !line.contains("; ")), "{found}");
        assert!(
            found
                .lines()
                .any(|line| line.contains("Childcare") && line.ends_with("EUR 6 per hour"))
                || !has_frames,
            "{found}"
        );
    }
}

/// A paragraph stays whole beside notes in either margin, which follow it.
#[test]
fn notes_in_the_margin_stand_for_themselves() {
    let text = [
        "The internship lasts 12 weeks and is completed before the fifth semester",
        "begins. It is registered with the office at least four weeks before it can",
        "start. The report of at least 15 pages is handed in within six weeks of the",
        "end of the internship. One abroad is supported by a grant of 380 euros, for",
        "which one applies by 31 January. Without a contract none is recognised.",
    ];
    for (x, margin) in [(150.0, 50.0), (100.0, 460.0)] {
        let page = Page::new().lines(x, 100.0, EM, &text).lines(
            margin,
            112.0,
            8.0,
            &["Part-time students", "take 24 weeks."],
        );
        let found = blocks(&read(&Pdf::new([page])).0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].ends_with(&text.join(" ")), "{found:?}");
        assert!(found[1].ends_with("Part-time students take 24 weeks."), "{found:?}");
    }
}

/// A heading with nothing beside it ends the columns above it, though it is no wider than one of them.
#[test]
fn a_short_heading_between_columns_ends_them() {
    let left = [
        "The school had 412 pupils in the year, and",
        "96 of them took the licence. The cutter was",
        "sold in May, and the money is still there.",
    ];
    let right = [
        "Two storms damaged the roof of the hall. The",
        "insurance paid for it, all but 900 euros, and",
        "those came from the friends of the school.",
    ];
    let german = [
        "(1) Der Hafen ist von 6 bis 22 Uhr offen. Wer",
        "später kommt, meldet sich beim Wärter am Tor",
        "und wartet dort, bis er eingelassen wird.",
    ];
    let english = [
        "(1) The harbour is open until 10 p.m. Whoever",
        "arrives later reports to the warden at the gate",
        "and waits there for the door to be opened.",
    ];
    let page = Page::new()
        .lines(50.0, 100.0, EM, &left)
        .lines(300.0, 100.0, EM, &right)
        .bold(50.0, 165.0, 14.0, "Rules of the harbour")
        .lines(50.0, 190.0, EM, &german)
        .lines(300.0, 190.0, EM, &english);
    let found = blocks(&read(&Pdf::new([page])).0).join("\n");
    let order = ["412 pupils", "Two storms", "Rules of the harbour (1) Der", "The harbour is open"];
    let places: Vec<Option<usize>> = order.iter().map(|text| found.find(text)).collect();
    assert!(places.is_sorted() && !places.contains(&None), "{places:?}: {found}");
}

/// A browser leaves room for an initial beside a line more than it is high.
#[test]
fn the_line_below_an_initial_goes_on_with_its_paragraph() {
    let page = Page::new()
        .text(50.0, 126.0, 34.0, "T")
        .lines(
            74.0,
            112.0,
            EM,
            &[
                "he school had 412 pupils in the year, of whom there",
                "were 96 who took the licence in May or June. The old",
                "cutter was sold for 7,300 euros, and the money was",
            ],
        )
        .lines(
            50.0,
            148.0,
            EM,
            &["kept for the pontoon, which is laid in August this year", "or in the next one."],
        );
    let found = blocks(&read(&Pdf::new([page])).0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("The school had") && found[0].contains("The old cutter"),
        "{found:?}"
    );
}
