//! A question through a site with token vectors, with a small random encoder.

use std::fs;
use std::path::{Path, PathBuf};

use campanile_bundle::{BundleWriter, DirectoryFetch, Manifest, SearchOverrides, SearchSettings};
use campanile_index::VectorTable;
use campanile_index::late::{Codec, LateIndex, Record, TokenStatistics, pool};
use campanile_model::{Encoder, Shards};
use campanile_retrieve::{
    ContentPieces, Engine, PairTask, Retrieval, Retriever, SearchOptions, SystemClock,
};
use campanile_text::Language;
use futures_lite::future::block_on;

use crate::support::{self, config, fixture, model, tokenizer};

const TEXTS: [&str; 5] = [
    "The fee is due in march.",
    "A locker costs five euros.",
    "Exams are written in the hall.",
    "The library lends books.",
    "A fee for the locker and for books.",
];
const DIMENSION: usize = 16;

const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

fn encoder() -> Encoder {
    let weights = Shards::new(vec![model("model.safetensors")]).unwrap();
    Encoder::load(&config(), tokenizer(), &weights).unwrap()
}

/// Writes a site with a chunk for each text.
fn site(name: &str, with_late: bool) -> PathBuf {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rerank-{name}"));
    let mut writer = BundleWriter::begin(&site).unwrap();
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
    let files = FILES.map(|name| (name.to_owned(), model(name)));
    let reranker = FILES.map(|name| (name.to_owned(), fixture("bert-classifier", name)));
    let manifest = Manifest {
        dimension: encoder.dimension() as u32,
        search: SearchSettings { adaptive_weights: false, ..SearchSettings::default() },
        encoder: Some(writer.add_model(["tiny", "bert", "MIT"], files).unwrap()),
        reranker: Some(writer.add_model(["small", "bert", "MIT"], reranker).unwrap()),
        vectors: Some(writer.add_vectors(&table.unwrap()).unwrap()),
        late: with_late.then(|| writer.add_late(&late).unwrap()),
        ..support::manifest(&mut writer, &TEXTS)
    };
    writer.finish(&manifest).unwrap();
    site
}

fn opened(site: &Path) -> Engine<DirectoryFetch, SystemClock> {
    block_on(async {
        let engine = Engine::open(DirectoryFetch::new(site), SystemClock::default()).await.unwrap();
        engine.load_encoder(&mut |_, _| ()).await.unwrap();
        engine
    })
}

fn ask(site: &Path, question: &str, options: &SearchOptions) -> Retrieval {
    block_on(opened(site).search(question, options)).unwrap()
}

fn order(retrieval: &Retrieval) -> Vec<u32> {
    retrieval.passages.iter().map(|passage| passage.chunk.0).collect()
}

#[test]
fn candidates_are_compared_word_by_word() {
    let site = site("whole", true);
    let found = ask(&site, TEXTS[1], &SearchOptions::default());
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let late = found.rankings.of("rerank").unwrap();
    assert_eq!(late.len(), TEXTS.len());
    assert_eq!(late[0].id.0, 1, "a passage is nearest to itself: {late:?}");
    assert!(late.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let stages: Vec<&str> = found.trace.stages.iter().map(|stage| stage.name).collect();
    assert_eq!(stages, ["lexical", "embed", "dense", "fused", "rerank", "cut", "passages"]);
    for passage in &found.passages {
        let score = passage.scores.late.unwrap();
        let hit = late[score.rank - 1];
        assert_eq!((hit.id, hit.score), (passage.chunk, score.score));
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
    let off = SearchOptions::from(SearchOverrides {
        late_weight: Some(0.0),
        ..SearchOverrides::default()
    });
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

#[test]
fn a_reranker_orders_the_best_of_them() {
    let engine = opened(&site("cross", true));
    let question = "What does the locker cost?";
    let search = |weight: f32, depth: u32| {
        let (cross_weight, cross_depth) = (Some(weight), Some(depth));
        let options = SearchOptions::from(SearchOverrides {
            cross_weight,
            cross_depth,
            ..SearchOverrides::default()
        });
        block_on(engine.search(question, &options)).unwrap()
    };
    let before = search(1.0, 3);
    assert!(before.rankings.of("cross").is_none(), "it is not loaded yet");
    block_on(engine.load_pair_model(PairTask::Reranker, &mut |_, _| ())).unwrap();
    for off in [search(0.0, 3), search(1.0, 1)] {
        assert!(off.rankings.of("cross").is_none());
        assert_eq!(order(&off), order(&before));
    }

    let found = search(1e6, 3);
    let read = found.rankings.of("cross").unwrap();
    assert_eq!(read.len(), 3);
    assert!(found.trace.stages.iter().any(|stage| stage.name == "cross"));
    let ranked: Vec<u32> = read.iter().map(|hit| hit.id.0).collect();
    assert_eq!(order(&found)[..3], ranked, "beside this weight nothing else counts");
    assert_eq!(order(&found)[3..], order(&before)[3..], "the others stay where they were");
    let mut first = order(&before)[..3].to_vec();
    first.sort_by_key(|chunk| ranked.iter().position(|known| known == chunk));
    assert_eq!(first, ranked, "the same three");
    for hit in read {
        let passage = found.passages.iter().find(|passage| passage.chunk == hit.id).unwrap();
        let scores = block_on(engine.rerank(question, &[&passage.in_context()])).unwrap().unwrap();
        assert_eq!(scores, [hit.score]);
    }
    let all: Vec<u32> = order(&search(1e6, 50));
    assert_eq!(all.len(), TEXTS.len());
}

#[test]
fn a_model_for_two_texts_is_named_where_it_is_missing() {
    let engine = opened(&site("tasks", true));
    let load = |task| block_on(engine.load_pair_model(task, &mut |_, _| ()));
    let error = load(PairTask::Reader).unwrap_err().to_string();
    assert!(error.contains("no reader"), "{error}");
    assert_eq!(block_on(engine.read("Who?", &["The library."])).unwrap(), None);
    assert_eq!(block_on(engine.check_claim("It is.", &["The library."])).unwrap(), None);
}
