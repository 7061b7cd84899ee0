#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeSet;

use campanile_bundle::{ChunkRecord, DocumentRecord, SectionRecord};
use campanile_corpus::{Table, TableCell, TableLine, TableRow};
use campanile_questions::{
    Category, Question, QuestionKind, passages_of, read_questions, write_questions,
};
use campanile_text::Span;
use proptest::prelude::*;

use super::*;

fn passage(text: &str) -> SourcePassage {
    SourcePassage {
        document: "handbook.md".to_owned(),
        link: Some("https://x.edu/handbook".to_owned()),
        title: "Handbook".to_owned(),
        headings: vec!["Handbook".to_owned(), "Library".to_owned()],
        text: text.to_owned(),
        rows: Vec::new(),
    }
}

#[test]
fn every_pattern_compiles() {
    let all = templates::patterns().into_iter().chain(chance::patterns());
    let broken = all.filter(|pattern| pattern.regex().is_none()).count();
    assert_eq!(broken, 0);
}

#[test]
fn every_sentence_makes_the_question_that_its_case_says() {
    let cases = include_str!("cases.txt").split("\n\n").skip(1);
    let mut failed = Vec::new();
    for case in cases {
        let (sentence, expected) = case.trim().split_once('\n').expect("a sentence and an outcome");
        let drafts = templates::drafts(&passage(sentence));
        let made = drafts.iter().find(|draft| draft.template != Template::Heading);
        let found = made.map_or("none".to_owned(), |draft| {
            format!("{}: {} / {}", draft.template.name(), draft.question, draft.answer)
        });
        if found != expected {
            failed.push(format!("{sentence}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A document with a section, a paragraph and a table of fees.
fn record() -> DocumentRecord {
    let rows = [["Item", "Fee", "From"], ["Locker", "5 euros", "May"], ["Key", "12 euros", "June"]];
    let text = "Fees\n\nAll fees are paid at the desk before noon.\n\n\
                Item: Locker; Fee: 5 euros; From: May\nItem: Key; Fee: 12 euros; From: June";
    let line = |row: u32, words: &str| {
        let start = text.find(words).unwrap();
        TableLine { row, span: Span::from_range(start..start + words.len()) }
    };
    let table = Table {
        caption: String::new(),
        rows: (0..)
            .zip(rows)
            .map(|(number, cells)| TableRow {
                is_head: number == 0,
                cells: cells.map(TableCell::new).to_vec(),
            })
            .collect(),
        lines: vec![
            line(1, "Item: Locker; Fee: 5 euros; From: May"),
            line(2, "Item: Key; Fee: 12 euros; From: June"),
        ],
    };
    let body = Span::from_range(6..text.len());
    DocumentRecord {
        sections: vec![SectionRecord {
            heading: "Fees".to_owned(),
            level: 1,
            path: vec!["Fees".to_owned()],
            anchor: None,
            span: body,
        }],
        chunks: vec![ChunkRecord { section: 0, span: body }],
        tables: vec![table],
        ..DocumentRecord::plain("Fees", "fees.md", text)
    }
}

#[test]
fn rows_of_a_table_are_asked_about_and_compared() {
    let passages = passages_of(&record());
    assert_eq!(passages[0].place(), "Fees");
    assert_eq!(passages[0].rows.len(), 2);
    let mut knows = |word: &str| word != "falconry";
    let options = ProposalOptions { count: 10, unanswerable: 0.2, seed: 3 };
    let found = propose(&passages, &[], &options, &mut knows);
    let by = |template| -> Vec<&Question> {
        let of = found.proposals.iter().filter(|proposal| proposal.template == template);
        of.map(|proposal| &proposal.question).collect()
    };
    let rows: Vec<_> =
        by(Template::Row).iter().map(|it| (it.question.as_str(), it.answers[0].as_str())).collect();
    assert_eq!(
        rows,
        [
            ("What is the fee for Locker?", "5 euros"),
            ("What is given as “From” for Locker?", "May"),
            ("What is the fee for Key?", "12 euros"),
            ("What is given as “From” for Key?", "June"),
        ]
    );
    let [comparison] = by(Template::Comparison)[..] else { panic!("one comparison") };
    assert_eq!(comparison.question, "Which has the higher fee, Locker or Key?");
    assert_eq!(comparison.answers, ["Key"]);
    assert_eq!(comparison.kind, Some(QuestionKind::Comparative));
    assert_eq!(comparison.gold.len(), 2);
    let swaps = by(Template::Swap);
    assert_eq!(swaps.len(), 2, "{found:?}");
    for swap in &swaps {
        assert_eq!(swap.category, Category::Unanswerable);
        assert!(swap.question.contains("the falconry course"), "{}", swap.question);
        assert_eq!(swap.reason.as_deref(), Some("no document mentions “falconry”"));
    }
    assert_eq!(found.proposals.len(), 7);
}

#[test]
fn codes_and_years_are_swapped_for_such_as_no_document_has() {
    let cases = [
        ("WEN320 carries 6 ECTS.", "How many ECTS does WEN3"),
        ("The Spring Fair 2026 begins on 5 May.", "When does the Spring Fair 2029 begin?"),
    ];
    for (sentence, expected) in cases {
        let options = ProposalOptions { count: 5, unanswerable: 0.2, seed: 1 };
        let mut knows = |word: &str| sentence.contains(word);
        let found = propose(&[passage(sentence)], &[], &options, &mut knows);
        let swap = found.proposals.iter().find(|it| it.template == Template::Swap).unwrap();
        assert!(swap.question.question.starts_with(expected), "{}", swap.question.question);
        let unknown = swap.question.reason.as_deref().unwrap().split(['“', '”']).nth(1).unwrap();
        assert!(
            swap.question.question.contains(unknown) && !sentence.contains(unknown),
            "{unknown}"
        );
    }
    // An index that knows everything leaves nothing to swap in.
    let options = ProposalOptions { count: 5, unanswerable: 0.2, seed: 1 };
    let found = propose(&[passage("WEN320 carries 6 ECTS.")], &[], &options, &mut |_| true);
    assert!(found.proposals.iter().all(|it| it.template != Template::Swap));
}

#[test]
fn a_models_reply_is_taken_at_its_word_or_dropped() {
    let passage = passage("The desk opens at 8 a.m. on weekdays. Keys are lent for a day.");
    let cases = [
        ("Question: When does the desk open?\nAnswer: at 8 a.m.", None),
        ("\nQuestion: How long are keys lent?\n\nAnswer: \"for a day.\"\n", None),
        ("Question: When does the desk open?\nAnswer: at nine", Some(DropReason::AnswerElsewhere)),
        ("Question: The desk opens.\nAnswer: at 8 a.m", Some(DropReason::NoQuestion)),
        ("Question: Is it at 8 a.m. then?\nAnswer: at 8 a.m.", Some(DropReason::AnswerInQuestion)),
        ("When does it open?\nAt 8.", Some(DropReason::Unreadable)),
        ("Question: When?\nAnswer: at 8 a.m.\nQuestion: Why?", Some(DropReason::Unreadable)),
        ("Question: When does the desk open?\nAnswer:", Some(DropReason::Unreadable)),
        ("", Some(DropReason::Unreadable)),
    ];
    for (reply, dropped) in cases {
        let options = ProposalOptions { count: 9, unanswerable: 0.0, seed: 1 };
        let written = [Some(reply.to_owned())];
        let found = propose(std::slice::from_ref(&passage), &written, &options, &mut |_| true);
        let models = found.proposals.iter().find(|it| it.template == Template::Model);
        assert_eq!(models.is_some(), dropped.is_none(), "{reply}");
        assert_eq!(found.dropped.keys().next().copied(), dropped, "{reply}");
        if let Some(proposal) = models {
            let gold = proposal.question.gold[0].passage.as_deref().unwrap();
            assert!(passage.text.contains(gold) && gold.len() < passage.text.len());
        }
    }
    let asked = written::prompt(&passage).unwrap();
    assert_eq!(asked.user, "Passage: Library. The desk opens at 8 a.m. on weekdays.");
}

#[test]
fn a_model_is_shown_the_sentence_that_is_fit_to_be_asked_about() {
    let cases = [
        (
            "Open. The reading room is open to all members. It has 120 seats in two halls.",
            Some("It has 120 seats in two halls."),
        ),
        (
            "The reading room is open to all members.",
            Some("The reading room is open to all members."),
        ),
        ("Open. Closed.", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let asked = written::prompt(&passage(text)).map(|asked| asked.user);
        assert_eq!(
            asked,
            expected.map(|sentence| format!("Passage: Library. {sentence}")),
            "{text}"
        );
    }
}

#[test]
fn proposals_are_the_same_for_the_same_seed() {
    let passages = passages_of(&record());
    let made = |seed| {
        let options = ProposalOptions { seed, ..ProposalOptions::default() };
        propose(&passages, &[], &options, &mut |_| false).proposals
    };
    assert_eq!(made(1), made(1));
    assert_ne!(made(1), made(2));
}

proptest! {
    #[test]
    fn answers_stand_in_their_passages_and_sets_are_read_again(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "The", "desk", "opens", "on", "5 May 2026", "is", "a", "place.", "Fee:", "costs",
                "€5", "means", "WEN210", "carries", "6 ECTS", "\n", "a@b.edu", "Tel", "0123 456789",
                ";", "?", "“ß”", "It", "has", "seats", "120", "must be paid by", "İ",
            ]),
            0..60,
        ),
        seed in any::<u64>(),
    ) {
        let passage = passage(&words.join(" "));
        let options = ProposalOptions { count: 20, unanswerable: 0.3, seed };
        let found = propose(std::slice::from_ref(&passage), &[], &options, &mut |word| passage.text.contains(word));
        let text = folded(&passage.text);
        for proposal in &found.proposals {
            let question = &proposal.question;
            prop_assert!(question.question.ends_with('?'));
            for gold in &question.gold {
                prop_assert!(text.contains(&folded(gold.passage.as_deref().unwrap())));
            }
            for answer in &question.answers {
                prop_assert!(text.contains(&folded(answer)));
            }
        }
        let questions: Vec<Question> =
            found.proposals.iter().map(|proposal| proposal.question.clone()).collect();
        if !questions.is_empty() {
            prop_assert_eq!(read_questions(&write_questions(&questions)).unwrap(), questions.clone());
        }
        let asked: BTreeSet<_> = questions.iter().map(|question| &question.question).collect();
        prop_assert_eq!(asked.len(), questions.len());
    }

    #[test]
    fn a_sample_is_a_subset_without_repetition(total in 0u32..200, count in 0usize..250, seed in any::<u64>()) {
        let drawn = sample(total, count, seed);
        prop_assert_eq!(drawn.len(), count.min(total as usize));
        prop_assert!(drawn.iter().all(|number| *number < total));
        prop_assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), drawn.len());
    }
}
