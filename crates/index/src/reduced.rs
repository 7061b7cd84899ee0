//! Vectors of few dimensions, four bits a number.
//!
//! As bytes: `CRT1`, the dimension and the number of rows (u32), the step (f32), a code for each row, then
//! the rows, two numbers a byte, the first in the low half, each with 8 added.

#[cfg(test)]
mod tests;

use crate::bytes::Reader;
use crate::vectors::{VectorTable, check_dimension, largest_magnitude};
use crate::{Hit, IndexError};

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
        let scales = Scales::new(largest / MOST);
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

const PART: &str = "reduced table";
const MAGIC: [u8; 4] = *b"CRT1";
const OFFSET: i8 = 8;

impl ReducedTable {
    /// The table as bytes: 16, and `dimension / 2 + 1` for each row.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend((self.dimension() as u32).to_le_bytes());
        out.extend((self.len() as u32).to_le_bytes());
        out.extend(self.step.to_le_bytes());
        out.extend(&self.codes);
        let pairs = self.table.values().chunks_exact(2);
        out.extend(pairs.map(|pair| half(pair[0]) | half(pair[1]) << 4));
        out
    }

    /// Reads an encoded table.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole table.
    pub fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open(PART, bytes, MAGIC)?;
        let dimension = reader.u32("the dimension")? as usize;
        check_reduced(dimension).map_err(|_| {
            reader.damaged("an even dimension from 2 to 4096", dimension.to_string())
        })?;
        let rows = reader.u32("the number of rows")? as usize;
        let step = reader.finite_f32("the step")?;
        if step < 0.0 {
            return Err(reader.damaged("a step of at least 0", step.to_string()));
        }
        let codes = reader.take(rows, "codes")?.to_vec();
        let Some(length) = rows.checked_mul(dimension / 2) else {
            return Err(reader.damaged("rows that fit in memory", rows.to_string()));
        };
        let packed = reader.take(length, "values")?;
        let mut values = Vec::with_capacity(packed.len() * 2);
        for &byte in packed {
            let pair = [(byte & 15) as i8 - OFFSET, (byte >> 4) as i8 - OFFSET];
            if pair.contains(&-OFFSET) {
                return Err(reader.damaged("numbers from -7 to 7", "-8"));
            }
            values.extend(pair);
        }
        reader.finish()?;
        Ok(Self::of(Scales::new(step), codes, values, dimension))
    }
}

/// A number from -7 to 7 as half a byte.
fn half(number: i8) -> u8 {
    (number + OFFSET) as u8
}

/// The largest of a row's numbers, the same on both sides of zero.
const MOST: f32 = 7.0;
/// Scales to an octave.
const STEPS: f32 = 16.0;
/// The number of the scales below the largest value's that are tried: down to 0.46 of it.
const TRIED: u8 = 18;

/// The 256 scales that a row of a table can have, each 4 % below the one before.
pub(super) struct Scales {
    all: [f32; 256],
}

impl Scales {
    /// Those from `step` downwards; `step` is finite and not negative.
    pub(super) fn new(step: f32) -> Self {
        let mut all = [0.0; 256];
        for (scale, code) in all.iter_mut().zip(0u8..=255) {
            // `libm`'s, not the platform's: a page reads the same scales that the build has chosen by.
            *scale = step * libm::exp2f(-f32::from(code) / STEPS);
        }
        Self { all }
    }

    /// The largest.
    pub(super) fn step(&self) -> f32 {
        self.of(0)
    }

    pub(super) fn of(&self, code: u8) -> f32 {
        self.all[usize::from(code)]
    }

    /// The smallest scale under which `largest` is not clipped.
    fn holding(&self, largest: f32) -> u8 {
        let holding = self.all.partition_point(|scale| scale * MOST >= largest);
        u8::try_from(holding.saturating_sub(1)).unwrap_or(u8::MAX)
    }
}

/// Appends a row's numbers under the scale that fits it best, and gives that scale's code.
fn fitted(row: &[f32], scales: &Scales, values: &mut Vec<i8>) -> u8 {
    let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
    let first = scales.holding(largest);
    let error = |code: u8| -> f32 {
        let scale = scales.of(code);
        let of_value = |value: &f32| {
            let difference = value - scale * f32::from(number(*value, scale));
            difference * difference
        };
        row.iter().map(of_value).sum()
    };
    let mut best = (first, error(first));
    // From the scale that clips nothing downwards; of equals the first, so that every machine chooses the same.
    for code in first..=first.saturating_add(TRIED) {
        let found = error(code);
        if found < best.1 {
            best = (code, found);
        }
    }
    let scale = scales.of(best.0);
    values.extend(row.iter().map(|&value| number(value, scale)));
    best.0
}

fn number(value: f32, scale: f32) -> i8 {
    // A row of zeros, or one too small for any scale, has nothing to keep.
    if scale > 0.0 { (value / scale).round().clamp(-MOST, MOST) as i8 } else { 0 }
}
