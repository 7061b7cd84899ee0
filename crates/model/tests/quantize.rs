//! Blocks that were searched for, against blocks that were rounded.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use campanile_model::quantize::{Precision, Storage, write_shards};
use campanile_model::{Encoding, ModelError, Shards, StoredTensor, TensorSource};
use proptest::prelude::*;
use support::nearest_q4_0;

const NAME: &str = "encoder.layer.1.intermediate.dense.weight";
const NORM: &str = "encoder.layer.1.attention.output.LayerNorm.weight";

/// One matrix, and the norm before it.
struct Model {
    matrix: StoredTensor<'static>,
    norm: Vec<f32>,
}

fn tensor(shape: &[usize], values: &[f32]) -> StoredTensor<'static> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    StoredTensor::new("t", shape.to_vec(), Encoding::F32, bytes.into(), vec![]).unwrap()
}

impl TensorSource for Model {
    fn names(&self) -> Vec<String> {
        vec![NAME.to_owned()]
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        match name {
            NAME => Ok(self.matrix.clone()),
            NORM if !self.norm.is_empty() => Ok(tensor(&[self.norm.len()], &self.norm)),
            _ => Err(ModelError::MissingTensor { name: name.to_owned(), present: 1 }),
        }
    }
}

/// Values with the tails that weights have.
fn weights(count: usize) -> Vec<f32> {
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    };
    (0..count).map(|_| (0..6).map(|_| uniform()).sum::<f32>() * 0.05).collect()
}

fn squared_error(exact: &[f32], found: &[f32], column_weights: &[f32]) -> f64 {
    let columns = column_weights.len();
    let errors = exact.iter().zip(found).enumerate();
    errors.map(|(i, (a, b))| f64::from((a - b).powi(2) * column_weights[i % columns])).sum()
}

fn written(model: &Model, storage: Storage) -> (Encoding, Vec<f32>) {
    let files =
        write_shards(model, &model.names(), Precision::uniform(storage), 1_000_000).unwrap();
    let shards = Shards::new(files).unwrap();
    let encoding = shards.stored(NAME).unwrap().encoding();
    (encoding, shards.read(NAME).unwrap().values)
}

#[test]
fn a_searched_scale_is_better_than_a_rounded_one() {
    let values = weights(96 * 128);
    let model = Model { matrix: tensor(&[96, 128], &values), norm: vec![] };
    let even = vec![1.0; 128];
    let size = squared_error(&values, &vec![0.0; values.len()], &even);
    let nearest = squared_error(&values, &nearest_q4_0(&model.matrix).decode().values, &even);
    let error = |storage| squared_error(&values, &written(&model, storage).1, &even);
    let (int4, minimum, int8) =
        (error(Storage::Int4), error(Storage::Int4Minimum), error(Storage::Int8));
    println!("of the values' own size: {} nearest, {} searched", nearest / size, int4 / size);
    assert!(int4 < 0.92 * nearest, "{int4} {nearest}");
    assert!(minimum < int4, "{minimum} {int4}");
    assert!(int8 < 0.01 * int4, "{int8} {int4}");
}

#[test]
fn columns_count_by_the_norm_before_them() {
    let values = weights(96 * 128);
    let norm: Vec<f32> = (0..128).map(|i| if i % 8 == 0 { 10.0 } else { 0.5 }).collect();
    let squares: Vec<f32> = norm.iter().map(|v| v * v).collect();
    let plain = Model { matrix: tensor(&[96, 128], &values), norm: vec![] };
    let counted = Model { norm, ..Model { matrix: plain.matrix.clone(), norm: vec![] } };
    let error = |model: &Model| squared_error(&values, &written(model, Storage::Int4).1, &squares);
    assert!(error(&counted) < 0.8 * error(&plain));
}

#[test]
fn what_cannot_be_quantised_stays_as_it_is() {
    let mut huge = weights(64 * 64);
    huge[70] = 1e6;
    let mut broken = weights(64 * 64);
    broken[70] = f32::NAN;
    let cases = [
        (vec![64, 64], huge),
        (vec![64, 64], broken),
        (vec![200, 40], weights(8000)),
        (vec![32, 32], weights(1024)),
        (vec![8192], weights(8192)),
    ];
    for (shape, values) in cases {
        let model = Model { matrix: tensor(&shape, &values), norm: vec![] };
        let (encoding, found) = written(&model, Storage::Int4);
        assert_eq!(encoding, Encoding::F32, "{shape:?}");
        assert!(found.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits()), "{shape:?}");
    }
}

#[test]
fn parts_of_a_model_have_their_own_precision() {
    let precision = Precision {
        embeddings: Storage::Int8,
        matrices: Storage::Int4,
        values: Storage::Int4Minimum,
        output: Storage::Unchanged,
    };
    let cases = [
        ("model.embed_tokens.weight", Storage::Int8),
        ("bert.embeddings.word_embeddings.weight", Storage::Int8),
        ("model.layers.3.mlp.up_proj.weight", Storage::Int4),
        ("model.layers.3.self_attn.q_proj.weight", Storage::Int4),
        ("model.layers.3.self_attn.v_proj.weight", Storage::Int4Minimum),
        ("encoder.layer.0.attention.output.dense.weight", Storage::Int4Minimum),
        ("encoder.layer.0.output.dense.weight", Storage::Int4),
        ("lm_head.weight", Storage::Unchanged),
        ("classifier.dense.weight", Storage::Unchanged),
    ];
    for (name, expected) in cases {
        assert_eq!(precision.of(name), expected, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the values, what is written is never farther from them than the rounded blocks.
    #[test]
    fn no_block_is_worse_than_rounded(values in prop::collection::vec(-1e4f32..1e4, 64 * 64)) {
        let model = Model { matrix: tensor(&[64, 64], &values), norm: vec![] };
        let (_, found) = written(&model, Storage::Int4);
        let nearest = nearest_q4_0(&model.matrix).decode().values;
        for ((exact, ours), theirs) in
            values.chunks(32).zip(found.chunks(32)).zip(nearest.chunks(32))
        {
            let (ours, theirs) =
                (squared_error(exact, ours, &[1.0; 32]), squared_error(exact, theirs, &[1.0; 32]));
            prop_assert!(ours <= theirs * 1.0001, "{ours} {theirs}");
        }
    }
}
