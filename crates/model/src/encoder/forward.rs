//! The arithmetic of a BERT encoder (Devlin et al. 2019, post-layer-norm) over packed texts.

use burn::tensor::ops::AttentionModuleOptions;
use burn::tensor::{Device, Tensor};

use super::batch::{Run, runs};
use super::config::EncoderConfig;
use super::gelu::add_bias_and_gelu;
use super::weights::{Layer, Weights};
use crate::error::ModelError;

/// The last layer's vectors, `tokens · hidden` values, for texts laid end to end.
///
/// Texts of one length should stand side by side: attention takes them in one call.
pub(super) fn last_hidden_states(
    config: &EncoderConfig,
    weights: &Weights,
    texts: &[&[u32]],
    device: &Device,
) -> Result<Vec<f32>, ModelError> {
    let lengths: Vec<usize> = texts.iter().map(|ids| ids.len()).collect();
    let runs = runs(&lengths);
    let mut states = weights.embeddings.embed(texts, config.layer_norm_eps, device)?;
    for layer in &weights.layers {
        states = forward_layer(config, layer, states, &runs)?;
    }
    read(states)
}

/// One layer over `[tokens, hidden]`.
fn forward_layer(
    config: &EncoderConfig,
    layer: &Layer,
    states: Tensor<2>,
    runs: &[Run],
) -> Result<Tensor<2>, ModelError> {
    let epsilon = config.layer_norm_eps;
    let projected = layer.projections.apply(states.clone());
    let attended = attend(config, &projected, runs);
    let attended = layer.attention_output.apply(attended) + states;
    let states = layer.attention_norm.apply(attended, epsilon);
    let wide = widen(layer, states.clone())?;
    let narrow = layer.narrow.apply(wide) + states;
    Ok(layer.output_norm.apply(narrow, epsilon))
}

/// Attention of every text to itself: `[tokens, 3 · hidden]` to `[tokens, hidden]`.
fn attend(config: &EncoderConfig, projected: &Tensor<2>, runs: &[Run]) -> Tensor<2> {
    let heads = config.num_attention_heads;
    let hidden = config.hidden_size;
    let mut outputs: Vec<Tensor<2>> = runs
        .iter()
        .map(|run| {
            let part = |which: usize| -> Tensor<4> {
                projected
                    .clone()
                    .slice([run.rows.clone(), which * hidden..(which + 1) * hidden])
                    .reshape([run.texts, run.tokens, heads, hidden / heads])
                    .swap_dims(1, 2)
            };
            let options = AttentionModuleOptions::default();
            let attended =
                burn::tensor::module::attention(part(0), part(1), part(2), None, None, options);
            attended.swap_dims(1, 2).reshape([run.texts * run.tokens, hidden])
        })
        .collect();
    if outputs.len() == 1 { outputs.swap_remove(0) } else { Tensor::cat(outputs, 0) }
}

/// The wide half of the feed-forward block, activation included.
fn widen(layer: &Layer, states: Tensor<2>) -> Result<Tensor<2>, ModelError> {
    let device = states.device();
    let mut data = states
        .matmul(layer.widen.clone())
        .try_into_data()
        .map_err(|e| ModelError::device("reading the feed-forward block", e))?;
    let values = data
        .as_mut_slice::<f32>()
        .map_err(|e| ModelError::device("reading the feed-forward block", format!("{e:?}")))?;
    add_bias_and_gelu(values, &layer.widen_bias);
    Ok(Tensor::from_data(data, &device))
}

/// Copies a tensor's values to main memory.
fn read(states: Tensor<2>) -> Result<Vec<f32>, ModelError> {
    states
        .try_into_data()
        .map_err(|e| ModelError::device("reading token vectors", e))?
        .try_into_vec::<f32>()
        .map_err(|e| ModelError::device("reading token vectors", format!("{e:?}")))
}
