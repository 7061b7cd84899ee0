//! The conjugate gradient over a sparse matrix, for sixteen right-hand sides at once.

use crate::examples::Examples;
use crate::ridge::{LANES, Lane, Ridge};

/// Sums of products over all rows, one a lane.
type Sums = [f64; LANES];

/// Rows `[pieces]` near `start` that fit the targets `[texts]`: solves
/// `(AᵀA + strength) x = Aᵀ(targets - A start)` with the diagonal as preconditioner, since
/// frequent pieces weigh a thousand times what rare ones do, and gives `start + x`.
pub(crate) fn solve(
    examples: &Examples,
    targets: &[Lane],
    start: Vec<Lane>,
    ridge: Ridge,
) -> Vec<Lane> {
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
        if let Some(sum) = diagonal.get_mut(piece as usize) {
            *sum += share * share;
        }
    }
    diagonal
}

/// `A rows`: the mean of each text's rows.
fn means(examples: &Examples, rows: &[Lane]) -> Vec<Lane> {
    let mean = |shares: &[(u32, f32)]| {
        let mut mean = [0.0; LANES];
        for &(piece, share) in shares {
            let row = rows.get(piece as usize).unwrap_or(&[0.0; LANES]);
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
            if let Some(row) = rows.get_mut(piece as usize) {
                row.iter_mut().zip(text).for_each(|(sum, value)| *sum += share * value);
            }
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
