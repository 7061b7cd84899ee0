/// Returns the number of standard deviations that each score lies above the mean of all; 0 for all of them
/// where they do not differ.
///
/// BM25's scale has no end and cosine's has one, but how far a passage stands out among the same
/// candidates can be compared, and added. The sums run in the order given, so a page and a
/// terminal get the same bits.
///
/// ```
/// use campanile_retrieve::standard_scores;
///
/// assert_eq!(standard_scores(&[1.0, 3.0]), [-1.0, 1.0]);
/// assert_eq!(standard_scores(&[7.0, 7.0]), [0.0, 0.0]);
/// ```
pub fn standard_scores(scores: &[f32]) -> Vec<f64> {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().map(|score| f64::from(*score)).sum::<f64>() / count;
    let squares = scores.iter().map(|score| (f64::from(*score) - mean).powi(2)).sum::<f64>();
    let deviation = (squares / count).sqrt();
    let standard = |score: &f32| (f64::from(*score) - mean) / deviation;
    if deviation > f64::EPSILON * mean.abs() {
        scores.iter().map(standard).collect()
    } else {
        vec![0.0; scores.len()]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::standard_scores;

    proptest! {
        /// Mean 0, deviation 1, the order kept; and neither a factor nor a summand changes anything.
        #[test]
        fn standard(scores in proptest::collection::vec(-100f32..100.0, 2..40)) {
            let standard = standard_scores(&scores);
            let count = scores.len() as f64;
            prop_assert!(standard.iter().sum::<f64>().abs() < 1e-6 * count);
            let squares = standard.iter().map(|score| score * score).sum::<f64>() / count;
            prop_assert!(squares == 0.0 || (squares - 1.0).abs() < 1e-6);
            for (left, right) in scores.iter().zip(&standard).zip(scores.iter().zip(&standard).skip(1)).map(|(l, r)| ((l.0, r.0), (l.1, r.1))) {
                prop_assert!((left.0 < left.1) == (right.0 < right.1) || squares == 0.0);
            }
            let scaled: Vec<f32> = scores.iter().map(|score| score * 4.0).collect();
            for (left, right) in standard.iter().zip(standard_scores(&scaled)) {
                prop_assert!((left - right).abs() < 1e-6);
            }
        }
    }
}
