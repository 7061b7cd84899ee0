//! A question whose words the documents do not have: their vectors are fetched first, and change nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use campanile_bundle::{BundleWriter, DirectoryFetch, Manifest, ModelEntry};
use campanile_index::VectorTable;
use campanile_model::quantize::{Calibration, EncoderWeights, Precision, SHARD_BYTES, near_words};
use campanile_model::{Encoder, Shards};
use campanile_retrieve::{
    Engine, NEAR_WORDS_FILE, RetrieveError, SearchOptions, SystemClock, is_word_part,
    word_part_file,
};
use futures_lite::future::block_on;

use crate::support::{self, config, model, tokenizer};

const TEXTS: [&str; 2] = ["The fee is due in march.", "A locker costs five euros."];
const QUESTION: &str = "Is the library open?";

fn weights() -> EncoderWeights {
    let published = Shards::new(vec![model("model.safetensors")]).unwrap();
    let calibration = Calibration::of(&config(), &tokenizer(), &published).unwrap();
    let precision = Precision::UNCHANGED;
    EncoderWeights::quantised(&config(), &published, &calibration, precision, SHARD_BYTES).unwrap()
}

/// Writes a site; the encoder's table of token vectors whole, or with the documents' own beside it.
fn site(name: &str, is_parted: bool) -> PathBuf {
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("near-words-{name}"));
    let mut writer = BundleWriter::begin(&site).unwrap();
    let EncoderWeights { network, words } = weights();
    let all = Shards::new([words.clone(), network.clone()].concat()).unwrap();
    let encoder = Encoder::load(&config(), tokenizer(), &all).unwrap();
    let vectors = encoder.encode_passages(&TEXTS).unwrap();
    let mut files = vec![
        ("config.json".to_owned(), model("config.json")),
        ("tokenizer.json".to_owned(), model("tokenizer.json")),
        ("model.safetensors".to_owned(), network.concat()),
    ];
    files.extend(words.into_iter().enumerate().map(|(part, file)| (word_part_file(part), file)));
    if is_parted {
        let ids = TEXTS.map(|text| encoder.tokenizer().encode_for_model(text, 64).unwrap());
        let tokens: BTreeSet<u32> = ids.into_iter().flatten().collect();
        let near = near_words(&config(), &all, &tokens).unwrap();
        files.push((NEAR_WORDS_FILE.to_owned(), near));
    }
    let mut entry: ModelEntry = writer.add_model(["tiny", "bert", "MIT"], files).unwrap();
    for file in &mut entry.files {
        file.on_demand = is_parted && is_word_part(&file.name);
    }
    let table = VectorTable::from_f32(&vectors, encoder.dimension()).unwrap();
    let manifest = Manifest {
        dimension: encoder.dimension() as u32,
        encoder: Some(entry),
        vectors: Some(writer.add_vectors(&table).unwrap()),
        ..support::manifest(&mut writer, &TEXTS)
    };
    writer.finish(&manifest).unwrap();
    site
}

fn opened(site: &Path) -> Engine<DirectoryFetch, SystemClock> {
    block_on(async {
        let engine = Engine::open(DirectoryFetch::new(site), SystemClock::default()).await.unwrap();
        let mut told = Vec::new();
        engine.load_encoder(&mut |loaded, total| told.push((loaded, total))).await.unwrap();
        // What is told adds up, whatever stays behind.
        assert!(told.last().is_some_and(|(loaded, total)| loaded == total), "{told:?}");
        engine
    })
}

/// The shard with the first part of the table.
fn part_of(site: &Path) -> PathBuf {
    let engine = opened(site);
    let encoder = engine.manifest().encoder.as_ref().unwrap();
    site.join(&encoder.file(&word_part_file(0)).unwrap().shard.path)
}

#[test]
fn a_question_fetches_the_vectors_of_its_other_words() {
    let (whole, parted) = (opened(&site("whole", false)), opened(&site("parted", true)));
    let asked = |engine: &Engine<DirectoryFetch, SystemClock>| {
        let found = block_on(engine.search(QUESTION, &SearchOptions::default())).unwrap();
        (found.query.vector.unwrap(), found.passages.len())
    };
    assert_eq!(asked(&parted), asked(&whole));
    assert_eq!(block_on(parted.embed(&TEXTS)).unwrap(), block_on(whole.embed(&TEXTS)).unwrap());
    // Who calls the encoder by himself has all of it before.
    let engine = opened(&site("all", true));
    assert!(engine.encoder().unwrap().encode(&[QUESTION]).is_err());
    block_on(engine.load_words()).unwrap();
    assert!(engine.encoder().unwrap().encode(&[QUESTION]).is_ok());
}

#[test]
fn without_them_the_documents_own_words_still_serve() {
    let site = site("missing", true);
    let part = part_of(&site);
    let kept = fs::read(&part).unwrap();
    fs::remove_file(&part).unwrap();
    let engine = opened(&site);
    assert_eq!(block_on(engine.embed(&TEXTS)).unwrap().len(), 2);
    let error = block_on(engine.embed(&[QUESTION])).unwrap_err();
    assert!(matches!(error, RetrieveError::Bundle(_)), "{error}");
    // As soon as the file can be had, so can the answer.
    fs::write(&part, kept).unwrap();
    assert_eq!(block_on(engine.embed(&[QUESTION])).unwrap().len(), 1);
}
