//! Propositions by a made-up writer.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::cell::RefCell;
use std::fs;

use campanile_corpus::{
    ChunkOptions, Document, IndexedText, Proposer, PropositionWriter, Section, SentenceInContext,
    Span, TokenCounter, WriterError, chunk,
};
use campanile_text::Language;

use super::Kept;
use super::{Authorship, PropositionError, all};
use crate::Silent;
use crate::units::Indexed;

const TEXT: &str = "The exam is in May. It takes 90 minutes. It is written. They must not be late.";

struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> usize {
        text.split_whitespace().count()
    }
}

/// Says "the exam" for "it", counts how often it is asked, and fails when it has had enough.
#[derive(Default)]
struct Exam {
    asked: RefCell<usize>,
    enough: Option<usize>,
}

impl PropositionWriter for Exam {
    fn write(&self, asked: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError> {
        *self.asked.borrow_mut() += 1;
        if self.enough.is_some_and(|enough| *self.asked.borrow() > enough) {
            return Err("interrupted".into());
        }
        Ok(vec![asked.sentence.replace("It ", "The exam ").replace("must not", "must")])
    }
}

fn documents() -> (Vec<Document>, Vec<Indexed>) {
    let span = Span::from_range(0..TEXT.len());
    let document = Document {
        title: "Rules".to_owned(),
        text: TEXT.to_owned(),
        sections: vec![Section { span, ..Section::default() }],
        ..Document::default()
    };
    let chunks = chunk(&document, &Words, &ChunkOptions::default());
    let indexed = |chunk| Indexed { document: 0, chunk, text: IndexedText::plain(TEXT.to_owned()) };
    (vec![document], chunks.into_iter().map(indexed).collect())
}

fn ask(writer: &dyn PropositionWriter) -> Result<(Vec<String>, Authorship), PropositionError> {
    let (documents, chunks) = documents();
    let (units, authorship) =
        all(&Proposer::new(Language::English), &chunks, &documents, writer, &Silent)?;
    Ok((units.texts.into_iter().map(|text| text.text).collect(), authorship))
}

#[test]
fn what_holds_is_used_and_the_rest_is_told() {
    let (texts, authorship) = ask(&Exam::default()).unwrap();
    let expected = [
        "Rules: The exam is in May.",
        "Rules: The exam takes 90 minutes.",
        "Rules: It is written.",
        "Rules: They must not be late.",
    ];
    assert_eq!(texts, expected);
    assert_eq!((authorship.asked, authorship.by_model, authorship.by_rules), (3, 1, 3));
    let [unknown, turned] = &authorship.refused[..] else { panic!("{authorship:?}") };
    // The sentence before does not name the exam, and the heading neither.
    assert_eq!((unknown.count, unknown.because), (1, "a word came in"));
    assert_eq!((turned.count, turned.example.written.as_str()), (1, "They must be late."));
    assert!(turned.because.contains("\"not\""));
}

#[test]
fn each_sentence_is_asked_about_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache").join("a.jsonl");
    let build = |enough, fresh| {
        let exam = Exam { enough, ..Exam::default() };
        let kept = Kept::open(Some(path.clone()), fresh, &exam);
        let found = ask(&kept).map(|(texts, _)| texts);
        if found.is_ok() {
            kept.finish(&Silent);
        }
        let asked = *exam.asked.borrow();
        (found.ok(), asked)
    };
    let (expected, _) = ask(&Exam::default()).unwrap();
    assert_eq!(build(Some(1), false), (None, 2), "interrupted at the second sentence");
    // In the middle of a line.
    let mut text = fs::read(&path).unwrap();
    text.extend(br#"{"key":"0"#);
    fs::write(&path, text).unwrap();
    assert_eq!(build(Some(2), false), (Some(expected.clone()), 2), "the first is known");
    assert_eq!(build(Some(0), false), (Some(expected.clone()), 0), "all are known");
    assert_eq!(build(None, true), (Some(expected.clone()), 3), "asked anew");
    let whole = fs::read_to_string(&path).unwrap();
    assert_eq!(whole.lines().count(), 3);

    // What a file says is checked like what a model says.
    fs::write(&path, whole.replace("90 minutes", "80 minutes")).unwrap();
    let (found, asked) = build(None, false);
    assert!(found.unwrap().contains(&"Rules: It takes 90 minutes.".to_owned()));
    assert_eq!(asked, 0);

    // What is no longer asked for is forgotten.
    let stray = r#"{"key":"f","statements":["gone"]}"#;
    fs::write(&path, format!("{whole}{stray}\nno json\n")).unwrap();
    assert_eq!(build(Some(0), false), (Some(expected), 0));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
}
