#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_retrieve::Trace;
use campanile_text::{Analyzer, Language, Span};

use super::revised;
use crate::reply::{Answer, AnswerKind, Reply, Source};
use crate::testing::{reply, source};
use crate::words::terms;

const CASES: &str = include_str!("cases.txt");

fn kind(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Direct => "direct",
        AnswerKind::Qualified => "qualified",
        AnswerKind::Section => "section",
        AnswerKind::PossibleSection => "possible section",
        AnswerKind::Refusal => "refusal",
    }
}

fn place(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap_or_else(|| unreachable!("no {part:?} in {text:?}"));
    Span::from_range(start..start + part.len())
}

/// The answer of a case: `@ 1 qualified: sentence | words in it`.
fn answer(sources: &[Source], line: &str) -> Answer {
    let (number, line) = line.split_once(' ').unwrap();
    let source = &sources[number.parse::<usize>().unwrap() - 1];
    let (of, line) = line.split_once(": ").unwrap();
    let (sentence, exact) = line.split_once(" | ").unwrap_or((line, ""));
    let highlight = place(&source.text, sentence);
    let kinds = [
        AnswerKind::Direct,
        AnswerKind::Qualified,
        AnswerKind::Section,
        AnswerKind::PossibleSection,
    ];
    let of = kinds.into_iter().find(|it| kind(*it) == of).unwrap();
    let exact = (!exact.is_empty()).then(|| place(sentence, exact).shifted(highlight.start));
    Answer { exact, ..Answer::quoting(of, source, highlight).unwrap() }
}

/// The reply that a case begins with, and what is expected of it.
fn case(block: &str) -> (Reply, Analyzer, String) {
    let (mut question, mut quoted, mut today) = ("", "", None);
    let (mut sources, mut expected): (Vec<Source>, Vec<String>) = (Vec::new(), Vec::new());
    for line in block.lines().skip(1).filter(|line| !line.is_empty()) {
        match line.split_at_checked(2) {
            Some(("? ", rest)) => question = rest,
            Some(("@ ", rest)) => quoted = rest,
            Some(("% ", rest)) => today = rest.parse().ok(),
            Some(("= " | "+ " | "! ", _)) => expected.push(line.to_owned()),
            _ => match line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
                Some((_, title)) => sources.push(source(sources.len() + 1, title)),
                None => {
                    let line = if line == "." { "" } else { line };
                    sources.last_mut().unwrap().text.push_str(&format!("{line}\n"));
                }
            },
        }
    }
    for source in &mut sources {
        source.text.truncate(source.text.trim_end().len());
    }
    let is_german =
        ["Wie ", "Wann", "Bis ", "Wer ", "An wen"].iter().any(|it| question.starts_with(it));
    let analyzer = Analyzer::new(if is_german { Language::German } else { Language::English });
    let answer = answer(&sources, quoted);
    let trace = Trace { terms: terms(question, &analyzer), ..Trace::default() };
    (Reply { today, trace, ..reply(question, sources, answer) }, analyzer, expected.join("\n"))
}

/// An answer as a case has it: its kind and source, its lines, its words in short; the marks of a whole passage.
fn shown(answer: Option<Answer>, reply: &Reply) -> String {
    let Some(answer) = answer else { return "= as it was".to_owned() };
    let number = answer.source.unwrap();
    let text = &reply.sources[number - 1].text;
    let mut lines = vec![format!("= {number} {}", kind(answer.kind))];
    let parts: Vec<&str> = if answer.kind.is_section() {
        assert_eq!(answer.text.trim(), text.trim());
        answer.marks.iter().map(|mark| mark.slice(text).unwrap()).collect()
    } else {
        answer.text.lines().filter(|line| !line.is_empty()).collect()
    };
    lines.extend(parts.into_iter().map(|part| format!("+ {part}")));
    lines.extend(answer.exact.map(|exact| format!("! {}", exact.slice(text).unwrap())));
    lines.join("\n")
}

#[test]
fn answers_become_what_their_passages_say_of_just_what_is_asked() {
    let mut wrong = Vec::new();
    for block in CASES.split("\n--- ").skip(1) {
        let (reply, analyzer, expected) = case(block);
        let found = shown(revised(&reply, &analyzer), &reply);
        if found != expected {
            let name = block.lines().next().unwrap_or_default();
            wrong.push(format!("{name}\n{found}\ninstead of\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn there_are_cases_in_which_the_answer_stays() {
    let all = CASES.matches("\n--- ").count();
    let stays = CASES.matches("\n= as it was").count();
    assert!(stays >= 10 && all - stays >= 15, "{stays} of {all}");
}
