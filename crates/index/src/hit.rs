//! The hits that a search gives back.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// A chunk found, with its score. Lists of hits are ordered by falling score; equal scores by
/// rising chunk, so that an order is the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The chunk's number in the whole site, from 0.
    pub chunk: u32,
    /// Larger is better. BM25's has no upper limit; a vector's is a cosine.
    pub score: f32,
}

impl Hit {
    /// Puts hits in order.
    pub fn sort(hits: &mut [Self]) {
        hits.sort_unstable_by(Self::order);
    }

    /// The better one first, of equals the chunk with the lower number.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.chunk.cmp(&other.chunk))
    }
}

/// The best `limit` hits, in order.
pub(crate) fn best(mut hits: Vec<Hit>, limit: usize) -> Vec<Hit> {
    if limit == 0 {
        return Vec::new();
    }
    if hits.len() > limit {
        // Only the winners are sorted: of 10,000 scored chunks a search wants some hundred.
        hits.select_nth_unstable_by(limit - 1, Hit::order);
        hits.truncate(limit);
    }
    Hit::sort(&mut hits);
    hits
}
