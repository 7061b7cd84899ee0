//! What is drawn through, above and beside the words of a line.

use super::support::{Page, Pdf};
use super::{blocks, read};

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
