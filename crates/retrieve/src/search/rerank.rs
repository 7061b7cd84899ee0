//! The best candidates once more, word by word.

use campanile_bundle::{Fetch, FusionMethod};
use campanile_index::Hit;

use super::Search;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::fuse::{Pool, Signal};
use crate::options::Retriever;
use crate::rerank::{filled, max_sims, question};

/// The stage's name.
const STAGE: &str = "rerank";

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Adds how well the candidates' tokens answer the question's, where the site keeps them and the
    /// question was embedded. A part of the site that cannot be had is named, and costs only what it
    /// would have said.
    pub(super) async fn rerank(&mut self, pool: &mut Pool) {
        let wanted = self.settings.retriever == Retriever::Hybrid
            && self.settings.search.fusion == FusionMethod::StandardScores
            && self.settings.search.late_weight > 0.0
            && self.engine.manifest().late.is_some()
            && !pool.chunks().is_empty();
        if !wanted || self.query.tokens.is_none() {
            return;
        }
        let started = self.now();
        let scores = match self.late_scores(&pool.chunks()).await {
            Ok(scores) => scores,
            Err(error) => {
                self.note(&error);
                return;
            }
        };
        let chunks = pool.chunks();
        let mut hits: Vec<Hit> = chunks
            .iter()
            .zip(&scores)
            .filter_map(|(&chunk, score)| Some(Hit { chunk, score: (*score)? }))
            .collect();
        Hit::sort(&mut hits);
        if let Some(scores) = filled(&scores) {
            pool.add(Signal { stage: STAGE, weight: self.settings.search.late_weight, scores });
        }
        self.ranked(STAGE, started, hits);
    }

    /// The MaxSim score of each chunk; none where its record cannot be had.
    async fn late_scores(&mut self, chunks: &[u32]) -> Result<Vec<Option<f32>>, RetrieveError> {
        let Some(tokens) = &self.query.tokens else { return Ok(Vec::new()) };
        let bundle = self.engine.bundle();
        let head = bundle.late_head().await?;
        let question = question(&head, &*self.engine.content_pieces()?, tokens)?;
        let mut records = Vec::with_capacity(chunks.len());
        for record in bundle.late_records(chunks).await {
            records.push(record.map_err(|error| self.note(&error)).ok());
        }
        Ok(max_sims(&question, &records))
    }
}
