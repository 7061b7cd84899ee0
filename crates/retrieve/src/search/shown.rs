//! Decides which of the ranked chunks are shown, in which order, and with what around them.

use campanile_bundle::{DocumentId, Fetch};

use super::Search;
use crate::depth::{maximal_marginal_relevance, spread};
use crate::engine::Clock;
use crate::error::RetrieveError;
use crate::fuse::{Fused, Pool};
use crate::neighbours::{Excerpt, with_neighbours};
use crate::passage::{Passage, Scores, StageScore};
use crate::query::compares;

/// So many passages of one document are shown for a question that compares, before others have a place.
// Of five that are shown, two for each side and one more.
const OF_ONE_DOCUMENT: usize = 2;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Drops what does not fit at all, spreads what says the same, and ends the list where the scores fall.
    pub(super) async fn shown(&mut self, pool: &Pool, ranked: Vec<Fused>) -> Vec<Fused> {
        let started = self.now();
        let before = ranked.len();
        // The order matters: what does not fit must not take a place that another document could have, and the gap is
        // looked for in the list as it is shown.
        let fitting = self.fitting(pool, ranked);
        let fitting = self.diverse(fitting).await;
        let fitting = self.spread(fitting).await;
        let scores: Vec<f32> = fitting.iter().map(|fused| fused.score as f32).collect();
        let count = self.settings.shown.of(&scores);
        if fitting.len() < before || count < self.settings.shown.most.min(fitting.len()) {
            self.keep("cut", fitting.iter().take(count).map(Fused::hit).collect());
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
        let pool = self.settings.pool.min(ranked.len());
        let chunks: Vec<u32> = ranked.iter().take(pool).map(|fused| fused.chunk.0).collect();
        let table = self.engine.bundle().chunk_index().vectors_of(&chunks).await;
        let Some(table) = self.had(table) else { return ranked };
        let scores: Vec<f32> = ranked.iter().take(pool).map(|fused| fused.score as f32).collect();
        let relevance = from_0_to_1(&scores);
        let similarity = |left: usize, right: usize| {
            table.dot_rows(left as u32, right as u32).unwrap_or_default()
        };
        let order = maximal_marginal_relevance(&relevance, balance, pool, similarity);
        reordered(ranked, &order)
    }

    /// Spreads what is shown over several documents, for a question that compares.
    async fn spread(&mut self, ranked: Vec<Fused>) -> Vec<Fused> {
        if !self.settings.search.spread || !compares(&self.query.question) {
            return ranked;
        }
        let head = self.engine.bundle().documents_head().await;
        let Some(head) = self.had(head) else { return ranked };
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

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// The best chunks with their documents; a chunk whose shard is damaged makes room for the next.
    pub(super) async fn passages(&mut self, fused: &[Fused]) -> Vec<Passage> {
        let started = self.now();
        let limit = self.settings.limit;
        let mut passages = Vec::new();
        let mut ranked = fused.iter().enumerate().peekable();
        while passages.len() < limit && ranked.peek().is_some() {
            let group: Vec<(usize, &Fused)> =
                ranked.by_ref().take(limit - passages.len()).collect();
            // As many at once as are missing: their shards are fetched side by side.
            self.read_passages(&group, &mut passages).await;
        }
        for passage in &mut passages {
            passage.child = self.children.of(passage, self.settings.search.granularity);
            passage.question = self.questions.of(passage);
        }
        self.trace.record("passages", passages.len(), self.now() - started);
        passages
    }

    /// The passages with what stands around them, where that is wanted.
    pub(super) fn excerpts(&mut self, passages: &[Passage]) -> Result<Vec<Excerpt>, RetrieveError> {
        let around = self.settings.around;
        if around.before + around.after == 0 {
            return Ok(Vec::new());
        }
        let started = self.now();
        let excerpts = with_neighbours(passages, &around, |text| self.engine.count_tokens(text))?;
        let found = excerpts.iter().map(|excerpt| excerpt.parts.len()).sum();
        self.trace.record("neighbours", found, self.now() - started);
        Ok(excerpts)
    }

    /// Reads the passages of one group, all their shards at once.
    pub(super) async fn read_passages(
        &mut self,
        group: &[(usize, &Fused)],
        passages: &mut Vec<Passage>,
    ) {
        let bundle = self.engine.bundle();
        let mut places = Vec::new();
        for (position, fused) in group {
            let place = bundle.document_of_chunk(fused.chunk).await;
            places.extend(self.had(place).map(|place| (place, *position, *fused)));
        }
        let ids: Vec<DocumentId> = places.iter().map(|(place, _, _)| place.document).collect();
        let documents = bundle.documents(&ids).await;
        for ((place, position, fused), document) in places.into_iter().zip(documents) {
            let Some(document) = self.had(document) else { continue };
            let scores = self.scores(fused, position + 1);
            let kinship = self.kinship.as_ref();
            let is_named = kinship.and_then(|it| it.is_named(fused.chunk));
            let is_repeated = kinship.is_some_and(|it| it.is_crowding(fused.chunk));
            let passage = Passage::new(document, place.number, fused.chunk, scores);
            passages.extend(passage.map(|passage| Passage { is_named, is_repeated, ..passage }));
        }
    }

    fn scores(&self, fused: &Fused, rank: usize) -> Scores {
        let stage_score = |(rank, score)| StageScore { rank, score };
        let origin = |list: usize| fused.origins.get(list).copied().flatten().map(stage_score);
        let stage = |name: &str| {
            let hits = self.rankings.of(name)?;
            let place = hits.iter().position(|hit| hit.id == fused.chunk)?;
            Some(StageScore { rank: place + 1, score: hits[place].score })
        };
        let (late, cross) = (stage("rerank"), stage("cross"));
        let stands_in = self.asked_static.is_some();
        let (dense, instant) = if stands_in { (None, origin(1)) } else { (origin(1), None) };
        let fused = StageScore { rank, score: fused.score as f32 };
        Scores { lexical: origin(0), dense, instant, late, cross, fused }
    }
}
