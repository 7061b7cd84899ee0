//! The encoder on a GPU gives the vectors that it gives on the CPU.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use campanile_model::{Encoder, EncoderConfig, Pooling, Shards, Tokenizer};
use campanile_webgpu::WebGpuEncoder;
use futures_lite::future::block_on;

const TEXTS: [&str; 5] = [
    "When is the thesis due?",
    "Theses are handed in at the registrar's office before the last Friday of teaching.",
    "library",
    "A student may withdraw from a course without a mark until the last Friday of teaching, 16:00. \
     The form is handed in at the registrar's office and needs the signature of the lecturer. \
     Withdrawal after the second week of teaching does not reduce the fees of the term, and \
     exceptions are made by the dean alone, in writing, before the term has ended.",
    "",
];

#[test]
fn vectors_equal_those_of_the_cpu() {
    let gpu = support::gpu();
    let folder = support::models().join("all-MiniLM-L6-v2");
    let read = |name: &str| {
        std::fs::read(folder.join(name)).unwrap_or_else(|error| {
            panic!("{name}: {error}: run `campanile model fetch all-MiniLM-L6-v2`")
        })
    };
    let mut config = EncoderConfig::from_json(&read("config.json")).unwrap();
    let tokenizer = Tokenizer::from_json(&read("tokenizer.json")).unwrap();
    let weights = Shards::new(vec![read("model.safetensors")]).unwrap();
    let sequences: Vec<_> =
        TEXTS.iter().map(|text| tokenizer.sequence(text, config.token_limit()).unwrap()).collect();
    for pooling in [Pooling::Mean, Pooling::Cls] {
        config.pooling = pooling;
        let on_cpu = Encoder::load(
            &config,
            Tokenizer::from_json(&read("tokenizer.json")).unwrap(),
            &weights,
        )
        .unwrap();
        let on_gpu = block_on(WebGpuEncoder::load(&gpu, &config, &weights)).unwrap();
        let found = block_on(on_gpu.encode(&sequences)).unwrap();
        for ((found, expected), text) in found.iter().zip(on_cpu.encode(&TEXTS).unwrap()).zip(TEXTS)
        {
            let cosine: f32 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
            assert!(cosine > 0.9999, "{pooling:?} {text:?}: {cosine}");
        }
    }
}
