//! Our decoder on the processor beside plain burn: SmolLM2-135M-Instruct from the same 4-bit
//! blocks, a hundred greedy tokens after each of two prompts.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod devices;
#[path = "../../model/tests/support/mod.rs"]
mod support;

use campanile_model::{DecoderConfig, Shards};
use campanile_reference::{Decoder, ReferenceError, Weights};
use futures_lite::future::block_on;
use support::{converted_smollm2, decoder};

const STEPS: usize = 100;

/// The share of the largest logit by which others may be off: our products round what they multiply
/// to 16 bits.
const TOLERANCE: f32 = 1e-3;

const PROMPTS: [&str; 2] = [
    "The library of the university opens at nine o'clock, and",
    "<|im_start|>user\nWhat should a student do who has missed two laboratory sessions?<|im_end|>\n<|im_start|>assistant\n",
];

/// The token with the greatest logit.
fn best(logits: &[f32]) -> u32 {
    (0..).zip(logits).max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0
}

/// The network in plain burn.
fn reference(files: &std::collections::BTreeMap<String, Vec<u8>>) -> Decoder {
    let config = DecoderConfig::from_json(&files["config.json"]).unwrap();
    let shards = files.iter().filter(|(name, _)| name.ends_with(".safetensors"));
    let shards = Shards::new(shards.map(|(_, bytes)| bytes.clone()).collect()).unwrap();
    Decoder::load(&config, Weights::Stored(&shards), &devices::chosen()).unwrap()
}

#[test]
fn the_next_token_is_the_same_a_hundred_times() {
    let files = converted_smollm2();
    let mut ours = decoder(&files);
    let theirs = reference(&files);
    for prompt in PROMPTS {
        let mut tokens = ours.tokenizer().encode(prompt).unwrap();
        let read = tokens.len();
        let mut expected = Vec::new();
        for _ in 0..STEPS {
            let logits = block_on(ours.logits_after(&tokens)).unwrap();
            tokens.push(best(&logits));
            expected.push(logits);
        }
        // The whole text at once: what follows each of its tokens is the same question as before.
        let found = theirs.logits(&tokens[..tokens.len() - 1]).unwrap();
        let found = &found[read - 1..];
        assert_eq!(found.len(), STEPS);
        let (mut worst, mut smallest_lead) = (0.0_f32, f32::INFINITY);
        for (step, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let token = tokens[read + step];
            let lead = lead(found);
            assert_eq!(best(found), token, "step {step} after {prompt:?}, lead {lead}");
            let largest = expected.iter().fold(0.0_f32, |most, logit| most.max(logit.abs()));
            for (found, expected) in found.iter().zip(expected) {
                worst = worst.max((found - expected).abs() / largest);
            }
            smallest_lead = smallest_lead.min(lead);
        }
        println!("logits off by {worst:.1e} of the largest, smallest lead {smallest_lead:.3}");
        assert!(worst < TOLERANCE, "{worst}");
        assert_eq!(theirs.next_token(&tokens[..read]).unwrap(), tokens[read]);
    }
}

/// By how much the greatest logit leads.
fn lead(logits: &[f32]) -> f32 {
    let best = best(logits) as usize;
    let others = logits.iter().enumerate().filter(|(token, _)| *token != best);
    logits[best] - others.map(|(_, logit)| *logit).fold(f32::NEG_INFINITY, f32::max)
}

#[test]
fn tokens_that_cannot_be_read_are_an_error() {
    let theirs = reference(&converted_smollm2());
    for tokens in [vec![], vec![u32::MAX]] {
        let error = theirs.logits(&tokens).unwrap_err();
        assert!(matches!(error, ReferenceError::Text { .. }), "{error}");
    }
}
