#![expect(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use crate::proposal::Template;
use crate::{Category, Gold, read_questions, write_questions};

fn proposal(id: &str) -> Proposal {
    let mut question = Question::new(id, format!("What is {id}?"), Category::Answerable);
    question.answers = vec!["five euros".to_owned()];
    question.gold = vec![Gold::passage("fees.md", "It costs five euros.")];
    question.reviewed = false;
    Proposal {
        question,
        template: Template::Amount,
        document: "fees.md".to_owned(),
        place: "Fees > Keys".to_owned(),
        passage: "It costs five euros.\nPay at the desk.".to_owned(),
        decision: None,
    }
}

fn review(count: usize) -> Review {
    Review { proposals: (1..=count).map(|number| proposal(&format!("p{number}"))).collect() }
}

/// Types a text into the form; gives how it ended, what was shown, and how often it was saved.
fn typed(review: &mut Review, text: &str) -> (FormEnd, String, usize) {
    let (mut shown, mut saved) = (Vec::new(), 0);
    let mut save = |_: &Review| {
        saved += 1;
        Ok(())
    };
    let end = form(review, &mut text.as_bytes(), &mut shown, &mut save).unwrap();
    (end, String::from_utf8(shown).unwrap(), saved)
}

#[test]
fn every_decision_is_saved_and_a_later_run_goes_on() {
    let mut review = review(5);
    let (end, shown, saved) = typed(&mut review, "a\nr\ns\nq\n");
    assert_eq!((end, saved), (FormEnd::Stopped, 2));
    assert!(shown.contains("4 of 5\nFees > Keys (fees.md)\n  | It costs five euros.\n"), "{shown}");
    assert!(shown.contains("Question: What is p1?\nAnswer:   five euros\n(answerable; amount)\n"));
    let mut again = Review::read(&review.write()).unwrap();
    assert_eq!(again, review);
    let (end, shown, saved) = typed(&mut again, "A\nno\nyes\n");
    assert_eq!((end, saved), (FormEnd::Done, 3));
    assert!(!shown.contains("What is p1?") && shown.contains("What is p3?"), "{shown}");
    assert_eq!(again.progress().to_string(), "3 accepted, 0 edited, 2 rejected, 0 undecided");
    let ids: Vec<String> = again.questions(true).into_iter().map(|question| question.id).collect();
    assert_eq!(ids, ["p1", "p3", "p5"]);
    assert!(again.questions(true).iter().all(|question| question.reviewed));
}

#[test]
fn an_input_that_ends_keeps_what_was_decided() {
    for text in ["a\n", "a\ne\nWhat else?\n", "a\ne\nWhat else?\n\n"] {
        let mut review = review(2);
        let (end, _, saved) = typed(&mut review, text);
        assert_eq!((end, saved), (FormEnd::Stopped, 1), "{text:?}");
        assert_eq!(review.proposals[1], proposal("p2"), "{text:?}");
    }
}

#[test]
fn edits_keep_a_question_that_a_set_may_hold() {
    let mut review = review(3);
    let edits = "e\nHow much?\n5 euros; five euros\n\n\
                 e\n\n\nx\nu\n\
                 what?\ne\n\n\nm\n";
    let (end, shown, _) = typed(&mut review, edits);
    assert_eq!(end, FormEnd::Done);
    assert!(shown.contains("note: the passage does not say “5 euros” in these words"), "{shown}");
    assert!(shown.contains("q  stop here"), "{shown}");
    let questions = review.questions(false);
    assert_eq!(questions[0].question, "How much?");
    assert_eq!(questions[0].answers, ["5 euros", "five euros"]);
    assert_eq!(questions[1].category, Category::Unanswerable);
    assert!(questions[1].answers.is_empty() && questions[1].gold.is_empty());
    assert_eq!(questions[2].category, Category::Ambiguous);
    assert_eq!(read_questions(&write_questions(&questions)).unwrap(), questions);
}

#[test]
fn an_answer_to_what_had_none_brings_its_passage() {
    let mut review = review(1);
    let question = &mut review.proposals[0].question;
    (question.category, question.reason) = (Category::Unanswerable, Some("none".to_owned()));
    (question.answers, question.gold) = (Vec::new(), Vec::new());
    typed(&mut review, "e\n\nat the desk\na\n");
    let question = &review.questions(false)[0];
    assert_eq!(question.answers, ["at the desk"]);
    assert_eq!(question.gold, [Gold::passage("fees.md", "It costs five euros. Pay at the desk.")]);
    assert_eq!(question.reason, None);
}

#[test]
fn what_nobody_looked_at_says_so() {
    let mut review = review(2);
    typed(&mut review, "r\n");
    let questions = review.questions(true);
    assert_eq!(questions.len(), 1);
    assert!(!questions[0].reviewed);
    assert!(write_questions(&questions).contains("\"reviewed\":false"));
    assert!(review.questions(false).is_empty());
}

#[test]
fn what_was_written_into_the_set_by_hand_stays() {
    let mut review = review(3);
    typed(&mut review, "a\na\n");
    let mut set = review.questions(false);
    set[1].question = "What is it by hand?".to_owned();
    set.push(Question::new("mine", "Why?", Category::Unanswerable));
    let own = review.adopt(set.clone());
    assert_eq!(own, set[2..]);
    assert_eq!(review.questions(false), set[..2]);
    let decisions: Vec<_> = review.proposals.iter().map(|it| it.decision).collect();
    assert_eq!(decisions, [Some(Decision::Accepted), Some(Decision::Edited), None]);
    // Taken over again, nothing changes.
    let before = review.clone();
    assert_eq!(review.adopt(set.clone()), own);
    assert_eq!(review, before);
}

#[test]
fn a_page_holds_the_proposals_and_nothing_ends_them_early() {
    let mut review = review(2);
    review.proposals[1].passage = "a </script><script>alert(1)</script> b".to_owned();
    let page =
        page(&review, &Afterwards { file_name: "a</script>.jsonl".into(), then: "Put it.".into() });
    let data = |id: &str| {
        let (_, rest) = page.split_once(&format!("id=\"{id}\">")).unwrap();
        rest.split_once("</script>").unwrap().0
    };
    let list = data("proposals");
    let afterwards: serde_json::Value = serde_json::from_str(data("afterwards")).unwrap();
    assert_eq!(afterwards["file_name"], "a</script>.jsonl");
    let found: Vec<Proposal> = serde_json::from_str(list).unwrap();
    assert_eq!(found, review.proposals);
    assert_eq!(page.matches("</script>").count(), 3, "proposals, afterwards, code");
    // It loads nothing.
    assert!(!page.contains("src=") && !page.contains("href=") && !page.contains("http"));
}

#[test]
fn a_damaged_review_names_its_line() {
    let error = Review::read("\n{\"question\": 5}\n").unwrap_err().to_string();
    assert!(error.starts_with("line 2 of the review: "), "{error}");
}
