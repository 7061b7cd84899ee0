//! The models by themselves, so that a page can time them beside another engine, or compare what
//! one gives on two devices.
//!
//! The crate is built with the profile of the shipped modules, but only by
//! `cargo xtask bench model` and for the browser tests. So what is needed to look at the models
//! makes the shipped modules no larger. What is timed runs on one thread and without WebGPU. What is
//! compared on two devices is in `devices`.

mod devices;

use campanile_browser_shared::PageClock;
use campanile_model::{
    Decoder, DecoderConfig, Encoder, EncoderConfig, GenerateOptions, ModelError, Shards, Tokenizer,
};
use campanile_retrieve::Clock as _;
use js_sys::Uint8Array;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// The encoder with the weights of a built site.
#[wasm_bindgen]
pub struct Embedding {
    encoder: Encoder,
}

#[wasm_bindgen]
impl Embedding {
    /// Loads `config.json`, `tokenizer.json` and the shards of the weights.
    ///
    /// # Errors
    /// Where a file is damaged, or one does not fit the others.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &[u8], tokenizer: &[u8], weights: Vec<Uint8Array>) -> Result<Self, JsError> {
        Ok(Self { encoder: load_encoder(config, tokenizer, copied(&weights))? })
    }

    /// The ids that the model sees for `text`, its two special tokens included.
    ///
    /// # Errors
    /// Where the text cannot be cut into tokens.
    pub fn token_ids(&self, text: &str) -> Result<Vec<u32>, JsError> {
        Ok(self.encoder.tokenizer().encode_for_model(text, self.encoder.max_tokens())?)
    }

    /// The vector of `text`, from cutting it into tokens to its length of one.
    ///
    /// # Errors
    /// Where the model fails.
    pub fn embed(&self, text: &str) -> Result<Vec<f32>, JsError> {
        Ok(self.encoder.encode(&[text])?.concat())
    }
}

/// The language model on the CPU.
#[wasm_bindgen]
pub struct Writing {
    model: Decoder,
}

/// One greedy answer and how long its two parts took.
#[wasm_bindgen(getter_with_clone)]
pub struct Written {
    /// The answer.
    pub text: String,
    /// Ids of the answer, without the one that ended it.
    pub tokens: Vec<u32>,
    /// From the call to the first text: reading the prompt and choosing the first token.
    pub first_milliseconds: f64,
    /// From the call to the last token.
    pub total_milliseconds: f64,
}

#[wasm_bindgen]
impl Writing {
    /// Loads `config.json`, `tokenizer.json` and the shards of the weights.
    ///
    /// # Errors
    /// Where a file is damaged, or one does not fit the others.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &[u8], tokenizer: &[u8], weights: Vec<Uint8Array>) -> Result<Self, JsError> {
        let config = DecoderConfig::from_json(config)?;
        let tokenizer = Tokenizer::from_json(tokenizer)?;
        Ok(Self { model: Decoder::load(&config, tokenizer, &Shards::new(copied(&weights))?)? })
    }

    /// The ids of a prompt whose control tokens are written out in it.
    ///
    /// # Errors
    /// Where the text cannot be cut into tokens.
    pub fn token_ids(&self, prompt: &str) -> Result<Vec<u32>, JsError> {
        Ok(self.model.tokenizer().encode(prompt)?)
    }

    /// Reads `prompt` from its first token and writes up to `new_tokens`, always the likeliest.
    ///
    /// # Errors
    /// Where the prompt is too long, or the model fails.
    pub async fn write(&mut self, prompt: Vec<u32>, new_tokens: usize) -> Result<Written, JsError> {
        let clock = PageClock::default();
        let start = clock.now_ms();
        let mut first = None;
        let mut generation = self.model.start(&prompt, &GenerateOptions::greedy(new_tokens))?;
        while let Some(piece) = generation.next().await? {
            // Steps of a long prompt hand out empty pieces.
            if !piece.is_empty() {
                first.get_or_insert_with(|| clock.now_ms() - start);
            }
        }
        // Before the answer is put together, which is no part of writing.
        let total = clock.now_ms() - start;
        let answer = generation.finish()?;
        Ok(Written {
            text: answer.text,
            tokens: answer.tokens,
            first_milliseconds: first.unwrap_or(total),
            total_milliseconds: total,
        })
    }
}

fn load_encoder(
    config: &[u8],
    tokenizer: &[u8],
    weights: Vec<Vec<u8>>,
) -> Result<Encoder, ModelError> {
    let config = EncoderConfig::from_json(config)?;
    let tokenizer = Tokenizer::from_json(tokenizer)?;
    Encoder::load(&config, tokenizer, &Shards::new(weights)?)
}

fn copied(files: &[Uint8Array]) -> Vec<Vec<u8>> {
    files.iter().map(Uint8Array::to_vec).collect()
}
