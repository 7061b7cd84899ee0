//! Decides how many of the ranked passages are worth showing, and in which order they say different things.

/// The bounds on the number of passages shown, and the gap in their scores that ends the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depth {
    /// At least so many, where there are so many.
    pub least: usize,
    /// At most so many.
    pub most: usize,
    /// The gap that ends the list between the two: the first that is at least this share of the distance
    /// between the best score and that of the last passage in question; 1 or more never ends it.
    pub gap: f32,
}

impl Depth {
    /// Returns how many of `scores`, best first, are kept.
    ///
    /// The reliable pipeline's rule in words (few passages where scores separate clearly, more where they
    /// do not) with the bounds named; its thesis gives no formula. The gap is measured against the
    /// spread of the scores, because their scale is each question's own.
    ///
    /// ```
    /// use campanile_retrieve::Depth;
    ///
    /// let depth = Depth { least: 1, most: 5, gap: 0.5 };
    /// assert_eq!(depth.of(&[9.0, 8.8, 2.0, 1.9, 1.8, 1.7]), 2);
    /// assert_eq!(depth.of(&[9.0, 8.0, 7.0, 6.0, 5.0, 4.0]), 5);
    /// ```
    pub fn of(&self, scores: &[f32]) -> usize {
        let most = self.most.min(scores.len());
        let least = self.least.min(most);
        if most == 0 {
            return 0;
        }
        let spread = scores[0] - scores[most - 1];
        if self.gap >= 1.0 || spread <= 0.0 {
            return most;
        }
        let gap_after = |count: &usize| scores[count - 1] - scores[*count] >= self.gap * spread;
        (least.max(1)..most).find(gap_after).unwrap_or(most)
    }
}

/// The similarity and keyword score below which a passage does not fit at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Floor {
    /// Cosine with the question.
    pub(crate) cosine: f32,
    /// Share of the highest BM25 score that the question's terms could give.
    pub(crate) reach: f32,
}

impl Floor {
    /// Returns `true` if a passage with these scores may be shown: its cosine has to reach the floor, or
    /// its keywords to go over theirs. A search that took no part says nothing, and with neither there is
    /// nothing to go by.
    pub(crate) fn admits(&self, cosine: Option<f32>, reach: Option<f32>) -> bool {
        match (cosine, reach) {
            (None, None) => true,
            (cosine, reach) => {
                cosine.is_some_and(|cosine| cosine >= self.cosine)
                    // Above and not at: with a floor of 0, a passage without any of the words has not reached it.
                    || reach.is_some_and(|reach| reach > self.reach)
            }
        }
    }
}

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
        let worth = |place: usize| balance * relevance[place] - (1.0 - balance) * nearest[place];
        // Strictly more, so that of equals the one given first is chosen.
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
            nearest[other] = nearest[other].max(similarity(place, other));
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
pub(crate) fn spread<G: PartialEq>(groups: &[G], most: usize, count: usize) -> Vec<usize> {
    let (mut first, mut later): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (place, group) in groups.iter().enumerate() {
        let taken = first.iter().filter(|chosen| groups[**chosen] == *group).count();
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

    use super::*;

    #[test]
    fn the_list_ends_at_a_gap() {
        let dynamic = Depth { least: 3, most: 6, gap: 0.4 };
        let cases: &[(&[f32], usize)] = &[
            (&[], 0),
            (&[1.0], 1),
            (&[5.0, 4.0], 2),
            // The gap after the first is before the least.
            (&[9.0, 3.0, 2.9, 2.8, 2.7, 2.6, 2.5], 6),
            (&[9.0, 8.9, 8.8, 2.8, 2.7, 2.6, 2.5], 3),
            (&[9.0, 8.9, 8.8, 8.7, 2.7, 2.6, 2.5], 4),
            (&[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0], 6),
        ];
        for (scores, expected) in cases {
            assert_eq!(dynamic.of(scores), *expected, "{scores:?}");
        }
        let fixed = |count: usize| Depth { least: count, most: count, gap: 1.0 };
        assert_eq!(fixed(3).of(&[9.0, 1.0, 0.5, 0.1]), 3);
        assert_eq!(fixed(0).of(&[9.0]), 0);
    }

    #[test]
    fn a_group_makes_room_for_others() {
        assert_eq!(spread(&["a", "a", "a", "b", "c"], 2, 4), [0, 1, 3, 4, 2]);
    }

    #[test]
    fn one_of_both_has_to_fit() {
        let floor = Floor { cosine: 0.2, reach: 0.1 };
        let cases = [
            (Some(0.3), Some(0.0), true),
            (Some(0.1), Some(0.2), true),
            (Some(0.1), Some(0.05), false),
            (Some(0.1), None, false),
            (None, Some(0.05), false),
            (None, Some(0.1), false),
            (None, Some(0.11), true),
            (None, None, true),
        ];
        for (cosine, reach, expected) in cases {
            assert_eq!(floor.admits(cosine, reach), expected, "{cosine:?} {reach:?}");
        }
    }

    proptest! {
        /// Within the bounds, whatever the scores; and a factor on them changes nothing.
        #[test]
        fn bounds_hold(
            mut scores in proptest::collection::vec(-9f32..9.0, 0..20),
            least in 0usize..8,
            more in 0usize..8,
            gap in 0f32..1.2,
        ) {
            scores.sort_by(|left, right| right.total_cmp(left));
            let depth = Depth { least, most: least + more, gap };
            let count = depth.of(&scores);
            prop_assert!(count <= scores.len().min(least + more));
            prop_assert!(count >= least.min(scores.len()).min(count + least));
            prop_assert!(count >= scores.len().min(least));
            let doubled: Vec<f32> = scores.iter().map(|score| score * 2.0).collect();
            prop_assert_eq!(depth.of(&doubled), count);
        }
    }

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
