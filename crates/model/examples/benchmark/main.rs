//! Our side of `cargo xtask bench model`: a process that does as it is asked, line by line, and
//! says how long it took.
//!
//! `benchmark prepare ENCODER_FOLDER MODEL.gguf OUT` writes both models as a site carries them,
//! into `OUT/encoder` and `OUT/decoder`.
//!
//! `benchmark encoder FOLDER` and `benchmark decoder FOLDER` load a model, print `{"ready":true}` and
//! answer each line of JSON with one: `{"texts":[..]}` with vectors, `{"prompt":"..","tokens":n}`
//! with the greedy answer. `RAYON_NUM_THREADS` limits the cores.

mod engine;

use std::error::Error;
use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str =
    "usage: benchmark prepare ENCODER_FOLDER MODEL.gguf OUT | encoder FOLDER | decoder FOLDER";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["prepare", encoder, gguf, out] => {
            write_all(&Path::new(out).join("encoder"), engine::site_encoder(Path::new(encoder))?)?;
            write_all(&Path::new(out).join("decoder"), engine::site_decoder(Path::new(gguf))?)
        }
        ["encoder", folder] => {
            let encoder = engine::load_encoder(Path::new(folder))?;
            answer_lines(|request| {
                let texts: Vec<&str> = request["texts"]
                    .as_array()
                    .ok_or("`texts` is missing")?
                    .iter()
                    .filter_map(Value::as_str)
                    .collect();
                let start = Instant::now();
                let vectors = engine::embed(&encoder, &texts)?;
                Ok(
                    json!({ "milliseconds": start.elapsed().as_secs_f64() * 1000.0, "vectors": vectors }),
                )
            })
        }
        ["decoder", folder] => {
            let mut decoder = engine::load_decoder(Path::new(folder))?;
            answer_lines(|request| {
                let prompt = request["prompt"].as_str().ok_or("`prompt` is missing")?;
                let new_tokens = request["tokens"].as_u64().ok_or("`tokens` is missing")?;
                let prompt = engine::prompt_ids(&decoder, prompt)?;
                let timed = engine::write(&mut decoder, &prompt, usize::try_from(new_tokens)?)?;
                Ok(json!({
                    "prompt": prompt,
                    "tokens": timed.tokens,
                    "first": timed.first_milliseconds,
                    "total": timed.total_milliseconds,
                }))
            })
        }
        _ => Err(USAGE.into()),
    }
}

fn answer_lines(mut answer: impl FnMut(Value) -> Result<Value>) -> Result<()> {
    let say = |value: Value| -> Result<()> {
        let mut out = stdout().lock();
        writeln!(out, "{value}")?;
        Ok(out.flush()?)
    };
    say(json!({ "ready": true }))?;
    for line in stdin().lock().lines() {
        say(answer(serde_json::from_str(&line?)?)?)?;
    }
    Ok(())
}

fn write_all(folder: &Path, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
