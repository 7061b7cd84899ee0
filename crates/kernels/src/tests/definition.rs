//! Matrix products, element by element: the definition that every kernel must meet to the bit.

use crate::activations::TILE;
use crate::matrix::Weights;
use crate::packed::Packed;
use crate::{Activations, BLOCK, Matrix};

/// Adds to `output`, `[tokens, rows]`; the input is as wide as the matrix.
pub(super) fn multiply_add(matrix: &Matrix, input: &Activations, output: &mut [f32]) {
    let columns = matrix.columns();
    for (token, output) in output.chunks_exact_mut(matrix.rows()).enumerate() {
        for (row, output) in output.iter_mut().enumerate() {
            *output = match &matrix.weights {
                Weights::Float32(_) => {
                    let mut weights = vec![0.0; columns];
                    matrix.read_row(row, &mut weights);
                    let values = &input.values[token * columns..][..columns];
                    weights.iter().zip(values).fold(*output, |sum, (w, x)| sum + w * x)
                }
                Weights::Int8(packed) | Weights::Int4(packed) => {
                    dot(packed, row, input, token, *output)
                }
            };
        }
    }
}

fn dot(packed: &Packed, row: usize, input: &Activations, token: usize, mut sum: f32) -> f32 {
    let width = BLOCK / packed.layout.parts;
    for block in 0..packed.layout.blocks {
        let values = &input.blocks[token / TILE * packed.layout.blocks + block];
        let lane = token % TILE;
        let scale = values.scales[lane];
        for part in 0..packed.layout.parts {
            let exact: i32 = (part * width..(part + 1) * width)
                .map(|place| {
                    let value = values.pairs[place / 2][lane][place % 2];
                    packed.integer(row, block * BLOCK + place) * i32::from(value)
                })
                .sum();
            sum += exact as f32 * (packed.scale(row, block, part) * scale);
        }
        if let Some(minimum) = packed.minimum(row, block) {
            sum += minimum * values.shares[lane];
        }
    }
    sum
}
