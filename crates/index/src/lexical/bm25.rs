//! Okapi BM25 over the posting lists of a question's terms.

use serde::{Deserialize, Serialize};

use super::{LexicalHead, Posting};
use crate::Hit;
use crate::hit::best;

/// The two free numbers of BM25.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bm25Parameters {
    /// How soon a term's further occurrences stop counting; 0 counts presence alone.
    pub k1: f32,
    /// How much a long chunk is held against its terms: 0 not at all, 1 in full.
    pub b: f32,
}

impl Default for Bm25Parameters {
    /// `k1` 1.2 and `b` 0.75, Lucene's choice as well.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

/// Ranks the chunks that hold any of a question's terms, at most `limit` of them.
///
/// `postings` has one list a term, in the question's order; a term without a list is left out.
/// The weight of a term found in `n` of `N` chunks is `ln(1 + (N - n + 0.5) / (n + 0.5))`, which
/// is never negative.
pub fn bm25<L: AsRef<[Posting]>>(head: &LexicalHead, postings: &[L], limit: usize) -> Vec<Hit> {
    let mut scores = vec![0f32; head.lengths().len()];
    for list in postings.iter().map(AsRef::as_ref) {
        let weight = inverse_document_frequency(scores.len(), list.len());
        for posting in list {
            let chunk = posting.chunk as usize;
            // A list of another index may name chunks this head does not have: they have no
            // length to be weighed by.
            if let (Some(score), Some(&length)) = (scores.get_mut(chunk), head.lengths().get(chunk))
            {
                *score += weight * saturation(head, posting.frequency, length);
            }
        }
    }
    let found = (0u32..)
        .zip(scores)
        .filter(|&(_, score)| score > 0.0)
        .map(|(chunk, score)| Hit { chunk, score })
        .collect();
    best(found, limit)
}

/// `libm`'s logarithm and not the platform's: a browser's may differ in the last bit, and then
/// two rankings would.
pub(super) fn inverse_document_frequency(chunks: usize, containing: usize) -> f32 {
    let (chunks, containing) = (chunks as f64, containing as f64);
    libm::log(1.0 + (chunks - containing + 0.5).max(0.0) / (containing + 0.5)) as f32
}

pub(super) fn saturation(head: &LexicalHead, frequency: u32, length: u16) -> f32 {
    let Bm25Parameters { k1, b } = head.parameters();
    let frequency = frequency as f32;
    let relative_length = f32::from(length) / head.average_length();
    frequency * (k1 + 1.0) / (frequency + k1 * (1.0 - b + b * relative_length))
}
