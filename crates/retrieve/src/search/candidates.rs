//! The candidates: one list of what the searches found, compared word by word, and read together with the question.

use campanile_bundle::{BundleError, ChunkId, Fetch, FusionMethod};
use campanile_index::{Hit, sort_short};

use super::Search;
use crate::engine::{Clock, PairTask};
use crate::error::RetrieveError;
use crate::fuse::{Fused, Pool, Signal, Weights, adapted, reciprocal_rank_fusion};
use crate::options::Retriever;
use crate::passage::Passage;
use crate::rerank::{filled, max_sims, question};

/// The weight of the static encoder beside the site's own: it errs more often. Chosen on three sets
/// (docs/reference/measurements.md), where 0.4 to 0.8 differ by little.
const STATIC_WEIGHT: f32 = 0.6;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Fuses the lists of the two searches by rank, and scores the best of them in both.
    pub(super) async fn fused(&mut self) -> Pool {
        let started = self.now();
        let list = |stage| self.rankings.of(stage).unwrap_or_default().to_vec();
        let (lexical, dense) = (list("lexical"), list(self.meaning_stage()));
        let pool = self.pool_of(&lexical, &dense).await;
        self.trace.record("fused", pool.chunks().len(), self.now() - started);
        pool
    }

    /// The candidates of two lists, with their scores in both searches.
    pub(super) async fn pool_of(
        &mut self,
        lexical: &[Hit<ChunkId>],
        dense: &[Hit<ChunkId>],
    ) -> Pool {
        let weights = self.weights();
        let mut lists = vec![(lexical, weights.lexical), (dense, weights.dense)];
        lists.extend(self.further.iter().map(|list| list.weighted(weights.lexical, weights.dense)));
        let fused = reciprocal_rank_fusion(&lists, self.settings.search.rrf_constant as f32);
        let mut pool = Pool::new(fused, self.settings.pool);
        if self.settings.search.fusion == FusionMethod::StandardScores {
            self.add_first_signals(&mut pool, weights).await;
        }
        pool
    }

    /// The order that the pool gives, written down where more than one search took part.
    pub(super) fn ordered(&mut self, pool: &Pool) -> Vec<Fused> {
        let ranked = pool.ranked();
        // Of one list, the fused order is that list's.
        if self.rankings.stages.len() > 1 {
            self.keep("fused", ranked.iter().map(Fused::hit).collect());
        }
        ranked
    }

    /// Returns the weight of each search for this question.
    fn weights(&self) -> Weights {
        let mut weights = self.settings.weights;
        if self.asked_static.is_some() {
            weights.dense *= STATIC_WEIGHT;
        }
        if !self.compares_tokens() {
            weights.late = 0.0;
        }
        let took_part = self.rankings.of(self.meaning_stage()).is_some();
        match &self.words {
            // Where meaning took no part, nothing could take over the weight that keywords lose.
            Some(words) if self.settings.search.adaptive_weights && took_part => {
                adapted(weights, words.reach(self.best_unit))
            }
            _ => weights,
        }
    }

    /// The scores that the first searches give to all candidates, also to those that one of them
    /// did not put forward.
    async fn add_first_signals(&mut self, pool: &mut Pool, weights: Weights) {
        let chunks = pool.chunks();
        let found = self.units_of(&chunks).await;
        let Some((units, owners)) = self.had(found) else { return };
        let best = |scores: &[f32], absent: f32| -> Vec<f32> {
            let mut best = vec![f32::NEG_INFINITY; chunks.len()];
            for (score, owner) in scores.iter().zip(&owners) {
                best[*owner] = best[*owner].max(*score);
            }
            best.iter().map(|best| if best.is_finite() { *best } else { absent }).collect()
        };
        // 0 is what BM25 gives to a text without any of the words, and near what a cosine gives to a text about
        // something else.
        if let Some(words) = &self.words {
            let scores = best(&words.scores(&units), 0.0);
            pool.add(Signal { stage: "lexical", weight: weights.lexical, scores });
        }
        if self.rankings.of("dense").is_some() {
            let cosines = self.cosines(&units).await;
            if let Some(cosines) = self.had(cosines) {
                let own = best(&cosines, 0.0).into_iter().zip(&chunks);
                let asked = |chunk: &ChunkId| self.questions.cosine(*chunk).unwrap_or(f32::MIN);
                let scores = own.map(|(own, chunk)| own.max(asked(chunk))).collect();
                pool.add(Signal { stage: "dense", weight: weights.dense, scores });
            }
        }
        if let Some(scores) = self.static_scores(&chunks) {
            pool.add(Signal { stage: "static", weight: weights.dense, scores });
        }
    }

    /// The stage that searches by meaning: the static encoder takes part only where the site's own
    /// does not.
    pub(super) fn meaning_stage(&self) -> &'static str {
        if self.asked_static.is_some() { "static" } else { "dense" }
    }

    /// The units of chunks, and for each the place of its chunk.
    async fn units_of(&self, chunks: &[ChunkId]) -> Result<(Vec<u32>, Vec<usize>), BundleError> {
        let Some(parents) = self.index.parents().await? else {
            return Ok(chunks.iter().map(|chunk| chunk.0).zip(0..).unzip());
        };
        let parts = chunks.iter().enumerate();
        Ok(parts
            .flat_map(|(place, chunk)| parents.parts_of(*chunk).map(move |unit| (unit, place)))
            .unzip())
    }

    /// The question's cosine with each unit.
    async fn cosines(&self, units: &[u32]) -> Result<Vec<f32>, RetrieveError> {
        let Some(vector) = &self.query.vector else { return Ok(Vec::new()) };
        let table = self.index.vectors_of(units).await?;
        let query = table.query(vector)?;
        let cosine = |row: u32| table.dot(&query, row).unwrap_or_default();
        Ok((0..table.len() as u32).map(cosine).collect())
    }
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Adds how well the candidates' tokens answer the question's, where the site keeps them and the
    /// question was embedded. A part of the site that cannot be had is named, and costs only what it
    /// would have said.
    pub(super) async fn rerank(&mut self, pool: &mut Pool) {
        if !self.compares_tokens() || pool.chunks().is_empty() {
            return;
        }
        let started = self.now();
        let chunks = pool.chunks();
        let scores = self.late_scores(&chunks).await;
        let Some(scores) = self.had(scores) else { return };
        let mut hits: Vec<Hit<ChunkId>> = chunks
            .iter()
            .zip(&scores)
            .filter_map(|(&id, score)| Some(Hit { id, score: (*score)? }))
            .collect();
        sort_short(&mut hits, Hit::order);
        if let Some(scores) = filled(&scores) {
            pool.add(Signal { stage: "rerank", weight: self.weights().late, scores });
        }
        self.ranked("rerank", started, hits);
    }

    /// Returns `true` if candidates are compared token by token.
    // MaxSim is one score more beside BM25 and cosine: by ranks, or with one of the two alone, it has no place.
    fn compares_tokens(&self) -> bool {
        self.settings.retriever == Retriever::Hybrid
            && self.settings.search.fusion == FusionMethod::StandardScores
            && self.settings.search.late_weight > 0.0
            && self.engine.manifest().late.is_some()
            && self.query.tokens.is_some()
    }

    /// The MaxSim score of each chunk; none where its record cannot be had.
    async fn late_scores(&mut self, chunks: &[ChunkId]) -> Result<Vec<Option<f32>>, RetrieveError> {
        let Some(tokens) = &self.query.tokens else { return Ok(Vec::new()) };
        let bundle = self.engine.bundle();
        let head = bundle.late_head().await?;
        let question = question(&head, self.engine.content_pieces()?, tokens)?;
        let mut records = Vec::with_capacity(chunks.len());
        for record in bundle.late_records(chunks).await {
            records.push(self.had(record));
        }
        Ok(max_sims(&question, &records))
    }
}

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
        let scores = self.engine.rerank(&self.query.question, &texts).await?.unwrap_or_default();
        let mut hits: Vec<Hit<ChunkId>> = passages
            .iter()
            .zip(scores)
            .map(|(passage, score)| Hit { id: passage.chunk, score })
            .collect();
        let so_far = pool.candidates().iter().map(|fused| fused.score as f32).collect();
        // A passage that cannot be had is as good as the worst of the others.
        let least = hits.iter().map(|hit| hit.score).fold(f32::INFINITY, f32::min);
        let score = |chunk: &ChunkId| {
            hits.iter().find(|hit| hit.id == *chunk).map_or(least, |hit| hit.score)
        };
        let scores = chunks.iter().map(score).collect();
        if !hits.is_empty() {
            pool.add(Signal { stage: "fused", weight: 1.0, scores: so_far });
            pool.add(Signal { stage: "cross", weight, scores });
        }
        sort_short(&mut hits, Hit::order);
        self.ranked("cross", started, hits);
        Ok(pool.ranked())
    }
}
