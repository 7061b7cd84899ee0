//! SmolLM2-135M-Instruct with its 4-bit weights against single-precision arithmetic on the same
//! weights: `fixtures/make_decoder.py`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::ops::ControlFlow;

use campanile_model::{Finish, GenerateOptions};
use futures_lite::future::block_on;
use safetensors::SafeTensors;

const FIXTURE: &[u8] = include_bytes!("fixtures/decoder.safetensors");

/// The largest difference of a logit, as a share of the largest.
const TOLERANCE: f32 = 1e-3;

/// A tensor of the fixture as rows of four-byte numbers.
fn rows<T>(name: &str, read: fn([u8; 4]) -> T) -> Vec<Vec<T>> {
    let tensors = SafeTensors::deserialize(FIXTURE).unwrap();
    let tensor = tensors.tensor(name).unwrap();
    let columns = tensor.shape().get(1).copied().unwrap_or(1);
    let values = tensor.data().as_chunks::<4>().0;
    values.chunks_exact(columns).map(|row| row.iter().map(|&bytes| read(bytes)).collect()).collect()
}

fn floats(name: &str) -> Vec<Vec<f32>> {
    rows(name, f32::from_le_bytes)
}

/// Rows of tokens, without the -1 that fills them up.
fn tokens(name: &str) -> Vec<Vec<u32>> {
    let rows = rows(name, i32::from_le_bytes);
    rows.into_iter()
        .map(|row| row.into_iter().filter_map(|token| u32::try_from(token).ok()).collect())
        .collect()
}

#[test]
fn logits_equal_the_reference_after_each_of_500_tokens() {
    let mut decoder = support::decoder(&support::converted_smollm2());
    let text = tokens("text.tokens").concat();
    assert_eq!(text.len(), 500);
    let known =
        [("text.top_tokens", "text.top_logits"), ("text.other_tokens", "text.other_logits")]
            .map(|(ids, logits)| (tokens(ids), floats(logits)));
    let root_mean_squares = floats("text.root_mean_square").concat();

    let (mut agreeing, mut worst, mut worst_root) = (0, 0.0_f32, 0.0_f32);
    for at in 0..text.len() {
        let logits = block_on(decoder.logits_after(&text[..=at])).unwrap();
        let largest = known[0].1[at].iter().fold(0.0_f32, |most, logit| most.max(logit.abs()));
        for (ids, expected) in &known {
            for (&id, expected) in ids[at].iter().zip(&expected[at]) {
                worst = worst.max((logits[id as usize] - expected).abs() / largest);
            }
        }
        let squares: f64 = logits.iter().map(|&logit| f64::from(logit).powi(2)).sum();
        let root = (squares / logits.len() as f64).sqrt() as f32;
        worst_root = worst_root.max((root / root_mean_squares[at] - 1.0).abs());
        let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
        agreeing += usize::from(best == known[0].0[at][0] as usize);
    }
    println!(
        "logits off by {worst:.1e} at most, their root mean square by {worst_root:.1e}; the best token agrees {agreeing} times"
    );
    assert!(worst < TOLERANCE, "{worst}");
    assert!(worst_root < TOLERANCE, "{worst_root}");
    assert!(agreeing * 100 >= text.len() * 99, "{agreeing}");
}

#[test]
fn greedy_answers_to_20_questions_equal_the_reference() {
    let mut decoder = support::decoder(&support::converted_smollm2());
    let (prompts, answers) = (tokens("greedy.prompts"), tokens("greedy.answers"));
    let margins = floats("greedy.margins");
    assert_eq!((prompts.len(), answers.len()), (20, 20));
    for ((prompt, answer), margins) in prompts.iter().zip(&answers).zip(&margins) {
        let (ended, expected) = match answer.split_last() {
            Some((&last, rest)) if decoder.config().end_tokens().contains(&last) => (true, rest),
            _ => (false, answer.as_slice()),
        };
        let options = GenerateOptions::greedy(48);
        let generated =
            block_on(decoder.generate(prompt, &options, |_| ControlFlow::Continue(()))).unwrap();
        let parted = generated.tokens.iter().zip(expected).position(|(a, b)| a != b);
        let smallest = margins[..answer.len()].iter().copied().fold(f32::INFINITY, f32::min);
        println!(
            "{} prompt tokens, {} reused, {} answered, smallest lead {smallest:.4}",
            prompt.len(),
            generated.reused_tokens,
            expected.len()
        );
        assert_eq!(
            generated.tokens,
            expected,
            "they part at {parted:?}, where the reference leads by {:?}",
            parted.map(|at| margins[at])
        );
        assert_eq!(generated.finish, if ended { Finish::End } else { Finish::Length });
    }
}
