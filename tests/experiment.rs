//! `campanile eval run`: configurations compared, kept, reported and held against thresholds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs;
use std::path::Path;

use campanile_eval::Record;
use support::{Run, campanile, folder, text, tree};
use tempfile::TempDir;

const QUESTIONS: &str = r#"{"id": "due", "question": "When are fees due?", "category": "answerable", "type": "factual", "answers": ["1 March"], "gold": [{"document": "fees.md", "passage": "Fees are due on 1 March."}]}
{"id": "key", "question": "How much is a key?", "category": "answerable", "answers": ["12 euros"], "gold": [{"document": "fees.md", "passage": "Key | 12 euros"}]}
{"id": "lab", "question": "When does the laboratory open?", "category": "answerable", "answers": ["eight"], "gold": [{"document": "lab.md", "passage": "The laboratory opens at eight."}]}
{"id": "gone", "question": "Who runs the observatory?", "category": "answerable", "answers": ["Ada"], "gold": [{"document": "observatory.md", "passage": "Ada runs the observatory."}]}
{"id": "moon", "question": "What colour is the moon's cafeteria?", "category": "unanswerable"}
"#;

const EXPERIMENT: &str = r#"
title = "Keywords beside both"
baseline = "both"

[sets.small]
documents = "docs"
questions = "questions.jsonl"

[configurations.both]

[configurations.keywords]
retriever = "lexical"

[configurations."keywords, windows"]
retriever = "lexical"
build.chunks.strategy = "fixed"

[grid]
granularity = ["sentence"]
retriever = ["dense"]
"#;

fn prepared(experiment: &str) -> TempDir {
    folder(&[
        (
            "docs/fees.md",
            "# Fees\n\nFees are due on 1 March.\n\n| Item | Fee |\n|---|---|\n| Locker | 5 euros |\n| Key | 12 euros |\n",
        ),
        ("docs/lab.md", "# Laboratory\n\nThe laboratory opens at eight. Bring your card.\n"),
        ("docs/exams.md", "# Exams\n\nRegister for exams until 4 December.\n"),
        ("questions.jsonl", QUESTIONS),
        ("experiment.toml", experiment),
        (
            "thresholds.toml",
            "[all]\n\"document_hit@5\" = { min = 0.1 }\n\n[small.both]\ncorrect = { min = 0.2 }\n",
        ),
        ("too-high.toml", "[small.keywords]\ncorrect = { min = 0.99 }\n"),
    ])
}

fn run(folder: &Path, more: &[&str]) -> Run {
    let (experiment, work, report) =
        (folder.join("experiment.toml"), folder.join("work"), folder.join("report"));
    let fixed =
        ["eval", "run", text(&experiment), "--work", text(&work), "--report", text(&report)];
    campanile(&[&fixed[..], more].concat())
}

fn records(folder: &Path) -> Vec<(String, Vec<Record>)> {
    tree(&folder.join("work/runs"))
        .into_iter()
        .map(|(name, bytes)| {
            let text = String::from_utf8(bytes).unwrap();
            let records = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            (name, records)
        })
        .collect()
}

#[test]
fn an_experiment_is_asked_once_and_goes_on_where_it_stopped() {
    let folder = prepared(EXPERIMENT);
    let thresholds = folder.path().join("thresholds.toml");
    let first = run(folder.path(), &["--check", text(&thresholds)]).expect_code(0);
    assert!(first.stdout.contains("report.html"), "{}", first.stdout);
    assert!(first.stdout.contains("ok: both on small: correct is"), "{}", first.stdout);

    let kept = records(folder.path());
    assert_eq!(kept.len(), 4, "a run for each configuration");
    for (name, records) in &kept {
        assert_eq!(records.len(), 5, "{name}");
        let by_id = |id: &str| records.iter().find(|record| record.id == id).unwrap();
        let due = by_id("due");
        assert_eq!(due.stages.last().unwrap().stage, "shown");
        assert!((due.scores["hit@5"] - 1.0).abs() < 1e-9, "{name}: {:?}", due.scores);
        assert!(due.stages.iter().flat_map(|stage| &stage.passages).all(|shown| shown.tokens > 0));
        let gone = by_id("gone");
        assert_eq!(gone.lost, Some(campanile_eval::Loss::Parsing), "{name}: nobody read it");
        assert!(!by_id("moon").scores.contains_key("recall@5"), "there is nothing to find");
    }
    // Two ways of building: one site with sentences beside passages for three of the configurations.
    let sites = fs::read_dir(folder.path().join("work/sites")).unwrap();
    let names: Vec<_> = sites.map(|entry| entry.unwrap().file_name()).collect();
    let built = names.iter().filter(|name| name.to_string_lossy().starts_with("small-")).count();
    assert_eq!(built, 2, "{names:?}");

    let report = tree(&folder.path().join("report"));
    assert_eq!(report.keys().collect::<Vec<_>>(), ["report.html", "report.json", "report.md"]);
    let page = String::from_utf8(report["report.html"].clone()).unwrap();
    for part in ["Keywords beside both", "keywords, windows", "sentence, dense", "<svg"] {
        assert!(page.contains(part), "{part}");
    }

    // A line that was broken off is asked again, and nothing else.
    let runs = folder.path().join("work/runs/small");
    let cut = fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &whole[..whole.len() - 9]).unwrap();
    let again = run(folder.path(), &[]).expect_code(0);
    assert!(!again.stderr.contains("Building"), "{}", again.stderr);
    let ids = |records: &[Record]| {
        let mut ids: Vec<String> = records.iter().map(|record| record.id.clone()).collect();
        ids.sort();
        ids
    };
    for ((name, before), (_, after)) in kept.iter().zip(records(folder.path())) {
        assert_eq!(ids(before), ids(&after), "{name}");
    }

    let too_high = folder.path().join("too-high.toml");
    run(folder.path(), &["--check", text(&too_high)]).expect_code(1).says(&["1 of 1 thresholds"]);
}

