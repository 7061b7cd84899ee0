#![expect(clippy::panic, reason = "a failed case is named")]

use campanile_corpus::{BlockKind, Document};

use crate::{IngestOptions, read_bytes};

fn read(source: &str) -> Document {
    match read_bytes("handbook_2024.txt", source.as_bytes(), &IngestOptions::default()) {
        Ok(mut reading) => reading.documents.remove(0),
        Err(error) => panic!("{error}"),
    }
}

/// Cases: what each shows, the file, its text.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "wrapped paragraph",
        "The information contained in this graduate handbook focuses on the\n\
         resources and locations available at the main campus, and on the\nrules.\n\nNext",
        "The information contained in this graduate handbook focuses on the resources and \
         locations available at the main campus, and on the rules.\n\nNext",
    ),
    ("lines meant to end", "Mon 10-12\nTue 14-16\nWed", "Mon 10-12\nTue 14-16\nWed"),
    ("long lines", "One.\r\nTwo.", "One.\nTwo."),
    (
        "bullets",
        "Bring:\n- a card\n* a form\n  and a pen\n• 3 cm",
        "Bring:\n\na card\na form\nand a pen\n3 cm",
    ),
    (
        "numbers",
        "1. Apply\n2) Wait\n(a) or not\n(iv) or so",
        "1. Apply\n2) Wait\n(a) or not\n(iv) or so",
    ),
    ("brackets that count nothing", "(SCS) policies", "(SCS) policies"),
    ("rules drawn", "One\n\n=====\n\n- - -\n\nTwo", "One\n\nTwo"),
    ("page break", "One\u{c}Two", "One\n\nTwo"),
    ("token", "Say <s>hello</s>", "Say hello"),
];

#[test]
fn files_become_text() {
    for (name, source, expected) in TEXTS {
        assert_eq!(read(source).text, *expected, "{name}");
    }
}

fn outline(source: &str) -> Vec<(u8, String, String)> {
    let document = read(source);
    let body = |span: campanile_corpus::Span| span.slice(&document.text).unwrap_or("?").to_owned();
    document
        .sections
        .iter()
        .map(|section| (section.level, section.path.join(" > "), body(section.span)))
        .collect()
}

#[test]
fn underlined_lines_are_headings() {
    let source = "Exams\n=====\nIntro\nResits\n------\n\nTwice.\n\n- item\n------\nrest";
    let expected = [(1, "Exams", "Intro"), (2, "Exams > Resits", "Twice.\n\nitem\n\nrest")];
    assert_eq!(outline(source), expected.map(|(l, p, b)| (l, p.to_owned(), b.to_owned())));
    assert_eq!(read(source).title, "Exams");
}

#[test]
fn numbered_lines_are_headings_where_there_are_several() {
    let source =
        "1.1 Welcome\nHello.\n1.2 The Degree\nIt is.\n1.2.1 Units\n96.\n1.3 Contents .... 7\n";
    let expected = [
        (2, "1.1 Welcome", "Hello."),
        (2, "1.2 The Degree", "It is."),
        (3, "1.2 The Degree > 1.2.1 Units", "96.\n1.3 Contents .... 7"),
    ];
    assert_eq!(outline(source), expected.map(|(l, p, b)| (l, p.to_owned(), b.to_owned())));
    let timetable = "9.0 Lec MWF CFA 214\n".repeat(5) + &"1.5 Lec MWF 10:00 11:50\n".repeat(5);
    assert_eq!(outline(&timetable).len(), 1, "a timetable has no headings");
    assert_eq!(outline("2.5 Units each\n\nText").len(), 1, "one may be anything");
}

#[test]
fn lines_in_capitals_are_headings_if_not_all_are() {
    assert_eq!(outline("FEES AND FINES\n\nPay.\n\nSEE ALSO:\n\nx").len(), 1);
    assert_eq!(
        outline("FEES AND FINES\n\nPAY.\n\nMORE TEXT").first().map(|(level, ..)| *level),
        Some(0)
    );
}

#[test]
fn blocks_know_what_they_were() {
    let document = read("Text\n- item");
    let kinds: Vec<_> = document
        .sections
        .iter()
        .flat_map(|section| section.blocks.iter().map(|block| block.kind))
        .collect();
    assert_eq!(kinds, [BlockKind::Paragraph, BlockKind::ListItem]);
    assert_eq!(document.title, "Handbook 2024");
}
