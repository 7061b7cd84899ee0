//! Llama ([Touvron et al. 2023](https://arxiv.org/abs/2302.13971)): a decoder, whose every token
//! sees those before it.

use burn::module::Module;
use burn::nn::{
    Embedding, EmbeddingConfig, Linear, LinearConfig, RmsNorm, RmsNormConfig, SwiGlu, SwiGluConfig,
};
use burn::tensor::{Bool, Device, Int, Tensor, TensorData};
use campanile_model::{Architecture, DecoderConfig};

use crate::bert::{attention, join_heads, split_heads};
use crate::error::ReferenceError;
use crate::loading::{Renamings, Weights, fill, read_back};

/// A language model. It keeps nothing between two calls: each reads all tokens again.
pub struct Decoder {
    config: DecoderConfig,
    network: Llama,
    device: Device,
}

#[derive(Module, Debug)]
struct Llama {
    words: Embedding,
    layers: Vec<Layer>,
    norm: RmsNorm,
    /// None where the table of words is the output matrix as well.
    output: Option<Linear>,
}

/// Attention and a feed-forward block, each normalised before and added to its input after.
#[derive(Module, Debug)]
struct Layer {
    attention_norm: RmsNorm,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    feed_forward_norm: RmsNorm,
    /// `silu(gate x) · up x` ([Shazeer 2020](https://arxiv.org/abs/2002.05202)).
    gated: SwiGlu,
    down: Linear,
}

/// From the names of the published files to those above.
const RENAMINGS: &Renamings = &[
    (r"^model\.", ""),
    (r"^lm_head\.", "output."),
    (r"^embed_tokens\.", "words."),
    (r"\.input_layernorm\.", ".attention_norm."),
    (r"\.self_attn\.q_proj\.", ".query."),
    (r"\.self_attn\.k_proj\.", ".key."),
    (r"\.self_attn\.v_proj\.", ".value."),
    (r"\.self_attn\.o_proj\.", ".output."),
    (r"\.post_attention_layernorm\.", ".feed_forward_norm."),
    (r"\.mlp\.gate_proj\.", ".gated.linear_inner."),
    (r"\.mlp\.up_proj\.", ".gated.linear_outer."),
    (r"\.mlp\.down_proj\.", ".down."),
];

impl Decoder {
    /// A decoder on a device.
    ///
    /// # Errors
    /// [`ReferenceError::Model`] and [`ReferenceError::NotRun`] where the configuration does not
    /// fit together or is not of a plain Llama, [`ReferenceError::Weights`] where a tensor is
    /// missing or of another shape.
    pub fn load(
        config: &DecoderConfig,
        weights: Weights<'_>,
        device: &Device,
    ) -> Result<Self, ReferenceError> {
        config.check()?;
        if config.architecture != Architecture::Llama
            || config.rope_scaling.is_some()
            || config.attention_bias
        {
            let reason =
                "of decoders Llama is run here, without biases and stretched positions".to_owned();
            return Err(ReferenceError::NotRun { reason });
        }
        let mut network = Llama::new(config, device);
        fill(&mut network, weights, RENAMINGS)?;
        Ok(Self { config: config.clone(), network, device: device.clone() })
    }

    /// The logits of what follows each of `tokens`: as many rows of `[vocabulary]`.
    ///
    /// # Errors
    /// [`ReferenceError::Text`] where there are no tokens, too many, or another vocabulary's, and
    /// [`ReferenceError::Device`] where the device fails.
    pub fn logits(&self, tokens: &[u32]) -> Result<Vec<Vec<f32>>, ReferenceError> {
        let logits = read_back(self.network.logits(self.states(tokens)?))?;
        Ok(logits.chunks_exact(self.config.vocab_size).map(<[f32]>::to_vec).collect())
    }

    /// The most probable token after all of `tokens`.
    ///
    /// # Errors
    /// As [`Decoder::logits`].
    pub fn next_token(&self, tokens: &[u32]) -> Result<u32, ReferenceError> {
        let states = self.states(tokens)?;
        // Of the last token alone: a matrix of tokens by vocabulary would be most of the work.
        let logits = read_back(self.network.logits(states.narrow(1, tokens.len() - 1, 1)))?;
        let best = (0_u32..).zip(logits).max_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(token, _)| token).ok_or_else(|| ReferenceError::device("it gave no logits"))
    }

    /// The last layer's vectors, `[1, tokens, hidden]`.
    fn states(&self, tokens: &[u32]) -> Result<Tensor<3>, ReferenceError> {
        let (count, most) = (tokens.len(), self.config.max_position_embeddings);
        let reason = if count == 0 || count > most {
            format!("it has {count} tokens; between 1 and {most} are read")
        } else if let Some(id) = tokens.iter().find(|&&id| id as usize >= self.config.vocab_size) {
            format!("token {id} has no vector; the tokenizer is another model's")
        } else {
            return Ok(self.network.forward(&self.config, tokens, &self.device));
        };
        Err(ReferenceError::Text { number: 0, reason })
    }
}

impl Llama {
    /// A network of that shape, without its weights.
    fn new(config: &DecoderConfig, device: &Device) -> Self {
        let (vocabulary, hidden) = (config.vocab_size, config.hidden_size);
        let output = || LinearConfig::new(hidden, vocabulary).with_bias(false).init(device);
        Self {
            words: EmbeddingConfig::new(vocabulary, hidden).init(device),
            layers: (0..config.num_hidden_layers).map(|_| Layer::new(config, device)).collect(),
            norm: norm(config, device),
            output: (!config.tie_word_embeddings).then(output),
        }
    }

