#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::path::Path;

use campanile_corpus::metadata::Date;
use proptest::prelude::*;
use serde_json::Value;

use crate::fields::{GOLD, PROFILE, QUESTION};
use crate::read::question_of;
use crate::*;

/// Name, line, and what is said of it.
fn cases() -> Vec<(&'static str, &'static str, &'static str)> {
    let cases = include_str!("cases.txt").split("\n== ").skip(1);
    cases
        .map(|case| {
            let mut lines = case.trim_end().lines();
            let mut line = || lines.next().expect("a case has a name, a line and an outcome");
            (line(), line(), line())
        })
        .collect()
}

#[test]
fn every_case_is_read_or_refused_as_it_says() {
    for (name, line, outcome) in cases() {
        match (question_of(line), outcome.strip_prefix("wrong: ")) {
            (Ok(_), None) => assert_eq!(outcome, "right", "{name}"),
            (Err(problem), Some(words)) => {
                let problem = problem.to_string();
                assert!(problem.contains(words), "{name}: {problem}");
            }
            (found, _) => panic!("{name}: {outcome}, found {found:?}"),
        }
    }
}

#[test]
fn the_schema_agrees_with_every_case() {
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource("question-set.schema.json", schema()).expect("a schema");
    let mut schemas = boon::Schemas::new();
    let index = compiler.compile("question-set.schema.json", &mut schemas).expect("a schema");
    for (name, line, outcome) in cases() {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        assert_eq!(schemas.validate(&value, index).is_ok(), outcome == "right", "{name}");
    }
}

#[test]
fn the_published_schema_is_the_one_of_the_code() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/question-set.schema.json");
    let generated = format!("{:#}\n", schema());
    if std::env::var_os("CAMPANILE_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &generated).expect("the schema is written");
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == generated,
        "docs/reference/question-set.schema.json is not what the code says: run \
         `CAMPANILE_WRITE_SCHEMA=1 cargo test -p campanile-questions schema` and look at the change"
    );
}

#[test]
fn every_name_of_the_table_is_read() {
    let base = r#""id": "a", "question": "Why?", "category": "answerable""#;
    for name in GOLD.iter().flat_map(|field| field.names) {
        let value = if *name == "grade" { "3" } else { "\"x\"" };
        let line =
            format!(r#"{{{base}, "gold": [{{"document": "x", "link": "x", "{name}": {value}}}]}}"#);
        let line = line.replacen(&format!(r#""{name}": "x", "#), "", 1);
        assert!(question_of(&line).is_ok(), "{line}");
    }
    for name in PROFILE.iter().flat_map(|field| field.names) {
        let line = format!(r#"{{{base}, "profile": {{"{name}": "x"}}}}"#);
        let asker = question_of(&line).unwrap().asker();
        assert!(format!("{asker:?}").contains("\"x\""), "{name} is not kept: {asker:?}");
    }
    assert!(QUESTION.iter().all(|field| field.names.len() == 1));
}

#[test]
fn lines_are_counted_as_an_editor_counts_them() {
    let line = r#"{"id": "a", "question": "Why?", "category": "answerable"}"#;
    let set = format!("\u{feff}{line}\r\n\n{line}\n");
    let error = read_questions(&set).unwrap_err().to_string();
    assert_eq!(error, "line 3 of the question set: the id `a` was used in line 1");
    let error = read_questions("\n{\"id\": 5}").unwrap_err().to_string();
    assert!(error.starts_with("line 2 of the question set: "), "{error}");
    assert!(matches!(read_questions(" \n"), Err(QuestionError::Empty)));
}

#[test]
fn the_sample_set_is_read_and_says_no_more_than_before() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/questions.jsonl");
    let questions = read_questions(&std::fs::read_to_string(path).unwrap()).unwrap();
    let of = |category| questions.iter().filter(|question| question.category == category).count();
    assert_eq!(Category::ALL.map(of), [40, 8, 12]);
    assert!(questions.iter().all(|question| question.kind.is_some() && question.reviewed));
    assert_eq!(read_questions(&write_questions(&questions)).unwrap(), questions);
}

#[test]
fn gold_is_of_a_document_by_path_or_by_address() {
    let by_path = Gold::document("a.md");
    let by_link = Gold { document: None, link: Some("https://x.edu".into()), ..by_path.clone() };
    assert!(by_path.is_of("a.md", None) && !by_path.is_of("b.md", Some("https://x.edu")));
    assert!(by_link.is_of("b.md", Some("https://x.edu")) && !by_link.is_of("a.md", None));
}

fn question() -> impl Strategy<Value = Question> {
    let text = || "[a-z äö\"\\\\\n\u{2028}]{0,12}".prop_map(|text| format!("{text}x"));
    let gold =
        (proptest::option::of(text()), text(), proptest::option::of(text()), 0u32..5).prop_map(
            |(document, link, passage, grade)| Gold { document, link: Some(link), passage, grade },
        );
    let profile = (proptest::option::of(text()), proptest::collection::vec(text(), 0..3))
        .prop_map(|(batch, courses)| AskerProfile { batch, courses, ..AskerProfile::default() });
    let many = |item| proptest::collection::vec(item, 0..3);
    let kind = proptest::option::of(proptest::sample::select(&QuestionKind::ALL[..]));
    let category = proptest::sample::select(&Category::ALL[..]);
    let day =
        proptest::option::of((0i64..40_000).prop_map(|days| Date::from_unix_days(days).unwrap()));
    (
        text(),
        category,
        kind,
        many(text()),
        proptest::collection::vec(gold, 0..3),
        profile,
        day,
        any::<bool>(),
    )
        .prop_map(|(id, category, kind, answers, gold, profile, date, reviewed)| {
            let has_none = category == Category::Unanswerable;
            Question {
                question: format!("{id}?"),
                kind,
                answers: if has_none { Vec::new() } else { answers },
                gold: if has_none { Vec::new() } else { gold },
                profile,
                date,
                reviewed,
                ..Question::new(id, "", category)
            }
        })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(question in question()) {
        let written = write_questions(std::slice::from_ref(&question));
        prop_assert_eq!(written.lines().count(), 1);
        prop_assert_eq!(read_questions(&written).unwrap(), [question]);
    }

    #[test]
    fn any_line_is_refused_or_read(line in "\\PC{0,60}") {
        let _ = question_of(&line);
    }
}
