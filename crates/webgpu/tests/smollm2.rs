//! SmolLM2-135M-Instruct on a GPU against transformers, token by token.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::time::Instant;

use campanile_model::DecoderBackend as _;
use campanile_webgpu::{CachePrecision, DecoderOptions, WebGpuDecoder};
use futures_lite::future::block_on;
use serde::Deserialize;

const FIXTURE: &str = include_str!("../../model/tests/fixtures/smollm2.json");

#[derive(Deserialize)]
struct Fixture {
    prompts: Vec<Prompt>,
}

#[derive(Deserialize)]
struct Prompt {
    name: String,
    tokens: Vec<u32>,
    answer_tokens: Vec<u32>,
}

/// The greedy answer of `length` tokens.
async fn answer(decoder: &mut WebGpuDecoder, prompt: &[u32], length: usize) -> Vec<u32> {
    let mut tokens = Vec::new();
    decoder.reserve(prompt.len() + length).unwrap();
    let started = Instant::now();
    decoder.read(prompt, 0).await.unwrap();
    let prefill = started.elapsed();
    let started = Instant::now();
    loop {
        let best = decoder.best(1, None).await.unwrap()[0].0;
        tokens.push(best);
        if tokens.len() == length {
            break;
        }
        decoder.read(&[best], prompt.len() + tokens.len() - 1).await.unwrap();
    }
    println!(
        "{} prompt tokens in {:.0} ms, then {:.0} ms a token, {} dispatches",
        prompt.len(),
        prefill.as_secs_f64() * 1e3,
        started.elapsed().as_secs_f64() * 1e3 / length as f64,
        decoder.dispatches()
    );
    tokens
}

#[test]
fn greedy_answers_equal_the_reference() {
    let gpu = support::gpu();
    println!("{} with 16-bit floats: {}", gpu.name(), gpu.has_half_floats());
    let (config, weights) = support::smollm2();
    let fixture: Fixture = serde_json::from_str(FIXTURE).unwrap();
    // A rounded cache shows where there is much in it: the longest prompt comes first.
    for (cache, count) in [(CachePrecision::Full, fixture.prompts.len()), (CachePrecision::Half, 1)]
    {
        let started = Instant::now();
        let options = DecoderOptions { cache };
        let mut decoder = block_on(WebGpuDecoder::load(&gpu, &config, &weights, options)).unwrap();
        println!(
            "{} kernels, loaded in {:.1} s",
            decoder.kernels(),
            started.elapsed().as_secs_f64()
        );
        for prompt in fixture.prompts.iter().take(count) {
            let found = block_on(answer(&mut decoder, &prompt.tokens, prompt.answer_tokens.len()));
            assert_eq!(found, prompt.answer_tokens, "{} {cache:?}", prompt.name);
            assert!(decoder.dispatches() <= 350);
        }
    }
}
