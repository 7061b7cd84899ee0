//! The directions in which vectors differ most.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
use rayon::prelude::*;

use crate::examples::{DistilError, check};

/// Rounds of the iteration. The space is wanted, and not each axis by itself, so a few are enough.
const ROUNDS: usize = 16;
/// Of more vectors than this, every so-manieth is looked at.
// 20,000 vectors of 384 numbers are 31 MB. Axes are directions of the whole, which a part in regular steps has as
// well.
const LOOKED_AT: usize = 20_000;
/// The seed of the first directions; any will do, as long as it stays the same.
const SEED: u64 = 8420;
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;

/// The principal axes of some vectors (Pearson, 1901), found by orthogonal iteration (Golub and Van
/// Loan, *Matrix Computations*, 8.2): the axes are multiplied with the covariances and made
/// orthogonal again, round by round.
#[derive(Debug, Clone, PartialEq)]
pub struct PrincipalAxes {
    mean: Vec<f32>,
    /// Each of length 1 and at right angles to the others.
    axes: Vec<Vec<f32>>,
}

impl PrincipalAxes {
    /// The first `count` axes of `vectors`, fewer where the vectors have fewer numbers.
    ///
    /// # Errors
    /// [`DistilError`] for vectors of unequal length, or with a number that is not finite.
    pub fn of<V: AsRef<[f32]> + Sync>(vectors: &[V], count: usize) -> Result<Self, DistilError> {
        let dimension = vectors.first().map_or(0, |vector| vector.as_ref().len());
        for vector in vectors {
            check("a vector", vector.as_ref(), dimension)?;
        }
        let stride = vectors.len().div_ceil(LOOKED_AT).max(1);
        let looked_at: Vec<&[f32]> = vectors.iter().step_by(stride).map(V::as_ref).collect();
        let mean = mean(&looked_at, dimension);
        let covariances = covariances(&looked_at, &mean);
        let mut chance = Pcg32::new(SEED, STREAM);
        let mut axes: Vec<Vec<f64>> = (0..count.min(dimension))
            .map(|_| (0..dimension).map(|_| f64::from(chance.next_u32() as i32)).collect())
            .collect();
        orthogonalise(&mut axes);
        for _ in 0..ROUNDS {
            axes = axes
                .par_iter()
                .map(|axis| covariances.iter().map(|row| dot(row, axis)).collect())
                .collect();
            orthogonalise(&mut axes);
        }
        let single = |values: Vec<f64>| values.into_iter().map(|value| value as f32).collect();
        Ok(Self { mean: single(mean), axes: axes.into_iter().map(single).collect() })
    }

    /// Returns the number of axes.
    pub fn count(&self) -> usize {
        self.axes.len()
    }

    /// A vector's coordinates along the axes: `[count]`.
    pub fn project(&self, vector: &[f32]) -> Vec<f32> {
        let along = |axis: &Vec<f32>| {
            axis.iter().zip(vector).map(|(a, b)| f64::from(a * b)).sum::<f64>() as f32
        };
        self.axes.iter().map(along).collect()
    }

    /// The coordinates of a vector from the mean of all. A question ranks passages alike by these
    /// and by the whole coordinates, since its product with the mean is the same for all; but the
    /// differences are smaller numbers, and keep more of themselves in few bits.
    pub fn project_from_mean(&self, vector: &[f32]) -> Vec<f32> {
        let from_mean: Vec<f32> = vector.iter().zip(&self.mean).map(|(a, b)| a - b).collect();
        self.project(&from_mean)
    }
}

fn mean(vectors: &[&[f32]], dimension: usize) -> Vec<f64> {
    let mut sum = vec![0f64; dimension];
    for vector in vectors {
        sum.iter_mut().zip(*vector).for_each(|(sum, &value)| *sum += f64::from(value));
    }
    let count = vectors.len().max(1) as f64;
    sum.into_iter().map(|sum| sum / count).collect()
}

/// `[dimension, dimension]`, not divided by the number of vectors: only directions matter.
fn covariances(vectors: &[&[f32]], mean: &[f64]) -> Vec<Vec<f64>> {
    let centred: Vec<Vec<f32>> = vectors
        .iter()
        .map(|vector| vector.iter().zip(mean).map(|(&a, b)| (f64::from(a) - b) as f32).collect())
        .collect();
    (0..mean.len())
        .into_par_iter()
        .map(|row| {
            let mut sums = vec![0f64; mean.len()];
            for vector in &centred {
                let own = vector[row];
                sums.iter_mut().zip(vector).for_each(|(sum, b)| *sum += f64::from(own * b));
            }
            sums
        })
        .collect()
}

/// Gram and Schmidt's process, in the order that loses the fewest digits. What vanishes becomes an
/// axis of zeros: there are fewer directions than were asked for.
fn orthogonalise(axes: &mut [Vec<f64>]) {
    for place in 0..axes.len() {
        let (before, rest) = axes.split_at_mut(place);
        let Some(axis) = rest.first_mut() else { return };
        let whole = dot(axis, axis).sqrt();
        // Twice is enough (Kahan; Parlett 1980).
        for _ in 0..2 {
            for other in &*before {
                let along = dot(axis, other);
                axis.iter_mut().zip(other).for_each(|(value, other)| *value -= along * other);
            }
        }
        let length = dot(axis, axis).sqrt();
        // Far above what doubles lose (10⁻¹⁶) and far below any direction that vectors in single precision have of
        // their own.
        let factor = if length > whole * 1e-9 { 1.0 / length } else { 0.0 };
        axis.iter_mut().for_each(|value| *value *= factor);
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}
