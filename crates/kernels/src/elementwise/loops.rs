//! The loops behind the operations of `elementwise`, which the compiler makes vectors of.
//!
//! Operands come as one tuple, for [`crate::vector::vectorised`].

use crate::reduce::{largest, sum, sum_of};
use crate::transcendental::{self, erf, exp, sigmoid};

#[inline(always)]
pub(crate) fn layer_norm((values, scale, shift, epsilon): (&mut [f32], &[f32], &[f32], f32)) {
    let count = scale.len().max(1);
    for row in values.chunks_exact_mut(count) {
        let mean = sum(row) / count as f32;
        let variance = sum_of(row, |value| (value - mean) * (value - mean)) / count as f32;
        let factor = 1.0 / (variance + epsilon).sqrt();
        for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
            *value = (*value - mean) * factor * scale + shift;
        }
    }
}

#[inline(always)]
pub(crate) fn rms_norm((values, scale, epsilon, output): (&[f32], &[f32], f32, &mut [f32])) {
    let count = scale.len().max(1);
    for (row, output) in values.chunks_exact(count).zip(output.chunks_exact_mut(count)) {
        let mean = sum_of(row, |value| value * value) / count as f32;
        let factor = 1.0 / (mean + epsilon).sqrt();
        for ((output, value), scale) in output.iter_mut().zip(row).zip(scale) {
            *output = value * factor * scale;
        }
    }
}

#[inline(always)]
pub(crate) fn add((target, other): (&mut [f32], &[f32])) {
    for (target, other) in target.iter_mut().zip(other) {
        *target += other;
    }
}

#[inline(always)]
pub(crate) fn add_bias((values, bias): (&mut [f32], &[f32])) {
    for row in values.chunks_exact_mut(bias.len().max(1)) {
        add((row, bias));
    }
}

#[inline(always)]
pub(crate) fn gelu(values: &mut [f32]) {
    for value in values {
        *value = 0.5 * *value * (1.0 + erf(*value * std::f32::consts::FRAC_1_SQRT_2));
    }
}

#[inline(always)]
pub(crate) fn gelu_tanh(values: &mut [f32]) {
    for value in values {
        let x = *value;
        // (1 + tanh(u)) / 2 is the sigmoid of 2u.
        *value = x * sigmoid(1.595_769 * (x + 0.044_715 * x * x * x));
    }
}

#[inline(always)]
pub(crate) fn relu(values: &mut [f32]) {
    for value in values {
        *value = if *value < 0.0 { 0.0 } else { *value };
    }
}

#[inline(always)]
pub(crate) fn tanh(values: &mut [f32]) {
    for value in values {
        *value = transcendental::tanh(*value);
    }
}

#[inline(always)]
pub(crate) fn silu_product((gate, up): (&mut [f32], &[f32])) {
    for (gate, up) in gate.iter_mut().zip(up) {
        *gate = *gate * sigmoid(*gate) * up;
    }
}

#[inline(always)]
pub(crate) fn softmax(values: &mut [f32]) {
    let most = largest(values);
    for value in values.iter_mut() {
        *value = exp(*value - most);
    }
    let share = 1.0 / sum(values);
    for value in values {
        *value *= share;
    }
}

#[inline(always)]
pub(crate) fn rotate_halves(
    (values, heads, width, cosines, sines): (&mut [f32], usize, usize, &[f32], &[f32]),
) {
    let half = width / 2;
    let rows = values.chunks_exact_mut((heads * width).max(1));
    let angles = cosines.chunks_exact(half.max(1)).zip(sines.chunks_exact(half.max(1)));
    for (row, (cosines, sines)) in rows.zip(angles) {
        for head in row.chunks_exact_mut(width.max(1)) {
            let (first, second) = head.split_at_mut(half);
            let pairs = first.iter_mut().zip(second).zip(cosines.iter().zip(sines));
            for ((first, second), (cosine, sine)) in pairs {
                let (a, b) = (*first, *second);
                *first = a * cosine - b * sine;
                *second = b * cosine + a * sine;
            }
        }
    }
}
