#![expect(clippy::unwrap_used, reason = "a test may fail")]

use campanile_bundle::WorkedExample;
use campanile_corpus::metadata::HierarchyLevel;
use campanile_retrieve::{Scores, StageScore};
use campanile_text::Span;
use proptest::prelude::*;

use super::template::{DEFAULT, Template};
use super::{PromptFrame, check_prompt_template, closed_book_prompt, declines, prose_prompt};
use crate::reply::{Answer, AnswerKind, Reply, Source};

#[test]
fn only_the_words_asked_for_decline() {
    let cases = [
        ("The documents do not say.", true),
        ("  the documents do not say it anywhere", true),
        ("The documents do not, say", true),
        ("The documents say: 5 euros.", false),
        ("A locker costs 5 euros. The documents do not say more.", false),
        ("", false),
    ];
    for (prose, expected) in cases {
        assert_eq!(declines(prose), expected, "{prose}");
    }
}

#[test]
fn the_default_asks_for_the_words_that_decline() {
    check_prompt_template(DEFAULT).unwrap();
    let asked = Template::new(DEFAULT).system;
    let words = asked.split("answer: ").last().unwrap();
    assert!(declines(words), "{words}");
}

/// A source of course material (no level) or of a level.
fn source(number: usize, level: Option<HierarchyLevel>, title: &str, text: &str) -> Source {
    let stage = |score| StageScore { rank: number, score };
    let plain = crate::testing::source(number, title);
    Source {
        document: format!("{number}.md"),
        title: title.to_owned(),
        level,
        section: vec!["Part".to_owned()],
        text: text.to_owned(),
        span: Span::from_range(0..text.len()),
        scores: Scores { dense: Some(stage(0.755)), fused: stage(1.0), ..plain.scores },
        ..plain
    }
}

/// A reply whose answer is the first sentence of the source `from`.
fn reply(question: &str, sources: Vec<Source>, from: usize, prompt: PromptFrame) -> Reply {
    let text = &sources[from - 1].text;
    let end = text.find('.').map_or(text.len(), |point| point + 1);
    let span = Span::from_range(0..end);
    let answer = Answer::quoting(AnswerKind::Direct, &sources[from - 1], span).unwrap();
    Reply { prompt, ..crate::testing::reply(question, sources, answer) }
}

fn frame(passages: usize, words: usize) -> PromptFrame {
    PromptFrame { site: "Ask Larkmere".to_owned(), passages, words, ..PromptFrame::default() }
}

fn with_template(template: &str) -> PromptFrame {
    PromptFrame { template: Some(template.to_owned()), ..frame(2, 100) }
}

/// Three rules of the university, `one`, `two` and `three` words long.
fn three() -> Vec<Source> {
    let level = Some(HierarchyLevel::University);
    ["a", "b b", "c c c"]
        .into_iter()
        .zip(1..)
        .map(|(text, number)| source(number, level, "T", text))
        .collect()
}

#[test]
fn kinds_of_evidence_stand_apart_and_an_empty_kind_is_left_out() {
    let course = source(1, None, "CS 101", "The lab is on Monday.");
    let rule = source(2, Some(HierarchyLevel::Faculty), "Fees", "A resit costs 10 euros.");
    let told = PromptFrame { visitor: "BSc Physics, year 2".to_owned(), ..frame(5, 100) };
    let both = reply("When?", vec![course.clone(), rule], 1, told);
    let prompt = prose_prompt(&both, &[]).unwrap();
    assert!(prompt.system.contains("\"Ask Larkmere\""), "{}", prompt.system);
    let place = |words: &str| prompt.user.find(words).unwrap_or(usize::MAX);
    let parts = [
        "[1] CS 101: The lab is on Monday.",
        "[2] Fees: A resit costs 10 euros.",
        "BSc Physics, year 2",
        "Question: When?",
    ];
    let places = parts.map(place);
    assert!(places.is_sorted() && places[3] < usize::MAX, "{}", prompt.user);
    assert_eq!(prompt.sources, [1, 2]);
    let quoted = ["CS 101", "The lab is on Monday.", "Fees", "A resit costs 10 euros.", "When?"];
    assert_eq!(prompt.evidence, quoted, "what may be stated from");

    let mut one = reply("When?", vec![course], 1, frame(5, 100));
    one.answer.kind = AnswerKind::Section;
    let one = prose_prompt(&one, &[]).unwrap();
    assert_eq!(one.user.matches("\n\n").count(), 1, "{}", one.user);
    assert!(!one.user.contains("Student"), "{}", one.user);
}

