//! Which of the ranked chunks are shown, and in which order.

use campanile_bundle::{DocumentId, Fetch};
use campanile_index::Hit;

use super::Search;
use crate::clock::Clock;
use crate::comparison::compares;
use crate::diversity::{maximal_marginal_relevance, spread};
use crate::fuse::{Fused, Pool};

/// So many passages of one document are shown for a question that compares, before others have a place.
const OF_ONE_DOCUMENT: usize = 2;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Drops what does not fit at all, spreads what says the same, and ends the list where the scores fall.
    pub(super) async fn shown(&mut self, pool: &Pool, ranked: Vec<Fused>) -> Vec<Fused> {
        let started = self.now();
        let before = ranked.len();
        let fitting = self.fitting(pool, ranked);
        let fitting = self.diverse(fitting).await;
        let fitting = self.spread(fitting).await;
        let scores: Vec<f32> = fitting.iter().map(|fused| fused.score as f32).collect();
        let count = self.settings.shown.of(&scores);
        if fitting.len() < before || count < self.settings.shown.most.min(fitting.len()) {
            let hit = |fused: &Fused| Hit { chunk: fused.chunk, score: fused.score as f32 };
            self.keep("cut", fitting.iter().take(count).map(hit).collect());
        }
        self.trace.record("cut", count, self.now() - started);
        // A passage whose shard is damaged makes room for the next.
        self.settings.limit = count;
        fitting
    }

    /// Those that reach the floor.
    fn fitting(&self, pool: &Pool, ranked: Vec<Fused>) -> Vec<Fused> {
        let floor = self.settings.floor;
        let stands_in = self.asked_static.is_some();
        let fits = |fused: &Fused| {
            // The static encoder's scores are no cosines: what it put forward is let through.
            if stands_in && score_of(fused, 1).is_some() {
                return true;
            }
            let lexical = pool.score("lexical", fused.chunk).or(score_of(fused, 0));
            let reach = self.words.as_ref().zip(lexical).map(|(words, score)| words.reach(score));
            let cosine =
                pool.score("dense", fused.chunk).or(score_of(fused, 1).filter(|_| !stands_in));
            floor.admits(cosine, reach)
                || self.further.iter().any(|list| list.has_words_in(fused.chunk))
        };
        ranked.into_iter().filter(fits).collect()
    }

    /// Those that say something new before those that repeat, where that is wanted.
    async fn diverse(&mut self, ranked: Vec<Fused>) -> Vec<Fused> {
        let balance = self.settings.search.diversity;
        if balance >= 1.0 || ranked.len() < 2 {
            return ranked;
        }
        let table = match self.engine.bundle().chunk_index().vectors().await {
            Ok(table) => table,
            Err(error) => {
                self.note(&error);
                return ranked;
            }
        };
        let pool = self.settings.pool.min(ranked.len());
        let scores: Vec<f32> = ranked.iter().take(pool).map(|fused| fused.score as f32).collect();
        let relevance = from_0_to_1(&scores);
        let similarity = |left: usize, right: usize| {
            let chunk = |place: usize| ranked.get(place).map(|fused| fused.chunk);
            let pair = chunk(left).zip(chunk(right));
            pair.and_then(|(left, right)| table.dot_rows(left, right)).unwrap_or_default()
        };
        let order = maximal_marginal_relevance(&relevance, balance, pool, similarity);
        reordered(ranked, &order)
    }

    /// For a question that compares: passages of several documents.
    async fn spread(&mut self, ranked: Vec<Fused>) -> Vec<Fused> {
        if !self.settings.search.spread || !compares(&self.query.question) {
            return ranked;
        }
        let head = match self.engine.bundle().documents_head().await {
            Ok(head) => head,
            Err(error) => {
                self.note(&error);
                return ranked;
            }
        };
        let document = |fused: &Fused| head.place_of_chunk(fused.chunk).map(|place| place.document);
        let documents: Vec<Option<DocumentId>> = ranked.iter().map(document).collect();
        let order = spread(&documents, OF_ONE_DOCUMENT, self.settings.shown.most);
        reordered(ranked, &order)
    }
}

fn score_of(fused: &Fused, list: usize) -> Option<f32> {
    fused.origins.get(list).copied().flatten().map(|(_, score)| score)
}

fn from_0_to_1(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let least = scores.iter().copied().fold(f32::INFINITY, f32::min);
    let width = most - least;
    let place = |score: &f32| if width > 0.0 { (score - least) / width } else { 1.0 };
    scores.iter().map(place).collect()
}

/// The places of `order` first, then what it does not name. Each keeps its place's score, so that scores
/// fall from first to last as in every ranking.
pub(super) fn reordered(ranked: Vec<Fused>, order: &[usize]) -> Vec<Fused> {
    let scores: Vec<f64> = ranked.iter().map(|fused| fused.score).collect();
    let mut left: Vec<Option<Fused>> = ranked.into_iter().map(Some).collect();
    let mut result: Vec<Fused> = Vec::with_capacity(left.len());
    result.extend(order.iter().filter_map(|place| left.get_mut(*place).and_then(Option::take)));
    result.extend(left.into_iter().flatten());
    for (fused, score) in result.iter_mut().zip(scores) {
        fused.score = score;
    }
    result
}
