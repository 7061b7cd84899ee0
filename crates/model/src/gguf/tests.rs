#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod architectures;
mod rules;

use half::f16;
use proptest::prelude::*;

use super::{GgufFile, Value, convert};
use crate::{DecoderConfig, Encoding, ModelError, Shards, TensorSource, Tokenizer};

const HIDDEN: usize = 64;
const WIDE: usize = 96;
const HEADS: usize = 4;
const KEY_HEADS: usize = 2;
const SHARD: usize = 1_000_000;

/// Writes the format by hand.
#[derive(Clone, Default)]
struct Writer {
    metadata: Vec<Vec<u8>>,
    tensors: Vec<(String, Vec<u64>, u32, Vec<u8>)>,
}

fn string(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

impl Writer {
    fn entry(&mut self, key: &str, kind: u32, value: &[u8]) {
        let mut bytes = string(key);
        bytes.extend(kind.to_le_bytes());
        bytes.extend_from_slice(value);
        self.metadata.push(bytes);
    }

    fn number(&mut self, key: &str, value: usize) {
        self.entry(key, 4, &u32::try_from(value).unwrap().to_le_bytes());
    }

    fn text(&mut self, key: &str, value: &str) {
        self.entry(key, 8, &string(value));
    }

    fn texts(&mut self, key: &str, values: &[&str]) {
        let mut bytes = 8u32.to_le_bytes().to_vec();
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend(values.iter().flat_map(|value| string(value)));
        self.entry(key, 9, &bytes);
    }

    /// `dimensions` innermost first, as the format has them.
    fn tensor(&mut self, name: &str, dimensions: &[usize], kind: u32, bytes: Vec<u8>) {
        let dimensions = dimensions.iter().map(|&d| d as u64).collect();
        self.tensors.push((name.to_owned(), dimensions, kind, bytes));
    }

    fn norm(&mut self, name: &str) {
        let ones = 1.0f32.to_le_bytes().repeat(HIDDEN);
        self.tensor(name, &[HIDDEN], 0, ones);
    }

    /// A Q8_0 matrix, every value of row `n` being `n`.
    fn counting_rows(&mut self, name: &str, columns: usize, rows: usize) {
        let bytes = (0..rows).flat_map(|row| {
            let mut block = f16::from_f32(row as f32).to_le_bytes().to_vec();
            block.extend([1; 32]);
            block.repeat(columns / 32)
        });
        let bytes = bytes.collect();
        self.tensor(name, &[columns, rows], 8, bytes);
    }

    fn finish(&self) -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(3u32.to_le_bytes());
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((self.metadata.len() as u64).to_le_bytes());
        bytes.extend(self.metadata.iter().flatten());
        let mut data: Vec<u8> = Vec::new();
        for (name, dimensions, kind, tensor) in &self.tensors {
            bytes.extend(string(name));
            bytes.extend((dimensions.len() as u32).to_le_bytes());
            bytes.extend(dimensions.iter().flat_map(|d| d.to_le_bytes()));
            bytes.extend(kind.to_le_bytes());
            data.resize(data.len().next_multiple_of(32), 0);
            bytes.extend((data.len() as u64).to_le_bytes());
            data.extend(tensor);
        }
        bytes.resize(bytes.len().next_multiple_of(32), 0);
        bytes.extend(data);
        bytes
    }
}

