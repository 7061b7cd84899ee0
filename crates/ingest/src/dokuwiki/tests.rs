#![expect(clippy::panic, reason = "a failed case is named")]

use campanile_corpus::Document;

use super::is_page;
use crate::{Finding, IngestOptions, Reading, read_bytes};

fn read(source: &str) -> (Document, Vec<Finding>) {
    match read_bytes("office/keys.txt", source.as_bytes(), &IngestOptions::default()) {
        Ok(Reading { mut documents, findings, .. }) => (documents.remove(0), findings),
        Err(error) => panic!("{error}"),
    }
}

/// Two headings, by which a page is known, and what stands below them.
fn below_headings(source: &str) -> String {
    let (document, _) = read(&format!("====== Keys ======\n\n===== Loan =====\n{source}"));
    let text = document.text.strip_prefix("Keys\n\nLoan").map(str::trim_start);
    text.unwrap_or(&document.text).to_owned()
}

/// Cases: what each shows, the page, its text.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "wrapped lines",
        "One\ntwo **three**\n//four// __five__ ''six''.\n\nSeven",
        "One two three four five six.\n\nSeven",
    ),
    ("levels", "==== Deep ====\nText\n== Deeper ==\nMore", "Deep\n\nText\n\nDeeper\n\nMore"),
    (
        "lists",
        "Bring:\n  * a card\n    * of plastic\n  * a form\n\n  - Sign.\n  - Go //home//.\n    - by bus",
        "Bring:\n\na card\nof plastic\na form\n1. Sign.\n2. Go home.\n1. by bus",
    ),
    (
        "a table",
        "^ Item ^ Fee ^\n| Key | EUR **25** |\n| [[keys:lamp|Lamp]] | see [[x|a|b]] %%|%% |",
        "Item: Key; Fee: EUR 25\nItem: Lamp; Fee: see a|b |",
    ),
    (
        "cells over rows and columns",
        "^ Room ^ Opens ^^\n^ ::: ^ Mon ^ Tue ^\n| 1 | 8:00 | 9:00 |\n| 2 | 10:00 ||\n| ::: | 10:30 | 11:00 |",
        "Room: 1; Opens Mon: 8:00; Opens Tue: 9:00\nRoom: 2; Opens Mon/Tue: 10:00\nRoom: 2; Opens Mon: 10:30; Opens Tue: 11:00",
    ),
    (
        "heads of rows",
        "^ ^ Mon ^ Tue ^\n^ Key | 8:00 | 9:00 |\n^ Lamp | 10:00 | 11:00 |",
        "Key — Mon: 8:00; Tue: 9:00\nLamp — Mon: 10:00; Tue: 11:00",
    ),
    (
        "notes",
        "Two keys.((One in **May**.)) More ((see (b))).\n\nEnd.",
        "Two keys. More .\n\nOne in May.\n\nsee (b)\n\nEnd.",
    ),
    (
        "a note in a cell",
        "^ Item ^ Fee ^\n| Key | 25((In May: 30.)) |",
        "Item: Key; Fee: 25 (In May: 30.)",
    ),
    (
        "links",
        "[[office:hours]], [[:start|Home]], [[#Fees]], [[wp>Key]], [[https://x.edu/a|out]], <jo@x.edu>, https://x.edu/b//c",
        "hours, Home, Fees, Key, out, jo@x.edu, https://x.edu/b//c",
    ),
    (
        "pictures and files",
        "See {{ :office:form_7.pdf |form 7}}, {{:a.pdf}}. {{plan.png?200|The plan}}\n^ Key ^ Holder ^\n| 7 | {{red.png|red}} |",
        "See form 7, a.pdf.\n\nKey: 7; Holder: red",
    ),
    (
        "frames",
        "<WRAP round important 60%>\n**Note.** Ask.\n</WRAP>\n<note tip>Quick</note>\n<box 50%|Hours>\nNine.\n</box>\n<wrap em>Loud</wrap> word",
        "Note. Ask.\n\nQuick\n\nHours\n\nNine.\n\nLoud word",
    ),
    (
        "as it stands",
        "%%**not bold**%% and <nowiki>//x//</nowiki>, a * b ** c, 5 // 6",
        "**not bold** and //x//, a * b ** c, 5 // 6",
    ),
    (
        "code",
        "<code bash key.sh>\nls  [[x]]\n</code>\nThen:\n\n  set in\n  more\n\nSo <file>a</file> b",
        "ls  [[x]]\n\nThen:\n\nset in\nmore\n\nSo\n\na\n\nb",
    ),
    (
        "breaks and rules",
        "12 High St\\\\ Anytown\\\\\nAB1\n----\nEnd",
        "12 High St\nAnytown\nAB1\n\nEnd",
    ),
    ("quotes", "> He said\n>> this", "He said this"),
    (
        "words to the program",
        "~~NOTOC~~\nText ~~DISCUSSION:off~~ {{page>office:foot}} {{tag>a b}}",
        "Text",
    ),
    (
        "comments",
        "Open /* ask Jo */ daily, //*x*//.\n/* more\nlines */\nEnd",
        "Open daily, *x*.\n\nEnd",
    ),
    ("an element", "H<sub>2</sub>O & a < b <i>c</i>", "H2O & a < b <i>c</i>"),
    ("marks that nothing closes", "A **b and [[c and ((d and {{e", "A **b and [[c and ((d and {{e"),
];

