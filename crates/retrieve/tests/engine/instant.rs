//! Before the encoder is there, a static encoder searches by meaning.
use std::collections::BTreeSet;
use std::path::Path;

use campanile_bundle::{BundleWriter, DirectoryFetch, Manifest};
use campanile_index::ReducedTable;
use campanile_model::{Tokenizer, WordPieces};
use campanile_retrieve::{
    Engine, Retrieval, RetrieveError, Retriever, SearchOptions, Semantics, SystemClock,
};
use futures_lite::future::block_on;

use crate::support;

const TEXTS: [&str; 4] = [
    "the canteen is open",
    "the cafeteria serves lunch",
    "fees are due in march",
    "the gym is shut",
];

/// The words of the texts and their vectors: food along the one axis, money along the other.
const WORDS: [(&str, [f32; 2]); 14] = [
    ("the", [0.0, 0.0]),
    ("canteen", [1.0, 0.0]),
    ("is", [0.0, 0.0]),
    ("open", [0.1, 0.1]),
    ("cafeteria", [0.95, 0.05]),
    ("serves", [0.3, 0.0]),
    ("lunch", [0.8, 0.0]),
    ("fees", [0.0, 1.0]),
    ("are", [0.0, 0.0]),
    ("due", [0.0, 0.4]),
    ("in", [0.0, 0.0]),
    ("march", [0.0, 0.1]),
    ("gym", [-0.3, -0.3]),
    ("shut", [0.0, -0.1]),
];
const PASSAGES: [[f32; 2]; 4] = [[0.9, -0.1], [0.8, 0.0], [-0.2, 0.9], [-0.5, -0.5]];

fn word_pieces() -> WordPieces {
    let mut vocabulary = serde_json::json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2});
    for (number, (word, _)) in WORDS.iter().enumerate() {
        vocabulary[*word] = (number + 3).into();
    }
    let file = serde_json::json!({
        "added_tokens": [],
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary}
    });
    let tokenizer = Tokenizer::from_json(&serde_json::to_vec(&file).unwrap()).unwrap();
    let ids: BTreeSet<u32> = (0..WORDS.len() as u32 + 3).collect();
    tokenizer.word_pieces(&ids).unwrap()
}

fn write(site: &Path, passages: &[[f32; 2]]) {
    let pieces = word_pieces();
    // The pieces are numbered in their own order.
    let of = |piece: &str| WORDS.iter().find(|(word, _)| *word == piece).map(|(_, vector)| *vector);
    let rows: Vec<[f32; 2]> = pieces.iter().map(|piece| of(piece).unwrap_or_default()).collect();
    let table = ReducedTable::from_f32(&rows, 2).unwrap();
    let passages = ReducedTable::from_f32(passages, 2).unwrap();
    let mut writer = BundleWriter::begin(site).unwrap();
    let manifest = Manifest {
        instant: Some(writer.add_instant(&pieces.to_bytes(), &table, &passages, 0.75).unwrap()),
        ..support::manifest(&mut writer, &TEXTS)
    };
    writer.finish(&manifest).unwrap();
}

fn site(passages: &[[f32; 2]]) -> (tempfile::TempDir, Engine<DirectoryFetch, SystemClock>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site");
    write(&path, passages);
    let engine =
        block_on(Engine::open(DirectoryFetch::new(&path), SystemClock::default())).unwrap();
    (folder, engine)
}

fn ask(
    engine: &Engine<DirectoryFetch, SystemClock>,
    question: &str,
    options: &SearchOptions,
) -> Result<Retrieval, RetrieveError> {
    block_on(engine.search(question, options))
}

fn chunks(found: &Retrieval) -> Vec<u32> {
    found.passages.iter().map(|passage| passage.chunk.0).collect()
}

#[test]
fn what_keywords_miss_is_found_once_it_is_loaded() {
    let (_folder, engine) = site(&PASSAGES);
    let options = SearchOptions::default();
    let before = ask(&engine, "canteen", &options).unwrap();
    assert_eq!(chunks(&before), [0]);
    assert_eq!(before.rankings.of("static"), None);

    block_on(engine.load_instant()).unwrap();
    let after = ask(&engine, "canteen", &options).unwrap();
    assert_eq!(chunks(&after)[..2], [0, 1], "the cafeteria is near to the canteen");
    assert_eq!(after.rankings.of("static").unwrap().len(), 4);
    assert!(after.trace.stages.iter().any(|stage| stage.name == "static"));
    let scores = after.passages[1].scores;
    assert_eq!((scores.lexical, scores.dense), (None, None));
    assert_eq!(scores.instant.unwrap().rank, 2);
    assert!(after.query.vector.is_none(), "no encoder was asked");
}

#[test]
fn whole_searches_say_which_encoder() {
    let (_folder, engine) = site(&PASSAGES);
    let by = |semantics, retriever| {
        let options = SearchOptions { semantics, retriever, ..SearchOptions::default() };
        ask(&engine, "lunch", &options)
    };
    let error = by(Semantics::Static, Retriever::Hybrid).unwrap_err();
    assert_eq!(error.to_string(), "the static encoder is not loaded yet");
    block_on(engine.load_instant()).unwrap();
    assert!(engine.instant_ready());
    let alone = by(Semantics::Static, Retriever::Dense).unwrap();
    assert_eq!(chunks(&alone)[..2], [0, 1]);
    assert_eq!(alone.rankings.of("lexical"), None);
    let lexical = by(Semantics::Static, Retriever::Lexical).unwrap();
    assert_eq!(chunks(&lexical), [1]);
    let other = by(Semantics::Encoder, Retriever::Hybrid).unwrap();
    assert_eq!(other.rankings.of("static"), None);
    assert!(by(Semantics::Best, Retriever::Dense).is_err(), "meaning alone needs the encoder");
}

#[test]
fn a_question_of_strange_words_is_left_to_keywords() {
    let (_folder, engine) = site(&PASSAGES);
    block_on(engine.load_instant()).unwrap();
    let found = ask(&engine, "zeppelin", &SearchOptions::default()).unwrap();
    assert!(found.passages.is_empty() && found.problems.is_empty());
    assert_eq!(found.rankings.of("static").unwrap(), []);
}

#[test]
fn tables_that_disagree_are_told_and_keywords_go_on() {
    let (_folder, engine) = site(&PASSAGES[..3]);
    let error = block_on(engine.load_instant()).unwrap_err().to_string();
    assert!(error.contains("expected 4 vectors of 2 numbers, found 3 of 2"), "{error}");
    assert!(!engine.instant_ready());
    assert_eq!(chunks(&ask(&engine, "canteen", &SearchOptions::default()).unwrap()), [0]);
}
