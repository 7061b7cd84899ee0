//! Matrix products, element by element: the definition that every kernel must meet to the bit.

use crate::matrix::{Packed, Shape, Weights};
use crate::{Activations, BLOCK, Matrix};

/// `output` is `[tokens, rows]`, and the input as wide as the matrix: checked by the caller.
pub(super) fn multiply(matrix: &Matrix, input: &Activations, output: &mut [f32]) {
    let shape = matrix.shape();
    let columns = matrix.columns();
    match &matrix.weights {
        Weights::Float32(_) => {
            let mut weights = vec![0.0; columns];
            for row in 0..matrix.rows() {
                matrix.read_row(row, &mut weights);
                for (token, output) in output.chunks_exact_mut(matrix.rows()).enumerate() {
                    let values = &input.values[token * columns..][..columns];
                    output[row] = weights.iter().zip(values).fold(0.0, |sum, (w, x)| sum + w * x);
                }
            }
        }
        Weights::Int8(packed) | Weights::Int4(packed) => {
            let four_bits = matches!(matrix.weights, Weights::Int4(_));
            let mut integers = vec![0i16; columns];
            for row in 0..matrix.rows() {
                for (column, integer) in integers.iter_mut().enumerate() {
                    *integer = if four_bits {
                        let (byte, high) = shape.nibble(row, column);
                        packed.integer(byte, Some(high)) as i16
                    } else {
                        packed.integer(shape.byte(row, column), None) as i16
                    };
                }
                for (token, output) in output.chunks_exact_mut(matrix.rows()).enumerate() {
                    output[row] = dot(packed, shape, row, &integers, input, token);
                }
            }
        }
    }
}

fn dot(
    packed: &Packed,
    shape: Shape,
    row: usize,
    integers: &[i16],
    input: &Activations,
    token: usize,
) -> f32 {
    let mut sum = 0.0;
    let part_columns = BLOCK / packed.parts;
    for block in 0..shape.blocks {
        let index = token * shape.blocks + block;
        let scale = input.scales[index];
        for part in 0..packed.parts {
            let column = block * BLOCK + part * part_columns;
            let weights = &integers[column..][..part_columns];
            let values = &input.quantised[token * shape.columns + column..][..part_columns];
            let products = weights.iter().zip(values).map(|(&w, &x)| i32::from(w) * i32::from(x));
            let exact: i32 = products.sum();
            sum +=
                exact as f32 * (packed.scales[shape.slot(row, block, packed.parts, part)] * scale);
        }
        if let Some(minimum) = packed.minimums.get(shape.slot(row, block, 1, 0)) {
            sum += minimum * input.shares[index];
        }
    }
    sum
}
