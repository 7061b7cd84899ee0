//! Tests of the choice of tokens and of what ends an answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/made_up.rs"]
mod made_up;
#[path = "support/slow.rs"]
mod slow;

use std::ops::ControlFlow;

use campanile_model::{
    Decoder, Finish, GenerateOptions, Generated, KnownAnswer, LogitProcessor, ModelError,
    RandomSampling, RepetitionPenalty, Sampling,
};
use futures_lite::future::block_on;

use crate::made_up::{MadeUp, decoder, llama, tokenizer, word};
use crate::slow::slow;

fn prompt(length: u32, seed: u32) -> Vec<u32> {
    (0..length).map(|number| (number * 7 + number * number * seed) % 64).collect()
}

fn answer(decoder: &mut Decoder, prompt: &[u32], options: &GenerateOptions) -> Generated {
    block_on(decoder.generate(prompt, options, |_| ControlFlow::Continue(()))).unwrap()
}

fn random(change: impl FnOnce(&mut RandomSampling)) -> GenerateOptions {
    let mut random = RandomSampling { temperature: 2.0, seed: 11, ..RandomSampling::default() };
    change(&mut random);
    let sampling = Sampling::Random(random);
    GenerateOptions { max_new_tokens: 24, sampling, ..GenerateOptions::default() }
}

#[test]
fn the_way_to_the_candidates_does_not_matter() {
    let question = prompt(30, 4);
    let penalty = Some(RepetitionPenalty { factor: 1.3, window: Some(16) });
    let mut all = vec![GenerateOptions::greedy(24), random(|_| ()), random(|r| r.top_k = Some(5))];
    all.push(random(|r| r.top_k = None));
    all.push(random(|r| (r.top_k, r.top_p, r.min_p) = (None, None, Some(0.02))));
    for mut options in all {
        for penalty in [None, penalty] {
            options.repetition_penalty = penalty;
            let expected = answer(&mut decoder(&llama()), &question, &options).tokens;
            assert_eq!(expected.len(), 24);
            // Few candidates from the device, or all logits through a processor.
            assert_eq!(answer(&mut slow(1), &question, &options).tokens, expected);
            let mut processed = decoder(&llama());
            let generation = processed.start(&question, &options).unwrap();
            let nothing = |_: &[u32], _: &[u32], _: &mut [f32]| ();
            let found = run(generation.with_processor(nothing));
            assert_eq!(found.tokens, expected);
        }
    }
}

fn run(mut generation: campanile_model::Generation<'_>) -> Generated {
    while block_on(generation.next()).unwrap().is_some() {}
    generation.finish().unwrap()
}

#[test]
fn a_seed_decides() {
    let question = prompt(30, 4);
    let tokens = |seed| {
        let options = random(|r| r.seed = seed);
        answer(&mut decoder(&llama()), &question, &options).tokens
    };
    assert_eq!(tokens(1), tokens(1));
    assert_ne!(tokens(1), tokens(2));
}

#[test]
fn a_penalty_makes_repetition_rarer() {
    let question = prompt(30, 4);
    let distinct = |factor| {
        let repetition_penalty = Some(RepetitionPenalty { factor, window: None });
        let options = GenerateOptions { repetition_penalty, ..GenerateOptions::greedy(30) };
        let mut tokens = answer(&mut decoder(&llama()), &question, &options).tokens;
        tokens.sort_unstable();
        tokens.dedup();
        tokens.len()
    };
    assert!(distinct(5.0) > distinct(1.0));
}

#[test]
fn a_stop_string_may_span_tokens_and_is_never_delivered() {
    let question = prompt(30, 4);
    let free = answer(&mut decoder(&llama()), &question, &GenerateOptions::greedy(20));
    assert_eq!(free.finish, Finish::Length);
    let words: Vec<&str> = free.text.split(' ').collect();
    assert_eq!(words.len(), 20);
    // The end of one word to the beginning of the next but one.
    let stop = format!("{} {} {}", &words[7][1..], words[8], &words[9][..1]);
    let before = &free.text[..free.text.find(&stop).unwrap()];
    let options =
        GenerateOptions { stop: vec!["not in it".to_owned(), stop], ..GenerateOptions::greedy(20) };
    let mut streamed = String::new();
    let mut stopping = decoder(&llama());
    let stopped = block_on(stopping.generate(&question, &options, |piece| {
        streamed.push_str(piece);
        ControlFlow::Continue(())
    }))
    .unwrap();
    assert_eq!(stopped.finish, Finish::StopString);
    assert_eq!((stopped.text.as_str(), streamed.as_str()), (before, before));
    assert!(stopped.tokens.len() < 20);

    // What only began like a stop string is part of the answer in the end.
    let options = GenerateOptions {
        stop: vec![format!("{} and more", words[19])],
        ..GenerateOptions::greedy(20)
    };
    let whole = answer(&mut decoder(&llama()), &question, &options);
    assert_eq!((whole.text, whole.finish), (free.text, Finish::Length));
}

