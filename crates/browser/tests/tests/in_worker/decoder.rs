//! The language model's decoder writes the same tokens on WebGPU as on the CPU.
//!
//! Tiny ones with made-up weights: the real one has its own test, in `tests/browser`.

use campanile_model::{CpuDecoder, Decoder, DecoderBackend, DecoderConfig, GenerateOptions};
use campanile_webgpu::{DecoderOptions, WebGpuDecoder};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::made_up::{self, MadeUp};
use crate::webgpu::gpu;

/// Longer than one tile of the cache, and longer than one tile of a product.
const PROMPT_TOKENS: u32 = 70;
const ANSWER_TOKENS: usize = 12;

fn qwen3() -> DecoderConfig {
    let json = json!({
        "model_type": "qwen3", "vocab_size": 64, "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "head_dim": 32, "rms_norm_eps": 1e-6, "rope_theta": 10000.0,
        "max_position_embeddings": 256, "tie_word_embeddings": false,
    });
    DecoderConfig::from_json(json.to_string().as_bytes()).unwrap()
}

#[wasm_bindgen_test]
async fn writes_the_same_tokens_on_both_devices() {
    for config in [made_up::llama(), qwen3()] {
        let weights = MadeUp(&config);
        let backend =
            WebGpuDecoder::load(&gpu().await, &config, &weights, DecoderOptions::default())
                .await
                .unwrap();
        let tokenizer = made_up::tokenizer(config.vocab_size);
        let mut on_gpu = Decoder::with_backend(&config, tokenizer, Box::new(backend)).unwrap();
        let on_gpu = answer(&mut on_gpu).await;
        let on_cpu = answer(&mut made_up::decoder(&config)).await;
        assert_eq!(on_cpu.len(), ANSWER_TOKENS);
        assert_eq!(on_cpu, on_gpu, "{:?}", config.architecture);
    }
}

#[wasm_bindgen_test]
async fn a_future_that_is_dropped_leaves_the_decoder_usable() {
    let config = made_up::llama();
    let options = DecoderOptions::default();
    let mut decoder =
        WebGpuDecoder::load(&gpu().await, &config, &MadeUp(&config), options).await.unwrap();
    decoder.read(&[1, 2, 3], 0).await.unwrap();
    let first = decoder.best(1, None).await.unwrap();
    let mut dropped = decoder.best(1, None);
    let waker = std::task::Waker::noop();
    let polled = dropped.as_mut().poll(&mut std::task::Context::from_waker(waker));
    assert!(polled.is_pending());
    drop(dropped);
    assert_eq!(decoder.best(1, None).await.unwrap(), first);
}

async fn answer(decoder: &mut Decoder) -> Vec<u32> {
    let prompt: Vec<u32> = (0..PROMPT_TOKENS).map(|number| number * 7 % 61).collect();
    let options = GenerateOptions::greedy(ANSWER_TOKENS);
    let mut generation = decoder.start(&prompt, &options).unwrap();
    while generation.next().await.unwrap().is_some() {}
    generation.finish().unwrap().tokens
}

/// The largest difference of two devices' logits, as a share of the largest of them.
#[wasm_bindgen_test]
async fn computes_the_same_logits_on_both_devices() {
    let mut differences = Vec::new();
    for config in [made_up::llama(), qwen3()] {
        let weights = MadeUp(&config);
        let options = DecoderOptions::default();
        let mut on_gpu =
            WebGpuDecoder::load(&gpu().await, &config, &weights, options).await.unwrap();
        let mut on_cpu = CpuDecoder::load(&config, &weights).unwrap();
        let mut position = 0;
        for length in [40, 1, 1, 30, 1, 1] {
            let tokens: Vec<u32> =
                (0..length).map(|number| (number + position as u32) * 7 % 61).collect();
            let mut logits = Vec::new();
            for decoder in [&mut on_gpu as &mut dyn DecoderBackend, &mut on_cpu] {
                decoder.reserve(position + tokens.len()).unwrap();
                decoder.read(&tokens, position).await.unwrap();
                logits.push(decoder.logits().await.unwrap());
            }
            position += tokens.len();
            let largest = logits[1].iter().fold(0.0f32, |most, value| most.max(value.abs()));
            let off = logits[0].iter().zip(&logits[1]).map(|(a, b)| (a - b).abs());
            differences.push(off.fold(0.0, f32::max) / largest);
        }
    }
    assert!(differences.iter().all(|&off| off < 1e-4), "{differences:?}");
}
