//! Made-up vectors for the tests.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Random vectors of length 1 around `clusters` centres.
pub(crate) fn clustered(rows: usize, dimension: usize, clusters: usize) -> Vec<Vec<f32>> {
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let centres: Vec<Vec<f32>> =
        (0..clusters).map(|_| (0..dimension).map(|_| normal(&mut random)).collect()).collect();
    (0..rows)
        .map(|row| {
            let centre = &centres[row % clusters];
            normalised(centre.iter().map(|c| c + 0.7 * normal(&mut random)).collect())
        })
        .collect()
}

pub(crate) fn normalised(row: Vec<f32>) -> Vec<f32> {
    let length = row.iter().map(|value| value * value).sum::<f32>().sqrt();
    row.into_iter().map(|value| value / length).collect()
}

/// About normal: the sum of twelve uniform numbers less six.
fn normal(random: &mut TestRng) -> f32 {
    let sum: f64 = (0..12).map(|_| f64::from(random.next_u32()) / f64::from(u32::MAX)).sum();
    (sum - 6.0) as f32
}
