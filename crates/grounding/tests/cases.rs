//! Cases as data: what a text states, what is missing of it, and whether it may go on.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use campanile_grounding::{Continuation, Grounds, Literal, literals};
use campanile_text::Language;

/// The fields of each line that is no comment.
fn cases<const FIELDS: usize>(file: &'static str) -> Vec<(Language, [&'static str; FIELDS])> {
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut fields = line.split('|').map(str::trim);
            let language = fields.next().unwrap().parse().unwrap();
            let fields: Vec<&str> = fields.collect();
            assert_eq!(fields.len(), FIELDS, "{line}");
            (language, fields.try_into().unwrap())
        })
        .collect()
}

fn spans(text: &str, literals: &[Literal]) -> String {
    let all: Vec<&str> = literals.iter().map(|one| one.span.slice(text).unwrap()).collect();
    all.join(", ")
}

#[test]
fn a_text_states_its_literals() {
    for (language, [text, expected]) in cases(include_str!("literals.txt")) {
        let shown = |one: Literal| format!("{} {}", one.kind.name(), one.value);
        let found: Vec<String> = literals(text, language).into_iter().map(shown).collect();
        assert_eq!(found.join(", "), expected, "{text}");
    }
}

#[test]
fn what_no_source_states_is_missing() {
    for (language, [source, text, expected]) in cases(include_str!("missing.txt")) {
        let grounds = Grounds::of([source], language);
        assert_eq!(spans(text, &grounds.missing(text)), expected, "{text} of {source}");
        assert_eq!(spans(source, &grounds.missing(source)), "", "{source} of itself");
    }
}

#[test]
fn a_text_goes_on_as_its_sources_do() {
    let mut wrong = Vec::new();
    for (language, [source, text, piece, expected]) in cases(include_str!("continuation.txt")) {
        let [text, piece] = [text, piece].map(|field| field.replace("· ", " ").replace('·', " "));
        let grounds = Grounds::of([source], language);
        let allowed = Continuation::new(&grounds).allows(&text, &piece);
        if (allowed, expected) != (true, "yes") && (allowed, expected) != (false, "no") {
            wrong.push(format!("`{text}` + `{piece}` of `{source}`: {allowed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
