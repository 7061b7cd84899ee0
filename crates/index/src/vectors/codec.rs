//! The vector table as bytes.
//!
//! `CVT1`, the dimension and the number of rows (u32), all scales (f32), all values (i8), rows
//! one after the other.

use super::{VectorTable, check_dimension};
use crate::IndexError;
use crate::bytes::Reader;

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
