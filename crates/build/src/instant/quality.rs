//! How often the static encoder finds what the encoder finds.

use campanile_distil::overlap;
use campanile_index::{IndexError, ReducedTable, VectorTable};
use rayon::prelude::*;

/// Of the windows each so-manieth is held back from learning.
const EVERY: usize = 20;
/// This many of them are enough to know the share to two points.
const ASKED: usize = 400;
/// Passages that are compared.
const NEAREST: usize = 10;

/// Whether a window is not learned from.
pub fn is_held_back(number: usize) -> bool {
    number.is_multiple_of(EVERY)
}

/// The share of the ten passages nearest by the encoder that are among the ten nearest by the static
/// one, over windows that were held back: their pieces and the encoder's vector of each.
///
/// # Errors
/// Where vectors do not fit.
pub fn overlap_of(
    windows: &[(Vec<u32>, &Vec<f32>)],
    of_passages: &[Vec<f32>],
    table: &ReducedTable,
    passages: &ReducedTable,
) -> Result<f32, IndexError> {
    let width = of_passages.first().map_or(0, Vec::len);
    let exact = VectorTable::from_f32(of_passages, width)?;
    let held_back: Vec<_> = windows.iter().step_by(EVERY).collect();
    let asked: Vec<_> = held_back.iter().step_by(held_back.len().div_ceil(ASKED).max(1)).collect();
    let pairs = asked
        .par_iter()
        .map(|(pieces, vector)| {
            let chunks =
                |hits: Vec<campanile_index::Hit>| hits.iter().map(|hit| hit.chunk).collect();
            let by_encoder = exact.search(vector, NEAREST, &|_| true)?;
            let by_static = match table.mean(pieces) {
                Some(mean) => passages.search(&mean, NEAREST, &|_| true)?,
                None => Vec::new(),
            };
            Ok([chunks(by_encoder), chunks(by_static)])
        })
        .collect::<Result<Vec<[Vec<u32>; 2]>, IndexError>>()?;
    Ok(overlap(&pairs).unwrap_or_default())
}
