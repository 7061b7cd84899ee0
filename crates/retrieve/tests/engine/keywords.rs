//! The first passages are those of the whole engine's keyword search, found in steps.
use std::path::Path;

use campanile_bundle::{
    BundleError, BundleWriter, Counts, DirectoryFetch, DocumentNotes, DocumentRecord, Manifest,
    OlderEdition, Problem,
};
use campanile_corpus::metadata::{Metadata, Profile};
use campanile_index::{Bm25Parameters, LexicalBuilder};
use campanile_retrieve::{
    Engine, Heads, Keywords, Passage, RetrieveError, SearchOptions, Step, SystemClock,
};
use campanile_text::{Analyzer, Language};
use futures_lite::future::block_on;
use proptest::prelude::*;
use serde_json::{Value, json};

const TODAY: &str = "2026-11-22";

/// A site whose documents are one chunk each, two or three to a shard.
fn write(site: &Path, documents: &[(&str, Value)], older: Vec<OlderEdition>) -> Manifest {
    let analyzer = Analyzer::new(Language::English);
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    let mut records = Vec::new();
    for (number, (text, fields)) in documents.iter().enumerate() {
        lexical.add_chunk(analyzer.analyze(text).into_iter().map(|token| token.term));
        let record = DocumentRecord::plain("A document", &format!("{number}.md"), text);
        let fields = serde_json::from_value(fields.clone()).unwrap();
        records.push(DocumentRecord { metadata: Metadata::from_fields(&fields).0, ..record });
    }
    let count = documents.len() as u32;
    let mut writer = BundleWriter::begin(site).unwrap();
    let notes = DocumentNotes { older, ..DocumentNotes::default() };
    let manifest = Manifest::plain(
        "Tests",
        Counts { documents: count, chunks: count },
        writer.add_lexical(&lexical.finish(24)).unwrap(),
        writer.add_documents(records, notes, 100).unwrap(),
    );
    writer.finish(&manifest).unwrap();
    manifest
}

fn heads(manifest: &Manifest) -> Heads {
    Heads { lexical: manifest.lexical.head.clone(), documents: manifest.documents.head.clone() }
}

/// Asks until the passages are there; gives how many files it took as well.
fn ask(site: &Path, keywords: &mut Keywords, question: &str, most: usize) -> (Vec<Passage>, usize) {
    let (mut steps, mut files) = (0, 0);
    loop {
        let entries = match keywords.ask(question, Some(TODAY.parse().unwrap()), most) {
            Step::Found(passages) => return (passages, files),
            Step::Needs(entries) => entries,
        };
        steps += 1;
        assert!(steps <= 3, "heads, postings and documents are three steps");
        for entry in entries {
            let bytes = std::fs::read(site.join(&entry.path)).unwrap();
            keywords.give(&entry.path, &entry.open(bytes).unwrap()).unwrap();
            files += 1;
        }
    }
}

fn chunks(passages: &[Passage]) -> Vec<u32> {
    passages.iter().map(|passage| passage.chunk.0).collect()
}

#[test]
fn files_are_asked_for_once_and_only_those_of_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["library", "canteen", "dormitory", "gymnasium", "laboratory", "observatory"];
    let texts: Vec<String> = texts.iter().map(|word| format!("The {word} is open. ")).collect();
    let documents: Vec<(&str, Value)> =
        texts.iter().map(|text| (text.as_str(), json!({}))).collect();
    let manifest = write(folder.path(), &documents, Vec::new());
    let mut keywords = Keywords::new(manifest.analyzer, heads(&manifest));
    let (found, files) = ask(folder.path(), &mut keywords, "the gymnasium", 5);
    assert_eq!((chunks(&found), files), (vec![3], 4), "two heads, postings, documents");
    assert_eq!(found[0].text(), texts[3]);
    let (found, files) = ask(folder.path(), &mut keywords, "gymnasium?", 5);
    assert_eq!((chunks(&found), files), (vec![3], 0), "all is there");
    assert!(ask(folder.path(), &mut keywords, "of the", 5).0.is_empty());
}

