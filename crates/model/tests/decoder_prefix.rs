//! Tests that what was read once is not read again, and never changes an answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/made_up.rs"]
mod made_up;
#[path = "support/slow.rs"]
mod slow;

use std::ops::ControlFlow;

use campanile_model::{Decoder, GenerateOptions, Generated};
use futures_lite::future::{block_on, poll_once};

use crate::made_up::{decoder, llama};
use crate::slow::slow;

/// Longer than one block of the CPU.
const LONG: u32 = 100;

fn prompt(length: u32, seed: u32) -> Vec<u32> {
    (0..length).map(|number| (number * 7 + number * number * seed) % 64).collect()
}

fn answer(decoder: &mut Decoder, prompt: &[u32], options: &GenerateOptions) -> Generated {
    block_on(decoder.generate(prompt, options, |_| ControlFlow::Continue(()))).unwrap()
}

#[test]
fn a_common_beginning_is_read_once_and_changes_nothing() {
    let options = GenerateOptions::greedy(20);
    let first = prompt(LONG, 1);
    let mut second = first.clone();
    second.truncate(70);
    second.extend(prompt(20, 3));

    let mut fresh = decoder(&llama());
    let expected = answer(&mut fresh, &second, &options);
    assert_eq!((expected.prompt_tokens, expected.reused_tokens), (90, 0));

    let mut used = decoder(&llama());
    let before = answer(&mut used, &first, &options);
    let reused = answer(&mut used, &second, &options);
    assert!(reused.reused_tokens >= 70, "{}", reused.reused_tokens);
    assert_eq!((reused.tokens, reused.text), (expected.tokens.clone(), expected.text.clone()));

    // The same prompt again: all but its last token is there.
    let again = answer(&mut used, &second, &options);
    assert_eq!((again.tokens, again.reused_tokens), (expected.tokens, 89));

    // A follow-up: prompt and answer are there, but for the answer's last token.
    let mut conversation = decoder(&llama());
    answer(&mut conversation, &first, &options);
    let follow_up: Vec<u32> = [first.as_slice(), &before.tokens, &prompt(9, 5)].concat();
    let reused = answer(&mut conversation, &follow_up, &options);
    assert_eq!(reused.reused_tokens, first.len() + before.tokens.len() - 1);
    fresh.forget();
    let expected = answer(&mut fresh, &follow_up, &options);
    assert_eq!((reused.tokens, expected.reused_tokens), (expected.tokens, 0));
}

#[test]
fn a_beginning_can_be_read_ahead() {
    let options = GenerateOptions::greedy(12);
    let question = prompt(LONG, 2);
    let expected = answer(&mut decoder(&llama()), &question, &options);

    let mut prepared = decoder(&llama());
    let mut left = question.len() - 10;
    let mut steps = 0;
    while left > 0 {
        left = block_on(prepared.prepare_block(&question[..LONG as usize - 10])).unwrap();
        steps += 1;
    }
    assert_eq!(steps, 2);
    assert_eq!(prepared.cached_tokens(), &question[..LONG as usize - 10]);
    let found = answer(&mut prepared, &question, &options);
    assert_eq!((found.tokens, found.reused_tokens), (expected.tokens.clone(), LONG as usize - 10));

    let mut whole = decoder(&llama());
    block_on(whole.prepare(&question)).unwrap();
    let found = answer(&mut whole, &question, &options);
    assert_eq!((found.tokens, found.reused_tokens), (expected.tokens, LONG as usize - 1));
    assert!(block_on(whole.prepare(&[])).is_err());
}

#[test]
fn an_answer_that_is_dropped_leaves_a_cache_that_is_right() {
    let options = GenerateOptions::greedy(12);
    let (first, second) = (prompt(LONG, 1), prompt(LONG, 1)[..80].to_vec());
    let expected = answer(&mut decoder(&llama()), &second, &options);
    for pieces in 0..8 {
        let mut interrupted = decoder(&llama());
        let mut generation = interrupted.start(&first, &options).unwrap();
        for _ in 0..pieces {
            block_on(generation.next()).unwrap();
        }
        drop(generation);
        let found = answer(&mut interrupted, &second, &options);
        assert_eq!(found.tokens, expected.tokens, "after {pieces} pieces");
    }
}

#[test]
fn a_read_that_is_dropped_halfway_is_read_again() {
    let options = GenerateOptions::greedy(12);
    let question = prompt(40, 1);
    let expected = answer(&mut decoder(&llama()), &question, &options);
    for pieces in 0..6 {
        let mut interrupted = slow(1);
        let mut generation = interrupted.start(&question, &options).unwrap();
        for _ in 0..pieces {
            block_on(generation.next()).unwrap();
        }
        assert!(block_on(poll_once(generation.next())).is_none(), "it waits");
        drop(generation);
        let cached = interrupted.cached_tokens().len();
        let found = answer(&mut interrupted, &question, &options);
        assert_eq!(found.tokens, expected.tokens, "after {pieces} pieces");
        assert_eq!(found.reused_tokens, cached.min(39));
    }
}
