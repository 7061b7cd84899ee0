//! The language model's decoder writes the same tokens on WebGPU as on the CPU.
//!
//! A tiny one with made-up weights: the real one has its own test, in `tests/browser`.

use burn::tensor::Device;
use campanile_model::{
    Decoder, DecoderConfig, GenerateOptions, HostTensor, ModelError, StoredTensor, TensorSource,
    Tokenizer,
};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::webgpu::gpu;

const CONFIG: &str = r#"{
    "model_type": "llama", "vocab_size": 48, "hidden_size": 64, "intermediate_size": 96,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5, "rope_theta": 10000, "max_position_embeddings": 512,
    "tie_word_embeddings": true
}"#;

/// Longer than one padded block of a GPU's prompt.
const PROMPT_TOKENS: u32 = 40;
const ANSWER_TOKENS: usize = 12;

#[wasm_bindgen_test]
async fn writes_the_same_tokens_on_both_devices() {
    let on_cpu = answer(&Device::flex()).await;
    let on_gpu = answer(&gpu().await).await;
    assert_eq!(on_cpu.len(), ANSWER_TOKENS);
    assert_eq!(on_cpu, on_gpu);
}

async fn answer(device: &Device) -> Vec<u32> {
    let config = DecoderConfig::from_json(CONFIG.as_bytes()).unwrap();
    let tokenizer = Tokenizer::from_json(tokenizer_json(config.vocab_size).as_bytes()).unwrap();
    let mut decoder = Decoder::load(&config, tokenizer, &MadeUp, device).unwrap();
    let prompt: Vec<u32> = (0..PROMPT_TOKENS).map(|number| number * 7 % 48).collect();
    let options = GenerateOptions { max_new_tokens: ANSWER_TOKENS };
    let mut generation = decoder.start(&prompt, &options).unwrap();
    while generation.next().await.unwrap().is_some() {}
    generation.finish().tokens
}

fn tokenizer_json(words: usize) -> String {
    let vocabulary: Vec<String> =
        (0..words).map(|number| format!("\"word{number}\": {number}")).collect();
    format!(
        r#"{{"version": "1.0", "added_tokens": [], "model":
            {{"type": "WordLevel", "vocab": {{{}}}, "unk_token": "word0"}}}}"#,
        vocabulary.join(", ")
    )
}

/// Weights that depend on nothing but their tensor's name.
struct MadeUp;

impl TensorSource for MadeUp {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        Err(ModelError::MissingTensor { name: name.to_owned(), present: 0 })
    }

    fn read_shaped(&self, name: &str, shape: &[usize]) -> Result<HostTensor, ModelError> {
        let mut state =
            name.bytes().fold(1_u32, |state, byte| state * 31 % 65_521 + u32::from(byte));
        let centre = if name.ends_with("norm.weight") { 1.0 } else { 0.0 };
        let values = (0..shape.iter().product())
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                centre + (state >> 8) as f32 / (1 << 24) as f32 - 0.5
            })
            .collect();
        Ok(HostTensor { shape: shape.to_vec(), values })
    }
}