/// A tiny model, one layer, with a byte-level tokenizer.
fn tiny(architecture: &str) -> Writer {
    let mut file = Writer::default();
    file.text("general.architecture", architecture);
    file.number(&format!("{architecture}.block_count"), 1);
    file.number(&format!("{architecture}.context_length"), 128);
    file.number(&format!("{architecture}.embedding_length"), HIDDEN);
    file.number(&format!("{architecture}.feed_forward_length"), WIDE);
    file.number(&format!("{architecture}.attention.head_count"), HEADS);
    file.number(&format!("{architecture}.attention.head_count_kv"), KEY_HEADS);
    file.entry(
        &format!("{architecture}.attention.layer_norm_rms_epsilon"),
        6,
        &1e-5f32.to_le_bytes(),
    );
    file.text("tokenizer.ggml.model", "gpt2");
    file.text("tokenizer.ggml.pre", "smollm");
    file.texts("tokenizer.ggml.tokens", &["<|end|>", "a", "b", "Ġ", "ab", "1"]);
    file.texts("tokenizer.ggml.merges", &["a b"]);
    let kinds = [3i32, 1, 1, 1, 1, 1];
    let mut bytes = 5u32.to_le_bytes().to_vec();
    bytes.extend((kinds.len() as u64).to_le_bytes());
    bytes.extend(kinds.iter().flat_map(|kind| kind.to_le_bytes()));
    file.entry("tokenizer.ggml.token_type", 9, &bytes);
    file.number("tokenizer.ggml.eos_token_id", 0);
    file.text("tokenizer.chat_template", "{{ messages[0]['content'] }}");

    file.counting_rows("token_embd.weight", HIDDEN, 6);
    file.norm("output_norm.weight");
    file.norm("blk.0.attn_norm.weight");
    file.norm("blk.0.ffn_norm.weight");
    let key_rows = HIDDEN / HEADS * KEY_HEADS;
    file.counting_rows("blk.0.attn_q.weight", HIDDEN, HIDDEN);
    file.counting_rows("blk.0.attn_k.weight", HIDDEN, key_rows);
    file.counting_rows("blk.0.attn_v.weight", HIDDEN, key_rows);
    file.counting_rows("blk.0.attn_output.weight", HIDDEN, HIDDEN);
    file.counting_rows("blk.0.ffn_gate.weight", HIDDEN, WIDE);
    file.counting_rows("blk.0.ffn_up.weight", HIDDEN, WIDE);
    file.counting_rows("blk.0.ffn_down.weight", WIDE, HIDDEN);
    if architecture == "qwen2" {
        for (name, length) in [("attn_q", HIDDEN), ("attn_k", key_rows), ("attn_v", key_rows)] {
            let bytes = (0..length).flat_map(|i| (i as f32).to_le_bytes()).collect();
            file.tensor(&format!("blk.0.{name}.bias"), &[length], 0, bytes);
        }
    }
    if architecture == "qwen3" {
        for name in ["blk.0.attn_q_norm.weight", "blk.0.attn_k_norm.weight"] {
            file.tensor(name, &[HIDDEN / HEADS], 0, 1f32.to_le_bytes().repeat(HIDDEN / HEADS));
        }
    }
    file
}

#[test]
fn metadata_and_tensors_are_read() {
    let file = GgufFile::new(tiny("llama").finish()).unwrap();
    let architecture = file.get("general.architecture");
    assert_eq!(architecture.and_then(Value::as_text), Some("llama"));
    assert_eq!(file.names().len(), 11);
    let embedding = file.stored("token_embd.weight").unwrap();
    assert_eq!(embedding.shape(), [6, HIDDEN]);
    assert_eq!(embedding.encoding(), Encoding::Q8_0);
    let mut row = vec![0.0; HIDDEN];
    assert!(embedding.read_row(5, &mut row));
    assert_eq!(row, vec![5.0; HIDDEN]);
}

#[test]
fn a_converted_model_has_all_it_needs() {
    let bytes = tiny("llama").finish();
    let files = convert(&GgufFile::new(bytes.clone()).unwrap(), SHARD).unwrap();
    assert_eq!(files, convert(&GgufFile::new(bytes).unwrap(), SHARD).unwrap());
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(
        names,
        ["chat_template.jinja", "config.json", "model-00001.safetensors", "tokenizer.json"]
    );
    let config = DecoderConfig::from_json(&files["config.json"]).unwrap();
    assert!(config.tie_word_embeddings);
    assert_eq!(config.head_dim, HIDDEN / HEADS);
    let tokenizer = Tokenizer::from_json(&files["tokenizer.json"]).unwrap();
    assert_eq!(tokenizer.encode("ab a1<|end|>").unwrap(), [4, 3, 1, 5, 0]);
    let shards = Shards::new(vec![files["model-00001.safetensors"].clone()]).unwrap();
    let mut expected = config.tensor_names();
    expected.sort();
    assert_eq!(shards.names(), expected);
}

