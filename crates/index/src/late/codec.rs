//! A token vector in a few bits a number.

use crate::IndexError;

/// The coding of a vector's numbers: `bits` for each of `dimension`.
///
/// A number's code is one of 2^bits levels, the odd whole numbers around zero: -1 and 1, or -3 to 3,
/// or -15 to 15. Vectors have length 1 and are turned so that no direction is longer than another
/// ([`Projection`](super::Projection)), so their numbers are spread about normally with a known
/// deviation, and one step serves them all: Max's for a normal distribution ("Quantizing for minimum
/// distortion", 1960). No scale is stored. What a code says is a direction, and its length is found
/// from the code itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codec {
    dimension: usize,
    bits: u8,
}

impl Codec {
    /// The longest vector whose product with a question's is certain to fit in 32 bits.
    pub const MAX_DIMENSION: usize = 1024;

    /// A codec of 1, 2 or 4 `bits` a number, for vectors that fill whole bytes.
    ///
    /// # Errors
    /// [`IndexError::Late`] for other bits, or a dimension that is 0, beyond
    /// [`Codec::MAX_DIMENSION`] or no multiple of 8.
    pub fn new(dimension: usize, bits: u8) -> Result<Self, IndexError> {
        if !matches!(bits, 1 | 2 | 4) {
            return Err(late(format!("1, 2 or 4 bits a number, found {bits}")));
        }
        if dimension == 0 || dimension > Self::MAX_DIMENSION || !dimension.is_multiple_of(8) {
            return Err(late(format!(
                "a dimension from 8 to {} in steps of 8, found {dimension}",
                Self::MAX_DIMENSION
            )));
        }
        Ok(Self { dimension, bits })
    }

    /// Returns how many numbers a vector has.
    pub fn dimension(self) -> usize {
        self.dimension
    }

    /// Returns how many bits a number has.
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// Returns how many bytes a vector has.
    pub fn vector_bytes(self) -> usize {
        self.dimension * usize::from(self.bits) / 8
    }

    /// Codes a vector of any length above 0; numbers stand in the order of their places, the first
    /// in a byte's lowest bits.
    pub(super) fn encode(self, vector: &[f32], out: &mut Vec<u8>) {
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        // A vector without a direction gets the middle of all codes.
        let factor = if length > 0.0 { 1.0 / (self.step() * length) } else { 0.0 };
        let bits = usize::from(self.bits);
        for numbers in vector.chunks(8 / bits) {
            let byte = (0..).zip(numbers).fold(0, |byte, (place, value)| {
                byte | (self.level(value * factor) << (place * bits))
            });
            out.push(byte);
        }
    }

    /// The number of the level nearest to a number in steps.
    fn level(self, steps: f32) -> u8 {
        let half = f32::from(1u8 << (self.bits - 1));
        (steps.floor() + half).clamp(0.0, 2.0 * half - 1.0) as u8
    }

    /// The distance between two levels, for numbers whose squares add up to 1.
    fn step(self) -> f32 {
        let normal = match self.bits {
            1 => 1.596,
            2 => 0.9957,
            _ => 0.3352,
        };
        normal / (self.dimension as f32).sqrt()
    }

    /// Reads a code into `levels`, as many as the dimension; gives the length of what it says.
    pub(super) fn decode(self, code: &[u8], levels: &mut [i16]) -> f32 {
        let bits = usize::from(self.bits);
        let highest = (1i16 << self.bits) - 1;
        let mask = (1u16 << self.bits) - 1;
        for (levels, &byte) in levels.chunks_mut(8 / bits).zip(code) {
            for (place, level) in (0..).zip(levels) {
                let number = (u16::from(byte) >> (place * bits)) & mask;
                *level = 2 * number as i16 - highest;
            }
        }
        let squares: i32 = levels.iter().map(|&level| i32::from(level) * i32::from(level)).sum();
        (squares as f32).sqrt()
    }
}

pub(super) fn late(expected: String) -> IndexError {
    IndexError::Late { expected }
}
