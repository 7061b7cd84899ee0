//! Names of a decoder's tensors, as in the files of Hugging Face's Llama and Qwen models, and which of them a model has.

use super::config::DecoderConfig;

/// The table of token vectors, `[vocabulary, hidden]`.
pub const EMBEDDING: &str = "model.embed_tokens.weight";
/// The scale of the last normalisation, `[hidden]`.
pub const FINAL_NORM: &str = "model.norm.weight";
/// The output matrix where it is not the table of token vectors, `[vocabulary, hidden]`.
pub const OUTPUT: &str = "lm_head.weight";

/// Scale of the normalisation before attention, `[hidden]`.
pub const ATTENTION_NORM: &str = "input_layernorm.weight";
/// `[query heads · head, hidden]`; its bias, where there is one, is [`QUERY_BIAS`].
pub const QUERY: &str = "self_attn.q_proj.weight";
/// `[query heads · head]`.
pub const QUERY_BIAS: &str = "self_attn.q_proj.bias";
/// `[key heads · head, hidden]`.
pub const KEY: &str = "self_attn.k_proj.weight";
/// `[key heads · head]`.
pub const KEY_BIAS: &str = "self_attn.k_proj.bias";
/// `[key heads · head, hidden]`.
pub const VALUE: &str = "self_attn.v_proj.weight";
/// `[key heads · head]`.
pub const VALUE_BIAS: &str = "self_attn.v_proj.bias";
/// Scale of each query head's own normalisation, `[head]`.
pub const QUERY_NORM: &str = "self_attn.q_norm.weight";
/// Scale of each key head's own normalisation, `[head]`.
pub const KEY_NORM: &str = "self_attn.k_norm.weight";
/// `[hidden, query heads · head]`.
pub const ATTENTION_OUTPUT: &str = "self_attn.o_proj.weight";
/// `[hidden]`.
pub const ATTENTION_OUTPUT_BIAS: &str = "self_attn.o_proj.bias";
/// Scale of the normalisation before the feed-forward block, `[hidden]`.
pub const FEED_FORWARD_NORM: &str = "post_attention_layernorm.weight";
/// `[intermediate, hidden]`.
pub const GATE: &str = "mlp.gate_proj.weight";
/// `[intermediate, hidden]`.
pub const UP: &str = "mlp.up_proj.weight";
/// `[hidden, intermediate]`.
pub const DOWN: &str = "mlp.down_proj.weight";

/// The full name of a layer's tensor.
pub fn layer_tensor(layer: usize, part: &str) -> String {
    format!("model.layers.{layer}.{part}")
}

impl DecoderConfig {
    /// The tensors that every layer has, below its prefix, in the order in which they are read.
    pub(super) fn layer_tensors(&self) -> Vec<&'static str> {
        let biased = self.has_query_key_value_bias();
        let normed = self.has_query_key_norm();
        let tensors = [
            (ATTENTION_NORM, true),
            (QUERY, true),
            (QUERY_BIAS, biased),
            (KEY, true),
            (KEY_BIAS, biased),
            (VALUE, true),
            (VALUE_BIAS, biased),
            (QUERY_NORM, normed),
            (KEY_NORM, normed),
            (ATTENTION_OUTPUT, true),
            (ATTENTION_OUTPUT_BIAS, self.has_attention_output_bias()),
            (FEED_FORWARD_NORM, true),
            (GATE, true),
            (UP, true),
            (DOWN, true),
        ];
        tensors.into_iter().filter_map(|(name, present)| present.then_some(name)).collect()
    }

    /// The names of the tensors that the decoder reads, in the order in which it reads them.
    pub fn tensor_names(&self) -> Vec<String> {
        let mut all = vec![EMBEDDING.to_owned()];
        let parts = self.layer_tensors();
        for layer in 0..self.num_hidden_layers {
            all.extend(parts.iter().map(|part| layer_tensor(layer, part)));
        }
        all.push(FINAL_NORM.to_owned());
        if !self.tie_word_embeddings {
            all.push(OUTPUT.to_owned());
        }
        all
    }
}
