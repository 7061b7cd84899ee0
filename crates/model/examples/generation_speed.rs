//! Measures how fast a language model reads a prompt and writes an answer on the CPU.
//!
//! `cargo run --release -p campanile-model --example generation_speed -- MODEL.gguf [PROMPT]`
//!
//! `RAYON_NUM_THREADS` limits the cores.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

use burn::tensor::Device;
use campanile_model::gguf::{CHAT_TEMPLATE_FILE, GgufFile, convert};
use campanile_model::{
    ChatMessage, ChatTemplate, Decoder, DecoderConfig, GenerateOptions, Role, Shards, Tokenizer,
    quantize,
};
use futures_lite::future::block_on;

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
    let mut decoder = Decoder::load(&config, tokenizer, &weights, &Device::flex())?;
    drop(weights);
    println!("loaded in {:.2} s", started.elapsed().as_secs_f64());

    let prompt = decoder.chat_tokens(&template, &[ChatMessage::new(Role::User, question)])?;
    let started = Instant::now();
    let mut first_seconds = None;
    let answer = block_on(decoder.generate(&prompt, &GenerateOptions::default(), |piece| {
        // A long prompt is read in several steps, which hand out empty pieces.
        if !piece.is_empty() {
            first_seconds.get_or_insert_with(|| started.elapsed().as_secs_f64());
        }
        print!("{piece}");
        ControlFlow::Continue(())
    }))?;
    let first_seconds = first_seconds.unwrap_or_default();
    let seconds = started.elapsed().as_secs_f64() - first_seconds;
    let after_first = answer.tokens.len().saturating_sub(1);
    println!(
        "\n{} prompt tokens in {first_seconds:.2} s ({:.0}/s), then {after_first} in {seconds:.2} s ({:.1}/s); {:?}",
        prompt.len(),
        prompt.len() as f64 / first_seconds,
        after_first as f64 / seconds,
        answer.finish
    );
    Ok(())
}
