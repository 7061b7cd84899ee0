//! Labels that do not lie on each other.

/// Moves places (ascending or not) as little as can be, in the sense of least squares, so that neighbours
/// keep `gap` and all lie between `low` and `high`. Where there is no room for all, they begin at `low` and
/// keep their gap. The order of the result is that of the input; equal places keep their order.
///
/// With each place less its share of gaps, "at least a gap apart" is "not descending": the best such
/// sequence is found by pooling adjacent violators (Ayer et al., "An Empirical Distribution Function for
/// Sampling with Incomplete Information", 1955).
pub fn spread(places: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    let place = |index: usize| places.get(index).copied().unwrap_or_default();
    order.sort_by(|a, b| place(*a).total_cmp(&place(*b)));
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, index) in order.iter().enumerate() {
        let mut pool = (place(*index) - rank as f64 * gap, 1);
        while let Some((mean, count)) = pools.pop_if(|(mean, _)| *mean > pool.0) {
            let all = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / all as f64, all);
        }
        pools.push(pool);
    }
    let flat = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    let room = (high - gap * places.len().saturating_sub(1) as f64).max(low);
    let mut spread = vec![0.0; places.len()];
    for ((rank, index), mean) in order.into_iter().enumerate().zip(flat) {
        if let Some(place) = spread.get_mut(index) {
            *place = mean.clamp(low, room) + rank as f64 * gap;
        }
    }
    spread
}
