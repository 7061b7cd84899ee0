//! Measures how fast an encoder embeds a folder of text, in tokens a second.
//!
//! `cargo run --release -p campanile-model --example embedding_speed -- MODEL_FOLDER TEXT_FOLDER`
//!
//! The text is cut every 160 words, about the size of a passage. `RAYON_NUM_THREADS` limits the
//! cores.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};

const PASSAGE_WORDS: usize = 160;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(texts)) = (arguments.next(), arguments.next()) else {
        return Err("usage: embedding_speed MODEL_FOLDER TEXT_FOLDER".into());
    };
    let started = Instant::now();
    let encoder = load(Path::new(&model))?;
    println!("loaded in {:.2} s", started.elapsed().as_secs_f64());

    let passages = passages(Path::new(&texts))?;
    let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
    let mut tokens = 0;
    for text in &texts {
        tokens += encoder.count_tokens(text)?.min(encoder.max_text_tokens());
    }
    let started = Instant::now();
    let vectors = encoder.encode(&texts)?;
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} passages, {tokens} tokens in {seconds:.2} s: {:.0} tokens/s",
        vectors.len(),
        tokens as f64 / seconds
    );
    Ok(())
}

fn load(folder: &Path) -> Result<Encoder, Box<dyn Error>> {
    let config = EncoderConfig::from_json(&fs::read(folder.join("config.json"))?)?;
    let tokenizer = Tokenizer::from_json(&fs::read(folder.join("tokenizer.json"))?)?;
    let weights = Shards::new(vec![fs::read(folder.join("model.safetensors"))?])?;
    Ok(Encoder::load(&config, tokenizer, &weights)?)
}

fn passages(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut passages = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        passages.extend(words.chunks(PASSAGE_WORDS).map(|words| words.join(" ")));
    }
    Ok(passages)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    Ok(())
}
