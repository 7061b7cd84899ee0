//! By keywords.

use campanile_bundle::Fetch;

use super::Search;
use crate::clock::Clock;
use crate::options::Retriever;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Ranks by BM25, unless meaning alone is wanted.
    pub(super) async fn lexical(&mut self) {
        if self.settings.retriever == Retriever::Dense {
            return;
        }
        let started = self.now();
        let index = self.index;
        let units = self.units_of_index(&index);
        let keep = self.kept_units_of(&index).await;
        let terms = self.weighted_terms();
        let words = self.words_in(&index, &terms, self.query.terms.len()).await;
        let search = |units: usize, keep: &dyn Fn(u32) -> bool| {
            words.as_ref().map(|words| words.search(units, keep)).unwrap_or_default()
        };
        let hits = keep.in_turns(units, search);
        let behind = self.looks_behind_filter().then(|| search(units, &|unit| !keep.keeps(unit)));
        self.best_unit = hits.first().map_or(0.0, |best| best.score);
        self.words = words;
        let hits = self.chunks_of(hits).await;
        self.behind_filter("lexical", &hits, behind).await;
        self.ranked("lexical", started, hits);
    }

    /// The question's own terms, then those that were added to it.
    pub(super) fn weighted_terms(&self) -> Vec<(String, f32)> {
        let analyzer = self.engine.analyzer();
        let own = self.query.terms.iter();
        let own = own.map(|term| (term.clone(), self.query.weight_of(term, analyzer)));
        own.chain(self.query.added.iter().cloned()).collect()
    }
}
