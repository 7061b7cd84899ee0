//! Our reader on the processor beside plain burn, on passages of the sample campus.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod devices;
#[path = "../../model/tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::Path;

use campanile_model::{Adapter, EncoderConfig, Reading, TokenSequence};
use campanile_reference::{Encoder, Reader, ReaderLogits, ReferenceError, Weights};
use support::{encoder, model_folder, published_weights, read};

/// By how much a logit may differ.
const TOLERANCE: f32 = 1e-4;

const QUESTIONS: [&str; 2] =
    ["How many laboratory sessions may I miss?", "Until when can I hand in my thesis?"];

/// The paragraphs of a few of the campus's documents.
fn passages() -> Vec<String> {
    let campus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/campus");
    let files = [
        "department/laboratory-work.md",
        "department/thesis.md",
        "faculty/extensions.md",
        "university/late-submission.md",
    ];
    let texts = files.map(|file| String::from_utf8(read(&campus, file)).unwrap());
    let paragraphs = texts.iter().flat_map(|text| text.split("\n\n"));
    paragraphs
        .filter(|text| text.len() > 80 && !text.starts_with("---"))
        .map(str::to_owned)
        .collect()
}

/// The metadata of an adapter.
struct Format {
    max_answer: usize,
    max_tokens: usize,
}

/// The largest differences of a span's score and of a margin.
fn differences(adapter: &[u8], passages: &[&str], format: &Format) -> (f32, f32) {
    let folder = model_folder("all-MiniLM-L6-v2");
    let ours = encoder(&folder, &published_weights(&folder));
    let config = EncoderConfig::from_json(&read(&folder, "config.json")).unwrap();
    let file = folder.join("model.safetensors");
    let device = devices::chosen();
    let theirs = Encoder::load(&config, Weights::Published(&file), &device).unwrap();

    let parsed = Adapter::read(adapter).unwrap();
    let our_reader = campanile_model::Reader::new(&ours, &parsed).unwrap();
    let their_reader = Reader::new(&theirs, adapter).unwrap();
    let tokenizer = ours.tokenizer();
    let (mut of_score, mut of_margin) = (0.0_f32, 0.0_f32);
    for question in QUESTIONS {
        let pair = |passage: &&str| tokenizer.pair_sequence(question, passage, 512).unwrap();
        let pairs: Vec<TokenSequence> = passages.iter().map(pair).collect();
        // Neither reader cuts anything off.
        assert!(pairs.iter().all(|pair| pair.ids().len() <= format.max_tokens));
        let readings = our_reader.read(question, passages, usize::MAX).unwrap();
        let logits = their_reader.logits(&pairs).unwrap();
        for ((reading, logits), (passage, pair)) in
            readings.iter().zip(&logits).zip(passages.iter().zip(&pairs))
        {
            let pieces = tokenizer.encode_spans(passage).unwrap();
            let tokens: Vec<_> = pieces.into_iter().map(|(_, bytes)| bytes).collect();
            // `[CLS] question [SEP] passage [SEP]`
            let first = pair.ids().len() - 1 - tokens.len();
            let (scores, margin) = spans(logits, first, &tokens, format.max_answer);
            assert_eq!(reading.spans.len(), scores.len());
            of_margin = of_margin.max((reading.margin - margin).abs());
            of_score = of_score.max(worst(reading, &scores));
        }
    }
    (of_score, of_margin)
}

/// The score of every span by its bytes, and the margin of the best over none, as
/// `training/FORMAT.md` defines them.
fn spans(
    logits: &ReaderLogits,
    first: usize,
    tokens: &[std::ops::Range<usize>],
    max_answer: usize,
) -> (BTreeMap<(usize, usize), f32>, f32) {
    let mut scores = BTreeMap::new();
    let mut best = f32::NEG_INFINITY;
    for (i, start) in tokens.iter().enumerate() {
        for (j, end) in tokens.iter().enumerate().skip(i).take(max_answer) {
            let score = logits.start[first + i] + logits.end[first + j];
            best = best.max(score);
            scores.insert((start.start, end.end), score);
        }
    }
    let none = logits.start[0] + logits.end[0];
    (scores, logits.answerable.unwrap_or(best - none))
}

fn worst(reading: &Reading, scores: &BTreeMap<(usize, usize), f32>) -> f32 {
    let difference = |span: &campanile_model::ReadSpan| {
        (span.score - scores[&(span.bytes.start, span.bytes.end)]).abs()
    };
    reading.spans.iter().map(difference).fold(0.0, f32::max)
}

#[test]
fn the_trained_reader_gives_the_same_logits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../training/adapters");
    let adapter = read(&folder, "reader.safetensors");
    let passages = passages();
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    assert!(passages.len() > 20, "{}", passages.len());
    let format = Format { max_answer: 30, max_tokens: 256 };
    let (score, margin) = differences(&adapter, &passages, &format);
    println!("{} passages: scores differ by {score:.1e}, margins by {margin:.1e}", passages.len());
    assert!(score < TOLERANCE && margin < TOLERANCE, "{score} {margin}");
}

#[test]
fn a_head_of_its_own_says_whether_there_is_an_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/tests/fixtures");
    let adapter = read(&folder, "adapter_reader.safetensors");
    let passages = ["The library opens at nine o'clock.", "One session may be missed.", "No."];
    let format = Format { max_answer: 12, max_tokens: 64 };
    let (score, margin) = differences(&adapter, &passages, &format);
    println!("scores differ by {score:.1e}, margins by {margin:.1e}");
    assert!(score < TOLERANCE && margin < TOLERANCE, "{score} {margin}");
}

#[test]
fn an_adapter_for_another_task_or_network_is_refused() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/tests/fixtures");
    let folder = fixtures.join("encoders/bert-cls");
    let config = EncoderConfig::from_json(&read(&folder, "config.json")).unwrap();
    let weights = read(&folder, "model.safetensors");
    let device = devices::chosen();
    let small = Encoder::load(&config, Weights::Bytes(&weights), &device).unwrap();
    let refused = |file: &str| Reader::new(&small, &read(&fixtures, file)).err().unwrap();
    let task = refused("adapter_checker.safetensors");
    assert!(matches!(task, ReferenceError::Adapter { .. }), "{task}");
    let network = refused("adapter_reader.safetensors");
    assert!(
        matches!(network, ReferenceError::Weights { .. } | ReferenceError::Adapter { .. }),
        "{network}"
    );
    let damaged = Reader::new(&small, b"no adapter").err().unwrap();
    assert!(matches!(damaged, ReferenceError::Adapter { .. }), "{damaged}");
}
