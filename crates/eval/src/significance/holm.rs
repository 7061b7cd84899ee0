/// Adjusts the p of several comparisons of one experiment, in the order given (Holm 1979).
///
/// Of twenty configurations that are no better than the first, one seems so at 0.05 by chance.
/// Adjusted values may be compared with 0.05 as if there were one: the i-th smallest of m is
/// multiplied by m − i + 1, never falls below the one before it and stays at most 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
    order.sort_by(|left, right| left.1.total_cmp(&right.1));
    let mut adjusted = p_values.to_vec();
    let mut least: f64 = 0.0;
    for (rank, &(place, p)) in order.iter().enumerate() {
        least = least.max(p * (order.len() - rank) as f64).min(1.0);
        if let Some(value) = adjusted.get_mut(place) {
            *value = least;
        }
    }
    adjusted
}
