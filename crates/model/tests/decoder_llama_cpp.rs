//! SmolLM2-135M-Instruct beside llama.cpp, which rounds activations to 8 bits before each matrix:
//! where the two write different texts, their best tokens have to be nearly tied.
//!
//! `fixtures/llama_cpp.json` holds llama.cpp's greedy continuations of twenty prompts, written by
//! `benches/model/continuations.js`. Each is followed here token by token, so that one early
//! divergence hides nothing of what comes after it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use futures_lite::future::block_on;
use serde::Deserialize;

const FIXTURE: &str = include_str!("fixtures/llama_cpp.json");

/// The greatest lead, as a logit, that rounding may turn around: leads are about 2 on average.
const NEAR_TIE: f32 = 0.5;

#[derive(Deserialize)]
struct Fixture {
    continuations: Vec<Continuation>,
}

#[derive(Deserialize)]
struct Continuation {
    prompt: Vec<u32>,
    /// The best token and its logit, the second best and its logit.
    steps: Vec<(u32, f32, u32, f32)>,
}

#[test]
fn where_llama_cpp_writes_something_else_two_tokens_are_nearly_tied() {
    let fixture: Fixture = serde_json::from_str(FIXTURE).unwrap();
    assert_eq!(fixture.continuations.len(), 20);
    let mut decoder = support::decoder(&support::converted_smollm2());

    let (mut steps, mut equal_texts, mut divergences) = (0_usize, 0_usize, Vec::new());
    let (mut leads, mut offs) = (0.0_f32, Vec::new());
    for (number, continuation) in fixture.continuations.iter().enumerate() {
        let mut tokens = continuation.prompt.clone();
        let before = divergences.len();
        for (at, &(best, logit, second, second_logit)) in continuation.steps.iter().enumerate() {
            let logits = block_on(decoder.logits_after(&tokens)).unwrap();
            let ours = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
            let lead = logit - second_logit;
            offs.push((logits[best as usize] - logits[second as usize] - lead).abs());
            leads += lead;
            steps += 1;
            if ours != best as usize {
                let our_lead = logits[ours] - logits[best as usize];
                divergences.push((number, at, lead, our_lead));
            }
            tokens.push(best);
        }
        equal_texts += usize::from(divergences.len() == before);
    }
    offs.sort_by(f32::total_cmp);
    println!(
        "{equal_texts} of 20 texts equal; of {steps} steps {} differ; llama.cpp's mean lead {:.2}; leads differ by {:.3} in the middle, {:.3} at the 99th of a hundred",
        divergences.len(),
        leads / steps as f32,
        offs[offs.len() / 2],
        offs[offs.len() * 99 / 100]
    );
    for &(number, at, lead, our_lead) in &divergences {
        println!(
            "  prompt {number}, step {at}: llama.cpp leads by {lead:.3}, we by {our_lead:.3} for another token"
        );
        assert!(
            lead < NEAR_TIE && our_lead < NEAR_TIE,
            "prompt {number}, step {at} is no near tie"
        );
    }
}
