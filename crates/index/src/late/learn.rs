//! The directions in which token vectors differ most.

use super::codec::late;
use super::projection::Projection;
use crate::IndexError;

/// Rounds of the iteration: the subspace hardly moves after twenty.
const ROUNDS: usize = 30;
/// Seed of the first directions and of the turn; any number will do, as long as it stays the same.
const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// Sums over token vectors, from which a [`Projection`] is learned.
///
/// Vectors count with length 1, as they are compared. Everything is summed in double precision in
/// the order given, without a library's functions but the square root: the same vectors give the same
/// projection on every machine.
#[derive(Debug, Clone)]
pub struct TokenStatistics {
    dimension: usize,
    count: usize,
    sum: Vec<f64>,
    /// `[dimension, dimension]`: of all products of two numbers of a vector.
    products: Vec<f64>,
}

impl TokenStatistics {
    /// Of no vectors yet.
    pub fn new(dimension: usize) -> Self {
        let products = vec![0.0; dimension * dimension];
        Self { dimension, count: 0, sum: vec![0.0; dimension], products }
    }

    /// Counts vectors in, `[vectors, dimension]`; one without a length is passed over.
    pub fn add(&mut self, vectors: &[f32]) {
        for vector in vectors.chunks_exact(self.dimension.max(1)) {
            let vector: Vec<f64> = vector.iter().map(|&value| f64::from(value)).collect();
            let length = dot(&vector, &vector).sqrt();
            if !(length > 0.0 && length.is_finite()) {
                continue;
            }
            let vector: Vec<f64> = vector.iter().map(|value| value / length).collect();
            self.count += 1;
            add_scaled(&mut self.sum, &vector, 1.0);
            for (row, &value) in self.products.chunks_exact_mut(self.dimension).zip(&vector) {
                add_scaled(row, &vector, value);
            }
        }
    }

    /// The projection to the `output` directions in which the vectors vary most: principal
    /// components (Pearson, 1901), found by orthogonal iteration and then turned at random, so that
    /// no direction of the result varies more than another and one step of a [`Codec`](super::Codec)
    /// fits all.
    ///
    /// # Errors
    /// [`IndexError::Late`] where there are fewer vectors than directions, or fewer numbers in a
    /// vector.
    pub fn projection(&self, output: usize) -> Result<Projection, IndexError> {
        if output > self.dimension || self.count < output {
            return Err(late(format!(
                "at least {output} token vectors of as many numbers, found {} of {}",
                self.count, self.dimension
            )));
        }
        let mean: Vec<f64> = self.sum.iter().map(|sum| sum / self.count as f64).collect();
        let covariance = self.covariance(&mean);
        let mut random = Random(SEED);
        let mut directions = random.directions(output, self.dimension);
        for _ in 0..ROUNDS {
            directions =
                directions.iter().map(|direction| product(&covariance, direction)).collect();
            orthonormalise(&mut directions);
        }
        let mut turns = random.directions(output, output);
        orthonormalise(&mut turns);
        let turned = turns.iter().map(|turn| {
            let mut row = vec![0.0; self.dimension];
            for (direction, &share) in directions.iter().zip(turn) {
                add_scaled(&mut row, direction, share);
            }
            row
        });
        Projection::new(&turned.collect::<Vec<_>>(), &mean)
    }

    fn covariance(&self, mean: &[f64]) -> Vec<Vec<f64>> {
        let rows = self.products.chunks_exact(self.dimension.max(1)).zip(mean);
        rows.map(|(row, left)| {
            let value = |(product, right): (&f64, &f64)| product / self.count as f64 - left * right;
            row.iter().zip(mean).map(value).collect()
        })
        .collect()
    }
}

/// Gram and Schmidt's process, twice over: once leaves what rounding left.
fn orthonormalise(rows: &mut [Vec<f64>]) {
    for place in 0..rows.len() {
        let (before, rest) = rows.split_at_mut(place);
        let Some(row) = rest.first_mut() else { continue };
        for _ in 0..2 {
            for other in &*before {
                let share = dot(row, other);
                add_scaled(row, other, -share);
            }
        }
        let length = dot(row, row).sqrt();
        if length > 0.0 {
            row.iter_mut().for_each(|value| *value /= length);
        }
    }
}

fn product(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; vector.len()];
    // The matrix is symmetric, so its rows are its columns.
    for (row, &value) in matrix.iter().zip(vector) {
        add_scaled(&mut result, row, value);
    }
    result
}

fn add_scaled(sum: &mut [f64], vector: &[f64], factor: f64) {
    for (sum, value) in sum.iter_mut().zip(vector) {
        *sum += factor * value;
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn directions(&mut self, count: usize, dimension: usize) -> Vec<Vec<f64>> {
        (0..count).map(|_| (0..dimension).map(|_| self.number()).collect()).collect()
    }

    /// Between -6 and 6, spread about normally: a sum of twelve.
    fn number(&mut self) -> f64 {
        (0..12).map(|_| (self.next() >> 11) as f64 / (1u64 << 53) as f64).sum::<f64>() - 6.0
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
