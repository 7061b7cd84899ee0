//! Measures how well support by similarity tells claims that follow from a text from those that do not.
//!
//! `cargo run --release -p campanile-eval --example support_on_entailment -- MODEL_FOLDER FILE.csv`
//!
//! The file has the columns `premise`, `hypothesis` and `label`, as sets for natural language
//! inference have them; each premise is taken for the context and each hypothesis for the answer.
//! Printed is the share of answers that count as wholly supported, of those that follow (label
//! `entailment`) and of all others, at several thresholds. No threshold makes similarity understand
//! a text: this is to choose one that loses least.

use std::error::Error;
use std::fs;
use std::path::Path;

use campanile_eval::answers::{
    FaithfulnessOptions, Support, claim_supported_faithfulness, faithfulness,
};
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};

const THRESHOLDS: [f64; 5] = [0.4, 0.5, 0.6, 0.7, 0.8];

/// One pair: whether the claim follows, the lowest cosine of its claims and whether CSFS is 1.
struct Outcome {
    follows: bool,
    /// 1 where all claims stand in the text, −1 where facts are missing.
    lowest: f64,
    csfs: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: support_on_entailment MODEL_FOLDER FILE.csv".into());
    };
    let encoder = load(Path::new(&model))?;
    let mut outcomes = Vec::new();
    for row in rows(&fs::read_to_string(file)?).iter().skip(1) {
        let [premise, hypothesis, label] = row.as_slice() else { continue };
        outcomes.push(outcome(premise, hypothesis, label == "entailment", &encoder)?);
    }
    println!("{} pairs; supported of those that follow, of the others", outcomes.len());
    for threshold in THRESHOLDS {
        print(&format!("ours at {threshold}"), &outcomes, |one| one.lowest >= threshold);
    }
    print("csfs", &outcomes, |one| one.csfs);
    print("facts missing", &outcomes, |one| one.lowest < -0.5);
    Ok(())
}

fn load(folder: &Path) -> Result<Encoder, Box<dyn Error>> {
    let config = EncoderConfig::from_json(&fs::read(folder.join("config.json"))?)?;
    let tokenizer = Tokenizer::from_json(&fs::read(folder.join("tokenizer.json"))?)?;
    let weights = Shards::new(vec![fs::read(folder.join("model.safetensors"))?])?;
    Ok(Encoder::load(&config, tokenizer, &weights)?)
}

fn outcome(
    premise: &str,
    hypothesis: &str,
    follows: bool,
    encoder: &Encoder,
) -> Result<Outcome, Box<dyn Error>> {
    // Below any cosine: each claim says how similar it is.
    let options = FaithfulnessOptions { similarity: -2.0, ..FaithfulnessOptions::default() };
    let found = faithfulness(hypothesis, &[premise], encoder, &options)?;
    let cosines = found.claims.iter().map(|claim| match claim.support {
        Support::Verbatim => 1.0,
        Support::Similar { cosine } => cosine,
        Support::FactsMissing { .. } | Support::Unlike { .. } => -1.0,
    });
    let csfs = claim_supported_faithfulness(hypothesis, &[premise], encoder)?;
    Ok(Outcome {
        follows,
        lowest: cosines.fold(1.0, f64::min),
        csfs: csfs.claims > 0 && csfs.supported == csfs.claims,
    })
}

fn print(name: &str, outcomes: &[Outcome], holds: impl Fn(&Outcome) -> bool) {
    let share = |follows: bool| {
        let among: Vec<&Outcome> = outcomes.iter().filter(|one| one.follows == follows).collect();
        let holding = among.iter().filter(|one| holds(one)).count();
        holding as f64 / among.len().max(1) as f64
    };
    println!("{name:<16}{:.3}  {:.3}", share(true), share(false));
}

/// The rows of comma-separated values; quotes may enclose a field, and line breaks in it.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = vec![String::new()];
    let mut quoted = false;
    let mut characters = text.chars().filter(|letter| *letter != '\r').peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.next_if_eq(&'"').is_some() => append(&mut row, '"'),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(std::mem::replace(&mut row, vec![String::new()])),
            other => append(&mut row, other),
        }
    }
    rows.push(row);
    rows
}

fn append(row: &mut [String], character: char) {
    if let Some(field) = row.last_mut() {
        field.push(character);
    }
}
