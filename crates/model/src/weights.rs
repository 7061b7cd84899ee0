//! From stored tensors to what the kernels multiply with.
//!
//! Quantised blocks go over as they are: a block of a file becomes a block of a packed
//! [`Matrix`], with the same whole numbers and the same scale. Only what no integer kernel takes
//! (values that were never quantised, or rows that are no whole blocks) is kept as `f32`. No
//! tensor is ever unpacked as a whole, so loading needs little more memory than the result.

use std::ops::Range;

use campanile_kernels::{BLOCK, Int4Block, Int8Block, KernelError, Matrix};
use half::f16;

use crate::encoding::{Encoding, q4_k_scales};
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
        Encoding::Q4_0 => Matrix::int4(rows, columns, each(bytes, columns, q4_0)),
        Encoding::Q4_1 => Matrix::int4(rows, columns, each(bytes, columns, q4_1)),
        Encoding::Q4K => Matrix::int4(rows, columns, eighths(bytes, columns, q4_k)),
        Encoding::Q5_0 => Matrix::int8(rows, columns, each(bytes, columns, q5_0)),
        Encoding::Q8_0 => Matrix::int8(rows, columns, each(bytes, columns, q8_0)),
        Encoding::Q6K => Matrix::int8(rows, columns, eighths(bytes, columns, q6_k)),
        // One scale for the whole row becomes one for each of its blocks: the same numbers, a few bytes more.
        Encoding::I8PerRow if whole_blocks => {
            Matrix::int8(rows, columns, signed_rows(bytes, columns, stored.scales()))
        }
        Encoding::F32 | Encoding::F16 | Encoding::Bf16 | Encoding::I8PerRow => {
            // Every row that the matrix asks for is one that the tensor has.
            Matrix::float32(rows, columns, |row, values| {
                let _present: bool = stored.read_row(row, values);
            })
        }
    }
}

/// Reads blocks of `B` bytes that hold [`BLOCK`] values each, by row and place in the row.
fn each<const B: usize, T>(
    bytes: &[u8],
    columns: usize,
    read: impl Fn(&[u8; B]) -> T,
) -> impl FnMut(usize, usize) -> T {
    let blocks = bytes.as_chunks::<B>().0;
    let per_row = columns / BLOCK;
    move |row, block| read(&blocks[row * per_row + block])
}

/// Reads blocks of `B` bytes that hold eight times [`BLOCK`] values each.
fn eighths<const B: usize, T>(
    bytes: &[u8],
    columns: usize,
    read: impl Fn(&[u8; B], usize) -> T,
) -> impl FnMut(usize, usize) -> T {
    let blocks = bytes.as_chunks::<B>().0;
    let per_row = columns / (8 * BLOCK);
    move |row, block| read(&blocks[row * per_row + block / 8], block % 8)
}

/// Reads rows of signed bytes that share one scale.
fn signed_rows(
    bytes: &[u8],
    columns: usize,
    scales: &[f32],
) -> impl FnMut(usize, usize) -> Int8Block {
    let blocks = bytes.as_chunks::<BLOCK>().0;
    let per_row = columns / BLOCK;
    move |row, block| Int8Block {
        values: blocks[row * per_row + block].map(u8::cast_signed),
        scales: [scales[row]; 2],
    }
}

/// An `f16` scale, then 16 bytes: the low nibbles are the first half of the values.
fn q4_0(block: &[u8; 18]) -> Int4Block {
    let scale = half_at(block, 0);
    Int4Block { values: nibbles(&block[2..]), scale, minimum: -8.0 * scale }
}

/// As [`q4_0`], with an `f16` minimum after the scale.
fn q4_1(block: &[u8; 20]) -> Int4Block {
    Int4Block { values: nibbles(&block[4..]), scale: half_at(block, 0), minimum: half_at(block, 2) }
}

/// An `f16` scale, the fifth bits of all values, then nibbles as in [`q4_0`].
fn q5_0(block: &[u8; 22]) -> Int8Block {
    let fifth = u32::from_le_bytes([block[2], block[3], block[4], block[5]]);
    let mut values = [0; BLOCK];
    for (i, (value, nibble)) in values.iter_mut().zip(nibbles(&block[6..])).enumerate() {
        // The fifth bits lie in the order of the values, the nibbles do not: `nibbles` has brought them into it.
        let bit = u8::from(fifth >> i & 1 == 1) << 4;
        *value = (nibble | bit).cast_signed() - 16;
    }
    Int8Block { values, scales: [half_at(block, 0); 2] }
}

/// An `f16` scale, then 32 signed bytes.
fn q8_0(block: &[u8; 34]) -> Int8Block {
    let mut values = [0; BLOCK];
    for (value, &byte) in values.iter_mut().zip(&block[2..]) {
        *value = byte.cast_signed();
    }
    Int8Block { values, scales: [half_at(block, 0); 2] }
}

/// One of the eight runs of 32 values: low nibbles of 32 bytes, then their high nibbles.
fn q4_k(block: &[u8; 144], eighth: usize) -> Int4Block {
    let (step, shift) = q4_k_scales(block, eighth);
    let mut values = [0; BLOCK];
    for (value, &byte) in values.iter_mut().zip(&block[16 + eighth / 2 * BLOCK..]) {
        *value = if eighth.is_multiple_of(2) { byte & 0x0f } else { byte >> 4 };
    }
    Int4Block {
        values,
        scale: half_at(block, 0) * f32::from(step),
        minimum: -(half_at(block, 2) * f32::from(shift)),
    }
}

/// One of the eight runs of 32 values: four lie in each half of 128, sixteen values share a scale.
fn q6_k(block: &[u8; 210], eighth: usize) -> Int8Block {
    let (half, quarter) = (eighth / 4, eighth % 4);
    let low = &block[half * 64 + (quarter % 2) * 32..][..BLOCK];
    let high = &block[128 + half * 32..][..BLOCK];
    let scales = &block[192 + half * 8 + quarter * 2..][..2];
    let mut values = [0; BLOCK];
    for (value, (&nibbles, &pairs)) in values.iter_mut().zip(low.iter().zip(high)) {
        let nibble = if quarter < 2 { nibbles & 0x0f } else { nibbles >> 4 };
        let pair = (pairs >> (2 * quarter)) & 3;
        *value = (nibble | (pair << 4)).cast_signed() - 32;
    }
    let scale = half_at(block, 208);
    Int8Block {
        values,
        scales: [scales[0], scales[1]].map(|step| scale * f32::from(step.cast_signed())),
    }
}

fn nibbles(bytes: &[u8]) -> [u8; BLOCK] {
    let mut values = [0; BLOCK];
    for (i, &byte) in bytes.iter().enumerate().take(BLOCK / 2) {
        values[i] = byte & 0x0f;
        values[i + BLOCK / 2] = byte >> 4;
    }
    values
}

fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
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
