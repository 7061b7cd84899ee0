//! The operations between the matrix products of a network.
//!
//! Rows are as long as the parameters that go with them; where a slice ends in part of a row, that
//! part is left as it is.

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

/// `target += factor · other`, which BLAS calls `axpy`.
pub fn add_scaled(target: &mut [f32], factor: f32, other: &[f32]) {
    vectorised(Isa::best(), loops::add_scaled, (target, factor, other));
}

/// The sum of products, in eight sums side by side and so with the same bits everywhere.
pub fn dot64(a: &[f64], b: &[f64]) -> f64 {
    vectorised(Isa::best(), loops::dot64, (a, b))
}

/// Adds the products of rows with themselves to lines of their sums: to the upper triangle of `sums += rowsᵀ · rows`, which BLAS calls
/// `syrk`. `lines` are whole lines of the `[columns, columns]` sums, the first of which is number `first`; `rows` are
/// `[any, columns]`. Each sum adds the rows in their order, so that it has the same bits however they are shared out.
pub fn add_products(lines: &mut [f32], first: usize, rows: &[f32], columns: usize) {
    vectorised(Isa::best(), loops::add_products, (lines, first, rows, columns));
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

/// The loops behind these operations, which the compiler makes vectors of.
///
/// Operands come as one tuple, for [`vectorised`].
pub(crate) mod loops {
    use crate::functions::{self, erf, exp, largest, sigmoid, sum, sum_of};

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
    pub(crate) fn add_scaled((target, factor, other): (&mut [f32], f32, &[f32])) {
        for (target, other) in target.iter_mut().zip(other) {
            *target += factor * other;
        }
    }

    #[inline(always)]
    pub(crate) fn dot64((a, b): (&[f64], &[f64])) -> f64 {
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
        let mut sums = [0.0; 8];
        for (a, b) in a.iter().zip(b) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += a * b;
            }
        }
        let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
        sums.iter().sum::<f64>() + rest
    }

    /// Rows that are added to a line before the next line's turn: both stay in a core's cache.
    const ROWS_AT_ONCE: usize = 16;
    /// Rows whose products are added between one load of a sum and its store.
    const ROWS_IN_REGISTERS: usize = 8;

    #[inline(always)]
    pub(crate) fn add_products((lines, first, rows, columns): (&mut [f32], usize, &[f32], usize)) {
        let columns = columns.max(1);
        for rows in rows.chunks(columns * ROWS_AT_ONCE) {
            for (number, line) in (first..).zip(lines.chunks_exact_mut(columns)) {
                let Some(sums) = line.get_mut(number..) else { continue };
                let mut groups = rows.chunks_exact(columns * ROWS_IN_REGISTERS);
                for group in &mut groups {
                    add_row_products::<ROWS_IN_REGISTERS>(sums, group, columns, number);
                }
                for row in groups.remainder().chunks_exact(columns) {
                    add_row_products::<1>(sums, row, columns, number);
                }
            }
        }
    }

    /// The same for one line from its diagonal on, and so many rows.
    #[inline(always)]
    fn add_row_products<const ROWS: usize>(
        sums: &mut [f32],
        rows: &[f32],
        columns: usize,
        number: usize,
    ) {
        let rows: [&[f32]; ROWS] =
            std::array::from_fn(|row| &rows[row * columns + number..][..sums.len()]);
        let factors: [f32; ROWS] = std::array::from_fn(|row| rows[row][0]);
        for (column, sum) in sums.iter_mut().enumerate() {
            let mut total = *sum;
            for (factor, row) in factors.iter().zip(rows) {
                total += factor * row[column];
            }
            *sum = total;
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
            *value = functions::tanh(*value);
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
}
