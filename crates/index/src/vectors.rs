//! One vector a chunk, eight bits a number.

mod codec;
mod dot;
mod query;
#[cfg(test)]
mod tests;

pub use query::QueryVector;

use dot::Isa;

use crate::hit::best;
use crate::{Hit, IndexError};

/// The largest step of a quantised number, the same on both sides of zero.
const STEPS: f32 = 127.0;

/// Vectors of L2 length 1, one row a chunk, each quantised on its own: 8 bits a number and one
/// f32 scale a row, so that `row[i] ≈ value[i] × scale`.
///
/// An int8 row keeps a cosine to about three decimals, which changes a ranking less than the
/// choice of encoder does, and is a quarter of the f32 row to fetch and to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorTable {
    dimension: usize,
    /// `[rows]`, finite and not negative.
    scales: Vec<f32>,
    /// `[rows, dimension]`
    values: Vec<i8>,
}

impl VectorTable {
    /// Quantises `rows`, each of `dimension` numbers.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] for a row of another length, [`IndexError::NotFinite`] for one
    /// with NaN or an infinity, [`IndexError::TooLarge`] for more than 2^32 rows or dimensions
    /// beyond [`QueryVector::MAX_DIMENSION`].
    pub fn from_f32<R: AsRef<[f32]>>(
        rows: impl IntoIterator<Item = R>,
        dimension: usize,
    ) -> Result<Self, IndexError> {
        check_dimension(dimension)?;
        let mut table = Self { dimension, scales: Vec::new(), values: Vec::new() };
        for row in rows {
            table.push(row.as_ref())?;
        }
        Ok(table)
    }

    fn push(&mut self, row: &[f32]) -> Result<(), IndexError> {
        let number = self.scales.len();
        let largest = largest_magnitude(row, self.dimension, number)?;
        if number >= u32::MAX as usize {
            return Err(IndexError::TooLarge { part: "vector table", limit: "2^32 - 1 rows" });
        }
        self.scales.push(largest / STEPS);
        // A row of zeros has nothing to scale.
        let factor = if largest > 0.0 { STEPS / largest } else { 0.0 };
        self.values.extend(row.iter().map(|&value| (value * factor).round() as i8));
        Ok(())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Returns how many numbers a row has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Prepares a question's vector for many comparisons.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] or [`IndexError::NotFinite`].
    pub fn query(&self, vector: &[f32]) -> Result<QueryVector, IndexError> {
        QueryVector::new(vector, self.dimension)
    }

    /// The dot product of a question and a row, which is their cosine when both have length 1.
    /// `None` when there is no such row, or the question was prepared for another dimension.
    pub fn dot(&self, query: &QueryVector, row: u32) -> Option<f32> {
        let (scale, values) = self.row(row)?;
        (query.values().len() == self.dimension).then(|| query.dot(values) * scale)
    }

    /// The dot product of two rows, or `None` when there is no such row.
    pub fn dot_rows(&self, left: u32, right: u32) -> Option<f32> {
        let (left_scale, left) = self.row(left)?;
        let (right_scale, right) = self.row(right)?;
        let sum = Isa::best().dot(left, right);
        Some(sum as f32 * (left_scale * right_scale))
    }

    /// From rows that are quantised already; there are as many scales as rows.
    pub(crate) fn from_parts(dimension: usize, scales: Vec<f32>, values: Vec<i8>) -> Self {
        Self { dimension, scales, values }
    }

    /// `[rows, dimension]`, before they are scaled.
    pub(crate) fn values(&self) -> &[i8] {
        &self.values
    }

    pub(crate) fn row(&self, row: u32) -> Option<(f32, &[i8])> {
        let row = row as usize;
        let start = row.checked_mul(self.dimension)?;
        let values = self.values.get(start..start.checked_add(self.dimension)?)?;
        Some((*self.scales.get(row)?, values))
    }

    /// The `limit` rows nearest to `vector` of those that `keep` lets through, by a scan of all.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] or [`IndexError::NotFinite`] about `vector`.
    pub fn search(
        &self,
        vector: &[f32],
        limit: usize,
        keep: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Hit>, IndexError> {
        let query = self.query(vector)?;
        let hits = (0u32..)
            .zip(self.values.chunks_exact(self.dimension))
            .zip(&self.scales)
            .filter(|&((chunk, _), _)| keep(chunk))
            .map(|((chunk, values), scale)| Hit { chunk, score: query.dot(values) * scale })
            .collect();
        Ok(best(hits, limit))
    }
}

pub(crate) fn check_dimension(dimension: usize) -> Result<(), IndexError> {
    if dimension == 0 {
        return Err(IndexError::Dimension { expected: 1, found: 0 });
    }
    if dimension > QueryVector::MAX_DIMENSION {
        return Err(IndexError::TooLarge { part: "vector's dimension", limit: "4096 numbers" });
    }
    Ok(())
}

/// The largest absolute value of a vector that has the right length and only finite numbers.
pub(crate) fn largest_magnitude(
    vector: &[f32],
    dimension: usize,
    row: usize,
) -> Result<f32, IndexError> {
    if vector.len() != dimension {
        return Err(IndexError::Dimension { expected: dimension, found: vector.len() });
    }
    if vector.iter().any(|value| !value.is_finite()) {
        return Err(IndexError::NotFinite { row });
    }
    Ok(vector.iter().fold(0f32, |most, value| most.max(value.abs())))
}
