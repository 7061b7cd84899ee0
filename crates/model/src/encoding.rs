//! The encodings of a weight's numbers, and how to read them as `f32`.
//!
//! The block encodings are those of the GGUF format: a row is cut into blocks of 32 values
//! (256 for `Q4K` and `Q6K`), and each block carries its own scale, so that any row can be read alone.

mod decode;

pub(crate) use decode::q4_k_scales;
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
    pub fn block_bytes(self) -> usize {
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
            Self::Q4_0 => blocks::<18, 32>(bytes, values, decode::q4_0),
            Self::Q4_1 => blocks::<20, 32>(bytes, values, decode::q4_1),
            Self::Q5_0 => blocks::<22, 32>(bytes, values, decode::q5_0),
            Self::Q8_0 => blocks::<34, 32>(bytes, values, decode::q8_0),
            Self::Q4K => blocks::<144, 256>(bytes, values, decode::q4_k),
            Self::Q6K => blocks::<210, 256>(bytes, values, decode::q6_k),
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