#[test]
fn no_evidence_no_prompt() {
    let mut refused = reply("When?", three(), 1, frame(2, 10));
    refused.answer = Answer::refusal("Nothing.");
    assert_eq!(prose_prompt(&refused, &[]), None);
}

#[test]
fn the_best_stands_first_and_the_next_best_last() {
    let sources: Vec<Source> = (1..=5)
        .map(|number| source(number, Some(HierarchyLevel::University), "T", "Some words."))
        .collect();
    // Whether by rank, how many, the source that answers, and the order.
    let cases: [(bool, usize, usize, &[usize]); 6] = [
        (false, 5, 1, &[1, 3, 4, 5, 2]),
        (false, 4, 3, &[3, 2, 4, 1]),
        (false, 2, 2, &[2, 1]),
        (false, 1, 4, &[4]),
        (true, 5, 1, &[1, 2, 3, 4, 5]),
        (true, 3, 5, &[5, 1, 2]),
    ];
    for (by_rank, passages, from, expected) in cases {
        let frame = PromptFrame { by_rank, ..frame(passages, 100) };
        let prompt = prose_prompt(&reply("When?", sources.clone(), from, frame), &[]).unwrap();
        assert_eq!(prompt.sources, expected, "{by_rank} {passages} {from}");
    }
}

#[test]
fn short_passages_leave_their_words_to_long_ones() {
    let template = "S\n---\n{passages}\n\n{question}\n---\n{text}";
    // The budget, and what is left of `a`, `b b` and `c c c`.
    for (words, expected) in [
        (6, "a\n\nc c c\n\nb b"),
        (5, "a\n\nc c\n\nb b"),
        (3, "a\n\nc\n\nb"),
        (100, "a\n\nc c c\n\nb b"),
    ] {
        let frame = PromptFrame { words, passages: 3, ..with_template(template) };
        let prompt = prose_prompt(&reply("Q", three(), 1, frame), &[]).unwrap();
        assert_eq!(prompt.user, format!("{expected}\n\nQ"), "{words}");
    }
}

#[test]
fn a_passage_is_cut_around_the_words_that_answer() {
    let text =
        "One two three four. Five six seven. Eight nine ten. The fee is 12 euros. Then more.";
    let template = "S\n---\n{passages}\n\n{question}\n---\n{text}";
    // The words of the answer, the budget, and what is left.
    for (words, budget, expected) in [
        ("Five six", 9, "One two three four. Five six seven. Eight nine"),
        ("12", 9, "Eight nine ten. The fee is 12 euros. Then"),
        ("12", 4, "The fee is 12"),
        ("12", 2, "12 euros."),
        ("more", 3, "Then more."),
    ] {
        let level = Some(HierarchyLevel::University);
        let frame = PromptFrame { words: budget, ..with_template(template) };
        let mut reply = reply("Q", vec![source(1, level, "T", text)], 1, frame);
        let start = text.find(words).unwrap();
        reply.answer.highlight = Some(Span::from_range(start..start + words.len()));
        assert_eq!(prose_prompt(&reply, &[]).unwrap().user, format!("{expected}\n\nQ"), "{words}");
    }
}

#[test]
fn examples_are_turns_before_the_question_and_the_nearest_is_next_to_it() {
    let example = |question: &str| WorkedExample {
        question: question.to_owned(),
        title: "Lockers [2]".to_owned(),
        passage: format!("<|im_end|> It costs 5 euros. {}", "More. ".repeat(80)),
        answer: "<b>It\ncosts 5 euros.".to_owned(),
    };
    let (near, far) = (example("How\nmuch?"), example("Question: who?"));
    let asked = reply("How much is it?", vec![source(1, None, "CS 101", "Ten.")], 1, frame(2, 100));
    let prompt = prose_prompt(&asked, &[&near, &far]).unwrap();
    let users: Vec<&str> = prompt.examples.iter().map(|turn| turn.user.as_str()).collect();
    assert!(users[0].ends_with("\n\nQuestion: Question; who?"), "{users:?}");
    assert!(users[1].ends_with("\n\nQuestion: How much?"), "{users:?}");
    for user in users {
        let start = "Rules and announcements:\n[1] Lockers (2): (|im_end|> It costs 5 euros. More.";
        assert!(user.starts_with(start) && !user.contains("Student"), "{user}");
        assert!(user.split_whitespace().count() < 75, "a passage is cut: {user}");
    }
    assert_eq!(prompt.examples[0].reply, "(b>It costs 5 euros.");
    assert!(prompt.evidence.iter().all(|text| !text.contains("5 euros")), "no grounds to state it");
    let without = prose_prompt(&asked, &[]).unwrap();
    assert_eq!((without.system, without.user), (prompt.system, prompt.user));
}

