//! Real vectors: the passages and questions through the encoder, once, and then from a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use campanile_model::quantize::{Precision, SHARD_BYTES, write_shards};
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};

use crate::corpus::Corpus;
use crate::random::Random;

/// The encoder reads no more of a passage, so that embedding all of them takes minutes.
const WORDS: usize = 110;
/// Texts embedded at once.
const BATCH: usize = 64;
/// How long the change of a copied vector is beside the vector: a cosine of about 0.9.
const CHANGE: f32 = 0.48;

/// One vector of length 1 for each published passage, and for each question.
pub struct Vectors {
    /// Numbers in a vector.
    pub dimension: usize,
    /// `[published passages][dimension]`
    pub passages: Vec<Vec<f32>>,
    /// `[questions][dimension]`
    pub questions: Vec<Vec<f32>>,
}

/// From the file `kept` where it fits the corpus; else embedded with the model in `folder`.
pub fn vectors(corpus: &Corpus, folder: &Path, kept: &Path) -> Result<Vectors> {
    let encoder = encoder(folder).context("cannot load the encoder")?;
    let dimension = encoder.dimension();
    let (published, questions) = (corpus.published, corpus.questions.len());
    let wanted = (published + questions) * dimension * 4;
    let mut rows = match fs::read(kept) {
        Ok(bytes) if bytes.len() == wanted => rows(&bytes, dimension),
        _ => {
            let rows = embed(&encoder, corpus)?;
            let bytes: Vec<u8> =
                rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
            fs::write(kept, bytes).with_context(|| format!("cannot write {}", kept.display()))?;
            rows
        }
    };
    let questions = rows.split_off(published);
    Ok(Vectors { dimension, passages: rows, questions })
}

impl Vectors {
    /// The first `count` vectors; where there are fewer, copies turned a little.
    pub fn of(&self, count: usize) -> Vec<Vec<f32>> {
        let mut made = self.passages[..count.min(self.passages.len())].to_vec();
        let mut random = Random(2);
        let step = CHANGE / (self.dimension as f32).sqrt();
        while made.len() < count {
            let published = &self.passages[made.len() % self.passages.len()];
            let turned = published.iter().map(|value| value + step * random.normal());
            made.push(normalised(turned.collect()));
        }
        made
    }
}

fn normalised(row: Vec<f32>) -> Vec<f32> {
    let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
    row.into_iter().map(|value| value / length).collect()
}

fn rows(bytes: &[u8], dimension: usize) -> Vec<Vec<f32>> {
    let (values, _) = bytes.as_chunks::<4>();
    let values: Vec<f32> = values.iter().map(|&value| f32::from_le_bytes(value)).collect();
    values.chunks_exact(dimension).map(<[f32]>::to_vec).collect()
}

fn embed(encoder: &Encoder, corpus: &Corpus) -> Result<Vec<Vec<f32>>> {
    let passages = &corpus.passages[..corpus.published];
    let short = |text: &String| text.split(' ').take(WORDS).collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = passages.iter().chain(&corpus.questions).map(short).collect();
    // Texts of like length side by side, or the encoder fills short ones up.
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|&place| texts[place].len());
    let mut rows = vec![Vec::new(); texts.len()];
    for places in order.chunks(BATCH) {
        let batch: Vec<&str> = places.iter().map(|&place| texts[place].as_str()).collect();
        for (&place, row) in places.iter().zip(encoder.encode(&batch)?) {
            rows[place] = row;
        }
    }
    Ok(rows)
}

/// With weights of eight bits, as a page has them.
fn encoder(folder: &Path) -> Result<Encoder> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let config = EncoderConfig::from_json(&read("config.json")?)?;
    let tokenizer = Tokenizer::from_json(&read("tokenizer.json")?)?;
    let weights = Shards::new(vec![read("model.safetensors")?])?;
    let names = config.tensor_names(&weights);
    let small = write_shards(&weights, &names, Precision::INT8, SHARD_BYTES)?;
    Ok(Encoder::load(&config, tokenizer, &Shards::new(small)?)?)
}
