//! One list of what the searches found.

use campanile_bundle::{BundleError, Fetch, FusionMethod};
use campanile_index::Hit;

use super::Search;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::fuse::{Fused, Pool, Signal, Weights, adapted, reciprocal_rank_fusion};

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
    pub(super) async fn pool_of(&mut self, lexical: &[Hit], dense: &[Hit]) -> Pool {
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
        if self.rankings.stages.len() > 1 {
            let hit = |fused: &Fused| Hit { chunk: fused.chunk, score: fused.score as f32 };
            self.keep("fused", ranked.iter().map(hit).collect());
        }
        ranked
    }

    /// Returns the weight of each search for this question.
    fn weights(&self) -> Weights {
        let mut weights = self.settings.weights;
        if self.asked_static.is_some() {
            weights.dense *= STATIC_WEIGHT;
        }
        let took_part = self.rankings.of(self.meaning_stage()).is_some();
        match &self.words {
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
        let (units, owners) = match self.units_of(&chunks).await {
            Ok(found) => found,
            Err(error) => {
                self.note(&error);
                return;
            }
        };
        let best = |scores: &[f32], absent: f32| -> Vec<f32> {
            let mut best = vec![f32::NEG_INFINITY; chunks.len()];
            for (score, owner) in scores.iter().zip(&owners) {
                if let Some(best) = best.get_mut(*owner) {
                    *best = best.max(*score);
                }
            }
            best.iter().map(|best| if best.is_finite() { *best } else { absent }).collect()
        };
        if let Some(words) = &self.words {
            let scores = best(&words.scores(&units), 0.0);
            pool.add(Signal { stage: "lexical", weight: weights.lexical, scores });
        }
        if self.rankings.of("dense").is_some() {
            match self.cosines(&units).await {
                Ok(cosines) => {
                    let own = best(&cosines, 0.0).into_iter().zip(&chunks);
                    let asked = |chunk: &u32| self.questions.cosine(*chunk).unwrap_or(f32::MIN);
                    let scores = own.map(|(own, chunk)| own.max(asked(chunk))).collect();
                    pool.add(Signal { stage: "dense", weight: weights.dense, scores });
                }
                Err(error) => self.note(&error),
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
    async fn units_of(&self, chunks: &[u32]) -> Result<(Vec<u32>, Vec<usize>), BundleError> {
        let Some(parents) = self.index.parents().await? else {
            return Ok((chunks.to_vec(), (0..chunks.len()).collect()));
        };
        let parts = chunks.iter().enumerate();
        Ok(parts
            .flat_map(|(place, chunk)| parents.parts_of(*chunk).map(move |unit| (unit, place)))
            .unzip())
    }

    /// The question's cosine with each unit.
    async fn cosines(&self, units: &[u32]) -> Result<Vec<f32>, RetrieveError> {
        let Some(vector) = &self.query.vector else { return Ok(Vec::new()) };
        let table = self.index.vectors().await?;
        let query = table.query(vector)?;
        let cosine = |unit: &u32| table.dot(&query, *unit).unwrap_or_default();
        Ok(units.iter().map(cosine).collect())
    }
}