/// Forbids whatever is written with a digit.
struct NoDigits {
    forbidden: Vec<bool>,
    prompt_tokens: usize,
    calls: usize,
}

impl LogitProcessor for &mut NoDigits {
    fn process(&mut self, prompt: &[u32], answer: &[u32], logits: &mut [f32]) {
        assert_eq!((prompt.len(), answer.len()), (self.prompt_tokens, self.calls));
        self.calls += 1;
        for (logit, &forbidden) in logits.iter_mut().zip(&self.forbidden) {
            if forbidden {
                *logit = f32::NEG_INFINITY;
            }
        }
    }
}

#[test]
fn a_processor_can_forbid_tokens() {
    let question = prompt(30, 4);
    let options = GenerateOptions::greedy(20);
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    assert!(has_digit(&answer(&mut decoder(&llama()), &question, &options).text));

    let forbidden = (0..64).map(|id| has_digit(&word(id))).collect();
    let mut processor = NoDigits { forbidden, prompt_tokens: question.len(), calls: 0 };
    let mut model = decoder(&llama());
    let found = run(model.start(&question, &options).unwrap().with_processor(&mut processor));
    assert_eq!(found.tokens.len(), 20);
    assert!(!has_digit(&found.text), "{}", found.text);

    let nothing_left = |_: &[u32], _: &[u32], logits: &mut [f32]| logits.fill(f32::NEG_INFINITY);
    let mut generation = model.start(&question, &options).unwrap().with_processor(nothing_left);
    let error = block_on(generation.next()).unwrap_err();
    assert!(matches!(error, ModelError::NoToken { .. }), "{error}");
}

#[test]
fn limits_are_told_before_any_work() {
    let mut model = decoder(&llama());
    let options = GenerateOptions::default();
    let error = model.start(&prompt(256, 1), &options).err().unwrap();
    assert!(matches!(error, ModelError::ContextTooLong { tokens: 256, limit: 256 }));
    assert!(error.to_string().contains("256"), "{error}");
    assert!(model.start(&[], &options).is_err());
    assert!(model.start(&[64], &options).is_err());
    let empty_stop = GenerateOptions { stop: vec![String::new()], ..GenerateOptions::default() };
    let error = model.start(&prompt(4, 1), &empty_stop).err().unwrap();
    assert!(error.to_string().contains("stop string"), "{error}");
    assert!(model.cached_tokens().is_empty());

    let full = answer(&mut model, &prompt(250, 1), &options);
    assert_eq!((full.tokens.len(), full.finish), (6, Finish::Context));
    let nothing = answer(&mut model, &prompt(5, 1), &GenerateOptions::greedy(0));
    assert_eq!((nothing.text.as_str(), nothing.finish), ("", Finish::Length));
}

#[test]
fn an_end_token_ends_the_answer() {
    let question = prompt(30, 4);
    let free = answer(&mut decoder(&llama()), &question, &GenerateOptions::greedy(20));
    let mut config = llama();
    let end = free.tokens[10];
    let first = free.tokens.iter().position(|&token| token == end).unwrap();
    config.add_end_tokens(format!(r#"{{"eos_token_id": [{end}]}}"#).as_bytes()).unwrap();
    let ended = answer(&mut decoder(&config), &question, &GenerateOptions::greedy(20));
    assert_eq!((ended.tokens.as_slice(), ended.finish), (&free.tokens[..first], Finish::End));
}

#[test]
fn a_device_is_checked_by_what_is_known() {
    let mut model = decoder(&llama());
    let question = prompt(9, 4);
    let right = answer(&mut model, &question, &GenerateOptions::greedy(6)).tokens;
    let mut known = KnownAnswer { prompt: question.into(), answer: right.into() };
    block_on(model.check(&known)).unwrap();
    known.answer.to_mut()[5] ^= 1;
    let error = block_on(model.check(&known)).unwrap_err();
    assert!(matches!(error, ModelError::WrongAnswer { .. }), "{error}");
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let config = llama();
    let error = Decoder::load(&config, tokenizer(65), &MadeUp(&config)).err().unwrap();
    assert!(error.to_string().contains("vocab_size"), "{error}");
    let mut wider = config.clone();
    wider.intermediate_size = 128;
    let error = Decoder::load(&wider, tokenizer(64), &MadeUp(&config)).err().unwrap();
    assert!(error.to_string().contains("mlp.gate_proj"), "{error}");
}
