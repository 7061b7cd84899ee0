//! Token vectors in a few bits a number, a passage's record of them, and the comparison with a question's.

use crate::IndexError;
use crate::vectors::QueryVector;

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
    // 1,024 products of at most 15 and 32,767 stay below 2^31.
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
    pub(crate) fn vector_bytes(self) -> usize {
        self.dimension * usize::from(self.bits) / 8
    }

    /// Codes a vector of any length above 0; numbers stand in the order of their places, the first
    /// in a byte's lowest bits.
    pub(super) fn encode(self, vector: &[f32], out: &mut Vec<u8>) {
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        // A vector without a direction gets the middle of all codes.
        let factor = if length > 0.0 { 1.0 / (self.step() * length) } else { 0.0 };
        let bits = usize::from(self.bits);
        // Whole bytes for each vector, so that the n-th is found without reading those before it.
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
            // Max's table of uniform quantisers: the step in standard deviations for 2, 4 and 16 levels.
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

/// The codes of one passage's vectors, one after the other, in the passage's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    codes: Vec<u8>,
}

impl Record {
    /// Codes `vectors`, `[vectors, dimension]`.
    pub fn of(codec: Codec, vectors: &[f32]) -> Self {
        let dimension = codec.dimension();
        let mut codes = Vec::with_capacity(vectors.len() / dimension * codec.vector_bytes());
        for vector in vectors.chunks_exact(dimension) {
            codec.encode(vector, &mut codes);
        }
        Self { codes }
    }

    /// The codes by themselves: a whole number of vectors.
    pub fn as_bytes(&self) -> &[u8] {
        &self.codes
    }

    /// A record of as many codes as a decoder has counted.
    pub(super) fn of_codes(codes: &[u8]) -> Self {
        Self { codes: codes.to_vec() }
    }

    /// A record of codes that were kept; `None` where they are no whole number of vectors.
    pub fn from_bytes(codec: Codec, codes: Vec<u8>) -> Option<Self> {
        codes.len().is_multiple_of(codec.vector_bytes()).then_some(Self { codes })
    }

    /// Returns `true` if there is no vector.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The code of each vector.
    pub(super) fn codes(&self, codec: Codec) -> impl Iterator<Item = &[u8]> {
        self.codes.chunks_exact(codec.vector_bytes())
    }
}

/// A question's token vectors, made ready for whole-number arithmetic.
#[derive(Debug, Clone, PartialEq)]
pub struct LateQuery {
    codec: Codec,
    tokens: Vec<QueryVector>,
}

impl LateQuery {
    /// Takes the question's vectors, `[tokens, dimension]`, each of length 1.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] where they do not fill whole rows, [`IndexError::NotFinite`].
    pub fn new(codec: Codec, vectors: &[f32]) -> Result<Self, IndexError> {
        let dimension = codec.dimension();
        let tokens = vectors.chunks(dimension).map(|vector| QueryVector::new(vector, dimension));
        Ok(Self { codec, tokens: tokens.collect::<Result<_, _>>()? })
    }

    /// Returns the number of vectors.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns `true` if there is no vector.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The mean over the question's tokens of the largest cosine with one of the passage's: MaxSim
    /// (Khattab and Zaharia, "ColBERT", 2020), divided by the number of tokens. 0 where one of the two has
    /// none.
    ///
    /// Each product is a sum of whole numbers, and maxima and the mean are taken in order: the same
    /// bits on every machine.
    pub fn max_sim(&self, passage: &Record) -> f32 {
        if self.is_empty() || passage.is_empty() {
            return 0.0;
        }
        let mut best = vec![f32::NEG_INFINITY; self.len()];
        let mut levels = vec![0i16; self.codec.dimension()];
        for code in passage.codes(self.codec) {
            let length = self.codec.decode(code, &mut levels);
            for (best, token) in best.iter_mut().zip(&self.tokens) {
                *best = best.max(token.dot_levels(&levels) / length);
            }
        }
        best.iter().sum::<f32>() / self.len() as f32
    }
}
