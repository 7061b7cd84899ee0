//! Every architecture on a GPU, over small decoders with made-up weights.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../../model/tests/support/made_up.rs"]
mod made_up;
#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::borrow::Cow;

use campanile_model::{
    CpuDecoder, DecoderBackend, DecoderConfig, Encoding, ModelError, StoredTensor, TensorSource,
};
use campanile_webgpu::{DecoderLoader, DecoderOptions, WebGpu, WebGpuDecoder, WebGpuError};
use futures_lite::future::block_on;
use made_up::MadeUp;
use serde::Deserialize;
use serde_json::Value;

const FIXTURE: &str = include_str!("../../model/tests/fixtures/decoder_random.json");

#[derive(Deserialize)]
struct Fixture {
    tokens: Vec<u32>,
    /// After which tokens the logits are known.
    positions: Vec<usize>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: Value,
    logits: Vec<Vec<f32>>,
}

fn config(case: &Case) -> DecoderConfig {
    DecoderConfig::from_json(case.config.to_string().as_bytes()).unwrap()
}

fn load(gpu: &WebGpu, config: &DecoderConfig, weights: &dyn TensorSource) -> WebGpuDecoder {
    block_on(WebGpuDecoder::load(gpu, config, weights, DecoderOptions::default())).unwrap()
}

/// The largest difference, as a share of the largest value.
fn difference(found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(0.0f32, |most, value| most.max(value.abs()));
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) / largest
}

#[test]
fn logits_equal_the_reference() {
    let gpu = support::gpu();
    let Fixture { tokens, positions, cases } = serde_json::from_str(FIXTURE).unwrap();
    assert!(cases.len() >= 13);
    for case in cases {
        let config = config(&case);
        let mut decoder = load(&gpu, &config, &MadeUp(&config));
        for (&position, expected) in positions.iter().zip(&case.logits) {
            block_on(decoder.read(&tokens[..=position], 0)).unwrap();
            let off = difference(&block_on(decoder.logits()).unwrap(), expected);
            assert!(off < 1e-4, "{}, a block of {position} tokens: {off:.1e}", case.name);
        }
        for (position, &token) in tokens.iter().enumerate() {
            block_on(decoder.read(&[token], position)).unwrap();
            if let Some(place) = positions.iter().position(|&known| known == position) {
                let off = difference(&block_on(decoder.logits()).unwrap(), &case.logits[place]);
                assert!(off < 1e-4, "{}, token {position} alone: {off:.1e}", case.name);
            }
        }
    }
}

/// Made-up weights, each tensor in an encoding of its own, so that what belongs together cannot be
/// one matrix.
struct Mixed<'a>(MadeUp<'a>);

impl TensorSource for Mixed<'_> {
    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let tensor = self.0.read(name)?;
        let rows = tensor.shape.iter().rev().skip(1).product::<usize>();
        let as_half = |value: &f32| half::f16::from_f32(*value).to_le_bytes();
        let (encoding, bytes, scales) = match name.rsplit_once("_proj.weight") {
            Some((before, _)) if before.ends_with('k') || before.ends_with("gate") => {
                (Encoding::F16, tensor.values.iter().flat_map(as_half).collect(), Vec::new())
            }
            Some((before, _)) if before.ends_with('v') || before.ends_with("down") => {
                let bytes = tensor.values.iter().map(|v| (v * 400.0) as i8 as u8).collect();
                (Encoding::I8PerRow, bytes, vec![1.0 / 400.0; rows])
            }
            _ => {
                let bytes = tensor.values.iter().flat_map(|v| v.to_le_bytes()).collect();
                (Encoding::F32, bytes, Vec::new())
            }
        };
        StoredTensor::new(name, tensor.shape, encoding, Cow::Owned(bytes), scales)
    }
}

#[test]
fn weights_of_several_encodings_and_a_cache_that_grows() {
    let gpu = support::gpu();
    let mut config = made_up::llama();
    config.max_position_embeddings = 600;
    let weights = Mixed(MadeUp(&config));
    let mut on_gpu = load(&gpu, &config, &weights);
    let mut on_cpu = CpuDecoder::load(&config, &weights).unwrap();
    let tokens: Vec<u32> = (0..590).map(|number| number * 7 % 61).collect();
    let mut position = 0;
    for length in [200, 1, 1, 150, 1, 236, 1] {
        let part = &tokens[position..position + length];
        on_gpu.reserve(position + length).unwrap();
        block_on(on_gpu.read(part, position)).unwrap();
        on_cpu.reserve(position + length).unwrap();
        for block in part.chunks(on_cpu.block_tokens()) {
            block_on(on_cpu.read(block, position)).unwrap();
            position += block.len();
        }
        let found = block_on(on_gpu.logits()).unwrap();
        let off = difference(&found, &block_on(on_cpu.logits()).unwrap());
        assert!(off < 1e-3, "after {position} tokens: {off:.1e}");
        let best = block_on(on_gpu.best(5, None)).unwrap();
        for (token, logit) in best {
            assert_eq!(found[token as usize].to_bits(), logit.to_bits());
        }
    }
    assert!(block_on(on_gpu.read(&tokens[..20], position)).is_err(), "beyond the context");
    assert!(block_on(on_gpu.read(&[64], 0)).is_err(), "beyond the vocabulary");
}

#[test]
fn weights_that_never_come_or_do_not_fit_are_named() {
    let gpu = support::gpu();
    let config = made_up::llama();
    let load = |source: &dyn TensorSource| {
        block_on(async {
            let mut loader = DecoderLoader::new(&gpu, &config, DecoderOptions::default())?;
            loader.add(source).await?;
            loader.finish().await
        })
    };
    let fewer = DecoderConfig { num_hidden_layers: 1, ..config.clone() };
    match load(&MadeUp(&fewer)).map(|_| ()) {
        Err(WebGpuError::Model(ModelError::MissingTensor { name, .. })) => {
            assert!(name.starts_with("model.layers.1."), "{name}");
        }
        other => panic!("{other:?}"),
    }
    let wider = DecoderConfig { intermediate_size: 128, ..config.clone() };
    match load(&MadeUp(&wider)).map(|_| ()) {
        Err(WebGpuError::Model(ModelError::Shape { name, .. })) => {
            assert!(name.contains(".mlp."), "{name}");
        }
        other => panic!("{other:?}"),
    }
    let narrow = DecoderConfig { hidden_size: 48, ..config.clone() };
    let mut loader = DecoderLoader::new(&gpu, &narrow, DecoderOptions::default()).unwrap();
    let refused = block_on(loader.add(&MadeUp(&narrow)));
    assert!(matches!(refused, Err(WebGpuError::Unsupported { .. })), "{refused:?}");
}

#[test]
fn a_cache_beyond_the_device_is_refused_with_its_size() {
    let gpu = support::gpu();
    let config = DecoderConfig {
        max_position_embeddings: 1 << 20,
        num_key_value_heads: 4,
        ..made_up::llama()
    };
    let mut decoder = load(&gpu, &config, &MadeUp(&config));
    decoder.reserve(4096).unwrap();
    let error = decoder.reserve(1 << 20).unwrap_err().to_string();
    // 2^20 positions of 4 heads of 16 values of 4 bytes: twice what a buffer may hold.
    assert!(error.contains("268435456 bytes"), "{error}");
}
