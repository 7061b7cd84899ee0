//! Decides how many of the ranked passages are worth showing.

use serde::{Deserialize, Serialize};

/// The bounds on the number of passages shown, and the gap in their scores that ends the list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// At least so many, where there are so many.
    pub least: usize,
    /// At most so many.
    pub most: usize,
    /// Between the two the list ends at the first gap that is at least this share of the distance
    /// between the best score and that of the last passage in question; 1 or more never ends it.
    pub gap: f32,
}

impl Depth {
    /// Always the same number.
    pub fn fixed(count: usize) -> Self {
        Self { least: count, most: count, gap: 1.0 }
    }

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
        let (Some(best), Some(last)) =
            (scores.first(), most.checked_sub(1).and_then(|last| scores.get(last)))
        else {
            return 0;
        };
        let spread = best - last;
        if self.gap >= 1.0 || spread <= 0.0 {
            return most;
        }
        let gap_after = |count: &usize| {
            let here = count.checked_sub(1).and_then(|place| scores.get(place));
            match (here, scores.get(*count)) {
                (Some(here), Some(next)) => here - next >= self.gap * spread,
                _ => false,
            }
        };
        (least.max(1)..most).find(gap_after).unwrap_or(most)
    }
}

/// Below which similarity and keyword score a passage does not fit at all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Cosine with the question.
    pub cosine: f32,
    /// Share of the highest BM25 score that the question's terms could give.
    pub reach: f32,
}

impl Floor {
    /// Returns `true` if a passage with these scores may be shown: its cosine has to reach the floor, or
    /// its keywords to go over theirs. A search that took no part says nothing, and with neither there is
    /// nothing to go by.
    pub fn admits(&self, cosine: Option<f32>, reach: Option<f32>) -> bool {
        match (cosine, reach) {
            (None, None) => true,
            (cosine, reach) => {
                cosine.is_some_and(|cosine| cosine >= self.cosine)
                    || reach.is_some_and(|reach| reach > self.reach)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Depth, Floor};

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
        assert_eq!(Depth::fixed(3).of(&[9.0, 1.0, 0.5, 0.1]), 3);
        assert_eq!(Depth::fixed(0).of(&[9.0]), 0);
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
}
