//! Our encoder on the processor beside plain burn, on a hundred sentences of 1 to 1,717 bytes.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod devices;
#[path = "../../model/tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use campanile_model::quantize::Precision;
use campanile_model::{EncoderConfig, TokenSequence};
use campanile_reference::{Encoder, ReferenceError, Weights, device};
use support::{cosine, encoder, model_folder, published_weights, quantised_weights, read};

const SENTENCES: &str = include_str!("../../model/tests/fixtures/sentences.txt");

/// The lowest cosine of a vector to ours.
const COSINE: f64 = 0.999999;

/// A model's network in plain burn, with its weights as published or from a source of ours.
fn reference(folder: &Path, weights: Weights<'_>) -> Encoder {
    let config = EncoderConfig::from_json(&read(folder, "config.json")).unwrap();
    Encoder::load(&config, weights, &devices::chosen()).unwrap()
}

/// The texts as the networks take them.
fn sequences(encoder: &campanile_model::Encoder, texts: &[&str]) -> Vec<TokenSequence> {
    let sequence = |text: &&str| encoder.tokenizer().sequence(text, encoder.max_tokens()).unwrap();
    texts.iter().map(sequence).collect()
}

/// The lowest cosine of the texts' vectors and of their tokens'.
fn lowest(ours: &campanile_model::Encoder, theirs: &Encoder, texts: &[&str]) -> (f64, f64) {
    let sequences = sequences(ours, texts);
    let encoded = theirs.encode_with_tokens(&sequences).unwrap();
    let (mut lowest, mut lowest_token) = (1.0_f64, 1.0_f64);
    for (vector, encoded) in ours.encode(texts).unwrap().iter().zip(&encoded) {
        lowest = lowest.min(cosine(vector, &encoded.vector));
    }
    for (tokens, encoded) in ours.token_vectors(texts).unwrap().iter().zip(&encoded) {
        assert_eq!(tokens.vectors.len(), encoded.tokens.len());
        let width = ours.dimension();
        for (a, b) in tokens.vectors.chunks(width).zip(encoded.tokens.chunks(width)) {
            lowest_token = lowest_token.min(cosine(a, b));
        }
    }
    (lowest, lowest_token)
}

fn report(lowest: f64, lowest_token: f64) {
    let short = [1.0 - lowest, 1.0 - lowest_token];
    println!("short of a cosine of 1: sentences {:.1e}, tokens {:.1e} at most", short[0], short[1]);
}

#[test]
fn vectors_equal_those_of_our_kernels() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let published = published_weights(&folder);
    let ours = encoder(&folder, &published);
    let theirs = reference(&folder, Weights::Published(&folder.join("model.safetensors")));
    let texts: Vec<&str> = SENTENCES.lines().collect();
    let (lowest, lowest_token) = lowest(&ours, &theirs, &texts);
    report(lowest, lowest_token);
    assert!(lowest > COSINE && lowest_token > COSINE);
}

#[test]
fn quantised_weights_give_the_same_vectors_too() {
    let folder = model_folder("all-MiniLM-L6-v2");
    let quantised = quantised_weights(&folder, &published_weights(&folder), Precision::INT8);
    let ours = encoder(&folder, &quantised);
    let theirs = reference(&folder, Weights::Stored(&quantised));
    let texts: Vec<&str> = SENTENCES.lines().collect();
    let (lowest, lowest_token) = lowest(&ours, &theirs, &texts);
    report(lowest, lowest_token);
    assert!(lowest > COSINE && lowest_token > COSINE);
}

/// A small network with random weights, which needs no model to be fetched.
fn small() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../model/tests/fixtures/encoders/bert-cls")
}

#[test]
fn the_first_token_may_stand_for_a_text() {
    let folder = small();
    let published = published_weights(&folder);
    let ours = encoder(&folder, &published);
    let theirs = reference(&folder, Weights::Bytes(&read(&folder, "model.safetensors")));
    let texts = ["", "a", "thesis", "When is the thesis due, and who marks it?"];
    let (lowest, lowest_token) = lowest(&ours, &theirs, &texts);
    assert!(lowest > COSINE && lowest_token > COSINE, "{lowest} {lowest_token}");
}

#[test]
fn what_cannot_be_run_is_an_error() {
    let folder = small();
    let theirs = reference(&folder, Weights::Bytes(&read(&folder, "model.safetensors")));
    let empty = theirs.encode(&[TokenSequence::default()]).unwrap_err();
    assert!(matches!(empty, ReferenceError::Text { number: 0, .. }), "{empty}");

    let mut config = EncoderConfig::from_json(&read(&folder, "config.json")).unwrap();
    config.network.hidden_size = 64;
    let weights = read(&folder, "model.safetensors");
    let chosen = devices::chosen();
    let other = Encoder::load(&config, Weights::Bytes(&weights), &chosen).err().unwrap();
    assert!(matches!(other, ReferenceError::Weights { .. }), "{other}");

    let missing = folder.join("nothing.safetensors");
    let missing = Encoder::load(&config, Weights::Published(&missing), &chosen).err().unwrap();
    assert!(matches!(missing, ReferenceError::Weights { .. }), "{missing}");

    assert!(matches!(device("gpu"), Err(ReferenceError::UnknownDevice { .. })));
    #[cfg(not(feature = "cuda"))]
    assert!(matches!(device("cuda"), Err(ReferenceError::NotCompiled { .. })));
}
