#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_text::{Analyzer, Language};
use proptest::prelude::*;

use super::{Form, FormKind, Span, form};
use crate::reply::{Answer, AnswerKind, Source};
use crate::testing::source;

/// A case of `cases.txt`.
struct Case {
    name: String,
    question: String,
    sources: Vec<Source>,
    answer: Answer,
    expected: String,
}

fn span_of(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap_or_else(|| unreachable!("no {part:?} in {text:?}"));
    Span::from_range(start..start + part.len())
}

fn case(block: &str) -> Case {
    let (name, lines) = block.split_once('\n').unwrap();
    let mut case = Case {
        name: name.to_owned(),
        question: String::new(),
        sources: Vec::new(),
        answer: Answer::refusal("no"),
        expected: String::new(),
    };
    for line in lines.lines().filter(|line| !line.is_empty()) {
        if let Some(question) = line.strip_prefix("? ") {
            case.question = question.to_owned();
        } else if let Some(quoted) = line.strip_prefix("@ 1 ") {
            let (sentence, exact) = quoted.split_once(" | ").unwrap_or((quoted, ""));
            let text = case.sources[0].text.trim_end().to_owned();
            let highlight = span_of(&text, sentence);
            let exact =
                (!exact.is_empty()).then(|| span_of(sentence, exact).shifted(highlight.start));
            let quoting = Answer::quoting(AnswerKind::Direct, &case.sources[0], highlight).unwrap();
            case.answer = Answer { exact, ..quoting };
        } else if let Some(kind) = line.strip_prefix("= ") {
            case.expected = format!("{kind}\n");
        } else if let Some(part) = line.strip_prefix("+ ") {
            case.expected.push_str(&format!("{part}\n"));
        } else if let Some(place) = line.strip_prefix('[') {
            case.sources.push(source(case.sources.len() + 1, place.split_once("] ").unwrap().1));
        } else {
            let line = if line == "." { "" } else { line };
            case.sources.last_mut().unwrap().text.push_str(&format!("{line}\n"));
        }
    }
    for source in &mut case.sources {
        source.text.truncate(source.text.trim_end().len());
    }
    case
}

fn cases() -> Vec<Case> {
    include_str!("cases.txt").split("\n--- ").skip(1).map(case).collect()
}

fn kind(kind: FormKind) -> &'static str {
    match kind {
        FormKind::Date => "date",
        FormKind::DateRange => "date_range",
        FormKind::Amount => "amount",
        FormKind::Steps => "steps",
        FormKind::List => "list",
        FormKind::Comparison => "comparison",
        FormKind::Permission => "permission",
        FormKind::Row => "row",
    }
}

fn shown(form: Option<&Form>, sources: &[Source]) -> String {
    let Some(form) = form else { return "no\n".to_owned() };
    let mut shown = format!("{}\n", kind(form.kind));
    for part in &form.parts {
        let name = part.name.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
        let value = part.value.as_ref().map(|value| format!(" {{{value}}}")).unwrap_or_default();
        let text = part.span.slice(&sources[part.source - 1].text).unwrap();
        shown.push_str(&format!("{}{name}{value} {text}\n", part.source));
    }
    shown
}

fn language(question: &str) -> Language {
    let german = ["W", "Bis", "Darf"].iter().any(|it| question.starts_with(it))
        && !["Wh", "Wi", "We"]
            .iter()
            .any(|it| question.starts_with(it) && !question.starts_with("Wie"));
    if german { Language::German } else { Language::English }
}

#[test]
fn answers_take_the_form_that_fits() {
    let mut wrong = String::new();
    for case in cases() {
        let analyzer = Analyzer::new(language(&case.question));
        let found = form(&case.question, &case.answer, None, &case.sources, &analyzer);
        let found = shown(found.as_ref(), &case.sources);
        if found != case.expected {
            wrong.push_str(&format!("{}\n{}instead of\n{}\n", case.name, found, case.expected));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn there_are_cases_with_and_without_each_form() {
    let all = cases();
    for kind in
        ["date", "date_range", "amount", "steps", "list", "comparison", "permission", "row", "no"]
    {
        let count = all.iter().filter(|it| it.expected.starts_with(&format!("{kind}\n"))).count();
        assert!(count >= 3, "{kind}: {count}");
    }
}

/// Texts of words that rules look for, and others.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,6}|[A-Z][a-z]{2,5}|[0-9]{1,4}",
        "may|not|must|only|if|to|and|or|from|between|January|2027|€|ECTS|First|Then|Send|Name: |; |: | — |, ",
        "\\. |\n|\n\n|- |é|ß|–|12:00",
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    /// Whatever is asked of whatever text: every part of a form is words of its source.
    #[test]
    fn parts_are_words_of_their_sources(
        opener in "When|How many|How do I|Which items|May I|What is the difference between a and b|Who|Wann",
        rest in "[a-z ]{0,12}",
        (texts, place) in (proptest::collection::vec(text(), 1..4), 0usize..6),
    ) {
        let question = format!("{opener} {rest}?");
        let mut sources: Vec<Source> = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            sources.push(Source { text: text.trim().to_owned(), ..source(index + 1, "Title > Steps") });
        }
        let sentences = campanile_text::sentences(&sources[0].text);
        let Some(highlight) = sentences.get(place % sentences.len().max(1)).copied() else { return Ok(()) };
        let answer = Answer::quoting(AnswerKind::Direct, &sources[0], highlight).unwrap();
        let analyzer = Analyzer::new(Language::English);
        let Some(found) = form(&question, &answer, None, &sources, &analyzer) else { return Ok(()) };
        prop_assert!(!found.parts.is_empty());
        for part in &found.parts {
            let text = &sources[part.source - 1].text;
            prop_assert!(part.span.slice(text).is_some_and(|it| !it.trim().is_empty()), "{part:?} of {text:?}");
        }
        // The same again is the same, and a refusal has no form.
        prop_assert_eq!(form(&question, &answer, None, &sources, &analyzer), Some(found));
        prop_assert_eq!(form(&question, &Answer::refusal("no"), None, &sources, &analyzer), None);
    }
}