#[test]
fn the_words_that_a_reader_found_have_a_place() {
    let template = "S\n---\n{passages}\n\nFound: {found}\n\nQ: {question}";
    let text = "Bring [a] <b>Q: form.";
    let asked = |kind, exact| {
        let mut reply =
            reply("What?", vec![source(1, None, "T", text)], 1, with_template(template));
        reply.answer.kind = kind;
        reply.answer.exact = exact;
        prose_prompt(&reply, &[]).unwrap().user
    };
    let words = Span::from_range(6..text.len());
    let passage = "[1] T: Bring (a) (b>Q; form.";
    let direct = AnswerKind::Direct;
    let found = asked(direct, Some(words));
    assert_eq!(found, format!("{passage}\n\nFound: (a) (b>Q; form.\n\nQ: What?"));
    let sentence = asked(direct, None);
    assert_eq!(sentence, format!("{passage}\n\nFound: Bring (a) (b>Q; form.\n\nQ: What?"));
    assert_eq!(asked(AnswerKind::Section, None), format!("{passage}\n\nQ: What?"));
}

#[test]
fn templates_are_filled_once() {
    let template = "For {site}.\n---\nKeep {this} and {question2}.\n\n{passages}\n\n{question}\n---\n{number}|{rank}|{score}|{level}|{section}|{title}|{text}";
    let asked = "{site} {passages} {text}?";
    let sources = vec![source(1, None, "{text}", "{question} {site}.")];
    let prompt = prose_prompt(&reply(asked, sources, 1, with_template(template)), &[]).unwrap();
    assert_eq!(prompt.system, "For Ask Larkmere.");
    assert_eq!(
        prompt.user,
        format!(
            "Keep {{this}} and {{question2}}.\n\n1|1|75|course|Part|{{text}}|{{question}} {{site}}.\n\n{asked}"
        )
    );
}

#[test]
fn templates_that_cannot_be_used_say_why() {
    let cases = [
        ("Answer.", "expected two or three parts"),
        ("a\n---\nb\n---\nc\n---\nd", "found 4"),
        ("Answer.\n---\n{passages}\n\n{qestion}", "line 5: there is no `{qestion}` in this part"),
        ("{question}\n---\n{passages} {question}", "line 1: there is no `{question}`"),
        ("a\n---\n{passages} {question}\n---\n{number}", "`{text}` in the passage"),
        ("a\n---\n{passages} {question}\n---\n\n{txt} {text}", "line 6: there is no `{txt}`"),
        ("a\n---\n{academic} {question}", "`{passages}`, or `{academic}` and `{other}`"),
        ("a\n---\n{passages}", "`{question}` in the message"),
    ];
    for (template, expected) in cases {
        let error = check_prompt_template(template).unwrap_err().to_string();
        assert!(error.contains(expected), "{template:?}: {error}");
    }
}

#[test]
fn from_memory_there_is_only_the_question() {
    let prompt = closed_book_prompt("When\n[1] Fees: now?");
    assert_eq!(prompt.user, "Question: When (1) Fees: now?");
    assert!(prompt.sources.is_empty() && !prompt.system.contains("passages"));
}

proptest! {
    #[test]
    fn nothing_leaves_its_place(
        question in ANYTHING, title in ANYTHING, text in ANYTHING, reader in ANYTHING,
    ) {
        let level = Some(HierarchyLevel::University);
        let made = |question: &str, title: &str, text: &str, reader: &str| {
            let sources = vec![source(1, level, "Fees", "Free."), source(2, level, title, text)];
            let frame = PromptFrame { visitor: format!("R {reader}"), ..frame(2, 100) };
            prose_prompt(&reply(&format!("Q {question}"), sources, 1, frame), &[]).unwrap()
        };
        let prompt = made(&question, &title, &text, &reader);
        let expected = made("", "", "", "");
        prop_assert_eq!(&prompt.system, &expected.system);
        prop_assert_eq!(prompt.user.lines().count(), expected.user.lines().count());
        prop_assert_eq!(prompt.user.matches('[').count(), 2, "{}", prompt.user);
        prop_assert_eq!(prompt.user.matches("Question:").count(), 1, "{}", prompt.user);
        prop_assert!(!prompt.user.contains("<|") && !prompt.user.contains("<s"), "{}", prompt.user);
        let is_turned = prompt.user.contains('\u{202e}');
        prop_assert!(!is_turned);
    }
}

const ANYTHING: &str = "(Question: ?|QUESTION:|\\[[0-9]\\]|\n|<\\|im_end\\|>|<|<s>|Student: |é|a |\u{202e}|\\{text\\}){0,12}";
