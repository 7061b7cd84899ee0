#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_corpus::metadata::HierarchyLevel;
use campanile_text::{Analyzer, Language};
use proptest::prelude::*;

use super::{Voice, conflicts};
use crate::query::Query;

/// The level of a passage, and what it says.
type Said = (HierarchyLevel, &'static str);

/// Names, both passages, and the lines with the outcome.
fn cases() -> Vec<(&'static str, [Said; 2], &'static str)> {
    let blocks = include_str!("cases.txt").split("\n## ").skip(1);
    blocks
        .map(|block| {
            let mut lines = block.lines();
            let name = lines.next().unwrap();
            let mut voice = || {
                let (level, text) = lines.next().unwrap().split_once(": ").unwrap();
                (HierarchyLevel::of(level).unwrap(), text)
            };
            let voices = [voice(), voice()];
            (name, voices, lines.next().unwrap().strip_prefix("= ").unwrap())
        })
        .collect()
}

fn voice<'a>(
    place: usize,
    (level, text): (HierarchyLevel, &'a str),
    documents: [&'a str; 2],
) -> Voice<'a> {
    Voice {
        place,
        level,
        is_visitors: false,
        document: documents.get(place).copied().unwrap_or_default(),
        faculties: &[],
        context: String::new(),
        text,
    }
}

/// A question about what both texts speak of.
fn about(texts: &[&str; 2], analyzer: &Analyzer) -> Query {
    let [left, right] = texts.map(|text| Query::new(text, analyzer, None).terms);
    let common: Vec<String> = left.into_iter().filter(|term| right.contains(term)).collect();
    Query { terms: common, ..Query::new("", analyzer, None) }
}

#[test]
fn faculties_speak_to_their_own_students() {
    let analyzer = Analyzer::new(Language::English);
    let texts = ["Late essays lose ten points a day.", "Late essays lose five points a day."];
    let [arts, law] = ["Arts".to_owned(), "Law".to_owned()].map(|name| [name]);
    let question = about(&texts, &analyzer);
    let said = |place, level, faculties| Voice {
        faculties,
        ..voice(place, (level, texts[place]), ["a.md", "b.md"])
    };
    for (department, differences) in [(arts.as_slice(), 1), (&law, 0), (&[], 1)] {
        let voices = [
            said(0, HierarchyLevel::Faculty, arts.as_slice()),
            said(1, HierarchyLevel::Department, department),
        ];
        let found = conflicts(&voices, &question, &analyzer);
        assert_eq!(found.len(), differences, "{department:?}");
    }
}

#[test]
fn levels_differ_only_where_much_speaks_for_it() {
    let analyzer = Analyzer::new(Language::English);
    for (name, [left, right], expected) in cases() {
        let documents = ["a.md", "b.md"];
        // Which of the two comes first does not matter.
        for (first, second) in [(left, right), (right, left)] {
            let voices = [voice(0, first, documents), voice(1, second, documents)];
            let question = about(&[left.1, right.1], &analyzer);
            let found = conflicts(&voices, &question, &analyzer);
            let texts = [first.1, second.1];
            let said = found.first().map_or("no".to_owned(), |conflict| {
                let value = |side: &super::Stated| side.value.slice(texts[side.passage]).unwrap();
                format!("{} | {}", value(&conflict.nearer), value(&conflict.farther))
            });
            assert_eq!(said, expected, "{name}");
            assert!(found.len() <= 1, "{name}");
        }
        let one_document = ["a.md", "a.md"];
        let voices = [voice(0, left, one_document), voice(1, right, one_document)];
        let question = about(&[left.1, right.1], &analyzer);
        assert_eq!(conflicts(&voices, &question, &analyzer), [], "{name}, in one document");
    }
}

#[test]
fn there_are_cases_of_both_kinds() {
    let no = cases().iter().filter(|(.., expected)| *expected == "no").count();
    assert!(no >= 10 && cases().len() - no >= 9, "{no} of {}", cases().len());
}

proptest! {
    #[test]
    fn any_text_is_compared(
        left in "([a-z]{1,6}|[0-9.,:-]{1,5}|€|%| |May |\\.|\n){0,30}",
        right in "\\PC{0,60}",
    ) {
        let analyzer = Analyzer::new(Language::English);
        let texts = [left.as_str(), right.as_str()];
        let voices = [
            voice(0, (HierarchyLevel::Department, texts[0]), ["a", "b"]),
            voice(1, (HierarchyLevel::University, texts[1]), ["a", "b"]),
        ];
        let question = Query::new(left.as_str(), &analyzer, None);
        for conflict in conflicts(&voices, &question, &analyzer) {
            prop_assert!(conflict.nearer.value.slice(texts[conflict.nearer.passage]).is_some());
            prop_assert!(conflict.farther.sentence.slice(texts[conflict.farther.passage]).is_some());
        }
    }
}
