#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::samples::{Words, any_document, document};
use crate::{
    ChunkOptions, ChunkStrategy, Document, FixedOptions, Span, chunk, chunk_by, indexed_sentence,
};

fn units(document: &Document) -> Vec<SentenceUnit> {
    let chunks = chunk(document, &Words, &ChunkOptions::default());
    chunks.iter().flat_map(|chunk| sentences_of(document, chunk)).collect()
}

fn texts(document: &Document) -> Vec<String> {
    let text = |unit: &SentenceUnit| unit.span.slice(&document.text).unwrap().to_owned();
    units(document).iter().map(text).collect()
}

/// Cases: what each shows; the document; its units.
const CASES: &[(&str, &str, &[&str])] = &[
    ("sentences", "# Fees\nPay in May. Bring the card.", &["Pay in May.", "Bring the card."]),
    (
        "headings are in no unit",
        "# Fees\nAll must pay them.\n## When\nOnly in May please.",
        &["All must pay them.", "Only in May please."],
    ),
    (
        "items and rows are whole",
        "# Fees\n- Pay. Then wait.\n- Card\n| Course: CS 101; ECTS: 6. Yes.",
        &["Pay. Then wait.", "Card", "Course: CS 101; ECTS: 6. Yes."],
    ),
    ("a fragment joins what follows", "# A\nYes. You may enter.", &["Yes. You may enter."]),
    (
        "a fragment joins what it ends",
        "# A\nYou may enter here. See below. It is open.",
        &["You may enter here. See below.", "It is open then."],
    ),
    (
        "a line that introduces",
        "# A\nWe all agree.\nNote:\nIt is open now.",
        &["We all agree.", "Note:\nIt is open now."],
    ),
    ("nothing to join", "# A\nNote:\n- It is open.", &["Note:", "It is open."]),
    ("no join across sections", "# A\nYes.\n# B\nIt is open now.", &["Yes.", "It is open now."]),
];

#[test]
fn chunks_fall_into_units_that_can_be_read() {
    for (name, source, expected) in CASES {
        let source = source.replace("It is open.", "It is open then.");
        let expected: Vec<_> =
            expected.iter().map(|text| text.replace("It is open.", "It is open then.")).collect();
        assert_eq!(texts(&document("T", &source)), expected, "{name}");
    }
}

#[test]
fn a_long_item_is_cut_into_its_sentences() {
    let sentence = "All students of the department must hand in the form on time. ";
    let item = sentence.repeat(6);
    assert_eq!(texts(&document("T", &format!("# A\n- {item}"))).len(), 6);
}

#[test]
fn a_sentence_is_indexed_with_the_context_of_its_own_section() {
    let document = document("Exams", "# Resits\nOnce more only.\n# Fees\nThere are none.");
    let strategy = ChunkStrategy::Fixed(FixedOptions { characters: 400, overlap: 0 });
    let chunks = chunk_by(&document, &Words, &strategy, None).unwrap();
    assert_eq!(chunks.len(), 1);
    let units = sentences_of(&document, &chunks[0]);
    assert_eq!(indexed_sentence(&document, &units[1]).as_str(), "Exams > Fees\nThere are none.");
}

#[test]
fn children_find_their_parents_and_parents_their_children() {
    let source = format!("# A\n{}", "One sentence of six words only. ".repeat(60));
    let document = document("T", &source);
    let chunks = chunk(&document, &Words, &ChunkOptions::default());
    let units: Vec<_> = chunks.iter().flat_map(|chunk| sentences_of(&document, chunk)).collect();
    let family = Family::new(&units, chunks.len());
    assert!(chunks.len() > 2);
    for chunk in &chunks {
        let children = &units[family.children(chunk.index)];
        assert!(!children.is_empty());
        for child in children {
            let own = chunk.span.slice(&document.text).unwrap();
            let marked = highlight(chunk, child).unwrap().slice(own);
            assert_eq!(marked, child.span.slice(&document.text));
        }
        let stranger = SentenceUnit { parent: chunk.index + 1, ..children[0] };
        assert_eq!(highlight(chunk, &stranger), None);
    }
    assert_eq!(family.children(99), 0..0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn units_hold_every_word_of_their_chunk_once(
        document in any_document(),
        characters in 16_usize..400,
        by_structure in any::<bool>(),
        overlap in vec(0_usize..8, 1),
    ) {
        let strategy = if by_structure {
            ChunkStrategy::default()
        } else {
            ChunkStrategy::Fixed(FixedOptions { characters, overlap: overlap[0] })
        };
        for chunk in chunk_by(&document, &Words, &strategy, None).unwrap() {
            let mut end = 0;
            let mut covered = vec![false; document.text.len()];
            for unit in sentences_of(&document, &chunk) {
                prop_assert!(chunk.span.contains(unit.span) && unit.span.start >= end);
                prop_assert!(unit.span.slice(&document.text).is_some());
                let section = &document.sections[unit.section as usize];
                prop_assert!(section.span.contains(unit.span), "a heading in {unit:?}");
                covered[unit.span.range()].fill(true);
                end = unit.span.end;
            }
            for section in &document.sections {
                let start = section.span.start.max(chunk.span.start);
                let both = Span::new(start, section.span.end.min(chunk.span.end));
                let body = both.slice(&document.text).unwrap();
                for (offset, character) in body.char_indices() {
                    let place = both.start as usize + offset;
                    prop_assert!(!character.is_alphanumeric() || covered[place]);
                }
            }
        }
    }
}

#[test]
fn a_question_is_one_sentence_with_its_mark() {
    let cases = [
        ("How do I enrol?", true),
        ("“What is a credit?”", true),
        ("Can I (as a guest) borrow books? ", true),
        ("Wie melde ich mich ab?", true),
        ("How to enrol", false),
        ("???", false),
        ("?", false),
        ("Late? Then call us.", false),
        ("Late? Lost? Sick?", false),
        ("You are late. What now?", false),
    ];
    for (text, expected) in cases {
        assert_eq!(asks(text), expected, "{text}");
    }
}
