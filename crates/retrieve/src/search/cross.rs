//! The very best candidates once more, each read together with the question.

use campanile_bundle::Fetch;
use campanile_index::Hit;

use super::Search;
use crate::clock::Clock;
use crate::engine::PairTask;
use crate::error::RetrieveError;
use crate::fuse::{Fused, Pool, Signal};
use crate::options::Retriever;
use crate::passage::Passage;

/// The stage's name.
const STAGE: &str = "cross";

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Orders the first `cross_depth` of the list by their score so far and by what the reranker says of
    /// them, where one is loaded: a network that has read question and passage at once sees what two
    /// vectors cannot, and takes some 50 ms for each in a page.
    pub(super) async fn cross(&mut self, ranked: Vec<Fused>) -> Result<Vec<Fused>, RetrieveError> {
        let (weight, depth) = (self.settings.search.cross_weight, self.settings.cross_depth);
        let wanted = self.settings.retriever == Retriever::Hybrid
            && weight > 0.0
            && depth > 1
            && self.engine.pair_model_ready(PairTask::Reranker);
        if !wanted || ranked.len() < 2 {
            return Ok(ranked);
        }
        let started = self.now();
        let mut pool = Pool::new(ranked, depth);
        let chunks = pool.chunks();
        let first: Vec<(usize, &Fused)> = pool.candidates().iter().enumerate().collect();
        let mut passages = Vec::new();
        self.read_passages(&first, &mut passages).await;
        let texts: Vec<String> = passages.iter().map(Passage::in_context).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let scores = self.engine.rerank(&self.query.question, &texts)?.unwrap_or_default();
        let mut hits: Vec<Hit> = passages
            .iter()
            .zip(scores)
            .map(|(passage, score)| Hit { chunk: passage.chunk, score })
            .collect();
        let so_far = pool.candidates().iter().map(|fused| fused.score as f32).collect();
        // A passage that cannot be had is as good as the worst of the others.
        let least = hits.iter().map(|hit| hit.score).fold(f32::INFINITY, f32::min);
        let score = |chunk: &u32| {
            hits.iter().find(|hit| hit.chunk == *chunk).map_or(least, |hit| hit.score)
        };
        let scores = chunks.iter().map(score).collect();
        if !hits.is_empty() {
            pool.add(Signal { stage: "fused", weight: 1.0, scores: so_far });
            pool.add(Signal { stage: STAGE, weight, scores });
        }
        Hit::sort(&mut hits);
        self.ranked(STAGE, started, hits);
        Ok(pool.ranked())
    }
}
