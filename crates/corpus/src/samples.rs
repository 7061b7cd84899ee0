//! Documents for tests, written as they would be read.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Block, BlockKind, Document, Section, Span, TokenCounter};

/// Every word is a token.
pub(crate) struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().count()
    }
}

/// A document from lines: `# heading`, `- list item`, `| table row`, `> quotation`, `$ code`, or a
/// paragraph.
pub(crate) fn document(title: &str, source: &str) -> Document {
    let mut document = Document {
        path: "samples/document.md".to_owned(),
        title: title.to_owned(),
        sections: vec![Section::default()],
        ..Document::default()
    };
    let mut path: Vec<String> = Vec::new();
    for line in source.lines().map(str::trim_end) {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        if !document.text.is_empty() {
            document.text.push('\n');
        }
        let start = document.text.len();
        if !mark.is_empty() && mark.bytes().all(|byte| byte == b'#') {
            document.text.push_str(rest);
            path.truncate(mark.len() - 1);
            path.push(rest.to_owned());
            let end = document.text.len() + 1;
            document.sections.push(Section {
                heading: rest.to_owned(),
                level: u8::try_from(mark.len()).unwrap_or(6),
                path: path.clone(),
                span: Span::from_range(end..end),
                ..Section::default()
            });
            continue;
        }
        let (kind, text) = match mark {
            "-" => (BlockKind::ListItem, rest),
            "|" => (BlockKind::TableRow, rest),
            ">" => (BlockKind::Quote, rest),
            "$" => (BlockKind::Code, rest),
            _ => (BlockKind::Paragraph, line),
        };
        document.text.push_str(text);
        let span = Span::from_range(start..document.text.len());
        if let Some(section) = document.sections.last_mut() {
            section.span.start = section.span.start.min(span.start);
            section.span.end = span.end;
            section.blocks.push(Block { kind, span });
        }
    }
    let length = Span::from_range(0..document.text.len()).end;
    for section in &mut document.sections {
        section.span = Span::new(section.span.start.min(length), section.span.end.min(length));
    }
    document
}

/// Documents of all kinds of blocks, with what rules look for strewn among the words.
pub(crate) fn any_document() -> impl Strategy<Value = Document> {
    let word = prop_oneof![
        8 => "[a-z]{1,9}",
        2 => "[A-Z][a-z]{1,8}",
        3 => prop::sample::select(SEEDS).prop_map(str::to_owned),
        1 => "\\PC{1,6}",
        1 => "[0-9]{1,4}([.,/:-][0-9]{1,4})?",
    ];
    let end = prop::sample::select(&[".", ".", ":", ";", ", and", ",", "?", "", " -"][..]);
    let sentence =
        (vec(word, 1..14), end).prop_map(|(words, end)| format!("{}{end}", words.join(" ")));
    let line = (
        prop::sample::select(&["", "", "", "- ", "| ", "> ", "$ ", "# ", "## "][..]),
        vec(sentence, 1..5),
    )
        .prop_map(|(mark, sentences)| format!("{mark}{}", sentences.join(" ")));
    ("\\PC{0,40}", vec(line, 0..14))
        .prop_map(|(title, lines)| document(&title, &lines.join("\n").replace('\r', " ")))
}

#[rustfmt::skip]
const SEEDS: &[&str] = &[
    "the", "The course", "This module", "It", "is", "must", "has", "and", "which", ", which",
    "CS 101", "a)", "b)", "(a)", "(b)", "1)", "2)", "ECTS: 6", "Course: CS 102;", "30 Euro",
    "jane@x.edu", "https://x.edu/a?b=1.", "15 May 2025", "Data Protection Officer (DPO)",
    "§ 5 Abs. 2", "if", "or", "Dieses Modul", "und", "der Antrag", "ist",
];
