//! Adapters for the small encoder of the fixtures, made up.

#![allow(dead_code, reason = "every test takes what it needs")]

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};
use half::f16;
use safetensors::Dtype;
use safetensors::tensor::{TensorView, serialize};

/// Widths and layers of the encoder `bert-cls`.
pub const HIDDEN: usize = 32;
pub const WIDE: usize = 64;
pub const LAYERS: usize = 2;

/// The contents of an adapter's file, before it is written.
#[derive(Clone)]
pub struct File {
    pub fields: BTreeMap<String, String>,
    /// Shapes and values.
    pub tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
}

/// The matrices of a layer: name, inputs, outputs.
pub const MATRICES: [(&str, usize, usize); 6] = [
    ("attention.query", HIDDEN, HIDDEN),
    ("attention.key", HIDDEN, HIDDEN),
    ("attention.value", HIDDEN, HIDDEN),
    ("attention.output", HIDDEN, HIDDEN),
    ("feed_forward.inner", HIDDEN, WIDE),
    ("feed_forward.outer", WIDE, HIDDEN),
];

impl File {
    /// One for a task, with random numbers.
    pub fn new(task: &str, heads: &[(&str, usize)], rank: usize) -> Self {
        let fields = [
            ("format", "campanile-adapter"),
            ("version", "1"),
            ("task", task),
            ("trunk", "00"),
            ("rank", &rank.to_string()),
            ("scale", "2"),
            ("layers", "0,1"),
            ("max_length", "40"),
            ("max_question", "12"),
            ("stride", "8"),
            ("max_answer", "6"),
            ("null", "cls"),
            ("pooling", "cls"),
            ("temperature", "1"),
            ("threshold", "0"),
            ("labels", "entailed,contradicted,neutral"),
        ];
        let mut file = Self {
            fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            tensors: BTreeMap::new(),
        };
        for layer in 0..LAYERS {
            for (name, inputs, outputs) in MATRICES {
                file.random(&format!("layer.{layer}.{name}.down"), &[rank, inputs]);
                file.random(&format!("layer.{layer}.{name}.up"), &[outputs, rank]);
            }
        }
        for (name, outputs) in heads {
            file.random(&format!("head.{name}.weight"), &[*outputs, HIDDEN]);
            file.random(&format!("head.{name}.bias"), &[*outputs]);
        }
        file
    }

    pub fn reader() -> Self {
        Self::new("reader", &[("span", 2)], 3)
    }

    pub fn reranker() -> Self {
        Self::new("reranker", &[("score", 1)], 3)
    }

    pub fn checker() -> Self {
        Self::new("checker", &[("label", 3)], 3)
    }

    pub fn query() -> Self {
        Self::new("query", &[], 3)
    }

    /// The same with another field.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Puts in a tensor whose numbers follow from its name; half precision holds them.
    pub fn random(&mut self, name: &str, shape: &[usize]) {
        let mut state = name.bytes().fold(7u32, |s, byte| s.wrapping_mul(31) ^ u32::from(byte));
        let values = (0..shape.iter().product()).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from((state >> 20) as i16 - 2048) / 8192.0
        });
        self.tensors.insert(name.to_owned(), (shape.to_vec(), values.collect()));
    }

    /// As it is written.
    pub fn bytes(&self) -> Vec<u8> {
        let halves: BTreeMap<&str, (&[usize], Vec<u8>)> = self
            .tensors
            .iter()
            .map(|(name, (shape, values))| {
                let bytes = values.iter().flat_map(|v| f16::from_f32(*v).to_le_bytes());
                (name.as_str(), (shape.as_slice(), bytes.collect()))
            })
            .collect();
        let views = halves.iter().map(|(name, (shape, bytes))| {
            (*name, TensorView::new(Dtype::F16, shape.to_vec(), bytes).unwrap())
        });
        let fields: HashMap<String, String> = self.fields.clone().into_iter().collect();
        serialize(views, Some(fields)).unwrap()
    }
}

/// The files of a model of the fixtures: configuration, tokenizer, weights.
pub fn model(name: &str) -> (Vec<u8>, Tokenizer, Shards) {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/encoders").join(name);
    let read = |file: &str| std::fs::read(folder.join(file)).unwrap();
    (
        read("config.json"),
        Tokenizer::from_json(&read("tokenizer.json")).unwrap(),
        Shards::new(vec![read("model.safetensors")]).unwrap(),
    )
}

/// The encoder that the adapters are for.
pub fn encoder() -> Encoder {
    let (config, tokenizer, weights) = model("bert-cls");
    Encoder::load(&EncoderConfig::from_json(&config).unwrap(), tokenizer, &weights).unwrap()
}
