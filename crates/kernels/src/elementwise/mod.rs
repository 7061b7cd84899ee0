//! The operations between the matrix products of a network.
//!
//! Rows are as long as the parameters that go with them; where a slice ends in part of a row, that
//! part is left as it is.

pub(crate) mod loops;

use crate::Isa;
use crate::vector::vectorised;

/// Layer normalisation, in place, of rows of `scale.len()` values
/// ([Ba, Kiros and Hinton 2016](https://arxiv.org/abs/1607.06450)).
pub fn layer_norm(values: &mut [f32], scale: &[f32], shift: &[f32], epsilon: f32) {
    vectorised(Isa::best(), loops::layer_norm, (values, scale, shift, epsilon));
}

/// Root mean square normalisation of rows of `scale.len()` values
/// ([Zhang and Sennrich 2019](https://arxiv.org/abs/1910.07467)).
pub fn rms_norm(values: &[f32], scale: &[f32], epsilon: f32, output: &mut [f32]) {
    vectorised(Isa::best(), loops::rms_norm, (values, scale, epsilon, output));
}

/// `target += other`.
pub fn add(target: &mut [f32], other: &[f32]) {
    vectorised(Isa::best(), loops::add, (target, other));
}

/// Adds `bias` to each row.
pub fn add_bias(values: &mut [f32], bias: &[f32]) {
    vectorised(Isa::best(), loops::add_bias, (values, bias));
}

/// `x/2 · (1 + erf(x/√2))`, the exact GELU, within 1e-6 ([Hendrycks and Gimpel
/// 2016](https://arxiv.org/abs/1606.08415)).
pub fn gelu(values: &mut [f32]) {
    vectorised(Isa::best(), loops::gelu, values);
}

/// GELU's approximation `x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))`.
pub fn gelu_tanh(values: &mut [f32]) {
    vectorised(Isa::best(), loops::gelu_tanh, values);
}

/// `max(x, 0)`.
pub fn relu(values: &mut [f32]) {
    vectorised(Isa::best(), loops::relu, values);
}

/// The hyperbolic tangent, within 2e-7.
pub fn tanh(values: &mut [f32]) {
    vectorised(Isa::best(), loops::tanh, values);
}

/// `gate = silu(gate) · up` with `silu(x) = x / (1 + e⁻ˣ)`: SwiGLU
/// ([Shazeer 2020](https://arxiv.org/abs/2002.05202)).
pub fn silu_product(gate: &mut [f32], up: &[f32]) {
    vectorised(Isa::best(), loops::silu_product, (gate, up));
}

/// Softmax of one row.
pub fn softmax(values: &mut [f32]) {
    vectorised(Isa::best(), loops::softmax, values);
}

/// Rotary position embedding ([Su et al. 2021](https://arxiv.org/abs/2104.09864)) in the form that
/// pairs a head's first half with its second: `values` are `[tokens, heads, width]`, the cosines
/// and sines `[tokens, width / 2]`.
pub fn rotate_halves(
    values: &mut [f32],
    heads: usize,
    width: usize,
    cosines: &[f32],
    sines: &[f32],
) {
    vectorised(Isa::best(), loops::rotate_halves, (values, heads, width, cosines, sines));
}
