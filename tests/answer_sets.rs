//! What is found gets answered: sets of questions in students' words, with floors below what was measured.
//!
//! Nothing was fitted on them. A floor lies a little under the figure of the day on which it was written (docs/concepts): it
//! catches a change that answers worse, and is no aim.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use support::{build, campanile_reading, root, text};
use tempfile::TempDir;

/// The questions of a file of JSON lines.
fn rows<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let lines = fs::read_to_string(path).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The replies to questions, in their order.
fn ask<'a>(site: &TempDir, questions: impl Iterator<Item = &'a str>) -> Vec<Value> {
    let lines: String = questions
        .map(|question| question.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    let told = campanile_reading(&["ask", text(site.path()), "--json"], &lines).expect_code(0);
    let replies: Vec<Value> =
        told.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replies.len(), lines.lines().count());
    replies
}

fn kind(reply: &Value) -> &str {
    reply["answer"]["kind"].as_str().unwrap()
}

/// The source that the answer stands in.
fn source(reply: &Value) -> Option<&Value> {
    reply["sources"].get(reply["answer"]["source"].as_u64()? as usize - 1)
}

fn slice<'a>(text: &'a Value, span: &Value) -> &'a str {
    let place = |end: &str| span[end].as_u64().unwrap() as usize;
    &text.as_str().unwrap()[place("start")..place("end")]
}

/// Lower case, with one space for whatever is between words.
fn folded(text: &str) -> String {
    let words =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" ").to_lowercase())
}

fn holds(text: &str, part: &str) -> bool {
    folded(text).contains(&folded(part))
}

/// A question of `tests/sets/catalogue`.
#[derive(Deserialize)]
struct OfCatalogue {
    question: String,
    half: String,
    page: String,
    also: Vec<String>,
}

#[test]
fn a_catalogue_is_asked_for_rules_and_for_programmes() {
    let folder = root().join("tests/sets/catalogue");
    let questions: Vec<OfCatalogue> = rows(&folder.join("questions.jsonl"));
    let site = build(&folder.join("documents"), 0).0;
    let replies = ask(&site, questions.iter().map(|row| row.question.as_str()));
    let mut first = [0, 0];
    let mut elsewhere = Vec::new();
    for (row, reply) in questions.iter().zip(&replies) {
        let is_right = |source: &Value| {
            let document = source["document"].as_str().unwrap();
            document == row.page || row.also.iter().any(|page| page == document)
        };
        first[usize::from(row.half == "named")] += usize::from(is_right(&reply["sources"][0]));
        if kind(reply) == "direct" && !source(reply).is_some_and(is_right) {
            elsewhere.push(&row.question);
        }
    }
    let [general, named] = first;
    println!(
        "right page first: {general} of 40 general, {named} of 40 named; direct from others: {elsewhere:?}"
    );
    assert!(general >= 34, "the rule stands first for {general} of 40");
    assert!(named >= 35, "the programme's page stands first for {named} of 40");
    assert!(elsewhere.len() <= 1, "answered from another page: {elsewhere:?}");
}

#[test]
fn what_no_page_is_about_is_refused() {
    let questions = fs::read_to_string(root().join("tests/sets/off-topic.txt")).unwrap();
    let site = build(&root().join("samples/campus"), 0).0;
    let replies = ask(&site, questions.lines());
    let of = |kinds: &[&str]| replies.iter().filter(|reply| kinds.contains(&kind(reply))).count();
    let (refused, sure) = (of(&["refusal"]), of(&["direct", "section"]));
    println!("refused: {refused} of 30; sure: {sure}");
    assert_eq!(replies.len(), 30);
    assert!(refused >= 24, "{refused} of 30 are refused");
    assert!(sure <= 1, "{sure} get a sure answer");
}

/// A question of `tests/sets/tables`.
#[derive(Deserialize)]
struct OfTable {
    question: String,
    answer: Option<String>,
    #[serde(default)]
    wrong: Vec<String>,
}

