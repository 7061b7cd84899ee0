//! Learns a vector for each piece by ridge regression, and measures how well it stands in for the encoder.

use rayon::prelude::*;

use crate::examples::{DistilError, Examples, check};

/// Numbers of a vector that are solved for together: one cache line, and enough parts for every
/// core.
const LANES: usize = 16;

/// Some numbers of a vector, side by side.
type Lane = [f32; LANES];

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
        rows.extend(parts.iter().flat_map(|part| &part[piece]).take(dimension));
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
            let row = &prior[start..start + dimension];
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += share * value);
        }
        for (mean, target) in mean.iter().zip(target) {
            product += f64::from(mean * target);
            square += f64::from(mean * mean);
        }
    }
    // Without any example the prior stays as it is.
    if square > 0.0 { (product / square) as f32 } else { 1.0 }
}

/// Sums of products over all rows, one a lane.
type Sums = [f64; LANES];

/// Rows `[pieces]` near `start` that fit the targets `[texts]`: solves
/// `(AᵀA + strength) x = Aᵀ(targets - A start)` with the diagonal as preconditioner, since
/// frequent pieces weigh a thousand times what rare ones do, and gives `start + x`.
fn solve(examples: &Examples, targets: &[Lane], start: Vec<Lane>, ridge: Ridge) -> Vec<Lane> {
    let diagonal = diagonal(examples, ridge.strength);
    let mut left: Vec<Lane> = targets.to_vec();
    for (left, mean) in left.iter_mut().zip(means(examples, &start)) {
        left.iter_mut().zip(mean).for_each(|(left, mean)| *left -= mean);
    }
    let mut rows = start;
    let mut residual = shared_out(examples, &left);
    let mut scaled = divided(&residual, &diagonal);
    let mut direction = scaled.clone();
    let mut length = products(&residual, &scaled);
    for _ in 0..ridge.steps {
        let mut image = shared_out(examples, &means(examples, &direction));
        add_scaled(&mut image, &[f64::from(ridge.strength); LANES], &direction);
        let curvature = products(&direction, &image);
        let step = quotients(&length, &curvature);
        add_scaled(&mut rows, &step, &direction);
        add_scaled(&mut residual, &step.map(|step| -step), &image);
        scaled = divided(&residual, &diagonal);
        let next = products(&residual, &scaled);
        let turn = quotients(&next, &length);
        // The new direction: downhill, and conjugate to the last.
        add_scaled(&mut scaled, &turn, &direction);
        direction = std::mem::take(&mut scaled);
        length = next;
    }
    rows
}

/// The diagonal of `AᵀA + strength`.
fn diagonal(examples: &Examples, strength: f32) -> Vec<f32> {
    let mut diagonal = vec![strength; examples.pieces()];
    for &(piece, share) in examples.texts().flatten() {
        diagonal[piece as usize] += share * share;
    }
    diagonal
}

/// `A rows`: the mean of each text's rows.
fn means(examples: &Examples, rows: &[Lane]) -> Vec<Lane> {
    let mean = |shares: &[(u32, f32)]| {
        let mut mean = [0.0; LANES];
        for &(piece, share) in shares {
            let row = &rows[piece as usize];
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += share * value);
        }
        mean
    };
    examples.texts().map(mean).collect()
}

/// `Aᵀ texts`: each text's numbers to its pieces, by their shares.
fn shared_out(examples: &Examples, texts: &[Lane]) -> Vec<Lane> {
    let mut rows = vec![[0.0; LANES]; examples.pieces()];
    for (shares, text) in examples.texts().zip(texts) {
        for &(piece, share) in shares {
            let row = &mut rows[piece as usize];
            row.iter_mut().zip(text).for_each(|(sum, value)| *sum += share * value);
        }
    }
    rows
}

fn divided(rows: &[Lane], by: &[f32]) -> Vec<Lane> {
    rows.iter().zip(by).map(|(row, by)| row.map(|value| value / by)).collect()
}

fn products(left: &[Lane], right: &[Lane]) -> Sums {
    let mut sums = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum += f64::from(left * right);
        }
    }
    sums
}

/// Nothing is left to do in a lane whose divisor is zero.
fn quotients(dividends: &Sums, divisors: &Sums) -> Sums {
    let mut quotients = [0.0; LANES];
    for ((quotient, dividend), divisor) in quotients.iter_mut().zip(dividends).zip(divisors) {
        // A lane behind the last number of a vector is all zeros, and is solved before it begins.
        if *divisor > 0.0 {
            *quotient = dividend / divisor;
        }
    }
    quotients
}

fn add_scaled(rows: &mut [Lane], factors: &Sums, others: &[Lane]) {
    let factors = factors.map(|factor| factor as f32);
    for (row, other) in rows.iter_mut().zip(others) {
        for ((value, factor), other) in row.iter_mut().zip(&factors).zip(other) {
            *value += factor * other;
        }
    }
}

/// The mean share of one list's items that the other list has too, over pairs of lists that are
/// equally long; `None` without any item.
///
/// With the ten nearest passages by the encoder and by its stand-in this is the overlap@10.
pub fn overlap(pairs: &[[Vec<u32>; 2]]) -> Option<f32> {
    let mut shares = 0.0;
    let mut counted = 0;
    for [left, right] in pairs {
        if left.is_empty() {
            continue;
        }
        let both = left.iter().filter(|item| right.contains(item)).count();
        shares += both as f32 / left.len() as f32;
        counted += 1;
    }
    (counted > 0).then(|| shares / counted as f32)
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn worked_example() {
        let pairs = [[vec![1, 2, 3, 4], vec![4, 3, 9, 8]], [vec![5], vec![5]], [vec![], vec![]]];
        assert_eq!(overlap(&pairs), Some(0.75));
        assert_eq!(overlap(&[]), None);
    }
}
