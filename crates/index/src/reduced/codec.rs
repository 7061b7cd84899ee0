//! The reduced table as bytes.
//!
//! `CRT1`, the dimension and the number of rows (u32), the step (f32), a code for each row, then
//! the rows, two numbers a byte, the first in the low half, each with 8 added.

use super::quantize::Scales;
use super::{ReducedTable, check_reduced};
use crate::IndexError;
use crate::bytes::Reader;

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
        out.extend(self.table.values().chunks(2).map(|pair| match *pair {
            [low, high] => half(low) | half(high) << 4,
            _ => 0,
        }));
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
