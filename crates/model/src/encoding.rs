//! The encodings of a weight's numbers, and how to read them as `f32`.
//!
//! The block encodings are those of the GGUF format: a row is cut into blocks of 32 values
//! (256 for `Q4K` and `Q6K`), and each block carries its own scale, so that any row can be read alone.
//! The arithmetic is in the order of the gguf package, so that values are equal to the last bit.

use half::{bf16, f16};
use serde::{Deserialize, Serialize};

/// The way in which a tensor's values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Little-endian IEEE 754, 4 bytes a value.
    F32,
    /// Little-endian IEEE 754 half precision, 2 bytes a value.
    F16,
    /// The upper half of an `f32`, 2 bytes a value.
    Bf16,
    /// One signed byte a value; each row has an `f32` scale, kept beside the bytes.
    I8PerRow,
    /// 32 values in 18 bytes: `f16` scale, 4-bit values from -8.
    #[serde(rename = "q4_0")]
    Q4_0,
    /// 32 values in 20 bytes: `f16` scale, `f16` minimum, 4-bit values from 0.
    #[serde(rename = "q4_1")]
    Q4_1,
    /// 32 values in 22 bytes: `f16` scale, 5-bit values from -16.
    #[serde(rename = "q5_0")]
    Q5_0,
    /// 32 values in 34 bytes: `f16` scale, signed bytes.
    #[serde(rename = "q8_0")]
    Q8_0,
    /// 256 values in 144 bytes: 4-bit values from 0, a 6-bit scale and a 6-bit minimum for each 32,
    /// one `f16` scale of scales and one of minima.
    #[serde(rename = "q4_k")]
    Q4K,
    /// 256 values in 210 bytes: 6-bit values, sixteen 8-bit scales, one `f16` scale of scales.
    #[serde(rename = "q6_k")]
    Q6K,
}

impl Encoding {
    /// Values in one block; 1 where values stand alone.
    pub fn block_values(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::Bf16 | Self::I8PerRow => 1,
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q8_0 => 32,
            Self::Q4K | Self::Q6K => 256,
        }
    }

    /// Bytes of one block.
    pub(crate) fn block_bytes(self) -> usize {
        match self {
            Self::I8PerRow => 1,
            Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::Q4_0 => 18,
            Self::Q4_1 => 20,
            Self::Q5_0 => 22,
            Self::Q8_0 => 34,
            Self::Q4K => 144,
            Self::Q6K => 210,
        }
    }

    /// Bytes of a row of `columns` values; `None` where blocks do not fill the row exactly.
    pub fn row_bytes(self, columns: usize) -> Option<usize> {
        if columns.is_multiple_of(self.block_values()) {
            (columns / self.block_values()).checked_mul(self.block_bytes())
        } else {
            None
        }
    }

    /// Reads whole blocks of `bytes` into `values`.
    ///
    /// `scale` is the row's scale and matters to [`Encoding::I8PerRow`] only. Values beyond the
    /// end of `bytes` are left as they were; the callers in this crate check lengths first.
    pub(crate) fn decode(self, bytes: &[u8], scale: f32, values: &mut [f32]) {
        match self {
            Self::F32 => each(bytes, values, f32::from_le_bytes),
            Self::F16 => each(bytes, values, |b| f16::from_le_bytes(b).to_f32()),
            Self::Bf16 => each(bytes, values, |b| bf16::from_le_bytes(b).to_f32()),
            Self::I8PerRow => each(bytes, values, |b| f32::from(i8::from_le_bytes(b)) * scale),
            Self::Q4_0 => blocks::<18, 32>(bytes, values, q4_0),
            Self::Q4_1 => blocks::<20, 32>(bytes, values, q4_1),
            Self::Q5_0 => blocks::<22, 32>(bytes, values, q5_0),
            Self::Q8_0 => blocks::<34, 32>(bytes, values, q8_0),
            Self::Q4K => blocks::<144, 256>(bytes, values, q4_k),
            Self::Q6K => blocks::<210, 256>(bytes, values, q6_k),
        }
    }
}

/// Reads values that stand alone in `N` bytes each.
fn each<const N: usize>(bytes: &[u8], values: &mut [f32], read: impl Fn([u8; N]) -> f32) {
    for (value, chunk) in values.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *value = read(*chunk);
    }
}

/// Reads blocks of `V` values in `B` bytes each.
fn blocks<const B: usize, const V: usize>(
    bytes: &[u8],
    values: &mut [f32],
    read: impl Fn(&[u8; B], &mut [f32; V]),
) {
    for (chunk, out) in bytes.as_chunks::<B>().0.iter().zip(values.as_chunks_mut::<V>().0) {
        read(chunk, out);
    }
}

fn half_at<const B: usize>(block: &[u8; B], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

fn q4_0(block: &[u8; 18], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    for (i, &byte) in block[2..].iter().enumerate() {
        out[i] = (f32::from(byte & 0x0f) - 8.0) * scale;
        out[i + 16] = (f32::from(byte >> 4) - 8.0) * scale;
    }
}

fn q4_1(block: &[u8; 20], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    let minimum = half_at(block, 2);
    for (i, &byte) in block[4..].iter().enumerate() {
        out[i] = f32::from(byte & 0x0f) * scale + minimum;
        out[i + 16] = f32::from(byte >> 4) * scale + minimum;
    }
}

/// After the scale: the fifth bits of all values, one bit each, then the nibbles.
fn q5_0(block: &[u8; 22], out: &mut [f32; 32]) {
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

fn q8_0(block: &[u8; 34], out: &mut [f32; 32]) {
    let scale = half_at(block, 0);
    for (value, &byte) in out.iter_mut().zip(&block[2..]) {
        *value = f32::from(byte.cast_signed()) * scale;
    }
}

/// Scale of scales, scale of minima, 12 bytes of packed scales and minima, then 128 bytes of
/// nibbles: in each 32 bytes the low nibbles are one run of 32 values, the high ones the next.
fn q4_k(block: &[u8; 144], out: &mut [f32; 256]) {
    let (scale, minimum) = (half_at(block, 0), half_at(block, 2));
    for (run, values) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        // Scale and step are multiplied before the value, as the gguf package does: another order rounds otherwise.
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
fn q6_k(block: &[u8; 210], out: &mut [f32; 256]) {
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