#[test]
fn rows_of_queries_and_keys_return_to_their_order() {
    let files = convert(&GgufFile::new(tiny("llama").finish()).unwrap(), SHARD).unwrap();
    let shards = Shards::new(vec![files["model-00001.safetensors"].clone()]).unwrap();
    let first_values = |part: &str| -> Vec<f32> {
        let name = format!("model.layers.0.self_attn.{part}.weight");
        let tensor = shards.read(&name).unwrap();
        tensor.values.iter().step_by(HIDDEN).copied().collect()
    };
    // A head has 16 rows: the file's even ones first, then its odd ones.
    let head = [0., 2., 4., 6., 8., 10., 12., 14., 1., 3., 5., 7., 9., 11., 13., 15.];
    let heads = |count: usize| -> Vec<f32> {
        (0..count).flat_map(|h| head.map(|row| row + 16.0 * h as f32)).collect()
    };
    assert_eq!(first_values("q_proj"), heads(HEADS));
    assert_eq!(first_values("k_proj"), heads(KEY_HEADS));
    let counting: Vec<f32> = (0..32).map(|row| row as f32).collect();
    assert_eq!(first_values("v_proj"), counting);
}

#[test]
fn what_is_not_run_is_refused_by_name() {
    type Change = fn(&mut Writer);
    let cases: [(Change, &str); 8] = [
        (|w| w.metadata.retain(|e| !contains(e, "block_count")), "llama.block_count"),
        (|w| replace_text(w, "general.architecture", "mamba"), "mamba"),
        (|w| replace_text(w, "tokenizer.ggml.model", "llama"), "gpt2"),
        (|w| replace_text(w, "tokenizer.ggml.pre", "chatglm-bpe"), "\"qwen2\""),
        (|w| w.text("llama.rope.scaling.type", "yarn"), "llama.rope.scaling.factor"),
        (|w| w.text("llama.rope.scaling.type", "longrope"), "longrope"),
        (|w| w.number("llama.rope.dimension_count", 8), "llama.rope.dimension_count"),
        (|w| w.tensors.retain(|t| t.0 != "blk.0.attn_k.weight"), "blk.0.attn_k.weight"),
    ];
    for (change, expected) in cases {
        let mut file = tiny("llama");
        change(&mut file);
        let file = GgufFile::new(file.finish()).unwrap();
        let error = convert(&file, SHARD).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

fn contains(entry: &[u8], text: &str) -> bool {
    entry.windows(text.len()).any(|window| window == text.as_bytes())
}

fn replace_text(file: &mut Writer, key: &str, value: &str) {
    file.metadata.retain(|entry| !contains(entry, key));
    file.text(key, value);
}

#[test]
fn errors_name_the_byte() {
    let cases: [(&[u8], usize, &str); 4] = [
        (b"", 0, "4 bytes expected"),
        (b"GGML\x03\0\0\0", 0, "GGUF"),
        (b"GGUF\x09\0\0\0", 8, "version"),
        (b"GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f", 16, "tensors"),
    ];
    for (bytes, at, expected) in cases {
        let error = GgufFile::new(bytes.to_vec()).unwrap_err();
        let ModelError::Gguf { offset, reason } = &error else {
            unreachable!("{error}");
        };
        assert_eq!(*offset, at, "{error}");
        assert!(reason.contains(expected), "{error}");
    }
}

/// Reads everything that a file offers; whether that works is not the question.
fn read_all(bytes: Vec<u8>) {
    if let Ok(file) = GgufFile::new(bytes) {
        for name in file.names() {
            let _ = file.read(&name);
        }
        let _ = convert(&file, SHARD);
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        let mut file = b"GGUF\x03\0\0\0".to_vec();
        file.extend(bytes);
        read_all(file);
    }

    #[test]
    fn a_file_cut_short_is_refused(cut in 0.0..1.0f64) {
        let mut file = tiny("llama").finish();
        file.truncate((file.len() as f64 * cut) as usize);
        prop_assert!(GgufFile::new(file).is_err());
    }

    #[test]
    fn changed_bytes_never_panic(
        changes in prop::collection::vec((0.0..1.0f64, any::<u8>()), 1..6),
    ) {
        let mut file = tiny("llama").finish();
        // Metadata and the list of tensors come first, and are what is parsed.
        let header = 1600;
        for (place, value) in changes {
            file[(f64::from(header) * place) as usize] = value;
        }
        read_all(file);
    }
}
