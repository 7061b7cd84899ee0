//! Moves a Llama decoder's weights from a [`TensorSource`] to the device.

use burn::tensor::{Device, Tensor, TensorData};

use super::config::DecoderConfig;
use crate::error::ModelError;
use crate::tensor_source::TensorSource;

pub(super) const EMBEDDING: &str = "model.embed_tokens.weight";
pub(super) const FINAL_NORM: &str = "model.norm.weight";
pub(super) const OUTPUT: &str = "lm_head.weight";

/// The tensors of a layer, below its prefix.
pub(super) const LAYER_TENSORS: [&str; 9] = [
    "input_layernorm.weight",
    "self_attn.q_proj.weight",
    "self_attn.k_proj.weight",
    "self_attn.v_proj.weight",
    "self_attn.o_proj.weight",
    "post_attention_layernorm.weight",
    "mlp.gate_proj.weight",
    "mlp.up_proj.weight",
    "mlp.down_proj.weight",
];

/// The full name of a layer's tensor.
pub(super) fn layer_tensor(layer: usize, part: &str) -> String {
    format!("model.layers.{layer}.{part}")
}

/// One transformer layer. Matrices are `[inputs, outputs]`, to multiply with from the right.
pub(super) struct Layer {
    pub(super) attention_norm: Tensor<1>,
    /// Queries, keys and values side by side; queries are scaled by `1/√head` already.
    pub(super) projections: Tensor<2>,
    pub(super) attention_output: Tensor<2>,
    pub(super) feed_forward_norm: Tensor<1>,
    /// Gate and up side by side.
    pub(super) gate_and_up: Tensor<2>,
    pub(super) down: Tensor<2>,
}

/// All weights of a decoder, as `f32` on its device.
pub(super) struct Weights {
    /// `[vocabulary, hidden]`.
    pub(super) embedding: Tensor<2>,
    pub(super) layers: Vec<Layer>,
    pub(super) final_norm: Tensor<1>,
    /// `[hidden, vocabulary]`; a view of the embedding where the two are tied.
    pub(super) output: Tensor<2>,
}

impl Weights {
    pub(super) fn load(
        config: &DecoderConfig,
        source: &dyn TensorSource,
        device: &Device,
    ) -> Result<Self, ModelError> {
        let loader = Loader { source, device };
        let table = [config.vocab_size, config.hidden_size];
        let embedding = loader.rows(&[(EMBEDDING.to_owned(), table[0], 1.0)], table[1])?;
        let output = if config.tie_word_embeddings {
            embedding.clone()
        } else {
            loader.rows(&[(OUTPUT.to_owned(), table[0], 1.0)], table[1])?
        };
        Ok(Self {
            layers: (0..config.num_hidden_layers)
                .map(|number| loader.layer(config, number))
                .collect::<Result<_, _>>()?,
            final_norm: loader.vector(FINAL_NORM, config.hidden_size)?,
            embedding,
            output: output.transpose(),
        })
    }
}

struct Loader<'a> {
    source: &'a dyn TensorSource,
    device: &'a Device,
}

impl Loader<'_> {
    /// Reads one matrix after the other, each of so many rows and times a factor, into one
    /// tensor `[all rows, columns]`.
    fn rows(
        &self,
        parts: &[(String, usize, f32)],
        columns: usize,
    ) -> Result<Tensor<2>, ModelError> {
        let total: usize = parts.iter().map(|(_, rows, _)| rows).sum();
        let mut values: Vec<f32> = Vec::new();
        for (name, rows, factor) in parts {
            let mut part = self.source.read_shaped(name, &[*rows, columns])?.values;
            if *factor != 1.0 {
                for value in &mut part {
                    *value *= factor;
                }
            }
            if values.is_empty() {
                // The table of token vectors is large: it is moved, not copied.
                values = part;
            } else {
                values.extend_from_slice(&part);
            }
        }
        let data = TensorData::new(values, [total, columns]);
        Ok(Tensor::from_data(data, self.device))
    }

    fn vector(&self, name: &str, length: usize) -> Result<Tensor<1>, ModelError> {
        let tensor = self.source.read_shaped(name, &[length])?;
        let data = TensorData::new(tensor.values, [length]);
        Ok(Tensor::from_data(data, self.device))
    }

    fn layer(&self, config: &DecoderConfig, number: usize) -> Result<Layer, ModelError> {
        let hidden = config.hidden_size;
        let head = config.head_width();
        let queries = config.num_attention_heads * head;
        let keys = config.num_key_value_heads * head;
        let wide = config.intermediate_size;
        let query_scale = 1.0 / (head as f32).sqrt();

        let matrix = |parts: &[(&str, usize, f32)], inputs: usize| {
            let parts: Vec<(String, usize, f32)> = parts
                .iter()
                .map(|&(part, rows, factor)| {
                    let name = layer_tensor(number, &format!("{part}.weight"));
                    (name, rows, factor)
                })
                .collect();
            // A view: the product reads the rows as columns.
            Ok::<_, ModelError>(self.rows(&parts, inputs)?.transpose())
        };
        let norm = |part: &str| {
            let name = layer_tensor(number, &format!("{part}.weight"));
            self.vector(&name, hidden)
        };
        Ok(Layer {
            attention_norm: norm("input_layernorm")?,
            projections: matrix(
                &[
                    ("self_attn.q_proj", queries, query_scale),
                    ("self_attn.k_proj", keys, 1.0),
                    ("self_attn.v_proj", keys, 1.0),
                ],
                hidden,
            )?,
            attention_output: matrix(&[("self_attn.o_proj", hidden, 1.0)], queries)?,
            feed_forward_norm: norm("post_attention_layernorm")?,
            gate_and_up: matrix(
                &[("mlp.gate_proj", wide, 1.0), ("mlp.up_proj", wide, 1.0)],
                hidden,
            )?,
            down: matrix(&[("mlp.down_proj", hidden, 1.0)], wide)?,
        })
    }
}
