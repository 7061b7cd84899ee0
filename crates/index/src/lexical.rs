//! The inverted index: which chunks hold a term, and how often; and Okapi BM25 over its posting lists.

mod build;
mod head;
mod maxscore;
mod shard;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::{Hit, sort_short};
pub use build::{Field, FieldWeightError, FieldWeights, LexicalBuilder, LexicalIndex};
pub use head::LexicalHead;
use maxscore::List;
pub use shard::{Posting, PostingsShard};

/// The two free numbers of BM25.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bm25Parameters {
    /// The number that says how soon a term's further occurrences stop counting; 0 counts presence alone.
    pub k1: f32,
    /// The degree to which a long chunk is held against its terms: 0 not at all, 1 in full.
    pub b: f32,
}

impl Default for Bm25Parameters {
    /// `k1` 1.2 and `b` 0.75, Lucene's choice as well.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

/// Ranks the chunks that hold any of a question's terms and that `keep` lets through, at most
/// `limit` of them.
///
/// `postings` has one list a term; a term without a list is left out. The weight of a term found
/// in `n` of `N` chunks is `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative. A chunk's
/// score adds up its terms from the rarest to the most frequent, equally frequent ones in the
/// order given, so that the same lists give the same bits.
pub fn bm25<L: AsRef<[Posting]>>(
    head: &LexicalHead,
    postings: &[L],
    limit: usize,
    keep: &dyn Fn(u32) -> bool,
) -> Vec<Hit> {
    let lists: Vec<(&L, f32)> = postings.iter().map(|list| (list, 1.0)).collect();
    bm25_weighted(head, &lists, limit, keep)
}

/// As [`bm25`], with a factor for each term's weight: 1 for what was asked for, less for what
/// stands in for it. A list whose factor is not above 0 is left out.
pub fn bm25_weighted<L: AsRef<[Posting]>>(
    head: &LexicalHead,
    postings: &[(L, f32)],
    limit: usize,
    keep: &dyn Fn(u32) -> bool,
) -> Vec<Hit> {
    maxscore::best(head, &lists(head, postings), limit, keep)
}

/// The lists in the order in which their scores are added: the rarest term first, equally frequent
/// ones as they were given.
fn lists<'a, L: AsRef<[Posting]>>(head: &LexicalHead, postings: &'a [(L, f32)]) -> Vec<List<'a>> {
    let mut lists: Vec<List<'a>> = postings
        .iter()
        .map(|(list, factor)| (list.as_ref(), *factor))
        .filter(|(list, factor)| !list.is_empty() && *factor > 0.0)
        .map(|(list, factor)| List { postings: list, weight: most(head, list, factor) })
        .collect();
    // The rarest first: it has the highest weight, so that long lists are reached when little is left to be gained.
    sort_short(&mut lists, |left, right| left.postings.len().cmp(&right.postings.len()));
    lists
}

/// The most that a term can add to a score: its weight, times `k1 + 1` for a chunk that repeats it
/// without end.
fn most(head: &LexicalHead, list: &[Posting], factor: f32) -> f32 {
    let weight = inverse_document_frequency(head.lengths().len(), list.len());
    factor * weight * (head.parameters().k1 + 1.0)
}

/// `libm`'s logarithm and not the platform's: a browser's may differ in the last bit, and then
/// two rankings would.
fn inverse_document_frequency(chunks: usize, containing: usize) -> f32 {
    let (chunks, containing) = (chunks as f64, containing as f64);
    libm::log(1.0 + (chunks - containing + 0.5).max(0.0) / (containing + 0.5)) as f32
}

/// The BM25 scores of `chunks`, in their order: exactly those that
/// [`bm25_weighted`](super::bm25_weighted) ranks by, 0 for a
/// chunk that holds none of the terms or is not there.
///
/// A fusion of scores needs those of every candidate, also of one that only another search found.
///
/// ```
/// use campanile_index::{Bm25Parameters, LexicalBuilder, LexicalHead, PostingsShard, bm25_of};
///
/// let mut builder = LexicalBuilder::new(Bm25Parameters::default());
/// builder.add_chunk(["exam", "register"].map(String::from));
/// builder.add_chunk(["library", "hour"].map(String::from));
/// let index = builder.finish(16 * 1024);
/// let head = LexicalHead::decode(&index.head)?;
/// let shard = PostingsShard::decode(&index.shards[0], head.chunk_count())?;
/// let postings = shard.get("exam").ok_or("no such term")?;
/// let scores = bm25_of(&head, &[(postings, 1.0)], &[1, 0]);
/// assert!(scores[0] == 0.0 && scores[1] > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bm25_of<L: AsRef<[Posting]>>(
    head: &LexicalHead,
    postings: &[(L, f32)],
    chunks: &[u32],
) -> Vec<f32> {
    let mut scores = vec![0f32; chunks.len()];
    for list in lists(head, postings) {
        for (score, chunk) in scores.iter_mut().zip(chunks) {
            let found = list.postings.binary_search_by_key(chunk, |posting| posting.chunk);
            if let Ok(place) = found {
                *score += head.contribution(list.weight, list.postings[place]);
            }
        }
    }
    scores
}

/// The highest BM25 score that any chunk could have for terms with these postings, a term without
/// any counted as the rarest: a chunk that consisted of nothing else.
pub fn highest_bm25<L: AsRef<[Posting]>>(head: &LexicalHead, postings: &[(L, f32)]) -> f32 {
    postings.iter().map(|(list, factor)| most(head, list.as_ref(), factor.max(0.0))).sum()
}
