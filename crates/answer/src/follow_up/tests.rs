#![expect(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;

use super::{Turn, resolve};

/// The question before, the follow-up, and the question that stands alone or `no`.
fn cases() -> Vec<(&'static str, &'static str, &'static str)> {
    let lines = include_str!("cases.txt").lines().chain(include_str!("blind_cases.txt").lines());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (before, rest) = line.split_once(" || ").unwrap();
            let (question, expected) = rest.split_once(" => ").unwrap();
            (before, question, expected)
        })
        .collect()
}

fn turns(questions: &[&str]) -> Vec<Turn> {
    questions.iter().map(|question| Turn { question: (*question).to_owned() }).collect()
}

#[test]
fn follow_ups_are_completed_and_nothing_else_is() {
    let mut wrong = Vec::new();
    for (before, question, expected) in cases() {
        let found = resolve(question, &turns(&["Who is who?", before]));
        let found = found.map_or("no".to_owned(), |found| found.question);
        if found != expected {
            wrong.push(format!("{before} {question}\n  {found}\n  instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_carried_stands_in_both_questions() {
    for (before, question, expected) in cases() {
        let Some(found) = resolve(question, &turns(&[before])) else { continue };
        assert!(!found.carried.is_empty(), "{question}");
        for carried in &found.carried {
            let holds = |text: &str| text.to_lowercase().contains(&carried.to_lowercase());
            // Where one of its words was exchanged, it stands in the earlier one alone.
            assert!(holds(before), "{carried} of {before}");
            let is_exchanged = !holds(expected) && before.contains(carried.as_str());
            assert!(holds(expected) || is_exchanged, "{carried} in {expected}");
        }
    }
}

#[test]
fn nothing_comes_of_nothing() {
    for (_, question, _) in cases() {
        assert_eq!(resolve(question, &[]), None);
        assert_eq!(resolve(question, &turns(&["", "?"])), None);
    }
    assert_eq!(resolve("", &turns(&["When does the library close?"])), None);
}

#[test]
fn there_are_cases_of_both_kinds() {
    let no = cases().iter().filter(|(.., expected)| *expected == "no").count();
    assert!(no >= 30 && cases().len() - no >= 30, "{no} of {}", cases().len());
}

proptest! {
    /// A question that has been completed once stands alone, and any text is taken.
    #[test]
    fn any_two_texts_are_taken(
        before in "(what|when|how|does|is|the|a|library|thesis|for|in|it|WEN210|winter| |\\?|é){0,10}",
        question in "(and|what about|it|for|in|the|there|that|exam|WEN220|summer|how much| |\\?|ß){0,8}",
    ) {
        if let Some(found) = resolve(&question, &turns(&[&before])) {
            prop_assert!(!found.question.trim().is_empty());
            prop_assert_ne!(found.question.as_str(), question.trim());
        }
    }
}
