//! Passages that say different things.

/// Reorders candidates by maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998): each
/// next one has the most of `balance · relevance − (1 − balance) · (its greatest similarity to one
/// chosen before)`.
///
/// `relevance` has one number for each candidate, on a scale of 0 to 1 like `similarity`, which is
/// asked for pairs of places. With a balance of 1 the order is that of relevance; ties keep the
/// order given. The result has the places of the first `count`.
///
/// ```
/// use campanile_retrieve::maximal_marginal_relevance;
///
/// // The second says nearly the same as the first.
/// let similarity = |left: usize, right: usize| if left + right == 1 { 0.95 } else { 0.1 };
/// assert_eq!(maximal_marginal_relevance(&[0.9, 0.89, 0.7], 0.5, 3, similarity), [0, 2, 1]);
/// ```
pub fn maximal_marginal_relevance(
    relevance: &[f32],
    balance: f32,
    count: usize,
    similarity: impl Fn(usize, usize) -> f32,
) -> Vec<usize> {
    // The greatest similarity of each candidate to what is chosen so far.
    let mut nearest = vec![0f32; relevance.len()];
    let mut left: Vec<usize> = (0..relevance.len()).collect();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let worth = |place: usize| {
            let relevant = relevance.get(place).copied().unwrap_or_default();
            let near = nearest.get(place).copied().unwrap_or_default();
            balance * relevant - (1.0 - balance) * near
        };
        let mut best: Option<(usize, f32)> = None;
        for (position, &place) in left.iter().enumerate() {
            let worth = worth(place);
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((position, worth));
            }
        }
        let Some((position, _)) = best else { break };
        let place = left.remove(position);
        for &other in &left {
            if let Some(nearest) = nearest.get_mut(other) {
                *nearest = nearest.max(similarity(place, other));
            }
        }
        chosen.push(place);
    }
    chosen
}

/// Moves down what would be one group's next after it has `most` places among the first `count`, so that others
/// have a place too; nothing is lost, and within the two parts the order stays.
///
/// `groups` has the group of each candidate, best first; the result has their places in the new
/// order. A question that compares two things finds both this way even where the one document
/// says more about its own.
///
/// ```
/// use campanile_retrieve::spread;
///
/// assert_eq!(spread(&["a", "a", "a", "b", "c"], 2, 4), [0, 1, 3, 4, 2]);
/// ```
pub fn spread<G: PartialEq>(groups: &[G], most: usize, count: usize) -> Vec<usize> {
    let (mut first, mut later): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (place, group) in groups.iter().enumerate() {
        let taken = first.iter().filter(|chosen| groups.get(**chosen) == Some(group)).count();
        if first.len() < count && taken < most {
            first.push(place);
        } else {
            later.push(place);
        }
    }
    first.extend(later);
    first
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{maximal_marginal_relevance, spread};

    proptest! {
        #[test]
        fn balance_one_is_the_order_of_relevance(relevance in proptest::collection::vec(0f32..1.0, 0..20)) {
            let order = maximal_marginal_relevance(&relevance, 1.0, relevance.len(), |_, _| 1.0);
            let mut expected: Vec<usize> = (0..relevance.len()).collect();
            expected.sort_by(|left, right| relevance[*right].total_cmp(&relevance[*left]));
            prop_assert_eq!(order, expected);
        }

        #[test]
        fn each_place_once(
            relevance in proptest::collection::vec(0f32..1.0, 0..20),
            balance in 0f32..1.0,
            count in 0usize..25,
        ) {
            let near = |left: usize, right: usize| 1.0 / (1.0 + left.abs_diff(right) as f32);
            let mut order = maximal_marginal_relevance(&relevance, balance, count, near);
            prop_assert_eq!(order.len(), count.min(relevance.len()));
            order.sort_unstable();
            order.dedup();
            prop_assert_eq!(order.len(), count.min(relevance.len()));
        }

        #[test]
        fn spreading_loses_nothing(
            groups in proptest::collection::vec(0u8..4, 0..20),
            most in 1usize..5,
            count in 0usize..12,
        ) {
            let order = spread(&groups, most, count);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..groups.len()).collect::<Vec<_>>());
            // One group has more than its share among the first only where nobody else was left.
            let first = &order[..count.min(order.len())];
            let of = |group: u8| first.iter().filter(|place| groups[**place] == group).count();
            let kinds = (0..4).filter(|group| groups.contains(group)).count();
            if (0..4).any(|group| of(group) > most) {
                prop_assert!(kinds * most < count || groups.len() < count
                    || (0..4u8).all(|group| of(group) >= most.min(groups.iter().filter(|other| **other == group).count())));
            }
        }
    }
}
