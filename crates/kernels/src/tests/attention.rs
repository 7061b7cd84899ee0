//! Attention.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::{Numbers, fingerprint};
use crate::attention::Attention;
use crate::{Isa, KernelError, KeysValues, Threads, Visible, attend};

struct Case {
    heads: usize,
    groups: usize,
    width: usize,
    tokens: usize,
    position: usize,
    visible: Visible,
}

/// Attention by its definition, in double precision.
fn defined(case: &Case, queries: &[f32], keys: &[f32], values: &[f32], scale: f32) -> Vec<f64> {
    let Case { heads, groups, width, tokens, position, visible } = *case;
    let row = heads * width;
    let mut output = Vec::new();
    for (token, head) in (0..tokens).flat_map(|t| (0..heads * groups).map(move |h| (t, h))) {
        let seen = match visible {
            Visible::Before => position + token + 1,
            Visible::All(n) => n,
        };
        let query = &queries[(token * heads * groups + head) * width..][..width];
        let at =
            |from: &[f32], p: usize, i: usize| f64::from(from[p * row + head / groups * width + i]);
        let scores: Vec<f64> = (0..seen)
            .map(|p| (0..width).map(|i| f64::from(query[i]) * at(keys, p, i)).sum::<f64>())
            .map(|score| (score * f64::from(scale)).exp())
            .collect();
        let total: f64 = scores.iter().sum();
        for i in 0..width {
            let sum: f64 = scores.iter().enumerate().map(|(p, s)| s * at(values, p, i)).sum();
            output.push(sum / total);
        }
    }
    output
}

