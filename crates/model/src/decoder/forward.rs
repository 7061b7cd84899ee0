//! The arithmetic of a Llama decoder (Touvron et al. 2023), with grouped-query attention.

use burn::tensor::activation::{silu, softmax};
use burn::tensor::{Device, Int, Tensor, TensorData};

use super::cache::Cache;
use super::config::DecoderConfig;
use super::rotary::Rotation;
use super::weights::{Layer, Weights};
use crate::error::ModelError;

/// Added to the score of a token that must not be seen: far below any score, yet finite, since
/// not every shader language has an infinity.
const HIDDEN_SCORE: f32 = -1e30;

/// Tokens that are computed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Token ids; those from `real` on are padding.
    pub(super) ids: Vec<u32>,
    /// How many of them are real.
    pub(super) real: usize,
    /// Position of the first.
    pub(super) position: usize,
    /// How many positions of the cache attention looks at, padding's among them.
    pub(super) window: usize,
}

/// Runs a block through all layers: writes the cache, and returns the states `[tokens, hidden]`
/// after the last layer.
pub(super) fn forward(
    config: &DecoderConfig,
    weights: &Weights,
    cache: &mut Cache,
    block: &Block,
    device: &Device,
) -> Result<Tensor<2>, ModelError> {
    let tokens = block.ids.len();
    let shared = Shared {
        config,
        block,
        rotation: Rotation::new(
            block.position,
            tokens,
            config.head_width(),
            config.rope_theta,
            device,
        ),
        mask: mask(block, device),
    };
    let mut states = embed(weights, block, device);
    for (number, layer) in weights.layers.iter().enumerate() {
        let normed = rms_norm(states.clone(), &layer.attention_norm, config.rms_norm_eps);
        states = states + shared.attend(layer, number, normed, cache)?;
        let normed = rms_norm(states.clone(), &layer.feed_forward_norm, config.rms_norm_eps);
        states = states + feed_forward(config, layer, normed);
    }
    Ok(states)
}

/// The token that follows row `row` of `states` with the highest logit, still on the device.
pub(super) fn best_next_token(
    config: &DecoderConfig,
    weights: &Weights,
    states: Tensor<2>,
    row: usize,
) -> Tensor<2, Int> {
    let state = states.slice([row..row + 1, 0..config.hidden_size]);
    let normed = rms_norm(state, &weights.final_norm, config.rms_norm_eps);
    normed.matmul(weights.output.clone()).argmax(1)
}

/// What all layers of a block have in common.
struct Shared<'a> {
    config: &'a DecoderConfig,
    block: &'a Block,
    rotation: Rotation,
    /// `[1, 1, tokens, window]`; `None` where a token sees the whole window.
    mask: Option<Tensor<4>>,
}

impl Shared<'_> {
    /// Attention over the cache: `[tokens, hidden]` to `[tokens, hidden]`.
    fn attend(
        &self,
        layer: &Layer,
        number: usize,
        normed: Tensor<2>,
        cache: &mut Cache,
    ) -> Result<Tensor<2>, ModelError> {
        let head = self.config.head_width();
        let key_heads = self.config.num_key_value_heads;
        let heads = self.config.num_attention_heads;
        let group = heads / key_heads;
        let tokens = self.block.ids.len();
        let window = self.block.window;

        let projected =
            normed.matmul(layer.projections.clone()).reshape([tokens, heads + 2 * key_heads, head]);
        let part = |tensor: &Tensor<3>, from: usize, count: usize| {
            tensor.clone().slice([0..tokens, from..from + count, 0..head])
        };
        let turned = self.rotation.apply(part(&projected, 0, heads + key_heads));
        let keys = part(&turned, heads, key_heads).swap_dims(0, 1);
        let values = part(&projected, heads + key_heads, key_heads).swap_dims(0, 1);
        let (keys, values) = cache
            .extend(number, self.block.position, window, keys, values)
            .ok_or_else(|| ModelError::device("reading its cache", format!("no layer {number}")))?;

        // The queries that share a key head become rows of one matrix.
        let queries = part(&turned, 0, heads)
            .reshape([tokens, key_heads, group, head])
            .permute([1, 2, 0, 3])
            .reshape([key_heads, group * tokens, head]);
        let scores =
            queries.matmul(keys.swap_dims(1, 2)).reshape([key_heads, group, tokens, window]);
        let scores = match &self.mask {
            Some(mask) => scores + mask.clone(),
            None => scores,
        };
        let shares = softmax(scores, 3).reshape([key_heads, group * tokens, window]);
        let attended = shares
            .matmul(values)
            .reshape([key_heads, group, tokens, head])
            .permute([2, 0, 1, 3])
            .reshape([tokens, heads * head]);
        Ok(attended.matmul(layer.attention_output.clone()))
    }
}

/// The vectors of a block's tokens, `[tokens, hidden]`.
fn embed(weights: &Weights, block: &Block, device: &Device) -> Tensor<2> {
    let ids: Vec<i32> = block.ids.iter().map(|&id| id.cast_signed()).collect();
    let data = TensorData::new(ids, [block.ids.len()]);
    let ids = Tensor::<1, Int>::from_data(data, device);
    weights.embedding.clone().select(0, ids)
}

/// A token sees itself and what stands before it.
fn mask(block: &Block, device: &Device) -> Option<Tensor<4>> {
    let tokens = block.ids.len();
    if tokens == 1 && block.position + 1 == block.window {
        return None;
    }
    let values: Vec<f32> = (block.position..block.position + tokens)
        .flat_map(|query| {
            (0..block.window).map(move |key| if key <= query { 0.0 } else { HIDDEN_SCORE })
        })
        .collect();
    let data = TensorData::new(values, [1, 1, tokens, block.window]);
    Some(Tensor::from_data(data, device))
}

/// Root-mean-square normalisation (Zhang and Sennrich 2019) of `[tokens, hidden]`.
fn rms_norm(states: Tensor<2>, scale: &Tensor<1>, epsilon: f64) -> Tensor<2> {
    let mean_square = states.clone().square().mean_dim(1);
    let factor = (mean_square + epsilon).sqrt().recip();
    states * factor * scale.clone().unsqueeze()
}

/// The gated feed-forward block: `down(silu(gate) · up)`.
fn feed_forward(config: &DecoderConfig, layer: &Layer, normed: Tensor<2>) -> Tensor<2> {
    let [tokens, _] = normed.dims();
    let wide = config.intermediate_size;
    let both = normed.matmul(layer.gate_and_up.clone());
    let gate = both.clone().slice([0..tokens, 0..wide]);
    let up = both.slice([0..tokens, wide..2 * wide]);
    (silu(gate) * up).matmul(layer.down.clone())
}
