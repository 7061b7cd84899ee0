//! BM25 of chunks that are chosen already.

use super::bm25::{lists, most};
use super::{LexicalHead, Posting};

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
            if let Some(posting) = found.ok().and_then(|place| list.postings.get(place)) {
                *score += head.contribution(list.weight, *posting);
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
