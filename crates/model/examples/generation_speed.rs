//! Measures how fast a language model reads a prompt and writes an answer on the CPU.
//!
//! `cargo run --release -p campanile-model --example generation_speed -- MODEL.gguf [PROMPT]`
//!
//! `RAYON_NUM_THREADS` limits the cores.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, convert};
use campanile_model::{
    ChatMessage, ChatTemplate, Decoder, DecoderConfig, GenerateOptions, Role, Shards, Tokenizer,
    quantize,
};
use futures_lite::future::block_on;

/// Other work on the machine only ever makes a round slower.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(model) = arguments.next() else {
        return Err("usage: generation_speed MODEL.gguf [PROMPT]".into());
    };
    let question = arguments
        .next()
        .unwrap_or_else(|| "Name three things that a university library lends.".to_owned());

    let started = Instant::now();
    let mut files = convert(&GgufFile::new(std::fs::read(model)?)?, quantize::SHARD_BYTES)?;
    println!("converted in {:.2} s", started.elapsed().as_secs_f64());

    let started = Instant::now();
    let take = |files: &mut std::collections::BTreeMap<String, Vec<u8>>, name: &str| {
        files.remove(name).ok_or(format!("no {name}"))
    };
    let config = DecoderConfig::from_json(&take(&mut files, "config.json")?)?;
    let tokenizer = Tokenizer::from_json(&take(&mut files, "tokenizer.json")?)?;
    let template = String::from_utf8(take(&mut files, CHAT_TEMPLATE_FILE)?)?;
    let template = ChatTemplate::new(&template)?;
    let weights = Shards::new(files.into_values().collect())?;
    let mut decoder = Decoder::load(&config, tokenizer, &weights)?;
    drop(weights);
    println!("loaded in {:.2} s", started.elapsed().as_secs_f64());

    let prompt = decoder.chat_tokens(&template, &[ChatMessage::new(Role::User, question)])?;
    let mut fastest = (f64::INFINITY, f64::INFINITY);
    for round in 1..=ROUNDS {
        decoder.forget();
        let started = Instant::now();
        let mut last = started;
        let (mut reading, mut token) = (0.0, f64::INFINITY);
        let answer = block_on(decoder.generate(&prompt, &GenerateOptions::default(), |piece| {
            let seconds = last.elapsed().as_secs_f64();
            last = Instant::now();
            // A long prompt is read in several steps, which hand out empty pieces.
            if reading == 0.0 && !piece.is_empty() {
                reading = started.elapsed().as_secs_f64();
            } else if reading > 0.0 {
                token = token.min(seconds);
            }
            if round == 1 {
                print!("{piece}");
            }
            ControlFlow::Continue(())
        }))?;
        if round == 1 {
            println!("\n({} tokens, {:?})", answer.tokens.len(), answer.finish);
        }
        fastest = (fastest.0.min(reading), fastest.1.min(token));
        println!(
            "{} prompt tokens in {:.0} ms ({:.0}/s), then {:.1} ms a token at best",
            prompt.len(),
            reading * 1000.0,
            prompt.len() as f64 / reading,
            token * 1000.0
        );
    }
    let (reading, token) = fastest;
    println!(
        "best of {ROUNDS}: {:.0} prompt tokens/s, {:.1} ms a token",
        prompt.len() as f64 / reading,
        token * 1000.0
    );
    Ok(())
}
