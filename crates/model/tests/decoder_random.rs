//! Every architecture and every way to stretch positions against transformers, over small
//! decoders with made-up weights.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/made_up.rs"]
mod made_up;

use campanile_model::DecoderConfig;
use futures_lite::future::block_on;
use serde::Deserialize;
use serde_json::Value;

const FIXTURE: &str = include_str!("fixtures/decoder_random.json");

#[derive(Deserialize)]
struct Fixture {
    tokens: Vec<u32>,
    /// After which tokens the logits are known.
    positions: Vec<usize>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    config: Value,
    logits: Vec<Vec<f32>>,
}

fn fixture() -> Fixture {
    serde_json::from_str(FIXTURE).unwrap()
}

fn config(case: &Case) -> DecoderConfig {
    DecoderConfig::from_json(case.config.to_string().as_bytes()).unwrap()
}

#[test]
fn logits_equal_the_reference() {
    let Fixture { tokens, positions, cases } = fixture();
    assert!(cases.len() >= 13);
    for case in cases {
        let mut decoder = made_up::decoder(&config(&case));
        for (&position, expected) in positions.iter().zip(&case.logits) {
            let found = block_on(decoder.logits_after(&tokens[..=position])).unwrap();
            assert_eq!(found.len(), expected.len());
            let largest = expected.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
            let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            println!("{}, after {position}: off by {:.1e}", case.name, off / largest);
            assert!(off < 1e-4 * largest, "{}: {off} of {largest}", case.name);
        }
    }
}

#[test]
fn a_text_is_as_likely_as_its_logits_say() {
    let Fixture { tokens, positions, cases } = fixture();
    for case in cases {
        let mut decoder = made_up::decoder(&config(&case));
        let (prompt, text) = tokens.split_at(1);
        let found = block_on(decoder.log_probabilities(prompt, text)).unwrap();
        assert_eq!(found.len(), text.len());
        assert!(found.iter().all(|one| *one <= 0.0));
        for (&position, logits) in positions.iter().zip(&case.logits) {
            let Some(&next) = tokens.get(position + 1) else { continue };
            let total: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
            let expected = f64::from(logits[next as usize]) - total.ln();
            assert!((found[position] - expected).abs() < 1e-3, "{}: {expected}", case.name);
        }
    }
}

#[test]
fn a_text_is_not_likely_after_nothing() {
    let case = fixture().cases.remove(0);
    let mut decoder = made_up::decoder(&config(&case));
    assert!(block_on(decoder.log_probabilities(&[], &[1, 2])).is_err());
    assert!(block_on(decoder.log_probabilities(&[1], &[u32::MAX])).is_err());
    assert_eq!(block_on(decoder.log_probabilities(&[1], &[])).unwrap(), Vec::<f64>::new());
}

#[test]
fn a_cached_beginning_changes_no_bit() {
    let Fixture { tokens, cases, .. } = fixture();
    for case in cases {
        let config = config(&case);
        let mut at_once = made_up::decoder(&config);
        let mut step_by_step = made_up::decoder(&config);
        for length in 1..=tokens.len() {
            at_once.forget();
            let whole = block_on(at_once.logits_after(&tokens[..length])).unwrap();
            let continued = block_on(step_by_step.logits_after(&tokens[..length])).unwrap();
            let bits = |logits: &[f32]| logits.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&whole), bits(&continued), "{}, {length} tokens", case.name);
        }
    }
}

#[test]
fn a_configuration_survives_being_written() {
    for case in fixture().cases {
        let config = config(&case);
        let written = serde_json::to_vec(&config).unwrap();
        assert_eq!(DecoderConfig::from_json(&written).unwrap(), config, "{}", case.name);
    }
}

/// A fingerprint of all logits' bits: the same natively (seen with AVX-512) and in wasm (seen with
/// simd128 in Node), so a page and a terminal choose the same tokens.
#[test]
fn the_bits_are_the_same_everywhere() {
    let Fixture { tokens, cases, .. } = fixture();
    let mut fingerprint = 0xcbf2_9ce4_8422_2325_u64;
    for case in cases {
        for logit in block_on(made_up::decoder(&config(&case)).logits_after(&tokens)).unwrap() {
            // FNV-1a over 32-bit words.
            fingerprint ^= u64::from(logit.to_bits());
            fingerprint = fingerprint.wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!(fingerprint, 0xa4bf_e0bb_6819_8c88, "{fingerprint:#x}");
}
