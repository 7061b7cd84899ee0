//! Tests of a language model's changes, on a small Llama whose weights are made up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/adapters.rs"]
mod adapters;
#[path = "support/made_up.rs"]
mod made_up;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use campanile_model::{
    Decoder, DecoderAdapter, DecoderConfig, Encoding, GenerateOptions, TensorSource,
};
use futures_lite::future::block_on;

use crate::adapters::File;
use crate::made_up::{MadeUp, llama, tokenizer};

const QUERY: &str = "model.layers.1.self_attn.q_proj";
const DOWN: &str = "model.layers.0.mlp.down_proj";
const RANK: usize = 3;

/// An adapter that changes one matrix of each layer.
fn file() -> File {
    let fields = [
        ("format", "campanile-adapter"),
        ("version", "1"),
        ("task", "prose"),
        ("trunk", "ab"),
        ("scale", "2"),
        ("template", "Answer.\n---\n{passages}\n\n{question}"),
    ];
    let mut file = File {
        fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        tensors: BTreeMap::new(),
    };
    for (matrix, inputs, outputs) in [(QUERY, 64, 64), (DOWN, 96, 64)] {
        file.random(&format!("{matrix}.down"), &[RANK, inputs]);
        file.random(&format!("{matrix}.up"), &[outputs, RANK]);
    }
    file
}

fn adapter(file: &File) -> DecoderAdapter {
    DecoderAdapter::read(&file.bytes()).unwrap()
}

fn answer(config: &DecoderConfig, weights: &dyn TensorSource) -> Vec<u32> {
    let mut decoder = Decoder::load(config, tokenizer(config.vocab_size), weights).unwrap();
    let options = GenerateOptions::greedy(24);
    let generated = decoder.generate(&[3, 9, 27, 17], &options, |_| ControlFlow::Continue(()));
    block_on(generated).unwrap().tokens
}

#[test]
fn changes_are_added_to_their_matrices_and_to_no_others() {
    let config = llama();
    let (file, plain) = (file(), MadeUp(&config));
    let adapter = adapter(&file);
    assert_eq!(adapter.trunk(), "ab");
    assert_eq!(adapter.template(), Some("Answer.\n---\n{passages}\n\n{question}"));
    let changed = adapter.changed(Box::new(MadeUp(&config))).unwrap();
    assert_eq!(changed.names(), plain.names());
    for name in plain.names() {
        let (before, after) = (plain.read(&name).unwrap(), changed.read(&name).unwrap());
        let described = changed.describe(&name).unwrap();
        assert_eq!((&described.shape, described.encoding), (&before.shape, Encoding::F32));
        let matrix = name.strip_suffix(".weight").unwrap();
        let Some((_, down)) = file.tensors.get(&format!("{matrix}.down")) else {
            assert_eq!(before, after, "{name}");
            continue;
        };
        let (_, up) = &file.tensors[&format!("{matrix}.up")];
        let columns = before.shape[1];
        for (place, (before, after)) in before.values.iter().zip(&after.values).enumerate() {
            let (row, column) = (place / columns, place % columns);
            let added: f32 =
                (0..RANK).map(|k| up[row * RANK + k] * down[k * columns + column]).sum();
            assert!((before + 2.0 * added - after).abs() < 1e-3, "{name} {place}");
        }
    }
    assert_ne!(answer(&config, &plain), answer(&config, &*changed));
}

#[test]
fn changes_of_nothing_change_no_answer() {
    let config = llama();
    let mut file = file();
    for (name, (_, values)) in &mut file.tensors {
        if name.ends_with(".up") {
            values.fill(0.0);
        }
    }
    let adapter = adapter(&file);
    let changed = adapter.changed(Box::new(MadeUp(&config))).unwrap();
    assert_eq!(answer(&config, &MadeUp(&config)), answer(&config, &*changed));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let config = llama();
    let without = |name: &str| {
        let mut file = file();
        file.tensors.remove(name).unwrap();
        file
    };
    let with = |name: &str, shape: &[usize]| {
        let mut file = file();
        file.random(name, shape);
        file
    };
    let query_up = format!("{QUERY}.up");
    let cases = [
        (file().with("task", "query"), "for the task \"query\", not \"prose\""),
        (file().with("version", "2"), "version 2"),
        (without(&query_up), "without `model.layers.1.self_attn.q_proj.up`"),
        (with("head.span.weight", &[2, 64]), "`head.span.weight` is no part of a change"),
        (with(&query_up, &[65, RANK]), "does not fit `model.layers.1.self_attn.q_proj`"),
        (with(&query_up, &[64, RANK + 1]), "does not fit `model.layers.1.self_attn.q_proj`"),
        (
            {
                let mut file = with("model.layers.7.mlp.up_proj.up", &[96, RANK]);
                file.random("model.layers.7.mlp.up_proj.down", &[RANK, 64]);
                file
            },
            "changes `model.layers.7.mlp.up_proj`, which is not there",
        ),
    ];
    for (file, expected) in cases {
        let error = DecoderAdapter::read(&file.bytes())
            .and_then(|adapter| adapter.changed(Box::new(MadeUp(&config))).map(|_| ()))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
}