const JUDGED: &str = r#"
[sets.small]
documents = "docs"
questions = "questions.jsonl"

[configurations.keywords]
retriever = "lexical"

[scores]
embeddings = true
judge = ["sh", "-c", "cat > /dev/null; echo '{\"correct\": true, \"score\": 0.75, \"reason\": \"it says so\"}'"]
"#;

#[cfg(unix)]
#[test]
fn answers_are_compared_by_the_encoder_and_by_a_judge() {
    let folder = prepared(JUDGED);
    run(folder.path(), &[]).expect_code(0);
    let kept = records(folder.path());
    let records = &kept[0].1;
    let due = records.iter().find(|record| record.id == "due").unwrap();
    assert!(!due.answer.as_ref().unwrap().refused, "{due:?}");
    assert!(due.scores["faithfulness"] > 0.99, "a sentence of the passage is supported by it");
    assert!(due.scores["similarity"] > 0.3 && due.scores["bert_score"] > 0.3, "{:?}", due.scores);
    for record in records {
        assert!((record.scores["judge_score"] - 0.75).abs() < 1e-9, "{}", record.id);
        assert_eq!(record.verdict.as_ref().unwrap().reason, "it says so");
        let refused = record.answer.as_ref().unwrap().refused;
        assert_eq!(record.scores.contains_key("faithfulness"), !refused, "{}", record.id);
    }

    let failing = JUDGED.replace("echo", "exit 3; echo");
    let folder = prepared(&failing);
    run(folder.path(), &[]).expect_code(1).says(&["the judge `sh` failed"]);
}

/// One document for each line, all of the same words but the last: there the question's words stand in a
/// longer text, so that keywords rank it last.
fn eight_rules() -> Vec<(String, String)> {
    let mut documents: Vec<(String, String)> = (1..=7)
        .map(|number| {
            let text =
                format!("# Rule {number}\n\nLocker fee: rule {number} about the locker fee.\n");
            (format!("docs/rule-{number}.md"), text)
        })
        .collect();
    let padding = "Bicycles are parked behind the building and never in its corridors. ".repeat(3);
    let text = format!("# Desk\n\nThe locker fee is paid at the desk. {padding}\n");
    documents.push(("docs/desk.md".to_owned(), text));
    documents
}

const SHOWN: &str = r#"
[sets.rules]
documents = "docs"
questions = "questions.jsonl"

[grid]
retriever = ["lexical"]
sources = [8]
answers = ["none", "extract"]
"#;

#[test]
fn a_retrieval_cuts_nothing_that_it_shows() {
    let question = r#"{"id": "desk", "question": "locker fee", "category": "answerable", "gold": [{"document": "desk.md", "passage": "The locker fee is paid at the desk."}]}"#;
    let documents = eight_rules();
    let mut files: Vec<(&str, &str)> =
        documents.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.extend([("questions.jsonl", question), ("experiment.toml", SHOWN)]);
    let folder = folder(&files);
    run(folder.path(), &[]).expect_code(0);
    let kept = records(folder.path());
    assert_eq!(kept.len(), 2);
    for (_, records) in &kept {
        let [record] = &records[..] else { panic!("one question: {records:?}") };
        let shown = &record.stages.last().unwrap().passages;
        let place = shown.iter().position(|passage| passage.document == "desk.md").unwrap();
        assert_eq!((place, shown.len()), (7, 8), "the gold passage is shown last");
        let expected = record.answer.as_ref().map(|_| campanile_eval::Loss::Cut);
        assert_eq!(record.lost, expected, "an answer reads five passages, a retrieval none");
    }
    assert_eq!(kept.iter().filter(|(_, records)| records[0].answer.is_none()).count(), 1);
}

