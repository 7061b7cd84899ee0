//! One block of each quantised encoding, read as `f32`.
//!
//! The arithmetic is in the order of the gguf package, so that values are equal to the last bit.

use half::f16;

fn half_at<const B: usize>(block: &[u8; B], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

pub(super) fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    for (i, &byte) in block[2..].iter().enumerate() {
        out[i] = (f32::from(byte & 0x0f) - 8.0) * scale;
        out[i + 16] = (f32::from(byte >> 4) - 8.0) * scale;
    }
}

pub(super) fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    let minimum = half_at(block, 2);
    for (i, &byte) in block[4..].iter().enumerate() {
        out[i] = f32::from(byte & 0x0f) * scale + minimum;
        out[i + 16] = f32::from(byte >> 4) * scale + minimum;
    }
}

/// After the scale: the fifth bits of all values, one bit each, then the nibbles.
pub(super) fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    let fifth = u32::from_le_bytes([block[2], block[3], block[4], block[5]]);
    let value = |nibble: u8, place: usize| {
        let bit = if fifth >> place & 1 == 1 { 16 } else { 0 };
        (f32::from(nibble | bit) - 16.0) * scale
    };
    for (i, &byte) in block[6..].iter().enumerate() {
        out[i] = value(byte & 0x0f, i);
        out[i + 16] = value(byte >> 4, i + 16);
    }
}

pub(super) fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    for (value, &byte) in out.iter_mut().zip(&block[2..]) {
        *value = f32::from(byte.cast_signed()) * scale;
    }
}

/// Scale of scales, scale of minima, 12 bytes of packed scales and minima, then 128 bytes of
/// nibbles: in each 32 bytes the low nibbles are one run of 32 values, the high ones the next.
pub(super) fn q4_k(block: &[u8; 144], out: &mut [f32; 256]) {
    let (scale, minimum) = (half_at(block, 0), half_at(block, 2));
    for (run, values) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let (step, shift) = q4_k_scales(block, run);
        let (step, shift) = (scale * f32::from(step), minimum * f32::from(shift));
        let nibbles = &block[16 + run / 2 * 32..16 + run / 2 * 32 + 32];
        for (value, &byte) in values.iter_mut().zip(nibbles) {
            let nibble = if run.is_multiple_of(2) { byte & 0x0f } else { byte >> 4 };
            *value = step * f32::from(nibble) - shift;
        }
    }
}

/// The 6-bit scale and minimum of one of a block's eight runs: the first four runs' in bytes 4 to
/// 11, the last four's as nibbles in bytes 12 to 15 with their upper two bits above the others'.
pub(crate) fn q4_k_scales(block: &[u8; 144], run: usize) -> (u8, u8) {
    if run < 4 {
        return (block[4 + run] & 0x3f, block[8 + run] & 0x3f);
    }
    let nibbles = block[8 + run];
    let upper = |byte: u8| (byte >> 2) & 0x30;
    ((nibbles & 0x0f) | upper(block[run]), (nibbles >> 4) | upper(block[4 + run]))
}

/// 128 bytes of low nibbles, 64 bytes of upper bit pairs, 16 scales, one scale of scales; the
/// block is two halves of 128 values, each of which takes 64 + 32 + 8 bytes.
pub(super) fn q6_k(block: &[u8; 210], out: &mut [f32; 256]) {
    let scale = half_at(block, 208);
    for half in 0..2 {
        let low = &block[half * 64..half * 64 + 64];
        let high = &block[128 + half * 32..128 + half * 32 + 32];
        let scales = &block[192 + half * 8..192 + half * 8 + 8];
        for quarter in 0..4 {
            for lane in 0..32 {
                let nibbles = low[(quarter % 2) * 32 + lane];
                let nibble = if quarter < 2 { nibbles & 0x0f } else { nibbles >> 4 };
                let pair = (high[lane] >> (2 * quarter)) & 3;
                let value = f32::from(nibble | (pair << 4)) - 32.0;
                let step = f32::from(scales[quarter * 2 + lane / 16].cast_signed());
                out[half * 128 + quarter * 32 + lane] = scale * step * value;
            }
        }
    }
}