#[test]
fn attention_follows_its_definition() {
    let cases = [
        (1, 1, 8, 1, 0, Visible::Before),
        (3, 3, 64, 7, 0, Visible::Before),
        (3, 3, 64, 1, 40, Visible::Before),
        (2, 2, 20, 19, 3, Visible::Before),
        (12, 1, 32, 33, 0, Visible::All(33)),
        (2, 1, 7, 5, 0, Visible::All(3)),
    ];
    for (heads, groups, width, tokens, position, visible) in cases {
        let case = Case { heads, groups, width, tokens, position, visible };
        let mut numbers = Numbers::new(width as u64);
        let positions = position + tokens;
        let keys = numbers.vector(positions * heads * width);
        let values = numbers.vector(positions * heads * width);
        let queries = numbers.vector(tokens * heads * groups * width);
        let mut cache = KeysValues::new(heads, width, 4);
        let cut = position * heads * width;
        cache.write(0, &keys[..cut], &values[..cut]);
        cache.write(position, &keys[cut..], &values[cut..]);
        let mut output = vec![f32::NAN; queries.len()];
        for threads in [Threads::One, Threads::All] {
            let query_heads = heads * groups;
            attend(&queries, query_heads, &cache, position, visible, 0.7, &mut output, threads)
                .unwrap();
            for (found, expected) in
                output.iter().zip(defined(&case, &queries, &keys, &values, 0.7))
            {
                assert!((f64::from(*found) - expected).abs() < 2e-6, "{found} {expected}");
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let mut shapes = Numbers::new(12);
    let mut below = |limit: u32| (shapes.bits() % limit) as usize;
    for round in 0..60 {
        let (heads, groups, width) = (1 + below(3), 1 + below(4), 1 + below(70));
        let (tokens, position) = (1 + below(60), below(80));
        let visible = match round % 3 {
            0 => Visible::All(1 + below(position as u32 + tokens as u32)),
            _ => Visible::Before,
        };
        let mut numbers = Numbers::new(round);
        let rows = numbers.vector((position + tokens) * heads * width);
        let queries = numbers.vector(tokens * heads * groups * width);
        let mut cache = KeysValues::new(heads, width, position + tokens);
        cache.write(0, &rows, &rows);
        let mut first: Option<Vec<u32>> = None;
        for isa in Isa::available() {
            for threads in [Threads::One, Threads::All] {
                let query_heads = heads * groups;
                let cache = &cache;
                let attention =
                    Attention { query_heads, cache, position, visible, scale: 0.3, threads };
                let mut output = vec![f32::NAN; queries.len()];
                attention.run(isa, &queries, &mut output).unwrap();
                let bits: Vec<u32> = output.iter().map(|value| value.to_bits()).collect();
                let first = first.get_or_insert_with(|| bits.clone());
                assert!(*first == bits, "{isa:?} {heads} {groups} {width} {tokens} {position}");
            }
        }
    }
}

#[test]
fn every_target_gives_the_same_bits() {
    let mut numbers = Numbers::new(5);
    let rows = numbers.vector(41 * 2 * 64);
    let queries = numbers.vector(41 * 6 * 64);
    let mut cache = KeysValues::new(2, 64, 41);
    cache.write(0, &rows, &rows);
    let mut output = vec![f32::NAN; queries.len()];
    attend(&queries, 6, &cache, 0, Visible::Before, 0.125, &mut output, Threads::All).unwrap();
    assert_eq!(fingerprint(&output), 13_643_653_482_110_971_567);
}

#[test]
fn a_token_alone_or_among_others_gets_the_same_bits() {
    let (heads, groups, width, tokens) = (3, 3, 64, 19);
    let row = heads * groups * width;
    let mut numbers = Numbers::new(4);
    let rows = numbers.vector(tokens * heads * width);
    let queries = numbers.vector(tokens * row);
    let mut cache = KeysValues::new(heads, width, tokens);
    cache.write(0, &rows, &rows);
    let run = |queries: &[f32], position| {
        let mut output = vec![f32::NAN; queries.len()];
        let visible = Visible::Before;
        let one = Threads::One;
        attend(queries, 9, &cache, position, visible, 0.125, &mut output, one).unwrap();
        output
    };
    let together = run(&queries, 0);
    for token in 0..tokens {
        let range = token * row..(token + 1) * row;
        assert_eq!(run(&queries[range.clone()], token), together[range]);
    }
}

#[test]
fn a_cache_grows_without_forgetting() {
    let mut numbers = Numbers::new(1);
    let (keys, values) = (numbers.vector(3 * 12), numbers.vector(3 * 12));
    let mut cache = KeysValues::new(2, 6, 3);
    assert_eq!(cache.capacity(), 32);
    cache.write(0, &keys, &values);
    let attend_to = |cache: &KeysValues| {
        let mut output = [0.0; 12];
        let seen = Visible::All(3);
        attend(&keys[..12], 2, cache, 0, seen, 1.0, &mut output, Threads::One).unwrap();
        output
    };
    let before = attend_to(&cache);
    cache.grow(100);
    assert_eq!(cache.capacity(), 128);
    assert_eq!(attend_to(&cache), before);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let cache = KeysValues::new(2, 4, 30);
    let refused = |queries: &[f32], heads, visible| {
        let mut output = vec![0.0; 12];
        attend(queries, heads, &cache, 0, visible, 1.0, &mut output, Threads::One).err()
    };
    let zeros = [0.0; 12];
    let heads = Some(KernelError::Heads { query_heads: 3, heads: 2 });
    assert_eq!(refused(&zeros, 3, Visible::Before), heads);
    assert!(matches!(refused(&zeros, 2, Visible::Before), Some(KernelError::Length { .. })));
    let mut output = vec![0.0; 16];
    let queries = [0.0; 16];
    let mut run =
        |at, visible| attend(&queries, 2, &cache, at, visible, 1.0, &mut output, Threads::One);
    let positions = |positions| Err(KernelError::Positions { positions, capacity: 32 });
    assert_eq!(run(0, Visible::All(33)), positions(33));
    assert_eq!(run(31, Visible::Before), positions(33));
    assert_eq!(run(30, Visible::Before), Ok(()));
    assert_eq!(run(0, Visible::All(0)), Ok(()));
    assert_eq!(output, [0.0; 16]);
}