const PROMPTED: &str = r#"
[sets.small]
documents = "docs"
questions = "questions.jsonl"

[language_model]
max_tokens = 4

[configurations.own]
answers = "prose"
[configurations.own.build.prose]
prompt = "./ask/prompt.txt"
words = 20
examples = "ask/examples.jsonl"
examples_shown = 1

[configurations.memory]
answers = "closed_book"
"#;

#[test]
fn a_department_words_its_prompt_and_a_model_may_be_asked_without_evidence() {
    let prompt = "Answer for {site}.\r\n---\r\nRules:\r\n{passages}\r\n\r\nAsked: {question}\r\n---\r\n* {text}\r\n";
    let examples = concat!(
        r#"{"question": "Who heads the choir?", "passage": "Ada Brandt heads it.", "answer": "Ada."}"#,
        "\n",
        r#"{"question": "When do I pay for a locker?", "passage": "Lockers are paid in May.", "answer": "In May."}"#,
    );
    let folder = folder(&[
        ("docs/fees.md", "# Fees\n\nFees are due on 1 March.\n"),
        ("docs/ask/prompt.txt", prompt),
        ("docs/ask/examples.jsonl", examples),
        ("questions.jsonl", QUESTIONS.lines().next().unwrap()),
        ("experiment.toml", PROMPTED),
    ]);
    run(folder.path(), &[]).expect_code(0);
    let kept = records(folder.path());
    let found = |start: &str| {
        let records = kept.iter().flat_map(|(_, records)| records);
        let mut prompts =
            records.filter(|record| record.prompt.as_ref().unwrap().starts_with(start));
        prompts.next().unwrap_or_else(|| panic!("no {start}: {kept:#?}")).clone()
    };
    let own = found("Answer for Ask the documents.");
    let example =
        "Rules:\n* Lockers are paid in May.\n\nAsked: When do I pay for a locker?\n\nIn May.";
    let asked = "Rules:\n* Fees are due on 1 March.\n\nAsked: When are fees due?";
    assert_eq!(
        own.prompt.unwrap(),
        format!("Answer for Ask the documents.\n\n{example}\n\n{asked}"),
        "template and examples are no documents; the nearest example comes first"
    );
    let memory = found("You answer students' questions");
    assert!(memory.prompt.unwrap().ends_with(".\n\nQuestion: When are fees due?"));
    let answer = memory.answer.unwrap();
    assert!(answer.cited.is_empty() && !answer.text.is_empty(), "{answer:?}");
    assert!(memory.stages.iter().any(|stage| !stage.passages.is_empty()), "the search is measured");
}

#[test]
fn what_cannot_be_run_is_said_before_anything_is_built() {
    let cases = [
        (
            "[sets.small]\nquestions = 'questions.jsonl'\n[configurations.a]",
            "`documents` or a `site`",
        ),
        (
            "[sets.small]\ndocuments = 'docs'\nquestions = 'none.jsonl'\n[configurations.a]",
            "cannot read the question set",
        ),
        (
            "[sets.small]\ndocuments = 'docs'\nquestions = 'questions.jsonl'\n[configurations.a]\nretriever = 'best'",
            "configurations.a.retriever",
        ),
        (
            "[sets.small]\ndocuments = 'docs'\nquestions = 'questions.jsonl'\n[configurations.a]\nbuild.chunks.strategy = 'guess'",
            "guess",
        ),
        (
            "[sets.small]\ndocuments = 'docs'\nquestions = 'questions.jsonl'\n[configurations.a]\n[configurations.b]\nbuild.encoder.model = 'another'",
            "there is no model `another`",
        ),
        (
            "[sets.small]\ndocuments = 'docs'\nquestions = 'questions.jsonl'\n[configurations.a]\n[configurations.b]\nanswers = 'prose'\n[language_model]\nname = 'another'",
            "there is no model `another`",
        ),
    ];
    for (experiment, expected) in cases {
        let folder = prepared(experiment);
        run(folder.path(), &[]).expect_code(1).says(&[expected]);
        assert!(!folder.path().join("work/sites").exists(), "{expected}");
    }
    let folder = prepared(EXPERIMENT);
    let none = folder.path().join("none.toml");
    run(folder.path(), &["--check", text(&none)]).expect_code(1).says(&["none.toml"]);
    assert!(!folder.path().join("work").exists());
}
