//! The highest of many logits.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::backend::Penalty;

/// A token's place among others: the higher logit first, of equal ones the lower token.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    logit: f32,
    token: u32,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.logit.total_cmp(&other.logit).then(other.token.cmp(&self.token))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The `count` tokens with the highest logits, as (token, logit): best first, ties by the lower
/// token.
pub(super) fn best_of(logits: &[f32], count: usize) -> Vec<(u32, f32)> {
    let mut best: BinaryHeap<Reverse<Ranked>> = BinaryHeap::with_capacity(count + 1);
    for (token, &logit) in (0..).zip(logits) {
        let candidate = Ranked { logit, token };
        if best.len() < count {
            best.push(Reverse(candidate));
        } else if best.peek().is_some_and(|worst| candidate > worst.0) {
            best.pop();
            best.push(Reverse(candidate));
        }
    }
    let ranked = best.into_sorted_vec();
    ranked.into_iter().map(|Reverse(one)| (one.token, one.logit)).collect()
}

/// The tokens whose logits are less than `depth` below the highest, as [`best_of`] gives them.
pub(super) fn best_within(logits: &[f32], depth: f32) -> Vec<(u32, f32)> {
    let highest = logits.iter().copied().max_by(f32::total_cmp).unwrap_or(f32::NEG_INFINITY);
    let mut ranked: Vec<Ranked> = (0..)
        .zip(logits)
        .map(|(token, &logit)| Ranked { logit, token })
        .filter(|candidate| {
            let below = highest - candidate.logit;
            below < depth || below.is_nan()
        })
        .collect();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    ranked.into_iter().map(|one| (one.token, one.logit)).collect()
}

/// Applies `penalty` to all `logits` of a vocabulary.
pub(super) fn penalise(logits: &mut [f32], penalty: Penalty<'_>) {
    for &token in penalty.seen {
        if let Some(logit) = logits.get_mut(token as usize) {
            *logit = if *logit > 0.0 { *logit / penalty.factor } else { *logit * penalty.factor };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{best_of, best_within, penalise};
    use crate::decoder::backend::Penalty;

    #[test]
    fn the_best_come_first_and_ties_go_to_the_lower_token() {
        let logits = [1.0, 3.0, -2.0, 3.0, 0.5];
        assert_eq!(best_of(&logits, 1), [(1, 3.0)]);
        assert_eq!(best_of(&logits, 3), [(1, 3.0), (3, 3.0), (0, 1.0)]);
        assert_eq!(best_of(&logits, 9).len(), 5);
    }

    #[test]
    fn what_lies_deep_below_the_best_is_left_out() {
        let logits = [1.0, 3.0, f32::NEG_INFINITY, 3.0, 0.5];
        assert_eq!(best_within(&logits, 2.1), [(1, 3.0), (3, 3.0), (0, 1.0)]);
        // A logit that is no number is not hidden: whoever chooses must see it.
        assert!(best_within(&[1.0, f32::NAN], 2.0)[0].1.is_nan());
    }

    #[test]
    fn a_penalty_lowers_logits_of_either_sign() {
        let mut logits = [2.0, -2.0, 1.0, 0.0];
        penalise(&mut logits, Penalty { factor: 2.0, seen: &[0, 1, 3, 99] });
        assert_eq!(logits, [1.0, -4.0, 1.0, 0.0]);
    }
}
