//! From stored tensors to what the kernels multiply with.
//!
//! Quantised blocks go over as they are: a block of a file becomes a block of a packed
//! [`Matrix`], with the same whole numbers and the same scale. Only what no integer kernel takes
//! (values that were never quantised, or rows that are no whole blocks) is kept as `f32`. No
//! tensor is ever unpacked as a whole, so loading needs little more memory than the result.

mod blocks;

use std::ops::Range;

use campanile_kernels::{BLOCK, KernelError, Matrix};

use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};

/// Reads the matrix `name` of `[rows, columns]` and packs it for this processor.
///
/// # Errors
/// [`ModelError::MissingTensor`], [`ModelError::Tensor`] and [`ModelError::Shape`].
pub(crate) fn matrix(
    source: &dyn TensorSource,
    name: &str,
    shape: [usize; 2],
) -> Result<Matrix, ModelError> {
    matrix_rows(&source.stored(name)?, name, shape, 0..shape[0])
}

/// Packs some rows of the matrix `name`, which is `[rows, columns]` as a whole.
///
/// # Errors
/// [`ModelError::Tensor`] and [`ModelError::Shape`].
pub(crate) fn matrix_rows(
    stored: &StoredTensor<'_>,
    name: &str,
    shape: [usize; 2],
    rows: Range<usize>,
) -> Result<Matrix, ModelError> {
    stored.expect_shape(name, &shape)?;
    let damaged = |reason: String| ModelError::tensor(name, reason);
    let rows = stored.slice(rows).ok_or_else(|| damaged("it has fewer rows".to_owned()))?;
    pack(&rows).map_err(|error| damaged(error.to_string()))
}

/// Reads the vector `name` of `length` values.
///
/// # Errors
/// As [`matrix`].
pub(crate) fn vector(
    source: &dyn TensorSource,
    name: &str,
    length: usize,
) -> Result<Vec<f32>, ModelError> {
    Ok(source.read_shaped(name, &[length])?.values)
}

fn pack(stored: &StoredTensor<'_>) -> Result<Matrix, KernelError> {
    let (rows, columns) = (stored.rows(), stored.columns());
    let bytes = stored.bytes();
    let whole_blocks = columns.is_multiple_of(BLOCK);
    match stored.encoding() {
        Encoding::Q4_0 => Matrix::int4(rows, columns, blocks::each(bytes, columns, blocks::q4_0)),
        Encoding::Q4_1 => Matrix::int4(rows, columns, blocks::each(bytes, columns, blocks::q4_1)),
        Encoding::Q4K => Matrix::int4(rows, columns, blocks::eighths(bytes, columns, blocks::q4_k)),
        Encoding::Q5_0 => Matrix::int8(rows, columns, blocks::each(bytes, columns, blocks::q5_0)),
        Encoding::Q8_0 => Matrix::int8(rows, columns, blocks::each(bytes, columns, blocks::q8_0)),
        Encoding::Q6K => Matrix::int8(rows, columns, blocks::eighths(bytes, columns, blocks::q6_k)),
        Encoding::I8PerRow if whole_blocks => {
            Matrix::int8(rows, columns, blocks::rows(bytes, columns, stored.scales()))
        }
        Encoding::F32 | Encoding::F16 | Encoding::Bf16 | Encoding::I8PerRow => {
            // Every row that the matrix asks for is one that the tensor has.
            Matrix::float32(rows, columns, |row, values| {
                let _present: bool = stored.read_row(row, values);
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::pack;
    use crate::encoding::Encoding;
    use crate::tensor_source::StoredTensor;

    const ENCODINGS: [Encoding; 8] = [
        Encoding::F32,
        Encoding::F16,
        Encoding::Bf16,
        Encoding::I8PerRow,
        Encoding::Q4_0,
        Encoding::Q4_1,
        Encoding::Q8_0,
        Encoding::Q6K,
    ];

    proptest! {
        /// A packed matrix gives back what the stored tensor says, for any bytes.
        #[test]
        fn packed_rows_are_the_stored_rows(
            which in 0..ENCODINGS.len(),
            rows in 1usize..9,
            supers in 1usize..3,
            seed in any::<u64>(),
        ) {
            let encoding = ENCODINGS[which];
            let columns = 256 * supers;
            let length = rows * encoding.row_bytes(columns).unwrap_or(0);
            let mut state = seed | 1;
            let bytes: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    // Bytes below 0x78 keep every half-precision scale finite.
                    ((state >> 33) as u8) % 0x78
                })
                .collect();
            let scales =
                if encoding == Encoding::I8PerRow { vec![0.25; rows] } else { Vec::new() };
            let stored =
                StoredTensor::new("w", vec![rows, columns], encoding, Cow::Owned(bytes), scales)
                    .map_err(|e| TestCaseError::fail(e.to_string()))?;
            let packed = pack(&stored).map_err(|e| TestCaseError::fail(e.to_string()))?;
            let (mut expected, mut found) = (vec![0.0; columns], vec![0.0; columns]);
            for row in 0..rows {
                prop_assert!(stored.read_row(row, &mut expected));
                packed.read_row(row, &mut found);
                for (a, b) in expected.iter().zip(&found) {
                    // A minimum of -8 scales is added where the file subtracts 8 before scaling.
                    prop_assert!((a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0), "{a} {b}");
                }
            }
        }
    }
}
