//! The ridge regression of texts' vectors on their pieces.

use rayon::prelude::*;

use crate::conjugate::solve;
use crate::error::{DistilError, check};
use crate::examples::Examples;

/// Numbers of a vector that are solved for together: one cache line, and enough parts for every
/// core.
pub(crate) const LANES: usize = 16;

/// Some numbers of a vector, side by side.
pub(crate) type Lane = [f32; LANES];

/// The settings by which a table is learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ridge {
    /// The strength with which rows are drawn towards the prior: the weight of a squared distance from it,
    /// beside 1 for a text's.
    pub strength: f32,
    /// Steps of the conjugate gradient.
    pub steps: usize,
}

impl Default for Ridge {
    /// From trials on SciFact and the sample campus, where anything from 0.01 to 0.1 does as well;
    /// after 25 steps nothing changes that four bits could keep.
    fn default() -> Self {
        Self { strength: 0.03, steps: 25 }
    }
}

/// The rows `[pieces, dimension]` that minimise
/// `Σ |mean of a text's rows - its target|² + strength × Σ |row - s × its prior|²`,
/// where the one factor `s` brings the prior to the targets' scale (least squares).
///
/// A piece that no text names keeps its prior. Every number of a vector is a problem of its own
/// with the same matrix; each is solved by the conjugate gradient (Hestenes and Stiefel, 1952),
/// sixteen side by side.
///
/// # Errors
/// [`DistilError`] where `prior` is not `[pieces, dimension]` finite numbers, or the strength is
/// not above zero.
pub fn learn(examples: &Examples, prior: &[f32], ridge: Ridge) -> Result<Vec<f32>, DistilError> {
    let dimension = examples.dimension();
    check("the prior", prior, examples.pieces() * dimension)?;
    if ridge.strength.is_nan() || ridge.strength <= 0.0 {
        return Err(DistilError::Strength { strength: ridge.strength });
    }
    let factor = prior_factor(examples, prior);
    let parts: Vec<Vec<Lane>> = (0..dimension.div_ceil(LANES))
        .into_par_iter()
        .map(|part| {
            let mut start = lanes(prior, dimension, part);
            start.iter_mut().flatten().for_each(|value| *value *= factor);
            let targets = lanes(examples.targets(), dimension, part);
            solve(examples, &targets, start, ridge)
        })
        .collect();
    let mut rows = Vec::with_capacity(prior.len());
    for piece in 0..examples.pieces() {
        let row = parts.iter().filter_map(|part| part.get(piece)).flatten();
        rows.extend(row.take(dimension));
    }
    Ok(rows)
}

/// The part of each row that is solved for together, zeros behind the last number.
fn lanes(rows: &[f32], dimension: usize, part: usize) -> Vec<Lane> {
    let start = part * LANES;
    rows.chunks_exact(dimension.max(1))
        .map(|row| {
            let mut lane = [0.0; LANES];
            let values = row.iter().skip(start);
            lane.iter_mut().zip(values).for_each(|(lane, &value)| *lane = value);
            lane
        })
        .collect()
}

/// Returns the factor by which the prior has to be multiplied so that its means come closest to the
/// targets.
fn prior_factor(examples: &Examples, prior: &[f32]) -> f32 {
    let dimension = examples.dimension();
    let (mut product, mut square) = (0f64, 0f64);
    let mut mean = vec![0f32; dimension];
    for (shares, target) in examples.texts().zip(examples.targets().chunks_exact(dimension.max(1)))
    {
        mean.fill(0.0);
        for &(piece, share) in shares {
            let start = piece as usize * dimension;
            let row = prior.get(start..start + dimension).unwrap_or_default();
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += share * value);
        }
        for (mean, target) in mean.iter().zip(target) {
            product += f64::from(mean * target);
            square += f64::from(mean * mean);
        }
    }
    if square > 0.0 { (product / square) as f32 } else { 1.0 }
}
