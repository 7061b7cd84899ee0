//! Vectors of few dimensions, four bits a number.

mod codec;
mod quantize;
#[cfg(test)]
mod tests;

use crate::vectors::{VectorTable, check_dimension, largest_magnitude};
use crate::{Hit, IndexError};
use quantize::{Scales, fitted};

/// Rows of four bits a number and one byte of scale: a seventh of what [`VectorTable`] takes for
/// vectors three times as long.
///
/// It holds what a page can search by before its encoder is there: the passages' vectors, cut to
/// their principal axes, and, in a table of its own, one vector for each word piece. Both only have
/// to keep an order of passages that BM25's is fused with. Rows need not have length 1.
///
/// A value is `step × 2^(-code/16) × number`, with one `step` a table, one `code` from 0 to 255 a
/// row and numbers from -7 to 7. Among the scales near a row's largest value the one is taken that
/// comes nearest to the row in all (least squares): clipping the largest of some hundred numbers
/// costs less than the finer grid gives back to the others.
#[derive(Debug, Clone, PartialEq)]
pub struct ReducedTable {
    step: f32,
    /// `[rows]`
    codes: Vec<u8>,
    /// The same rows, ready to be compared with.
    table: VectorTable,
}

impl ReducedTable {
    /// Quantises `rows`, each of `dimension` numbers.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] for a row of another length or an odd `dimension`,
    /// [`IndexError::NotFinite`] for one with NaN or an infinity, [`IndexError::TooLarge`] for more
    /// than 2^32 rows or too many dimensions.
    pub fn from_f32<R: AsRef<[f32]>>(rows: &[R], dimension: usize) -> Result<Self, IndexError> {
        check_reduced(dimension)?;
        if rows.len() > u32::MAX as usize {
            return Err(IndexError::TooLarge { part: "reduced table", limit: "2^32 - 1 rows" });
        }
        let mut largest = 0f32;
        for (number, row) in rows.iter().enumerate() {
            largest = largest.max(largest_magnitude(row.as_ref(), dimension, number)?);
        }
        let scales = Scales::new(largest / quantize::MOST);
        let mut codes = Vec::with_capacity(rows.len());
        let mut values = Vec::with_capacity(rows.len() * dimension);
        for row in rows {
            codes.push(fitted(row.as_ref(), &scales, &mut values));
        }
        Ok(Self::of(scales, codes, values, dimension))
    }

    fn of(scales: Scales, codes: Vec<u8>, values: Vec<i8>, dimension: usize) -> Self {
        let of_rows = codes.iter().map(|&code| scales.of(code)).collect();
        let table = VectorTable::from_parts(dimension, of_rows, values);
        Self { step: scales.step(), codes, table }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Returns how many numbers a row has.
    pub fn dimension(&self) -> usize {
        self.table.dimension()
    }

    /// The mean of some rows, each as often as it is named: `[dimension]`. `None` where none is
    /// named, or one of them is not there.
    ///
    /// Sums run in the order given, so every machine gets the same bits.
    pub fn mean(&self, rows: &[u32]) -> Option<Vec<f32>> {
        let mut sum = vec![0f32; self.dimension()];
        for &row in rows {
            let (scale, values) = self.table.row(row)?;
            for (sum, &value) in sum.iter_mut().zip(values) {
                *sum += scale * f32::from(value);
            }
        }
        let count = rows.len() as f32;
        (count > 0.0).then(|| sum.into_iter().map(|value| value / count).collect())
    }

    /// The dot products of `vector` with some rows; 0 for one that is not there.
    ///
    /// # Errors
    /// As [`ReducedTable::search`].
    pub fn scores(&self, vector: &[f32], rows: &[u32]) -> Result<Vec<f32>, IndexError> {
        let query = self.table.query(vector)?;
        Ok(rows.iter().map(|&row| self.table.dot(&query, row).unwrap_or_default()).collect())
    }

    /// The `limit` rows whose dot product with `vector` is highest, by a scan of all, in whole
    /// numbers ([`VectorTable::search`]).
    ///
    /// # Errors
    /// [`IndexError::Dimension`] or [`IndexError::NotFinite`] about `vector`.
    pub fn search(
        &self,
        vector: &[f32],
        limit: usize,
        keep: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Hit>, IndexError> {
        self.table.search(vector, limit, keep)
    }
}

/// Two numbers share a byte.
fn check_reduced(dimension: usize) -> Result<(), IndexError> {
    check_dimension(dimension)?;
    if !dimension.is_multiple_of(2) {
        return Err(IndexError::Dimension { expected: dimension + 1, found: dimension });
    }
    Ok(())
}