#[test]
fn a_cell_is_answered_from_the_row_that_is_meant() {
    let folder = root().join("tests/sets/tables");
    let documents = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|extension| extension == "py" || extension == "jsonl") {
            fs::copy(&path, documents.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let site = build(documents.path(), 0).0;
    let questions: Vec<OfTable> = rows(&folder.join("questions.jsonl"));
    let replies = ask(&site, questions.iter().map(|row| row.question.as_str()));
    let mut right = 0;
    let mut other_rows = Vec::new();
    for (row, reply) in questions.iter().zip(&replies) {
        let (Some(answer), Some(source)) = (&row.answer, source(reply)) else { continue };
        let exact = &reply["answer"]["exact"];
        let shown = match reply["answer"]["marks"].as_array().unwrap().as_slice() {
            [] => reply["answer"]["text"].as_str().unwrap().to_owned(),
            marks => {
                marks.iter().map(|mark| slice(&source["text"], mark)).collect::<Vec<_>>().join("\n")
            }
        };
        right += usize::from(holds(&shown, answer));
        let words = if exact.is_null() { "" } else { slice(&source["text"], exact) };
        let is_other = |wrong: &String| holds(words, wrong) && !holds(words, answer);
        if kind(reply) == "direct" && row.wrong.iter().any(is_other) {
            other_rows.push(&row.question);
        }
    }
    println!(
        "the cell stands in what is shown for {right} of 52; direct from other rows: {other_rows:?}"
    );
    assert!(right >= 42, "the cell stands in what is shown for {right} of 52");
    assert!(other_rows.is_empty(), "given directly from another row: {other_rows:?}");
}

/// A question of a handbook.
#[derive(Deserialize)]
struct OfHandbook {
    question: String,
    kind: String,
    document: String,
    #[serde(default)]
    words: Option<String>,
    evidence: Vec<String>,
}

#[test]
fn handbooks_are_answered_and_look_alikes_are_not_answered_directly() {
    let (mut answerable, mut answered, mut refused) = (0, 0, 0);
    let (mut without, mut with_reservation, mut direct) = (0, 0, 0);
    for name in ["kestrel", "ostrand", "umoja"] {
        let folder = root().join("training/data/handbooks").join(name);
        let questions: Vec<OfHandbook> = rows(&folder.join("questions.jsonl"));
        let site = build(&folder.join("documents"), 0).0;
        let replies = ask(&site, questions.iter().map(|row| row.question.as_str()));
        for (row, reply) in questions.iter().zip(&replies) {
            if row.kind == "nothing" {
                without += 1;
                with_reservation += usize::from(!matches!(kind(reply), "direct" | "section"));
                direct += usize::from(kind(reply) == "direct");
                continue;
            }
            answerable += 1;
            refused += usize::from(kind(reply) == "refusal");
            let shown = reply["answer"]["text"].as_str().unwrap();
            let is_there = |piece: &String| holds(shown, piece);
            let is_right = row.evidence.iter().any(is_there) || row.words.iter().any(is_there);
            let document = source(reply).map(|source| source["document"] == row.document.as_str());
            answered += usize::from(is_right && document == Some(true));
        }
    }
    println!(
        "shown holds the evidence for {answered} of {answerable}, {refused} refused; of {without} look-alikes \
         {with_reservation} with a reservation or refused, {direct} direct"
    );
    assert!(answered * 100 >= answerable * 58, "{answered} of {answerable}");
    assert!(refused * 100 <= answerable * 12, "{refused} of {answerable} are refused");
    assert!(with_reservation * 100 >= without * 70, "{with_reservation} of {without}");
    assert!(direct * 10 <= without, "{direct} of {without} are answered directly");
}

/// A question of `tests/sets/faq`.
#[derive(Deserialize)]
struct OfFaq {
    question: String,
    entry: Option<String>,
}

#[test]
fn entries_of_a_faq_are_found_in_other_words_and_answer_directly() {
    let folder = root().join("tests/sets/faq/test");
    let questions: Vec<OfFaq> = rows(&folder.join("ordinary.jsonl"));
    let site = build(&folder.join("documents"), 0).0;
    let replies = ask(&site, questions.iter().map(|row| row.question.as_str()));
    let (mut entries, mut first, mut direct, mut astray, mut look_alike) = (0, 0, 0, 0, 0);
    for (row, reply) in questions.iter().zip(&replies) {
        let is_entry = |source: &Value| {
            let heading = source["section"].as_array().unwrap().last();
            row.entry.is_some() && heading.and_then(Value::as_str) == row.entry.as_deref()
        };
        entries += usize::from(row.entry.is_some());
        first += usize::from(is_entry(&reply["sources"][0]));
        if kind(reply) == "direct" {
            let is_right = source(reply).is_some_and(is_entry);
            direct += usize::from(is_right);
            astray += usize::from(!is_right && row.entry.is_some());
            look_alike += usize::from(row.entry.is_none());
            if is_right && reply["answer"]["question"].is_string() {
                assert_eq!(reply["answer"]["question"].as_str(), row.entry.as_deref());
            }
        }
    }
    println!(
        "{first} of {entries} first, {direct} answered directly, {astray} with another; {look_alike} look-alikes"
    );
    assert_eq!(entries, 127, "each entry is read as one, of four makes");
    assert!(first >= 108, "{first}");
    // Fewer than the 91 of before near questions were told from the same, when 5 were astray and 6 look-alikes answered.
    assert!(direct >= 72, "{direct}");
    assert!(astray <= 3, "{astray}");
    assert!(look_alike <= 5, "{look_alike}");
}
