//! A question through a site with token vectors, with a small random encoder.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use campanile_bundle::{
    BundleWriter, Counts, DirectoryFetch, DocumentNotes, DocumentRecord, Manifest, SearchDefaults,
};
use campanile_index::late::{Codec, LateIndex, Record, TokenStatistics, pool};
use campanile_index::{Bm25Parameters, LexicalBuilder, VectorTable};
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};
use campanile_retrieve::{ContentPieces, Engine, Retrieval, Retriever, SearchOptions, SystemClock};
use campanile_text::{Analyzer, Language};
use futures_lite::future::block_on;

const TEXTS: [&str; 5] = [
    "The fee is due in march.",
    "A locker costs five euros.",
    "Exams are written in the hall.",
    "The library lends books.",
    "A fee for the locker and for books.",
];
const DIMENSION: usize = 16;

fn model(file: &str) -> Vec<u8> {
    let folder = "../model/tests/fixtures/encoders/bert-cls";
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(file)).unwrap()
}

fn encoder() -> Encoder {
    let config = EncoderConfig::from_json(&model("config.json")).unwrap();
    let tokenizer = Tokenizer::from_json(&model("tokenizer.json")).unwrap();
    Encoder::load(&config, tokenizer, &Shards::new(vec![model("model.safetensors")]).unwrap())
        .unwrap()
}

/// Writes a site with a chunk for each text.
fn site(name: &str, with_late: bool) -> PathBuf {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rerank-{name}"));
    let mut writer = BundleWriter::begin(&site).unwrap();
    let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
    let analyzer = Analyzer::new(Language::English);
    for text in TEXTS {
        lexical.add_chunk(analyzer.analyze(text).into_iter().map(|token| token.term));
    }
    let encoder = encoder();
    let pieces = ContentPieces::new(encoder.tokenizer(), Language::English);
    let encoded = encoder.encode_passages_and(&TEXTS, |tokens| pieces.vectors(tokens)).unwrap();
    let mut statistics = TokenStatistics::new(encoder.dimension());
    encoded.iter().for_each(|(_, vectors)| statistics.add(vectors));
    let projection = statistics.projection(DIMENSION).unwrap();
    let codec = Codec::new(DIMENSION, 2).unwrap();
    let records: Vec<Record> = encoded
        .iter()
        .map(|(_, vectors)| {
            let vectors = projection.apply(vectors);
            Record::of(codec, &pool(&vectors, DIMENSION, vectors.len() / DIMENSION / 2))
        })
        .collect();
    let late = LateIndex::new(&projection, codec, &records, 1);
    let table =
        VectorTable::from_f32(encoded.iter().map(|(vector, _)| vector), encoder.dimension());
    let documents = (0..)
        .zip(TEXTS)
        .map(|(number, text)| DocumentRecord::plain("Page", &format!("{number}.md"), text));
    let files = ["config.json", "tokenizer.json", "model.safetensors"];
    let files = files.map(|name| (name.to_owned(), model(name)));
    let manifest = Manifest {
        dimension: encoder.dimension() as u32,
        search: SearchDefaults { adaptive_weights: false, ..SearchDefaults::default() },
        encoder: Some(writer.add_model(["tiny", "bert", "MIT"], files).unwrap()),
        vectors: Some(writer.add_vectors(&table.unwrap()).unwrap()),
        late: with_late.then(|| writer.add_late(&late).unwrap()),
        ..Manifest::plain(
            "Tests",
            Counts { documents: TEXTS.len() as u32, chunks: TEXTS.len() as u32 },
            writer.add_lexical(&lexical.finish(1)).unwrap(),
            writer.add_documents(documents, DocumentNotes::default(), 1).unwrap(),
        )
    };
    writer.finish(&manifest).unwrap();
    site
}

fn ask(site: &Path, question: &str, options: &SearchOptions) -> Retrieval {
    block_on(async {
        let engine = Engine::open(DirectoryFetch::new(site), SystemClock::default()).await.unwrap();
        engine.load_encoder(&mut |_, _| ()).await.unwrap();
        engine.search(question, options).await.unwrap()
    })
}

fn order(retrieval: &Retrieval) -> Vec<u32> {
    retrieval.passages.iter().map(|passage| passage.chunk).collect()
}

#[test]
fn candidates_are_compared_word_by_word() {
    let site = site("whole", true);
    let found = ask(&site, TEXTS[1], &SearchOptions::default());
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let late = found.rankings.of("rerank").unwrap();
    assert_eq!(late.len(), TEXTS.len());
    assert_eq!(late[0].chunk, 1, "a passage is nearest to itself: {late:?}");
    assert!(late.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let stages: Vec<&str> = found.trace.stages.iter().map(|stage| stage.name).collect();
    assert_eq!(stages, ["lexical", "embed", "dense", "fused", "rerank", "cut", "passages"]);
    for passage in &found.passages {
        let score = passage.scores.late.unwrap();
        let hit = late[score.rank - 1];
        assert_eq!((hit.chunk, hit.score), (passage.chunk, score.score));
    }
    assert_eq!(order(&found)[0], 1);
    // A question of function words alone is compared by all of its words.
    let found = ask(&site, "Is it for the a?", &SearchOptions::default());
    assert_eq!(found.rankings.of("rerank").unwrap().len(), TEXTS.len());
}

#[test]
fn who_does_not_want_it_does_without() {
    let question = "What does the locker cost?";
    let with = site("with", true);
    let without = ask(&site("without", false), question, &SearchOptions::default());
    assert!(without.rankings.of("rerank").is_none());
    assert!(without.passages.iter().all(|passage| passage.scores.late.is_none()));
    let off = SearchOptions { late_weight: Some(0.0), ..SearchOptions::default() };
    let off = ask(&with, question, &off);
    assert!(off.rankings.of("rerank").is_none());
    assert_eq!(order(&off), order(&without));
    let keywords = SearchOptions { retriever: Retriever::Lexical, ..SearchOptions::default() };
    assert!(ask(&with, question, &keywords).rankings.of("rerank").is_none());
}

#[test]
fn damage_is_named_and_the_ranking_goes_on() {
    let question = "What does the locker cost?";
    let without = ask(&site("plain", false), question, &SearchOptions::default());
    let damage = |name: &str, prefix: &str, count: usize| {
        let site = site(name, true);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(site.join("shards")).unwrap().map(|file| file.unwrap().path()).collect();
        let hit = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.strip_prefix(prefix).is_some_and(|rest| rest.len() == "0123456789abcdef.bin".len())
        };
        paths.retain(hit);
        paths.sort();
        assert!(paths.len() >= count, "{prefix}: {paths:?}");
        paths.iter().take(count).for_each(|path| fs::write(path, b"damaged").unwrap());
        ask(&site, question, &SearchOptions::default())
    };
    let one = damage("one", "late-", 1);
    assert_eq!(one.problems.len(), 1, "{:?}", one.problems);
    assert!(one.problems[0].contains("shards/late-"), "{:?}", one.problems);
    assert_eq!(one.rankings.of("rerank").unwrap().len(), TEXTS.len() - 1);
    assert_eq!(one.passages.len(), without.passages.len());
    assert_eq!(one.passages.iter().filter(|passage| passage.scores.late.is_none()).count(), 1);

    let head = damage("head", "late-head-", 1);
    assert_eq!(head.problems.len(), 1, "{:?}", head.problems);
    assert_eq!(order(&head), order(&without), "as if there were no token vectors");
}
