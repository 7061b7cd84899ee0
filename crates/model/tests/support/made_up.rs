//! Small decoders whose weights follow from their tensors' names.

#![allow(dead_code, reason = "every test takes what it needs")]

use std::borrow::Cow;

use campanile_model::{
    Decoder, DecoderConfig, Encoding, ModelError, StoredTensor, TensorSource, Tokenizer,
};
use serde_json::{Map, Value, json};

/// The weights of any decoder: the same numbers as `fixtures/make_decoder_random.py` makes.
pub struct MadeUp<'a>(pub &'a DecoderConfig);

impl MadeUp<'_> {
    fn shape(&self, name: &str) -> Vec<usize> {
        let config = self.0;
        let queries = config.num_attention_heads * config.head_dim;
        let keys = config.num_key_value_heads * config.head_dim;
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let end = name
            .rsplit_once("layers.")
            .map_or(name, |(_, rest)| rest.split_once('.').map_or(rest, |(_, part)| part));
        match end {
            "model.embed_tokens.weight" | "lm_head.weight" => vec![config.vocab_size, hidden],
            "self_attn.q_proj.weight" => vec![queries, hidden],
            "self_attn.q_proj.bias" => vec![queries],
            "self_attn.k_proj.weight" | "self_attn.v_proj.weight" => vec![keys, hidden],
            "self_attn.k_proj.bias" | "self_attn.v_proj.bias" => vec![keys],
            "self_attn.o_proj.weight" => vec![hidden, queries],
            "self_attn.q_norm.weight" | "self_attn.k_norm.weight" => vec![config.head_dim],
            "mlp.gate_proj.weight" | "mlp.up_proj.weight" => vec![wide, hidden],
            "mlp.down_proj.weight" => vec![hidden, wide],
            _ => vec![hidden],
        }
    }
}

impl TensorSource for MadeUp<'_> {
    fn names(&self) -> Vec<String> {
        let mut names = self.0.tensor_names();
        names.sort_unstable();
        names
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let shape = self.shape(name);
        let mut state =
            name.bytes().fold(1_u32, |state, byte| state * 31 % 65_521 + u32::from(byte));
        let (centre, factor) = match name {
            _ if name.ends_with("norm.weight") => (1.0, 0.5),
            _ if name.contains("proj.weight") => (0.0, 0.5),
            _ => (0.0, 1.0),
        };
        let bytes: Vec<u8> = (0..shape.iter().product::<usize>())
            .flat_map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let value = f64::from(state >> 8) / f64::from(1 << 24) - 0.5;
                ((centre + factor * value) as f32).to_le_bytes()
            })
            .collect();
        StoredTensor::new(name, shape, Encoding::F32, Cow::Owned(bytes), Vec::new())
    }
}

/// A tokenizer of so many words: every fourth is a number, the others are letters.
pub fn tokenizer(words: usize) -> Tokenizer {
    let vocabulary: Map<String, Value> = (0..words).map(|id| (word(id), json!(id))).collect();
    let json = json!({
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": { "type": "Whitespace" },
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": word(0) },
    });
    Tokenizer::from_json(json.to_string().as_bytes()).unwrap()
}

/// Returns the text of a token of [`tokenizer`].
pub fn word(id: usize) -> String {
    if id.is_multiple_of(4) {
        return id.to_string();
    }
    let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
    [letter(id / 26), letter(id)].iter().collect()
}

/// A decoder with made-up weights on the CPU.
pub fn decoder(config: &DecoderConfig) -> Decoder {
    Decoder::load(config, tokenizer(config.vocab_size), &MadeUp(config)).unwrap()
}

/// A small Llama.
pub fn llama() -> DecoderConfig {
    let json = json!({
        "model_type": "llama", "vocab_size": 64, "hidden_size": 64, "intermediate_size": 96,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "max_position_embeddings": 256,
        "tie_word_embeddings": true,
    });
    DecoderConfig::from_json(json.to_string().as_bytes()).unwrap()
}