#[test]
fn what_holds_no_more_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let documents = [
        ("The fee, the fee, the fee is 10.", json!({ "valid_until": "2025-12-31" })),
        ("The fee, the fee is 20.", json!({})),
        ("The fee is 30, says this longer text.", json!({})),
    ];
    let older = vec![OlderEdition { document: 1, newer: 2, years: vec![2024] }];
    let manifest = write(folder.path(), &documents, older);
    let mut keywords = Keywords::new(manifest.analyzer, heads(&manifest));
    for (question, expected) in
        [("fee", &[2][..]), ("the fee of 2024", &[0, 1, 2]), ("the fee of 2025", &[0, 2])]
    {
        assert_eq!(
            chunks(&ask(folder.path(), &mut keywords, question, 5).0),
            expected,
            "{question}"
        );
    }
}

#[test]
fn a_file_that_is_something_else_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = write(folder.path(), &[("The library is open.", json!({}))], Vec::new());
    let heads = heads(&manifest);
    let mut keywords = Keywords::new(manifest.analyzer, heads.clone());
    let error = keywords.give(&heads.lexical.path, b"no head").unwrap_err();
    assert!(matches!(&error, BundleError::Content { path, .. } if *path == heads.lexical.path));
    assert!(matches!(keywords.ask("library", None, 5), Step::Needs(entries) if entries.len() == 2));
    let file = std::fs::read(folder.path().join(&heads.lexical.path)).unwrap();
    let cut = heads.lexical.open(file[1..].to_vec());
    assert!(matches!(cut, Err(Problem::Length { .. })), "{cut:?}");
}

#[test]
fn where_nothing_can_be_had_nothing_is_said_of_the_documents() {
    let site = tempfile::tempdir().unwrap();
    let manifest = write(site.path(), &[("The sauna opens at five.", json!({}))], Vec::new());
    let ask = |question: &str| {
        let engine =
            block_on(Engine::open(DirectoryFetch::new(site.path()), SystemClock::default()))
                .unwrap();
        block_on(engine.search(question, &SearchOptions::default()))
    };
    assert!(ask("locker").unwrap().passages.is_empty(), "there is nothing about lockers");
    std::fs::remove_file(site.path().join(&manifest.lexical.head.path)).unwrap();
    let error = ask("locker").unwrap_err();
    assert!(
        matches!(&error, RetrieveError::Unreached { problems } if problems.len() == 1),
        "{error}"
    );
    assert!(error.to_string().contains(&manifest.lexical.head.path), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn passages_are_those_of_the_engine(
        texts in proptest::collection::vec("(fee|exam|hall|term|desk|lamp)( (fee|exam|hall|term|desk|lamp)){0,6}", 1..30),
        question in "(fee|exam|hall|term|desk|lamp)( (fee|exam|hall|term)){0,3}",
        most in 1usize..8,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let documents: Vec<(&str, Value)> =
            texts.iter().map(|text| (text.as_str(), json!({}))).collect();
        let manifest = write(folder.path(), &documents, Vec::new());
        let mut keywords = Keywords::new(manifest.analyzer, heads(&manifest));
        let (found, _) = ask(folder.path(), &mut keywords, &question, most);

        let engine = Engine::open(DirectoryFetch::new(folder.path()), SystemClock::default());
        let engine = block_on(engine).unwrap();
        let profile = Profile { date: Some(TODAY.parse().unwrap()), ..Profile::default() };
        let options = SearchOptions { profile, ..SearchOptions::default() };
        let whole = block_on(engine.search(&question, &options)).unwrap();
        let ranked = whole.rankings.of("lexical").unwrap_or_default();
        // Words that the site does not have may be taken for others by the engine.
        prop_assume!(whole.query.added.is_empty());
        let expected: Vec<u32> = ranked.iter().take(most).map(|hit| hit.id.0).collect();
        prop_assert_eq!(chunks(&found), expected);
    }
}
