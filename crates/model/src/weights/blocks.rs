//! The blocks of a file as the kernels take them.

use campanile_kernels::{BLOCK, Int4Block, Int8Block};
use half::f16;

use crate::encoding::q4_k_scales;

/// Reads blocks of `B` bytes that hold [`BLOCK`] values each, by row and place in the row.
pub(super) fn each<const B: usize, T>(
    bytes: &[u8],
    columns: usize,
    read: impl Fn(&[u8; B]) -> T,
) -> impl FnMut(usize, usize) -> T {
    let blocks = bytes.as_chunks::<B>().0;
    let per_row = columns / BLOCK;
    move |row, block| read(&blocks[row * per_row + block])
}

/// Reads blocks of `B` bytes that hold eight times [`BLOCK`] values each.
pub(super) fn eighths<const B: usize, T>(
    bytes: &[u8],
    columns: usize,
    read: impl Fn(&[u8; B], usize) -> T,
) -> impl FnMut(usize, usize) -> T {
    let blocks = bytes.as_chunks::<B>().0;
    let per_row = columns / (8 * BLOCK);
    move |row, block| read(&blocks[row * per_row + block / 8], block % 8)
}

/// Reads rows of signed bytes that share one scale.
pub(super) fn rows(
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
pub(super) fn q4_0(block: &[u8; 18]) -> Int4Block {
    let scale = half_at(block, 0);
    Int4Block { values: nibbles(&block[2..]), scale, minimum: -8.0 * scale }
}

/// As [`q4_0`], with an `f16` minimum after the scale.
pub(super) fn q4_1(block: &[u8; 20]) -> Int4Block {
    Int4Block { values: nibbles(&block[4..]), scale: half_at(block, 0), minimum: half_at(block, 2) }
}

/// An `f16` scale, the fifth bits of all values, then nibbles as in [`q4_0`].
pub(super) fn q5_0(block: &[u8; 22]) -> Int8Block {
    let fifth = u32::from_le_bytes([block[2], block[3], block[4], block[5]]);
    let mut values = [0; BLOCK];
    for (i, (value, nibble)) in values.iter_mut().zip(nibbles(&block[6..])).enumerate() {
        let bit = u8::from(fifth >> i & 1 == 1) << 4;
        *value = (nibble | bit).cast_signed() - 16;
    }
    Int8Block { values, scales: [half_at(block, 0); 2] }
}

/// An `f16` scale, then 32 signed bytes.
pub(super) fn q8_0(block: &[u8; 34]) -> Int8Block {
    let mut values = [0; BLOCK];
    for (value, &byte) in values.iter_mut().zip(&block[2..]) {
        *value = byte.cast_signed();
    }
    Int8Block { values, scales: [half_at(block, 0); 2] }
}

/// One of the eight runs of 32 values: low nibbles of 32 bytes, then their high nibbles.
pub(super) fn q4_k(block: &[u8; 144], eighth: usize) -> Int4Block {
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
pub(super) fn q6_k(block: &[u8; 210], eighth: usize) -> Int8Block {
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
