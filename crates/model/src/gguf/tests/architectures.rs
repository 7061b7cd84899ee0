//! Every architecture under the names that it has elsewhere, and rotary positions.

use std::collections::BTreeMap;

use super::{GgufFile, HEADS, HIDDEN, KEY_HEADS, SHARD, Writer, convert, tiny};
use crate::decoder::{RopeScaling, TokenIds};
use crate::{DecoderConfig, Shards, TensorSource};

fn converted(file: &Writer) -> (DecoderConfig, Shards) {
    let files: BTreeMap<String, Vec<u8>> =
        convert(&GgufFile::new(file.finish()).unwrap(), SHARD).unwrap();
    let config = DecoderConfig::from_json(&files["config.json"]).unwrap();
    let shards = Shards::new(vec![files["model-00001.safetensors"].clone()]).unwrap();
    (config, shards)
}

/// A vector of counting numbers.
fn counting(file: &mut Writer, name: &str, length: usize) {
    let bytes = (0..length).flat_map(|i| (i as f32).to_le_bytes()).collect();
    file.tensor(name, &[length], 0, bytes);
}

#[test]
fn every_architecture_has_all_its_tensors() {
    for architecture in ["llama", "qwen2", "qwen3"] {
        let (config, shards) = converted(&tiny(architecture));
        assert_eq!(config.architecture.name(), architecture);
        let mut expected = config.tensor_names();
        expected.sort();
        assert_eq!(shards.names(), expected, "{architecture}");
        for name in expected {
            assert!(shards.read(&name).is_ok(), "{name}");
        }
    }
}

#[test]
fn only_llama_has_its_rows_reordered() {
    for architecture in ["qwen2", "qwen3"] {
        let (_, shards) = converted(&tiny(architecture));
        let rows = shards.read("model.layers.0.self_attn.q_proj.weight").unwrap().values;
        let first: Vec<f32> = rows.iter().step_by(HIDDEN).copied().collect();
        assert!(first.is_sorted(), "{architecture}");
    }
    let (_, shards) = converted(&tiny("qwen2"));
    assert!(shards.read("model.layers.0.self_attn.k_proj.bias").unwrap().values.is_sorted());
}

#[test]
fn biases_of_a_llama_go_with_their_rows() {
    let mut file = tiny("llama");
    let head = HIDDEN / HEADS;
    counting(&mut file, "blk.0.attn_q.bias", HIDDEN);
    counting(&mut file, "blk.0.attn_k.bias", head * KEY_HEADS);
    counting(&mut file, "blk.0.attn_v.bias", head * KEY_HEADS);
    counting(&mut file, "blk.0.attn_output.bias", HIDDEN);
    let (config, shards) = converted(&file);
    assert!(config.attention_bias);
    let bias = shards.read("model.layers.0.self_attn.k_proj.bias").unwrap().values;
    let rows = shards.read("model.layers.0.self_attn.k_proj.weight").unwrap().values;
    let rows: Vec<f32> = rows.iter().step_by(HIDDEN).copied().collect();
    assert_eq!(bias, rows);
    assert!(!bias.is_sorted());
}

#[test]
fn rotary_positions_are_stretched_as_the_file_says() {
    type Change = fn(&mut Writer);
    let scalings: [(Change, Option<RopeScaling>); 4] = [
        (|_| {}, None),
        (|w| w.text("llama.rope.scaling.type", "none"), None),
        (
            |w| {
                w.text("llama.rope.scaling.type", "linear");
                w.entry("llama.rope.scaling.factor", 6, &4f32.to_le_bytes());
            },
            Some(RopeScaling::Linear { factor: 4.0 }),
        ),
        (
            |w| counting_from_one(w, HIDDEN / HEADS / 2),
            Some(RopeScaling::FrequencyFactors { factors: (1..=8).map(|n| n as f32).collect() }),
        ),
    ];
    for (change, expected) in scalings {
        let mut file = tiny("llama");
        change(&mut file);
        assert_eq!(converted(&file).0.rope_scaling, expected);
    }
    let mut file = tiny("llama");
    file.text("llama.rope.scaling.type", "yarn");
    file.entry("llama.rope.scaling.factor", 6, &4f32.to_le_bytes());
    file.number("llama.rope.scaling.original_context_length", 32);
    let scaling = converted(&file).0.rope_scaling.unwrap();
    assert!(matches!(
        scaling,
        RopeScaling::Yarn { factor: 4.0, original_max_position_embeddings: 32, .. }
    ));
}

fn counting_from_one(file: &mut Writer, length: usize) {
    let bytes = (1..=length).flat_map(|i| (i as f32).to_le_bytes()).collect();
    file.tensor("rope_freqs.weight", &[length], 0, bytes);
}

#[test]
fn all_tokens_that_end_an_answer_are_known() {
    let (config, _) = converted(&tiny("llama"));
    assert_eq!(config.eos_token_id, Some(TokenIds::One(0)));
    let mut file = tiny("llama");
    file.number("tokenizer.ggml.eot_token_id", 2);
    let (config, _) = converted(&file);
    assert_eq!(config.eos_token_id, Some(TokenIds::Many(vec![0, 2])));
}