#[test]
fn pages_become_text() {
    for (name, source, expected) in TEXTS {
        assert_eq!(below_headings(source), *expected, "{name}");
    }
}

#[test]
fn headings_make_sections_with_their_anchors() {
    let (document, _) =
        read("====== Keys ======\n\n===== Loan & return =====\nText.\n\n==== Für wen ====\nAll.");
    let sections: Vec<_> = document
        .sections
        .iter()
        .map(|section| (section.heading.as_str(), section.level, section.anchor.as_deref()))
        .collect();
    let expected = [
        ("Keys", 1, Some("keys")),
        ("Loan & return", 2, Some("loan_return")),
        ("Für wen", 3, None),
    ];
    assert_eq!((document.title.as_str(), sections.as_slice()), ("Keys", expected.as_slice()));
}

#[test]
fn what_is_left_out_is_reported() {
    let (document, findings) = read(
        "====== Keys ======\n\n===== Loan =====\n<del>EUR 20</del> EUR 25.\n<WRAP hide>\nCode 1234\n</WRAP>\n/* ask */\n{{page>x}}",
    );
    assert_eq!(document.text, "Keys\n\nLoan\n\nEUR 25.");
    let all = format!("{findings:?}");
    for part in ["Comments(1)", "EUR 20", "Code 1234", "TemplateTags(1)"] {
        assert!(all.contains(part), "{part}: {all}");
    }
}

#[test]
fn a_page_is_known_by_two_signs() {
    for source in [
        "====== Keys ======\n===== Loan =====",
        "===== Keys =====\nSee [[office:hours]].",
        "^ Item ^ Fee ^\n| Key | 25 |",
        "<WRAP info>\nAsk.((Daily.))\n</WRAP>",
        "~~NOTOC~~\n  * Key\n  * Lamp",
    ] {
        assert!(is_page(source), "{source}");
    }
    for source in [
        "===== Keys =====\nBring your card.",
        "Keys\n====\n\nLoan\n====\n\n  - one\n  - two",
        "Results (([1])) of [[a, b], [c]]\n  - one",
        "==========\n== Report\n==========\n| a | b |",
        "== Keys ==\n'''Loan'''\n== More ==\n[[x]]",
        "^ caret alone\n| a pipe |",
        "total = 5\n===== =====\n---- x ----",
    ] {
        assert!(!is_page(source), "{source}");
    }
}

#[test]
fn time_grows_with_the_page_alone() {
    let head = "====== A ======\n===== B =====\n";
    let pages = [
        "**//__''".repeat(50_000),
        "((".repeat(100_000),
        "[[".repeat(100_000) + &"{{".repeat(100_000),
        "^ ".repeat(20_000),
        format!("{}\n", "| ::: ".repeat(300)).repeat(300),
        (1..3_000).map(|depth| format!("{}* a\n", " ".repeat(depth))).collect(),
        "<WRAP>\n".repeat(1_000),
        "<code>".repeat(30_000),
        "<code>\n".repeat(30_000),
        "/* ".repeat(100_000),
        "~~".repeat(100_000),
        "%%a".repeat(100_000),
    ];
    for page in pages {
        let effort = campanile_test_data::effort(|| drop(read(&format!("{head}{page}"))));
        let beginning: String = page.chars().take(20).collect();
        assert!(effort.as_secs() < 20, "{beginning:?} took {effort:?}");
    }
}
