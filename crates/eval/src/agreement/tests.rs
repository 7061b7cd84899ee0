#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

use campanile_questions::{Category, Question};
use proptest::prelude::*;
use serde_json::Value;

use super::*;

#[test]
fn kappa_is_that_of_scikit_learn() {
    let fixture: Value =
        serde_json::from_str(include_str!("../../tests/fixtures/kappa.json")).expect("JSON");
    let cases = fixture["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 19);
    for case in cases {
        let labels = |annotator: &str| -> Vec<String> {
            serde_json::from_value(case[annotator].clone()).unwrap()
        };
        let pairs: Vec<_> = labels("first").into_iter().zip(labels("second")).collect();
        let (found, name) = (cohen_kappa(&pairs).kappa, &case["name"]);
        match (found, case["kappa"].as_f64()) {
            (Some(found), Some(expected)) => {
                assert!((found - expected).abs() < 1e-12, "{name}: {found} and {expected}");
            }
            (found, expected) => assert_eq!(found, expected, "{name}"),
        }
    }
}

fn annotation(
    id: &str,
    category: Category,
    answers: &[&str],
    accepted: Option<bool>,
) -> Annotation {
    let mut question = Question::new(id, format!("What is {id}?"), category);
    question.answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
    Annotation { question, accepted }
}

#[test]
fn two_files_side_by_side() {
    use Category::{Ambiguous, Answerable, Unanswerable};
    let first = [
        annotation("a", Answerable, &["five euros", "5 euros"], None),
        annotation("b", Ambiguous, &["May"], None),
        annotation("c", Unanswerable, &[], None),
        annotation("d", Answerable, &["the library"], None),
        annotation("e", Answerable, &["x"], None),
    ];
    let mut renamed = annotation("other", Answerable, &["at the desk"], None);
    renamed.question.question = "what is  D?".to_owned();
    let second = [
        renamed,
        annotation("c", Unanswerable, &[], None),
        annotation("b", Answerable, &["May"], None),
        annotation("a", Answerable, &["5 Euros."], None),
    ];
    let found = agreement(&first, &second);
    assert_eq!((found.shared, found.only_first, found.only_second), (4, 1, 0));
    assert_eq!(found.category.raw, Some(0.75));
    assert_eq!(found.decision.items, 0);
    assert_eq!(found.answers.items, 3);
    assert_eq!(found.answers.exact, Some(2.0 / 3.0));
    let differ: Vec<_> = found.disagreements.iter().map(|it| (it.id.as_str(), it.matter)).collect();
    assert_eq!(differ, [("b", Matter::Category), ("d", Matter::Answer)]);
    let text = found.to_string();
    assert!(text.contains("kappa 0.556, the same 0.750 (of 4)"), "{text}");
    assert!(
        text.contains("b (category): What is b?\n  first:  ambiguous\n  second: answerable"),
        "{text}"
    );
    assert!(text.contains("accepted or rejected        none"), "{text}");
}

#[test]
fn a_name_alone_makes_no_pair() {
    let question = |words: &str| {
        let mut annotation = annotation("q1", Category::Answerable, &["May"], None);
        annotation.question.question = words.to_owned();
        annotation
    };
    let asked = question("When does the term begin?");
    let shared = |words: &str| agreement(std::slice::from_ref(&asked), &[question(words)]).shared;
    assert_eq!(shared("When does the summer term begin?"), 1, "edited");
    assert_eq!(shared("Who runs the library of the faculty?"), 0, "another question");
}

#[test]
fn rejected_proposals_count_for_the_decision_alone() {
    use Category::Answerable;
    let first = [
        annotation("a", Answerable, &["x"], Some(true)),
        annotation("b", Answerable, &["x"], Some(false)),
        annotation("c", Answerable, &["x"], Some(false)),
        annotation("d", Answerable, &["x"], None),
    ];
    let second = [
        annotation("a", Answerable, &["x"], Some(true)),
        annotation("b", Answerable, &["y"], Some(true)),
        annotation("c", Answerable, &["x"], Some(false)),
        annotation("d", Answerable, &["x"], Some(true)),
    ];
    let found = agreement(&first, &second);
    assert_eq!(found.decision.items, 3);
    assert!((found.decision.kappa.unwrap() - 0.4).abs() < 1e-12);
    assert_eq!((found.category.items, found.answers.items), (2, 2));
    assert_eq!(found.disagreements.len(), 1);
}

#[test]
fn both_kinds_of_file_are_read() {
    let question = r#"{"id": "a", "question": "Why?", "category": "answerable", "answers": ["b"]}"#;
    let proposal = format!(
        r#"{{"question": {}, "template": "row", "document": "a.md", "place": "A", "passage": "b", "decision": "rejected"}}"#,
        question.replace("\"a\"", "\"c\"")
    );
    let found = read_annotations(&format!("{question}\n\n{proposal}\n")).unwrap();
    assert_eq!(found.iter().map(|it| it.accepted).collect::<Vec<_>>(), [None, Some(false)]);
    let cases = [
        (format!("{question}\n{question}"), "line 2: the id `a` was used in line 1"),
        ("\n{\"id\": \"a\"}".to_owned(), "line 2: the field `question` is missing"),
        (
            proposal.replace("rejected", "maybe"),
            "line 1: one JSON object is expected: unknown variant `maybe`",
        ),
        (String::new(), "the file is empty"),
    ];
    for (text, expected) in cases {
        let error = read_annotations(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_answers_that_fit_best_are_compared() {
    let cases: [(&[&str], &[&str], f64, bool); 5] = [
        (&["x", "The Library."], &["library"], 1.0, true),
        (&["go go"], &["stop", "go"], 2.0 / 3.0, false),
        (&["x"], &["y"], 0.0, false),
        (&["x"], &[], 0.0, false),
        (&[], &["x"], 0.0, false),
    ];
    for (first, second, f1, exact) in cases {
        let found = answer_overlap(first, second);
        assert!((found.f1 - f1).abs() < 1e-12, "{first:?} and {second:?}: {found:?}");
        assert_eq!(found.exact, exact, "{first:?} and {second:?}");
    }
}

/// The two annotators of the university-facts set, and the report that its authors wrote of them:
/// pairs of answers with F1, precision and recall each, and the means.
#[test]
fn the_published_agreement_of_two_annotators_is_found_again() {
    let Some(data) = campanile_test_data::shared("") else { return };
    let report = std::fs::read_to_string(data.join("cmu_facts/Reports/IAA Report")).unwrap();
    let after = |text: &str, mark: &str| -> String {
        text.split_once(mark).unwrap().1.lines().next().unwrap().trim().to_owned()
    };
    let number = |text: &str, mark: &str| after(text, mark).parse::<f64>().unwrap();
    let mut overlaps = Vec::new();
    for block in report.split("===========").filter(|block| block.contains("annotator 1:")) {
        let first = after(block, "Answer given by annotator 1:");
        let overlap = answer_overlap(&[first], &[after(block, "Answer given by annotator 2:")]);
        assert!((overlap.f1 - number(block, "f1:")).abs() < 1e-9, "{block}");
        overlaps.push(overlap);
    }
    assert_eq!(overlaps.len(), 40);
    let means = AnswerAgreement::of(&overlaps);
    assert!((means.f1.unwrap() - number(&report, "AVERAGE F1 BETWEEN ANNOTATORS:")).abs() < 1e-9);
    assert_eq!(means.exact, Some(38.0 / 40.0));

    // The files as they are now: since the report, one of the annotators wrote some answers anew.
    let [first, second] = ["1", "2"].map(|number| {
        let path = data.join(format!("cmu_facts/Reports/IAA_Ann_Annotator{number}"));
        let text = std::fs::read_to_string(path).unwrap();
        let answers = (1..).zip(text.trim_end().lines());
        answers
            .map(|(line, answer)| {
                annotation(&format!("{line}"), Category::Answerable, &[answer], None)
            })
            .collect::<Vec<_>>()
    });
    let found = agreement(&first, &second);
    assert_eq!((found.shared, found.answers.items), (40, 40));
    assert_eq!((found.category.raw, found.category.kappa), (Some(1.0), None));
    println!("{found}");
}

proptest! {
    #[test]
    fn kappa_keeps_its_bounds_and_its_symmetry(
        pairs in proptest::collection::vec((0u8..3, 0u8..3), 1..40),
    ) {
        let found = cohen_kappa(&pairs);
        let turned: Vec<_> = pairs.iter().map(|(left, right)| (right, left)).collect();
        prop_assert_eq!(found.kappa, cohen_kappa(&turned).kappa);
        if let Some(kappa) = found.kappa {
            prop_assert!((-1.0 - 1e-9..=1.0 + 1e-9).contains(&kappa));
            prop_assert_eq!(found.raw == Some(1.0), (kappa - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn overlap_is_symmetric_and_full_with_itself(first in "[a-d ,.]{0,12}", second in "[a-d ,.]{0,12}") {
        let (first, second) = ([first], [second]);
        let (there, back) = (answer_overlap(&first, &second), answer_overlap(&second, &first));
        prop_assert!((there.f1 - back.f1).abs() < 1e-12);
        prop_assert!((there.precision - back.recall).abs() < 1e-12);
        prop_assert!(answer_overlap(&first, &first).exact);
        prop_assert!((0.0..=1.0).contains(&there.f1));
    }
}
