//! Tests of a language model's changes, on a small Llama whose weights are made up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/made_up.rs"]
mod made_up;

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use campanile_model::quantize::{Precision, Storage, write_shards};
use campanile_model::{
    Decoder, DecoderAdapter, DecoderConfig, GenerateOptions, Shards, TensorSource,
};
use futures_lite::future::block_on;
use proptest::prelude::*;
use safetensors::Dtype;
use safetensors::tensor::{TensorView, serialize};

use crate::made_up::{MadeUp, llama, tokenizer};

const QUERY: &str = "model.layers.1.self_attn.q_proj";
const DOWN: &str = "model.layers.0.mlp.down_proj";

/// The made-up weights, matrices in 4-bit blocks.
fn weights(config: &DecoderConfig, matrices: Storage) -> Shards {
    let source = MadeUp(config);
    let precision = Precision { matrices, ..Precision::UNCHANGED };
    Shards::new(write_shards(&source, &source.names(), precision, 1 << 24).unwrap()).unwrap()
}

/// An adapter's file, before it is written.
#[derive(Clone)]
struct File {
    fields: HashMap<String, String>,
    codes: BTreeMap<String, Vec<u8>>,
}

impl File {
    fn new<'a>(changes: impl IntoIterator<Item = (&'a str, Vec<u8>)>) -> Self {
        let fields = [
            ("format", "campanile-adapter"),
            ("version", "1"),
            ("task", "prose"),
            ("trunk", "ab"),
            ("template", "Answer.\n---\n{passages}\n\n{question}"),
        ];
        Self {
            fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            codes: changes
                .into_iter()
                .map(|(matrix, codes)| (format!("{matrix}.steps"), codes))
                .collect(),
        }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.insert(name.to_owned(), value.to_owned());
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let views = self.codes.iter().map(|(name, codes)| {
            (name, TensorView::new(Dtype::U8, vec![codes.len()], codes).unwrap())
        });
        serialize(views, Some(self.fields.clone())).unwrap()
    }

    fn adapter(&self) -> DecoderAdapter {
        DecoderAdapter::read(&self.bytes()).unwrap()
    }
}

/// As `training/FORMAT.md` writes changes: places in order, each with whether it goes down.
fn codes(changes: &[(usize, bool)]) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for &(place, is_down) in changes {
        let mut number = 2 * (place - last) + usize::from(is_down);
        last = place;
        while number >= 128 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes
}

/// The step of a weight in its block, and the block's scale.
fn step(weights: &dyn TensorSource, name: &str, place: usize) -> (u8, f32) {
    let stored = weights.stored(name).unwrap();
    let block = &stored.bytes()[place / 32 * 20..][..20];
    let byte = block[4 + place % 16];
    let number = if place % 32 < 16 { byte & 15 } else { byte >> 4 };
    (number, half::f16::from_le_bytes([block[0], block[1]]).to_f32())
}

fn answer(config: &DecoderConfig, weights: &dyn TensorSource) -> Vec<u32> {
    let mut decoder = Decoder::load(config, tokenizer(config.vocab_size), weights).unwrap();
    let options = GenerateOptions::greedy(24);
    let generated = decoder.generate(&[3, 9, 27, 17], &options, |_| ControlFlow::Continue(()));
    block_on(generated).unwrap().tokens
}

#[test]
fn it_says_what_it_is_for() {
    let adapter = File::new([]).adapter();
    assert_eq!(adapter.trunk(), "ab");
    assert_eq!(adapter.template(), Some("Answer.\n---\n{passages}\n\n{question}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Each weight that is named moves by so many steps, all others stay, and no encoding changes.
    #[test]
    fn weights_move_by_whole_steps(places in prop::collection::btree_map(0_usize..64 * 96, 1_u8..4, 0..60)) {
        let config = llama();
        let plain = weights(&config, Storage::Int4Minimum);
        let name = format!("{DOWN}.weight");
        let mut changes = Vec::new();
        for (&place, &most) in &places {
            let (number, _) = step(&plain, &name, place);
            let is_down = number > 7;
            changes.extend((0..most).map(|_| (place, is_down)));
        }
        let adapter = File::new([(DOWN, codes(&changes))]).adapter();
        let changed = adapter.changed(Box::new(weights(&config, Storage::Int4Minimum))).unwrap();
        prop_assert_eq!(changed.names(), plain.names());
        for other in plain.names() {
            let (before, after) = (plain.read(&other).unwrap(), changed.read(&other).unwrap());
            prop_assert_eq!(plain.describe(&other).unwrap(), changed.describe(&other).unwrap());
            for (place, (before, after)) in before.values.iter().zip(&after.values).enumerate() {
                let most = places.get(&place).filter(|_| other == name);
                let Some(&most) = most else {
                    prop_assert_eq!(before, after);
                    continue;
                };
                let (number, scale) = step(&plain, &name, place);
                let sign = if number > 7 { -1.0 } else { 1.0 };
                prop_assert!((after - before - sign * f32::from(most) * scale).abs() < 1e-4);
            }
        }
    }
}

#[test]
fn what_changes_is_what_is_said() {
    let config = llama();
    let plain = weights(&config, Storage::Int4Minimum);
    let name = format!("{QUERY}.weight");
    let changes: Vec<(usize, bool)> =
        (0..4096).map(|place| (place, step(&plain, &name, place).0 > 7)).collect();
    let with = |changes: &[(usize, bool)]| {
        let adapter = File::new([(QUERY, codes(changes))]).adapter();
        let changed = adapter.changed(Box::new(weights(&config, Storage::Int4Minimum))).unwrap();
        answer(&config, &*changed)
    };
    assert_eq!(with(&[]), answer(&config, &plain));
    assert_ne!(with(&changes), answer(&config, &plain));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let config = llama();
    let up = |times: usize| codes(&vec![(0, false); times]);
    let beyond = "a change to `model.layers.1.self_attn.q_proj.weight` lies beyond it or its steps";
    let blocks = Storage::Int4Minimum;
    let cases = [
        (File::new([]).with("task", "query"), blocks, "for the task \"query\", not \"prose\""),
        (File::new([]).with("version", "2"), blocks, "version 2"),
        (File::new([(QUERY, up(1))]), Storage::Int8, "changes steps of Q4_1, and"),
        (File::new([("model.layers.7.mlp.up_proj", up(1))]), blocks, "which is not there"),
        (File::new([(QUERY, up(16))]), blocks, beyond),
        (File::new([(QUERY, codes(&[(0, true); 16]))]), blocks, beyond),
        (File::new([(QUERY, codes(&[(64 * 64, false)]))]), blocks, beyond),
        (File::new([(QUERY, vec![0x80])]), blocks, beyond),
        (File::new([(QUERY, vec![0xff; 9])]), blocks, beyond),
        (
            File { codes: [("lm_head.weight".to_owned(), vec![0])].into(), ..File::new([]) },
            blocks,
            "`lm_head.weight` is no change",
        ),
    ];
    for (file, storage, expected) in cases {
        let plain = weights(&config, storage);
        let error = DecoderAdapter::read(&file.bytes())
            .and_then(|adapter| {
                let changed = adapter.changed(Box::new(plain))?;
                changed.stored(&format!("{QUERY}.weight")).map(|_| ())
            })
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}, not {expected}");
    }
}
