//! Measures the models on this machine's graphics processor and prints a table in Markdown: what
//! `cargo xtask bench gpu` runs.
//!
//! The arguments are the folder of all-MiniLM-L6-v2, and SmolLM2's GGUF file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use campanile_model::gguf::{GgufFile, convert};
use campanile_model::quantize::SHARD_BYTES;
use campanile_model::{
    DecoderBackend, DecoderConfig, Encoder, EncoderConfig, Shards, TensorSource, Tokenizer,
};
use campanile_webgpu::{DecoderOptions, StartOptions, WebGpu, WebGpuDecoder, WebGpuEncoder};
use futures_lite::future::block_on;

type Failure = Box<dyn std::error::Error>;

/// Tokens of the prompt, and of the text behind it.
const PROMPT: usize = 512;
const WRITTEN: usize = 64;
/// Passages of a batch, and words of each.
const PASSAGES: usize = 20;
const WORDS: usize = 160;
const ROUNDS: usize = 5;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(encoder), Some(decoder)) = (arguments.next(), arguments.next()) else {
        return Err("expected are the encoder's folder and the language model's GGUF file".into());
    };
    block_on(async {
        let gpu = WebGpu::start(StartOptions::default()).await?;
        let software = if gpu.is_software() { ", computed in software" } else { "" };
        println!("{} ({}{software})\n", gpu.name(), gpu.backend());
        println!("| what | measured |\n|---|---|");
        write(&gpu, &decoder).await?;
        read(&gpu, &encoder).await
    })
}

/// A prompt and some tokens of the language model.
async fn write(gpu: &WebGpu, file: &Path) -> Result<(), Failure> {
    let files: BTreeMap<String, Vec<u8>> =
        convert(&GgufFile::new(std::fs::read(file)?)?, SHARD_BYTES)?;
    let config = files.get("config.json").ok_or("the GGUF file has no configuration")?;
    let config = DecoderConfig::from_json(config)?;
    let weights = files.into_iter().filter(|(name, _)| name.ends_with(".safetensors"));
    let weights = Shards::new(weights.map(|(_, bytes)| bytes).collect())?;
    let mut read_bytes = 0;
    for name in weights.names() {
        read_bytes += weights.stored(&name)?.bytes().len();
    }
    let mut model = WebGpuDecoder::load(gpu, &config, &weights, DecoderOptions::default()).await?;
    model.reserve(PROMPT + WRITTEN)?;
    let prompt: Vec<u32> = (0..PROMPT as u32).map(|token| 100 + token * 7 % 40_000).collect();
    let mut prompt_seconds = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        model.read(&prompt, 0).await?;
        model.best(1, None).await?;
        prompt_seconds = prompt_seconds.min(started.elapsed().as_secs_f64());
    }
    let mut times = Vec::with_capacity(WRITTEN);
    for position in PROMPT..PROMPT + WRITTEN {
        let started = Instant::now();
        let next = model.best(1, None).await?.first().map_or(0, |(token, _)| *token);
        model.read(&[next], position).await?;
        times.push(started.elapsed().as_secs_f64());
    }
    let token_seconds = median(&mut times);
    let bandwidth = gpu.bytes_a_second().await?;
    println!(
        "| a prompt of {PROMPT} tokens | {:.0} ms, {:.0} tokens a second |",
        prompt_seconds * 1e3,
        PROMPT as f64 / prompt_seconds
    );
    println!(
        "| a token behind it, median of {WRITTEN} | {:.2} ms, {:.1} a second, {} dispatches |",
        token_seconds * 1e3,
        1.0 / token_seconds,
        model.dispatches()
    );
    println!("| memory as a copy reaches it | {:.1} GB/s |", bandwidth / 1e9);
    // The table of token vectors is the output matrix as well, so that a token reads all weights once.
    let share = read_bytes as f64 / token_seconds / bandwidth;
    println!(
        "| of which a token reaches, reading {:.0} MB of weights | {:.0} % |",
        read_bytes as f64 / 1e6,
        100.0 * share
    );
    Ok(())
}

/// A batch of passages through the encoder, on both kinds of processor.
async fn read(gpu: &WebGpu, folder: &Path) -> Result<(), Failure> {
    let file = |name: &str| std::fs::read(folder.join(name));
    let config = EncoderConfig::from_json(&file("config.json")?)?;
    let tokenizer =
        || -> Result<Tokenizer, Failure> { Ok(Tokenizer::from_json(&file("tokenizer.json")?)?) };
    let weights = Shards::new(vec![file("model.safetensors")?])?;
    let words = [
        "a", "student", "may", "withdraw", "from", "course", "until", "the", "last", "week", "of",
        "teaching",
    ];
    let passages: Vec<String> = (0..PASSAGES)
        .map(|passage| {
            (0..WORDS)
                .map(|word| words[(word * 7 + passage * 5) % words.len()])
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let cutter = tokenizer()?;
    let sequences = passages
        .iter()
        .map(|text| cutter.sequence(text, config.token_limit()))
        .collect::<Result<Vec<_>, _>>()?;
    let tokens: usize = sequences.iter().map(|sequence| sequence.ids().len()).sum();
    let mut on_gpu = WebGpuEncoder::load(gpu, &config, &weights).await?;
    let mut device_seconds = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        on_gpu.encode(&sequences).await?;
        device_seconds = device_seconds.min(started.elapsed().as_secs_f64());
    }
    let on_cpu = Encoder::load(&config, tokenizer()?, &weights)?;
    let mut processor_seconds = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        on_cpu.encode(&passages)?;
        processor_seconds = processor_seconds.min(started.elapsed().as_secs_f64());
    }
    println!(
        "| {PASSAGES} passages of {WORDS} words ({tokens} tokens) through the encoder | {:.1} ms |",
        device_seconds * 1e3
    );
    println!(
        "| the same on all cores of the processor, same bits everywhere | {:.1} ms |",
        processor_seconds * 1e3
    );
    Ok(())
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
