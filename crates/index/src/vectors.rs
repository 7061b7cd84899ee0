//! One vector a chunk, eight bits a number.
//!
//! As bytes: `CVT1`, the dimension and the number of rows (u32), all scales (f32), all values (i8), rows
//! one after the other.

mod dot;
#[cfg(test)]
pub(crate) mod tests;

use crate::bytes::Reader;
use crate::hits::best;
use crate::{Hit, IndexError};
use dot::Isa;

/// The largest step of a quantised number, the same on both sides of zero.
// Not 128: -128 would have no counterpart, and a vector and its opposite different lengths.
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
        let mut table = Self::empty(dimension)?;
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

    /// A row as it was before it was quantised, but for rounding; `None` when there is no such row.
    pub fn vector(&self, row: u32) -> Option<Vec<f32>> {
        let (scale, values) = self.row(row)?;
        Some(values.iter().map(|&value| f32::from(value) * scale).collect())
    }

    /// A table without rows, for [`VectorTable::take`] to fill.
    ///
    /// # Errors
    /// [`IndexError::TooLarge`] or [`IndexError::Dimension`] for a dimension that no table has.
    pub fn empty(dimension: usize) -> Result<Self, IndexError> {
        check_dimension(dimension)?;
        Ok(Self { dimension, scales: Vec::new(), values: Vec::new() })
    }

    /// The table in parts of `rows` rows, of which the last may have fewer.
    pub fn split(&self, rows: usize) -> impl Iterator<Item = Self> {
        let rows = rows.max(1);
        let values = self.values.chunks(rows.saturating_mul(self.dimension));
        self.scales.chunks(rows).zip(values).map(|(scales, values)| Self {
            dimension: self.dimension,
            scales: scales.to_vec(),
            values: values.to_vec(),
        })
    }

    /// Appends all rows of another table.
    ///
    /// # Errors
    /// [`IndexError::Dimension`] where those have another length.
    pub fn append(&mut self, other: &Self) -> Result<(), IndexError> {
        if other.dimension != self.dimension {
            return Err(IndexError::Dimension { expected: self.dimension, found: other.dimension });
        }
        self.scales.extend(&other.scales);
        self.values.extend(&other.values);
        Ok(())
    }

    /// Appends a row of another table as it is; `None` where that has no such row, or its rows have another length.
    pub fn take(&mut self, from: &Self, row: u32) -> Option<()> {
        let (scale, values) = from.row(row).filter(|_| from.dimension == self.dimension)?;
        self.scales.push(scale);
        self.values.extend(values);
        Some(())
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
        // Row by row through memory, in order: this is the time of a search, and the filter is asked before the
        // product.
        let hits = (0u32..)
            .zip(self.values.chunks_exact(self.dimension))
            .zip(&self.scales)
            .filter(|&((id, _), _)| keep(id))
            .map(|((id, values), scale)| Hit { id, score: query.dot(values) * scale });
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

    pub(crate) fn values(&self) -> &[i16] {
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
    // 128 and not 127: a foreign table may hold -128.
    let products = (dimension.max(1) as i32).saturating_mul(128);
    (i32::MAX / products).min(i32::from(i16::MAX)) as f32
}

const PART: &str = "vector table";
const MAGIC: [u8; 4] = *b"CVT1";

impl VectorTable {
    /// The table as bytes: 12, and `dimension + 4` for each row.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.reserve(8 + self.len() * (self.dimension + 4));
        out.extend((self.dimension as u32).to_le_bytes());
        out.extend((self.len() as u32).to_le_bytes());
        out.extend(self.scales.iter().flat_map(|scale| scale.to_le_bytes()));
        out.extend(self.values.iter().map(|&value| value as u8));
        out
    }

    /// Reads an encoded table.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole table.
    pub fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open(PART, bytes, MAGIC)?;
        let dimension = reader.u32("the dimension")? as usize;
        check_dimension(dimension)
            .map_err(|_| reader.damaged("a dimension from 1 to 4096", dimension.to_string()))?;
        let rows = reader.u32("the number of rows")? as usize;
        let (Some(scale_bytes), Some(value_bytes)) =
            (rows.checked_mul(4), rows.checked_mul(dimension))
        else {
            return Err(reader.damaged("rows that fit in memory", rows.to_string()));
        };
        let scales = decode_scales(&mut reader, rows, scale_bytes)?;
        let values = reader.take(value_bytes, "values")?;
        let values = values.iter().map(|&value| value as i8).collect();
        reader.finish()?;
        Ok(Self { dimension, scales, values })
    }
}

fn decode_scales(
    reader: &mut Reader<'_>,
    rows: usize,
    scale_bytes: usize,
) -> Result<Vec<f32>, IndexError> {
    if scale_bytes > reader.remaining() {
        return Err(reader
            .damaged(format!("{scale_bytes} bytes of scales"), format!("{}", reader.remaining())));
    }
    (0..rows)
        .map(|_| {
            let scale = reader.finite_f32("a scale")?;
            if scale < 0.0 {
                return Err(reader.damaged("a scale of at least 0", scale.to_string()));
            }
            Ok(scale)
        })
        .collect()
}
