//! What all transformers share.

use burn::tensor::activation::softmax;
use burn::tensor::{Bool, Tensor};

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
