//! Everything this module asks of the engine.

use campanile_model::{
    Decoder, DecoderConfig, EncoderConfig, GenerateOptions, ModelError, Shards, Tokenizer,
};

pub use campanile_model::Encoder;

/// What writes.
pub type LanguageModel = Decoder;

/// An answer with the time of its first text and of its end.
pub struct Timed {
    pub text: String,
    pub tokens: Vec<u32>,
    pub first_milliseconds: f64,
    pub total_milliseconds: f64,
}

pub fn load_encoder(
    config: &[u8],
    tokenizer: &[u8],
    weights: Vec<Vec<u8>>,
) -> Result<Encoder, ModelError> {
    let config = EncoderConfig::from_json(config)?;
    let tokenizer = Tokenizer::from_json(tokenizer)?;
    Encoder::load(&config, tokenizer, &Shards::new(weights)?)
}

pub fn encoder_ids(encoder: &Encoder, text: &str) -> Result<Vec<u32>, ModelError> {
    encoder.tokenizer().encode_for_model(text, encoder.max_tokens())
}

pub fn embed(encoder: &Encoder, text: &str) -> Result<Vec<f32>, ModelError> {
    Ok(encoder.encode(&[text])?.concat())
}

pub fn load_language_model(
    config: &[u8],
    tokenizer: &[u8],
    weights: Vec<Vec<u8>>,
) -> Result<LanguageModel, ModelError> {
    let config = DecoderConfig::from_json(config)?;
    let tokenizer = Tokenizer::from_json(tokenizer)?;
    Decoder::load(&config, tokenizer, &Shards::new(weights)?)
}

pub fn prompt_ids(model: &LanguageModel, prompt: &str) -> Result<Vec<u32>, ModelError> {
    model.tokenizer().encode(prompt)
}

/// `now` gives milliseconds.
pub async fn write(
    model: &mut LanguageModel,
    prompt: &[u32],
    new_tokens: usize,
    now: impl Fn() -> f64,
) -> Result<Timed, ModelError> {
    let start = now();
    let mut first = None;
    let mut generation = model.start(prompt, &GenerateOptions::greedy(new_tokens))?;
    while let Some(piece) = generation.next().await? {
        // Steps of a long prompt hand out empty pieces.
        if !piece.is_empty() {
            first.get_or_insert_with(|| now() - start);
        }
    }
    let total = now() - start;
    let answer = generation.finish()?;
    Ok(Timed {
        text: answer.text,
        tokens: answer.tokens,
        first_milliseconds: first.unwrap_or(total),
        total_milliseconds: total,
    })
}
