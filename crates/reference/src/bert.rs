//! BERT ([Devlin et al. 2019](https://arxiv.org/abs/1810.04805)): an encoder whose every token sees
//! all others. Attention itself stands at the end, since the decoder has the same.

use burn::module::Module;
use burn::nn::{Embedding, EmbeddingConfig, LayerNorm, LayerNormConfig, Linear, LinearConfig};
use burn::tensor::activation::{gelu, gelu_approximate, relu, softmax};
use burn::tensor::{Bool, Device, Int, Tensor};
use campanile_model::{Activation, BertConfig, EncoderArchitecture};

use crate::encoder::Batch;
use crate::error::ReferenceError;
use crate::loading::Renamings;
use crate::reader::{Changes, LayerChange, product};

/// The network without a head.
#[derive(Module, Debug)]
pub(crate) struct Bert {
    words: Embedding,
    positions: Embedding,
    segments: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

/// Attention and a feed-forward block, each added to its input and normalised after.
#[derive(Module, Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    attention_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    output_norm: LayerNorm,
}

/// From the names of the published files to those above; the order matters.
pub(crate) const RENAMINGS: &Renamings = &[
    (r"^bert\.", ""),
    (r"^embeddings\.word_embeddings\.", "words."),
    (r"^embeddings\.position_embeddings\.", "positions."),
    (r"^embeddings\.token_type_embeddings\.", "segments."),
    (r"^embeddings\.LayerNorm\.", "norm."),
    (r"^encoder\.layer\.", "layers."),
    (r"\.attention\.self\.", "."),
    (r"\.intermediate\.dense\.", ".inner."),
    (r"(\d)\.output\.dense\.", "$1.outer."),
    (r"(\d)\.output\.LayerNorm\.", "$1.output_norm."),
    (r"\.attention\.output\.dense\.", ".output."),
    (r"\.attention\.output\.LayerNorm\.", ".attention_norm."),
];

impl Bert {
    /// A network of that shape. Its weights come later: burn draws random ones only if none do.
    pub(crate) fn new(config: &BertConfig, device: &Device) -> Result<Self, ReferenceError> {
        config.check()?;
        if config.model_type != EncoderArchitecture::Bert {
            let reason = format!("of encoders BERT is run here, not {:?}", config.model_type);
            return Err(ReferenceError::NotRun { reason });
        }
        let hidden = config.hidden_size;
        let table = |rows| EmbeddingConfig::new(rows, hidden).init(device);
        Ok(Self {
            words: table(config.vocab_size),
            positions: table(config.max_position_embeddings),
            segments: table(segments(config)),
            norm: layer_norm(config, device),
            layers: (0..config.num_hidden_layers).map(|_| Layer::new(config, device)).collect(),
        })
    }

    /// The last layer's vectors, `[batch, tokens, hidden]`; those of padding mean nothing.
    pub(crate) fn forward(
        &self,
        config: &BertConfig,
        batch: &Batch,
        changes: Option<&Changes>,
    ) -> Tensor<3> {
        let [_, tokens] = batch.ids.dims();
        let positions = Tensor::<1, Int>::arange(0..tokens as i64, &batch.ids.device());
        let words = self.words.forward(batch.ids.clone());
        let segments = self.segments.forward(batch.segments.clone());
        let summed = words + segments + self.positions.forward(positions.unsqueeze());
        // No token sees padding: `[batch, 1, 1, tokens]`.
        let hidden = batch.padding.clone().unsqueeze_dims(&[1, 2]);
        let mut states = self.norm.forward(summed);
        for (number, layer) in self.layers.iter().enumerate() {
            let change = changes.and_then(|changes| changes.layer(number));
            states = layer.forward(config, states, hidden.clone(), change);
        }
        states
    }
}

impl Layer {
    fn new(config: &BertConfig, device: &Device) -> Self {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let linear = |inputs, outputs| LinearConfig::new(inputs, outputs).init(device);
        Self {
            query: linear(hidden, hidden),
            key: linear(hidden, hidden),
            value: linear(hidden, hidden),
            output: linear(hidden, hidden),
            attention_norm: layer_norm(config, device),
            inner: linear(hidden, wide),
            outer: linear(wide, hidden),
            output_norm: layer_norm(config, device),
        }
    }

    /// From `[batch, tokens, hidden]` to the same.
    fn forward(
        &self,
        config: &BertConfig,
        states: Tensor<3>,
        hidden: Tensor<4, Bool>,
        change: Option<&LayerChange>,
    ) -> Tensor<3> {
        let [query, key, value] = [
            product(&self.query, change.map(|c| &c.query), states.clone()),
            product(&self.key, change.map(|c| &c.key), states.clone()),
            product(&self.value, change.map(|c| &c.value), states.clone()),
        ]
        .map(|projected| split_heads(projected, config.num_attention_heads));
        let attended = join_heads(attention(query, key, value, hidden));
        let attended = product(&self.output, change.map(|c| &c.output), attended);
        let states = self.attention_norm.forward(states + attended);

        let wide = product(&self.inner, change.map(|c| &c.inner), states.clone());
        let wide = match config.hidden_act {
            // Exactly, through the error function.
            Activation::Gelu => gelu(wide),
            Activation::GeluNew => gelu_approximate(wide),
            Activation::Relu => relu(wide),
        };
        let narrow = product(&self.outer, change.map(|c| &c.outer), wide);
        self.output_norm.forward(states + narrow)
    }
}

/// Rows of the table of segments: BERT has two where a configuration is silent.
pub(crate) fn segments(config: &BertConfig) -> usize {
    config.type_vocab_size.unwrap_or(2)
}

fn layer_norm(config: &BertConfig, device: &Device) -> LayerNorm {
    LayerNormConfig::new(config.hidden_size).with_epsilon(config.layer_norm_eps).init(device)
}

/// Scaled dot-product attention ([Vaswani et al. 2017](https://arxiv.org/abs/1706.03762)):
/// `softmax(q kᵀ / √head) v`.
///
/// Queries, keys, values and the result are `[batch, heads, tokens, head]`. `hidden`,
/// `[batch or 1, 1, tokens or 1, tokens]`, is true where a query must not see a key.
pub(crate) fn attention(
    queries: Tensor<4>,
    keys: Tensor<4>,
    values: Tensor<4>,
    hidden: Tensor<4, Bool>,
) -> Tensor<4> {
    let [_, _, _, head] = queries.dims();
    // In the paper's order: scaled after the product, where our kernels scale the queries before it.
    let scores = queries.matmul(keys.transpose()) / (head as f64).sqrt();
    let hidden = hidden.expand(scores.dims());
    let shares = softmax(scores.mask_fill(hidden, f32::NEG_INFINITY), 3);
    shares.matmul(values)
}

/// `[batch, tokens, heads · head]` as `[batch, heads, tokens, head]`.
pub(crate) fn split_heads(projected: Tensor<3>, heads: usize) -> Tensor<4> {
    let [batch, tokens, width] = projected.dims();
    projected.reshape([batch, tokens, heads, width / heads]).swap_dims(1, 2)
}

/// `[batch, heads, tokens, head]` as `[batch, tokens, heads · head]`.
pub(crate) fn join_heads(attended: Tensor<4>) -> Tensor<3> {
    let [batch, heads, tokens, head] = attended.dims();
    attended.swap_dims(1, 2).reshape([batch, tokens, heads * head])
}
