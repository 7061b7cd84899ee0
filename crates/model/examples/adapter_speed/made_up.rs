//! An encoder of all-MiniLM-L6-v2's shape and adapters for it, with random numbers: what they
//! compute is worth nothing, and takes as long.

use std::borrow::Cow;
use std::collections::HashMap;

use campanile_model::{Adapter, Tokenizer};
use campanile_model::{Encoder, EncoderConfig, Encoding, ModelError, StoredTensor, TensorSource};
use half::f16;
use serde_json::json;

/// The words of the tokenizer; each text is made of them, a token a word.
const WORDS: usize = 1000;
pub const HIDDEN: usize = 384;
const WIDE: usize = 1536;
const LAYERS: usize = 6;

/// A text of so many tokens.
pub fn text(tokens: usize, seed: usize) -> String {
    let word = |place: usize| format!("w{}", (place * 7919 + seed * 104_729) % WORDS);
    (0..tokens).map(word).collect::<Vec<_>>().join(" ")
}

struct Weights;

impl TensorSource for Weights {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Matrices of 8 bits a value, as a site has them.
    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let shape = match name {
            "embeddings.word_embeddings.weight" => vec![WORDS + 5, HIDDEN],
            "embeddings.position_embeddings.weight" => vec![512, HIDDEN],
            "embeddings.token_type_embeddings.weight" => vec![2, HIDDEN],
            _ if name.ends_with("intermediate.dense.weight") => vec![WIDE, HIDDEN],
            _ if name.ends_with("LayerNorm.weight") => vec![HIDDEN],
            _ if name.contains("attention") && name.ends_with("weight") => vec![HIDDEN, HIDDEN],
            _ if name.ends_with("output.dense.weight") => vec![HIDDEN, WIDE],
            _ if name.ends_with("intermediate.dense.bias") => vec![WIDE],
            _ => vec![HIDDEN],
        };
        let values: usize = shape.iter().product();
        let mut state = name.bytes().fold(1u32, |s, byte| s.wrapping_mul(31) ^ u32::from(byte));
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        if shape.len() == 1 {
            let bytes =
                (0..values).flat_map(|_| (f32::from(next()) / 256.0).to_le_bytes()).collect();
            return StoredTensor::new(name, shape, Encoding::F32, Cow::Owned(bytes), Vec::new());
        }
        let mut bytes = Vec::with_capacity(values / 32 * 34);
        for _ in 0..values / 32 {
            bytes.extend(f16::from_f32(0.0005).to_le_bytes());
            bytes.extend((0..32).map(|_| next()));
        }
        StoredTensor::new(name, shape, Encoding::Q8_0, Cow::Owned(bytes), Vec::new())
    }
}

pub fn encoder() -> Result<Encoder, ModelError> {
    let mut vocabulary = serde_json::Map::new();
    for token in ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] {
        vocabulary.insert(token.to_owned(), vocabulary.len().into());
    }
    for word in 0..WORDS {
        vocabulary.insert(format!("w{word}"), vocabulary.len().into());
    }
    let tokenizer = json!({
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary
        }
    });
    let config = json!({
        "vocab_size": WORDS + 5, "hidden_size": HIDDEN, "num_hidden_layers": LAYERS,
        "num_attention_heads": 12, "intermediate_size": WIDE, "max_position_embeddings": 512,
        "type_vocab_size": 2, "layer_norm_eps": 1e-12, "max_tokens": 256
    });
    let config = EncoderConfig::from_json(config.to_string().as_bytes())?;
    Encoder::load(&config, Tokenizer::from_json(tokenizer.to_string().as_bytes())?, &Weights)
}

/// The bytes of an adapter for a task, with a change of this rank to every matrix, or with none.
pub fn adapter_file(task: &str, pooling: &str, rank: usize) -> Vec<u8> {
    let mut shapes: Vec<(String, Vec<usize>)> = Vec::new();
    for layer in (0..LAYERS).take_while(|_| rank > 0) {
        let matrices = [
            ("attention.query", HIDDEN, HIDDEN),
            ("attention.key", HIDDEN, HIDDEN),
            ("attention.value", HIDDEN, HIDDEN),
            ("attention.output", HIDDEN, HIDDEN),
            ("feed_forward.inner", HIDDEN, WIDE),
            ("feed_forward.outer", WIDE, HIDDEN),
        ];
        for (name, inputs, outputs) in matrices {
            shapes.push((format!("layer.{layer}.{name}.down"), vec![rank, inputs]));
            shapes.push((format!("layer.{layer}.{name}.up"), vec![outputs, rank]));
        }
    }
    let (head, outputs) = match task {
        "reader" => ("span", 2),
        "reranker" => ("score", 1),
        _ => ("label", 3),
    };
    shapes.push((format!("head.{head}.weight"), vec![outputs, HIDDEN]));
    shapes.push((format!("head.{head}.bias"), vec![outputs]));
    let layers = if rank > 0 { "0,1,2,3,4,5" } else { "" };
    let fields = HashMap::from(
        [
            ("format", "campanile-adapter"),
            ("version", "1"),
            ("task", task),
            ("trunk", "made up"),
            ("rank", &rank.max(1).to_string()),
            ("scale", "2"),
            ("layers", layers),
            ("max_length", "256"),
            ("max_question", "48"),
            ("stride", "64"),
            ("max_answer", "30"),
            ("null", "cls"),
            ("pooling", pooling),
            ("temperature", "1"),
            ("threshold", "0"),
            ("labels", "entailed,contradicted,neutral"),
        ]
        .map(|(name, value)| (name, value.to_owned())),
    );
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".to_owned(), json!(fields));
    let mut data: Vec<u8> = Vec::new();
    let mut state = 1u32;
    for (name, shape) in shapes {
        let start = data.len();
        for _ in 0..shape.iter().product() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f32::from((state >> 24) as u8) / 4096.0 - 0.03;
            data.extend(f16::from_f32(value).to_le_bytes());
        }
        let tensor = json!({"dtype": "F16", "shape": shape, "data_offsets": [start, data.len()]});
        header.insert(name, tensor);
    }
    let header = serde_json::Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.bytes());
    file.extend(data);
    file
}

/// An adapter for a task.
pub fn adapter(task: &str, pooling: &str, rank: usize) -> Result<Adapter, ModelError> {
    Adapter::read(&adapter_file(task, pooling, rank))
}
