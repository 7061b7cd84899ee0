//! Everything the benchmark asks of the engine.

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use campanile_model::gguf::{GgufFile, convert};
use campanile_model::quantize::{Calibration, EncoderWeights, Precision, SHARD_BYTES};
use campanile_model::{
    Decoder, DecoderConfig, Encoder, EncoderConfig, GenerateOptions, Shards, Tokenizer,
};
use futures_lite::future::block_on;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The files of an encoder as a built site carries them.
pub fn site_encoder(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let config = std::fs::read(folder.join("config.json"))?;
    let weights = Shards::new(vec![std::fs::read(folder.join("model.safetensors"))?])?;
    let tokenizer = std::fs::read(folder.join("tokenizer.json"))?;
    let network = EncoderConfig::from_json(&config)?;
    let calibration = Calibration::of(&network, &Tokenizer::from_json(&tokenizer)?, &weights)?;
    let precision = Precision::INT4_ENCODER;
    let quantised =
        EncoderWeights::quantised(&network, &weights, &calibration, precision, SHARD_BYTES)?;
    let mut files = BTreeMap::from([
        ("config.json".to_owned(), config),
        ("tokenizer.json".to_owned(), tokenizer),
    ]);
    for (number, shard) in (1..).zip(quantised.network.into_iter().chain(quantised.words)) {
        files.insert(format!("model-{number:05}.safetensors"), shard);
    }
    Ok(files)
}

/// The files of a language model as a built site carries them.
pub fn site_decoder(gguf: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    Ok(convert(&GgufFile::new(std::fs::read(gguf)?)?, SHARD_BYTES)?)
}

/// Loads an encoder from a folder of its files.
pub fn load_encoder(folder: &Path) -> Result<Encoder> {
    let config = EncoderConfig::from_json(&std::fs::read(folder.join("config.json"))?)?;
    Ok(Encoder::load(&config, tokenizer(folder)?, &weights(folder)?)?)
}

/// Loads a language model from a folder of its files.
pub fn load_decoder(folder: &Path) -> Result<Decoder> {
    let config = DecoderConfig::from_json(&std::fs::read(folder.join("config.json"))?)?;
    Ok(Decoder::load(&config, tokenizer(folder)?, &weights(folder)?)?)
}

fn tokenizer(folder: &Path) -> Result<Tokenizer> {
    Ok(Tokenizer::from_json(&std::fs::read(folder.join("tokenizer.json"))?)?)
}

fn weights(folder: &Path) -> Result<Shards> {
    let mut shards = Shards::default();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "safetensors") {
            shards.add(&path.to_string_lossy(), std::fs::read(&path)?)?;
        }
    }
    Ok(shards)
}

/// The vectors of `texts`, from cutting them into tokens to their length of one.
pub fn embed(encoder: &Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
    Ok(encoder.encode(texts)?)
}

/// The ids of a prompt whose control tokens are written out in it.
pub fn prompt_ids(decoder: &Decoder, prompt: &str) -> Result<Vec<u32>> {
    Ok(decoder.tokenizer().encode(prompt)?)
}

/// A greedy answer with the time of its first text and of its end.
pub struct Timed {
    pub tokens: Vec<u32>,
    pub first_milliseconds: f64,
    pub total_milliseconds: f64,
}

/// Reads `prompt` from its first token and writes up to `new_tokens`, always the likeliest.
pub fn write(decoder: &mut Decoder, prompt: &[u32], new_tokens: usize) -> Result<Timed> {
    let start = Instant::now();
    let milliseconds = || start.elapsed().as_secs_f64() * 1000.0;
    let mut first = None;
    let options = GenerateOptions::greedy(new_tokens);
    let answer = block_on(decoder.generate(prompt, &options, |piece| {
        // Steps of a long prompt hand out empty pieces.
        if !piece.is_empty() {
            first.get_or_insert_with(milliseconds);
        }
        ControlFlow::Continue(())
    }))?;
    let total = milliseconds();
    Ok(Timed {
        tokens: answer.tokens,
        first_milliseconds: first.unwrap_or(total),
        total_milliseconds: total,
    })
}
