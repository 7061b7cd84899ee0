//! A misspelled word is searched for as it was likely meant, and the reply says so.
use std::path::Path;

use campanile_bundle::{
    BundleWriter, Counts, DirectoryFetch, DocumentNotes, DocumentRecord, Manifest,
};
use campanile_index::{Bm25Parameters, LexicalBuilder};
use campanile_retrieve::{Engine, Retrieval, SearchOptions, SystemClock};
use campanile_text::{Analyzer, Language};
use futures_lite::future::block_on;

const DOCUMENTS: [(&str, &str); 4] = [
    ("exams.md", "Students register for examinations in May. Registering late costs a fee."),
    ("library.md", "The library is open until nine. A librarian helps."),
    ("courses.md", "The course CS 102 has a laboratory."),
    ("money.md", "A scholarship pays the rent."),
];

/// A site whose shards hold a term each, so that finding a word near another reads several.
fn write(site: &Path) {
    let analyzer = Analyzer::new(Language::English);
    let mut chunks = LexicalBuilder::new(Bm25Parameters::default());
    for (_, text) in DOCUMENTS {
        chunks.add_chunk(analyzer.analyze(text).into_iter().map(|token| token.term));
    }
    let records = DOCUMENTS.map(|(path, text)| DocumentRecord::plain("Page", path, text)).to_vec();
    let mut writer = BundleWriter::begin(site).unwrap();
    let manifest = Manifest::plain(
        "Tests",
        Counts { documents: 4, chunks: 4 },
        writer.add_lexical(&chunks.finish(1)).unwrap(),
        writer.add_documents(records, DocumentNotes::default(), 1).unwrap(),
    );
    writer.finish(&manifest).unwrap();
}

fn search(question: &str) -> Retrieval {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let engine = block_on(Engine::open(DirectoryFetch::new(folder.path()), SystemClock::default()));
    block_on(engine.unwrap().search(question, &SearchOptions::default())).unwrap()
}

/// The point of a case, the question, the correction as the reply words it, the document found.
type Case =
    (&'static str, &'static str, Option<(&'static str, &'static str)>, Option<&'static str>);

const CASES: &[Case] = &[
    ("a slip", "when to regsiter", Some(("regsiter", "register")), Some("exams.md")),
    ("as the passage has it", "the libary hours", Some(("libary", "library")), Some("library.md")),
    ("being typed", "money from a schol", Some(("schol", "scholarship")), Some("money.md")),
    ("no slip", "when to register", None, Some("exams.md")),
    ("a code", "what is CS103 about", None, Some("courses.md")),
    ("a word of its own", "zymurgy today", None, None),
];

#[test]
fn a_slip_is_told_and_found_past() {
    for (name, question, correction, document) in CASES {
        let found = search(question);
        let told = found.query.corrections.first();
        let told = told.map(|told| (told.word.as_str(), told.instead.as_str()));
        assert_eq!(told, *correction, "{name}");
        assert_eq!(found.trace.corrections, found.query.corrections, "{name}");
        let stage = found.trace.stages.iter().any(|stage| stage.name == "spelling");
        assert_eq!(stage, correction.is_some(), "{name}");
        let first = found.passages.first().map(|passage| passage.document.path.as_str());
        assert_eq!(first, *document, "{name}");
        assert!(found.problems.is_empty(), "{name}: {:?}", found.problems);
    }
}

#[test]
fn a_stand_in_ranks_behind_the_word_itself() {
    let typed = search("register");
    let slipped = search("regsiter now");
    assert_eq!(typed.passages[0].chunk, slipped.passages[0].chunk);
    let score = |found: &Retrieval| found.passages[0].scores.lexical.unwrap().score;
    assert!(score(&slipped) < score(&typed));
}