    /// `[1, tokens, hidden]`.
    fn forward(&self, config: &DecoderConfig, tokens: &[u32], device: &Device) -> Tensor<3> {
        let ids: Vec<i64> = tokens.iter().map(|&id| i64::from(id)).collect();
        let ids = Tensor::<2, Int>::from_data(TensorData::new(ids, [1, tokens.len()]), device);
        let rotation = Rotation::new(config, tokens.len(), device);
        // No token sees a later one.
        // True above the diagonal.
        let later = Tensor::<2, Bool>::tril_mask([tokens.len(), tokens.len()], 0, device);
        let mut states = self.words.forward(ids);
        for layer in &self.layers {
            states = layer.forward(config, states, &rotation, later.clone().unsqueeze());
        }
        self.norm.forward(states)
    }

    /// From `[1, tokens, hidden]` to `[1, tokens, vocabulary]`.
    fn logits(&self, states: Tensor<3>) -> Tensor<3> {
        match &self.output {
            Some(output) => output.forward(states),
            None => states.matmul(self.words.weight.val().transpose().unsqueeze()),
        }
    }
}

impl Layer {
    fn new(config: &DecoderConfig, device: &Device) -> Self {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let queries = config.num_attention_heads * config.head_dim;
        let keys = config.num_key_value_heads * config.head_dim;
        let linear =
            |inputs, outputs| LinearConfig::new(inputs, outputs).with_bias(false).init(device);
        Self {
            attention_norm: norm(config, device),
            query: linear(hidden, queries),
            key: linear(hidden, keys),
            value: linear(hidden, keys),
            output: linear(queries, hidden),
            feed_forward_norm: norm(config, device),
            gated: SwiGluConfig::new(hidden, wide).init(device),
            down: linear(wide, hidden),
        }
    }

    /// From `[1, tokens, hidden]` to the same.
    fn forward(
        &self,
        config: &DecoderConfig,
        states: Tensor<3>,
        rotation: &Rotation,
        later: Tensor<4, Bool>,
    ) -> Tensor<3> {
        let (heads, key_heads) = (config.num_attention_heads, config.num_key_value_heads);
        let normed = self.attention_norm.forward(states.clone());
        let queries = rotation.apply(split_heads(self.query.forward(normed.clone()), heads));
        let keys = rotation.apply(split_heads(self.key.forward(normed.clone()), key_heads));
        let values = split_heads(self.value.forward(normed), key_heads);
        // Repeated in memory, which our kernels avoid: attention is then the same few lines for both networks.
        let (keys, values) = (shared(keys, heads), shared(values, heads));
        let attended = join_heads(attention(queries, keys, values, later));
        let states = states + self.output.forward(attended);

        let normed = self.feed_forward_norm.forward(states.clone());
        states + self.down.forward(self.gated.forward(normed))
    }
}

/// Grouped queries ([Ainslie et al. 2023](https://arxiv.org/abs/2305.13245)): each head of keys or
/// values, `[1, key heads, tokens, head]`, once for every head of queries that it serves.
fn shared(keys: Tensor<4>, heads: usize) -> Tensor<4> {
    let [batch, key_heads, tokens, head] = keys.dims();
    let grouped = keys.unsqueeze_dim::<5>(2);
    grouped
        .expand([batch, key_heads, heads / key_heads, tokens, head])
        .reshape([batch, heads, tokens, head])
}

/// Rotary positions ([Su et al. 2021](https://arxiv.org/abs/2104.09864)), by halves: values `i` and
/// `i + head/2` of a head are a point that turns by position · theta^(-2i/head). (burn's own
/// `RotaryEncoding` turns neighbours, which is another network.)
struct Rotation {
    /// `[1, 1, tokens, head / 2]`.
    cosines: Tensor<4>,
    /// `[1, 1, tokens, head / 2]`.
    sines: Tensor<4>,
}

impl Rotation {
    fn new(config: &DecoderConfig, tokens: usize, device: &Device) -> Self {
        let half = config.head_dim / 2;
        // Angles are rounded to single precision, as the models were trained with them.
        let frequency = |i: usize| config.rope_theta.powf(-(i as f64) / half as f64);
        let angles: Vec<f32> = (0..tokens)
            .flat_map(|position| (0..half).map(move |i| position as f32 * frequency(i) as f32))
            .collect();
        let angles = Tensor::<4>::from_data(TensorData::new(angles, [1, 1, tokens, half]), device);
        Self { cosines: angles.clone().cos(), sines: angles.sin() }
    }

    /// Turns the heads of `[1, heads, tokens, head]`.
    fn apply(&self, heads: Tensor<4>) -> Tensor<4> {
        let half = heads.dims()[3] / 2;
        let (x, y) = (heads.clone().narrow(3, 0, half), heads.narrow(3, half, half));
        let (cosines, sines) = (|| self.cosines.clone(), || self.sines.clone());
        let turned_x = x.clone() * cosines() - y.clone() * sines();
        let turned_y = y * cosines() + x * sines();
        Tensor::cat(vec![turned_x, turned_y], 3)
    }
}

fn norm(config: &DecoderConfig, device: &Device) -> RmsNorm {
    RmsNormConfig::new(config.hidden_size).with_epsilon(config.rms_norm_eps).init(device)
}
