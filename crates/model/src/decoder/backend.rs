//! The backend of a decoder: the seam between the arithmetic and everything around it.
//!
//! The state machine ([`super::Decoder`]) owns the conversation: which tokens are cached, how the
//! next one is chosen, when an answer ends. A backend owns the weights and the cache of keys and
//! values, and does nothing else. So every device gives the same text wherever its logits agree.
//! Each backend's [`DecoderBackend::best`] has to give the tokens that [`best_of`] and [`penalise`] define.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::future::Future;
use std::pin::Pin;

use crate::error::ModelError;

/// The future of a backend's work: it may wait for a device, and it may fail.
///
/// Not `Send`: a browser's devices belong to one thread.
pub type BackendFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ModelError>> + 'a>>;

/// Makes tokens that were used before less likely (Keskar et al. 2019): a logit above 0 is
/// divided by `factor`, one below is multiplied by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty<'a> {
    /// Above 1 to discourage; above 0 always.
    pub factor: f32,
    /// The tokens that were used: sorted, each once, all within the vocabulary.
    pub seen: &'a [u32],
}

/// Runs a decoder's layers and holds its cache of keys and values.
///
/// Calls come one at a time, and in this order: [`reserve`](Self::reserve) for the positions that
/// a [`read`](Self::read) needs, the read, and then, after the last block of a prompt and after
/// every token of an answer, [`best`](Self::best) and [`logits`](Self::logits), in any order and
/// more than once where the first answer is not enough. A future
/// that is dropped halfway leaves the positions of its read undefined; the next read starts at or
/// before them.
pub trait DecoderBackend {
    /// Makes room for `tokens` positions in all. What is cached stays.
    ///
    /// Asked before every read, so it returns at once where there is room, and grows in steps
    /// where there is not.
    ///
    /// # Errors
    /// [`ModelError::Device`] where the memory cannot be had.
    fn reserve(&mut self, tokens: usize) -> Result<(), ModelError>;

    /// Reads `tokens` at `position` and after, and overwrites the cache from there on. Positions
    /// before `position` stay as they are and are seen by all of `tokens`.
    ///
    /// There are 1 to [`block_tokens`](Self::block_tokens) tokens, all within the vocabulary.
    fn read<'a>(&'a mut self, tokens: &'a [u32], position: usize) -> BackendFuture<'a, ()>;

    /// The most tokens of one [`read`](Self::read): many enough for fast products, few enough
    /// that a page stays responsive between two reads.
    fn block_tokens(&self) -> usize;

    /// All logits after the last token read, `vocab_size` values.
    ///
    /// On a GPU this reads back a few hundred kilobytes a token, so it is asked for only where
    /// [`best`](Self::best) cannot do: by logit processors, by sampling from more than
    /// [`most_candidates`](Self::most_candidates) tokens, by a constraint that forbids so many, and
    /// by tests.
    fn logits(&mut self) -> BackendFuture<'_, Vec<f32>>;

    /// The `count` tokens with the highest logits after the penalty, as (token, logit): best
    /// first, ties by the lower token. `count` is 1 to [`most_candidates`](Self::most_candidates).
    fn best<'a>(
        &'a mut self,
        count: usize,
        penalty: Option<Penalty<'a>>,
    ) -> BackendFuture<'a, Vec<(u32, f32)>>;

    /// The most candidates that [`best`](Self::best) can hand out; at least 1.
    fn most_candidates(&self) -> usize;

    /// A word for messages: `cpu`, `webgpu`.
    fn device(&self) -> &str;
}

/// A token's place among others: the higher logit first, of equal ones the lower token.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ranked {
    logit: f32,
    token: u32,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        // A total order, so that a NaN is neither a panic nor depends on where it stands; it comes first and is
        // found.
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
    // A heap of the few that are wanted, most often one, and no sorting of a vocabulary of 49,152 (SmolLM2) to
    // 151,936 (Qwen).
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
            // Whoever chooses has to see that the device computes nonsense.
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
    use super::{Penalty, best_of, best_within, penalise};

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
