//! A question's vector, made ready for whole-number arithmetic.

use super::dot::Isa;
use super::largest_magnitude;
use crate::IndexError;

/// A vector in 16-bit steps and one scale.
///
/// With the question in whole numbers too, a dot product is a sum of integers: the compiler may
/// add them in any order and use whatever vector instructions the machine has, and every machine
/// still gets the same sum. A sum of floats would either stay in order, and slow, or differ
/// between a server and a browser. The question's own rounding, one part in thousands, is far
/// below the rows'.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    scale: f32,
    values: Vec<i16>,
    isa: Isa,
}

impl QueryVector {
    /// The longest vector whose sum is certain to fit in 32 bits with a step that is still fine.
    pub const MAX_DIMENSION: usize = 4096;

    pub(crate) fn new(vector: &[f32], dimension: usize) -> Result<Self, IndexError> {
        let largest = largest_magnitude(vector, dimension, 0)?;
        let steps = steps(dimension);
        let factor = if largest > 0.0 { steps / largest } else { 0.0 };
        Ok(Self {
            scale: largest / steps,
            values: vector.iter().map(|&value| (value * factor).round() as i16).collect(),
            isa: Isa::best(),
        })
    }

    pub(super) fn values(&self) -> &[i16] {
        &self.values
    }

    /// The dot product with a row's values; the row's scale is still to be multiplied in.
    pub(super) fn dot(&self, row: &[i8]) -> f32 {
        let sum = self.isa.dot(&self.values, row);
        sum as f32 * self.scale
    }

    /// The dot product with small whole numbers: at most 15, in vectors of at most 1,024 numbers.
    pub(crate) fn dot_levels(&self, levels: &[i16]) -> f32 {
        let products = self.values.iter().zip(levels);
        let sum: i32 = products.map(|(&query, &level)| i32::from(query) * i32::from(level)).sum();
        sum as f32 * self.scale
    }
}

/// The largest step such that `dimension` products with the largest row value cannot overflow:
/// 32,767 up to 515 dimensions, 4,128 at 4,096.
fn steps(dimension: usize) -> f32 {
    let products = (dimension.max(1) as i32).saturating_mul(128);
    (i32::MAX / products).min(i32::from(i16::MAX)) as f32
}
