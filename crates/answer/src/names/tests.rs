#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_retrieve::Trace;
use campanile_text::{Analyzer, Language, Span};

use super::{Fitting, Names};
use crate::reply::{Answer, AnswerKind, Reply, Source};
use crate::testing::{reply, source};

/// A passage of `cases.txt` with the part that is shown, and its questions with the names that are missing.
struct Case {
    language: Language,
    source: Source,
    shown: Option<Span>,
    exact: Option<Span>,
    questions: Vec<(&'static str, Vec<&'static str>)>,
}

fn cases() -> Vec<Case> {
    let blocks = include_str!("cases.txt").split("\n--- ").skip(1);
    blocks.map(case).collect()
}

fn case(block: &'static str) -> Case {
    let (head, rest) = block.split_once('\n').unwrap();
    let (language, place) = head.split_once(": ").unwrap();
    let language = if language == "de" { Language::German } else { Language::English };
    let (passage, questions) = rest.split_once("\n? ").unwrap();
    let exact = passage.split('|').nth(1);
    let passage = passage.replace('|', "");
    let shown = passage.find('«').map(|start| {
        let end = passage.find('»').unwrap() - '«'.len_utf8();
        Span::from_range(start..end)
    });
    let text = passage.replace(['«', '»'], "");
    let exact = exact.map(|exact| {
        let start = text.find(exact).unwrap();
        Span::from_range(start..start + exact.len())
    });
    let question = |line: &'static str| {
        let (question, missing) = line.split_once(" =>").unwrap();
        let missing = missing.split("; ").map(str::trim).filter(|name| !name.is_empty());
        (question, missing.collect())
    };
    let questions = questions.split("\n? ").map(|line| question(line.trim())).collect();
    Case { language, source: Source { text, ..source(1, place) }, shown, exact, questions }
}

fn shown(question: &str, case: &Case) -> Reply {
    let whole = Span::from_range(0..case.source.text.len());
    let (kind, span) = match case.shown {
        Some(span) => (AnswerKind::Direct, span),
        None => (AnswerKind::Section, whole),
    };
    let answer = Answer::quoting(kind, &case.source, span).unwrap();
    let answer = Answer { exact: case.exact, ..answer };
    reply(question, vec![case.source.clone()], answer)
}

#[test]
fn what_is_named_and_not_shown_is_missing() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases() {
        let analyzer = Analyzer::new(case.language);
        for (question, expected) in &case.questions {
            let names = Names::of(question, &Trace::default(), &analyzer);
            let reply = shown(question, &case);
            let missing = names.missing(&reply, &reply.sources, &analyzer);
            let missing: Vec<&str> = missing.iter().map(|(name, _)| name.name.as_str()).collect();
            count += 1;
            if missing != *expected {
                wrong.push(format!("{question} {missing:?} instead of {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty() && count > 80, "{count}:\n{}", wrong.join("\n"));
}

#[test]
fn a_passage_with_the_code_is_taken_before_one_without() {
    let analyzer = Analyzer::new(Language::English);
    let of =
        |number, place: &str, text: &str| Source { text: text.to_owned(), ..source(number, place) };
    let sources = [
        of(1, "ARC210 Drawing", "Assessed by a portfolio."),
        of(2, "All courses", "ARC310 is assessed by a talk."),
        of(3, "ARC310 Models", "Assessed by a model."),
    ];
    let fitting = |question: &str| {
        let names = Names::of(question, &Trace::default(), &analyzer);
        let fitting = names.fitting(&sources, &analyzer);
        [0, 1, 2].map(|index| fitting.has(index))
    };
    assert_eq!(fitting("How is ARC310 assessed?"), [false, true, true]);
    assert_eq!(fitting("How is ARC210 assessed?"), [true, false, false]);
    // Where none has it, and where nothing is named, each may answer.
    assert_eq!(fitting("How is ARC999 assessed?"), [true, true, true]);
    assert_eq!(fitting("How is drawing assessed?"), [true, true, true]);
}

#[test]
fn a_passage_with_the_proper_name_is_taken_before_one_without() {
    let analyzer = Analyzer::new(Language::English);
    let of =
        |number, place: &str, text: &str| Source { text: text.to_owned(), ..source(number, place) };
    let sources = [
        of(1, "Elmgate House", "Elmgate House lends 13 lamps."),
        of(2, "Cedarmere House", "It lends 83 lamps."),
        of(3, "ARC210", "Lamps are lent by Cedarmere and by ARC210."),
    ];
    let cases = [
        ("How many lamps does Cedarmere House lend?", [false, true, false]),
        ("How many lamps does Elmgate House lend?", [true, false, false]),
        ("How many lamps does Cedarmere lend in ARC210?", [false, false, true]),
        // Where none has both, the code tells.
        ("How many lamps does Elmgate lend in ARC210?", [false, false, true]),
        ("How many lamps does Ashworth lend?", [true, true, true]),
        ("How many lamps are lent?", [true, true, true]),
    ];
    for (question, expected) in cases {
        let names = Names::of(question, &Trace::default(), &analyzer);
        let fitting = names.fitting(&sources, &analyzer);
        assert_eq!([0, 1, 2].map(|index| fitting.has(index)), expected, "{question}");
    }
    let of_one_make = sources.map(|source| Source { is_named: Some(false), ..source });
    let names = Names::of(cases[0].0, &Trace::default(), &analyzer);
    assert_eq!(names.fitting(&of_one_make, &analyzer), Fitting::default());
}

#[test]
fn what_the_index_does_not_have_is_on_no_page() {
    let analyzer = Analyzer::new(Language::English);
    let cases: [(&str, &[&str], bool, bool); 9] = [
        ("Who teaches ARC315?", &["arc315"], true, true),
        // Its parts stand in others.
        ("Who teaches ARC315?", &["teach"], false, false),
        ("Who teaches ARC-315?", &["arc315"], true, true),
        ("Who teaches MOD101?", &["mod101"], true, true),
        // Of another make than the codes that were found.
        ("May I bring my TI84 calculator?", &["ti84"], true, false),
        ("What was the fee in 2031?", &["2031"], true, false),
        ("Is there a room in Vienna?", &["vienna"], true, false),
        ("Is it open on Sunday?", &["sunday"], false, false),
        ("What does section 4.8 say?", &["4.8"], true, false),
    ];
    let found = [Source { text: "Ode teaches ARC310.".to_owned(), ..source(1, "Drawing") }];
    for (question, absent, is_nowhere, is_unknown) in cases {
        let absent = absent.iter().map(|&term| term.to_owned()).collect();
        let trace = Trace { absent, ..Trace::default() };
        let names = Names::of(question, &trace, &analyzer);
        let refused = reply(question, found.to_vec(), Answer::refusal("No."));
        let missing = names.missing(&refused, &found, &analyzer);
        let nowhere = missing.first().is_some_and(|(name, _)| name.is_nowhere);
        let unknown = names.has_unknown_code(&found, &analyzer);
        assert_eq!((nowhere, unknown), (is_nowhere, is_unknown), "{question}");
    }
}
