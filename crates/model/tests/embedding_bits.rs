//! Embeddings are what they were, to the last bit: what was added to the network since, such as
//! adapters, changes nothing of what a site's index was made of.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};

/// A hash of the bits of all vectors (FNV-1a).
fn fingerprint<'a>(values: impl Iterator<Item = &'a f32>) -> u64 {
    values.flat_map(|value| value.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn the_bits_of_embeddings_stay_what_they_were() {
    // Taken before there were adapters.
    let known =
        [("bert-cls", 10_511_095_086_615_428_558), ("xlm-roberta-mean", 3_278_323_964_354_032_614)];
    let sentences: Vec<&str> = include_str!("fixtures/sentences.txt").lines().collect();
    for (name, expected) in known {
        let folder =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/encoders").join(name);
        let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
        let encoder = Encoder::load(
            &EncoderConfig::from_json(&read("config.json")).unwrap(),
            Tokenizer::from_json(&read("tokenizer.json")).unwrap(),
            &Shards::new(vec![read("model.safetensors")]).unwrap(),
        )
        .unwrap();
        let vectors = encoder.encode(&sentences).unwrap();
        let tokens = encoder.token_vectors(&sentences[..8]).unwrap();
        let tokens = tokens.iter().flat_map(|tokens| &tokens.vectors);
        assert_eq!(fingerprint(vectors.iter().flatten().chain(tokens)), expected, "{name}");
    }
}
