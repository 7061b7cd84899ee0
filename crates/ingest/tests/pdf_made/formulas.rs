//! Formulas that are set on several levels.

use super::support::{Page, Pdf};
use super::{BODY, blocks, read};

/// Helvetica at ten points: `The mark is X = ` is 69.5 points wide, `a + b` 22.5, a figure 5.6.
fn page() -> Page {
    Page::new().lines(50.0, 200.0, 10.0, &BODY)
}

fn first(page: Page) -> String {
    blocks(&read(&Pdf::new([page])).0).remove(0)
}

#[test]
fn a_fraction_is_read_on_its_line() {
    let text = |page: Page| page.text(50.0, 100.0, 10.0, "The mark is X =");
    let cases = [
        // Of the size of its text, in smaller letters, and with more behind it.
        (
            text(page())
                .text(126.0, 93.0, 10.0, "a + b")
                .line((125.5, 97.0), (149.5, 97.0))
                .text(135.0, 106.5, 10.0, "3"),
            "1  The mark is X = (a + b)/3",
        ),
        (
            text(page())
                .text(127.0, 95.5, 7.0, "a + b")
                .line((126.0, 97.2), (144.0, 97.2))
                .text(133.0, 103.5, 7.0, "c")
                .text(147.0, 100.0, 10.0, "of all."),
            "1  The mark is X = (a + b)/c of all.",
        ),
        // One in the upper part of another.
        (
            text(page())
                .text(128.5, 83.0, 7.0, "1")
                .line((127.0, 84.7), (134.0, 84.7))
                .text(128.5, 91.0, 7.0, "2")
                .text(137.0, 87.4, 10.0, "+ b")
                .line((126.0, 97.0), (152.0, 97.0))
                .text(136.0, 106.5, 10.0, "c"),
            "1  The mark is X = (1/2 + b)/c",
        ),
    ];
    for (page, expected) in cases {
        assert_eq!(first(page), expected);
    }
}

#[test]
fn other_short_rules_are_no_fractions() {
    let cases = [
        // An underlined word in a line, and a rule between the names of columns.
        (
            page()
                .text(50.0, 100.0, 10.0, "The mark is given")
                .line((50.0, 101.5), (128.0, 101.5))
                .text(50.0, 112.0, 10.0, "by the board of all."),
            "1  The mark is given",
        ),
        (
            page()
                .text(50.0, 100.0, 10.0, "Course")
                .text(126.0, 94.0, 10.0, "a + b")
                .line((125.5, 97.0), (149.5, 97.0))
                .text(135.0, 106.5, 10.0, "3"),
            "a + b",
        ),
    ];
    for (page, expected) in cases {
        let found = blocks(&read(&Pdf::new([page])).0).join("\n");
        assert!(found.contains(expected) && !found.contains('/'), "{found}");
    }
}

/// A formula in the middle of a sentence cuts it in none.
#[test]
fn a_formula_on_a_line_of_its_own_is_read_in_its_sentence() {
    let page = Page::new()
        .text(50.0, 100.0, 10.0, "(1) The mark is computed from the parts as")
        .text(200.0, 125.0, 10.0, "X =")
        .text(224.0, 118.0, 10.0, "a + b")
        .line((223.5, 122.0), (247.5, 122.0))
        .text(233.0, 131.5, 10.0, "3")
        .text(50.0, 150.0, 10.0, "and is cut after the first decimal.")
        .lines(50.0, 200.0, 10.0, &BODY);
    assert_eq!(
        first(page),
        "1  (1) The mark is computed from the parts as X = (a + b)/3 and is cut after the first decimal."
    );
}
