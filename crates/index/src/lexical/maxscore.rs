//! The best chunks of several posting lists, without scoring the rest to the end.
//!
//! A list adds at most its weight to any score. Lists are read from the rarest term to the most
//! frequent, and once the lists that are left could not lift a chunk from nothing into the best,
//! only chunks that stand a chance are looked up in them: MaxScore (Turtle and Flood, 1995), a
//! term at a time (Strohman, Turtle and Croft, 2005). Frequent terms have the longest lists and
//! the smallest weights, so it is most of the reading that falls away.
//!
//! The hits are those of scoring everything, to the last bit: a chunk that is looked up gets the
//! same numbers added in the same order, and bounds are widened by more than rounding could err.

#[cfg(test)]
mod tests;

use super::{LexicalHead, Posting};
use crate::Hit;
use crate::hits::best as best_of;

/// A term's postings and the most that they can add to a score.
pub(super) struct List<'a> {
    pub(super) postings: &'a [Posting],
    /// `k1 + 1` included: what the score would be of a term that a chunk repeats without end.
    pub(super) weight: f32,
}

/// Above any rounding of a sum of as many lists as a question has.
const ROUNDING: f32 = 1.0 + 1e-4;
/// A chunk that is not to be found: no list lifts it.
const LEFT_OUT: f32 = f32::NEG_INFINITY;

/// The best `limit` chunks of those that `keep` lets through. The lists come in the order in which
/// their scores are added, and none is empty.
pub(super) fn best(
    head: &LexicalHead,
    lists: &[List<'_>],
    limit: usize,
    keep: &dyn Fn(u32) -> bool,
) -> Vec<Hit> {
    if limit == 0 {
        return Vec::new();
    }
    let mut everything =
        Everything { scores: vec![0.0; head.lengths().len()], touched: Vec::new() };
    for (place, list) in lists.iter().enumerate() {
        // What this list and all behind it can add at most, before it is read.
        let left = most(&lists[place..]);
        if let Some(candidates) = everything.candidates(left, list.postings.len(), limit) {
            return finish(head, candidates, &lists[place..], limit);
        }
        everything.add(head, list, keep);
    }
    best_of(everything.hits(), limit)
}

/// The most that lists can add to a score.
fn most(lists: &[List<'_>]) -> f32 {
    lists.iter().map(|list| list.weight).sum::<f32>() * ROUNDING
}

/// A score for every chunk.
struct Everything {
    scores: Vec<f32>,
    /// Chunks with a score, in the order in which they were found.
    touched: Vec<u32>,
}

impl Everything {
    fn add(&mut self, head: &LexicalHead, list: &List<'_>, keep: &dyn Fn(u32) -> bool) {
        for posting in list.postings {
            // A list of another index may name chunks that this one does not have.
            let Some(score) = self.scores.get_mut(posting.chunk as usize) else { continue };
            if *score == 0.0 {
                if !keep(posting.chunk) {
                    *score = LEFT_OUT;
                    continue;
                }
                self.touched.push(posting.chunk);
            }
            *score += head.contribution(list.weight, *posting);
        }
    }

    /// The chunks that can be among the best, by rising number, where lists that add at most
    /// `left` cannot bring another one there and looking them up is less work than reading `next`
    /// postings.
    fn candidates(&self, left: f32, next: usize, limit: usize) -> Option<Vec<Hit>> {
        // Fewer than wanted have no threshold yet; more than the next list is long are read faster than looked up.
        if self.touched.len() < limit || self.touched.len() > next {
            return None;
        }
        let threshold = threshold(self.hits(), limit)?;
        if left >= threshold {
            return None;
        }
        // By chunk, as postings are: both are then walked forward once. What no list had is not among them, since all
        // that is left could not lift it there.
        let all = self.scores.iter().zip(0..).map(|(&score, id)| Hit { id, score });
        Some(all.filter(|hit| hit.score * ROUNDING + left >= threshold).collect())
    }

    fn hits(&self) -> impl Iterator<Item = Hit> {
        self.touched.iter().map(|&id| Hit { id, score: self.scores[id as usize] })
    }
}

/// Looks the candidates up in the lists that are left, dropping those that fall behind.
fn finish(
    head: &LexicalHead,
    mut candidates: Vec<Hit>,
    lists: &[List<'_>],
    limit: usize,
) -> Vec<Hit> {
    for (place, list) in lists.iter().enumerate() {
        look_up(head, &mut candidates, list);
        let left = most(&lists[place + 1..]);
        if let Some(threshold) = threshold(candidates.iter().copied(), limit) {
            candidates.retain(|hit| hit.score * ROUNDING + left >= threshold);
        }
    }
    best_of(candidates, limit)
}

/// Adds what one list says about the candidates; both rise by chunk.
fn look_up(head: &LexicalHead, candidates: &mut [Hit], list: &List<'_>) {
    let mut rest = list.postings;
    for hit in candidates {
        rest = from(rest, hit.id);
        let Some(posting) = rest.first() else { return };
        if posting.chunk == hit.id {
            hit.score += head.contribution(list.weight, *posting);
        }
    }
}

/// The postings from `chunk` on, found in steps that double: near ones cost little.
fn from(postings: &[Posting], chunk: u32) -> &[Posting] {
    let mut step = 1;
    while postings.get(step).is_some_and(|posting| posting.chunk < chunk) {
        step *= 2;
    }
    let end = postings.len().min(step + 1);
    let within = &postings[step / 2..end];
    &postings[step / 2 + within.partition_point(|posting| posting.chunk < chunk)..]
}

/// The score of the hit at place `limit`, counted from 1; none where there are fewer, or none is wanted.
fn threshold(hits: impl Iterator<Item = Hit>, limit: usize) -> Option<f32> {
    best_of(hits, limit).get(limit.checked_sub(1)?).map(|hit| hit.score)
}
