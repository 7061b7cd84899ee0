//! By keywords.

use std::rc::Rc;

use campanile_bundle::{Fetch, TermPostings};
use campanile_index::{LexicalHead, bm25_of, bm25_weighted, highest_bm25};

use super::Search;
use crate::clock::Clock;
use crate::options::Retriever;

/// The question's terms in the index.
pub(super) struct Words {
    head: Rc<LexicalHead>,
    /// With what each weighs: those of the question's own terms first.
    postings: Vec<(TermPostings, f32)>,
    /// How many are of the question's own terms.
    own: usize,
}

impl Words {
    /// The BM25 scores of units.
    pub(super) fn scores(&self, units: &[u32]) -> Vec<f32> {
        bm25_of(&self.head, &self.postings, units)
    }

    /// The share that a score is of the highest that the question's terms could give.
    pub(super) fn reach(&self, score: f32) -> f32 {
        let own = self.postings.get(..self.own).unwrap_or_default();
        let highest = highest_bm25(&self.head, own);
        if highest > 0.0 { (score / highest).min(1.0) } else { 0.0 }
    }
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Ranks by BM25, unless meaning alone is wanted.
    pub(super) async fn lexical(&mut self) {
        if self.settings.retriever == Retriever::Dense {
            return;
        }
        let started = self.now();
        let keep = self.kept_units().await;
        let (hits, all) = match self.index.lexical_head().await {
            Err(error) => {
                self.note(&error);
                (Vec::new(), None)
            }
            Ok(head) => {
                let terms = self.weighted_terms();
                let names: Vec<&str> = terms.iter().map(|(term, _)| term.as_str()).collect();
                let lists = self.index.postings(&names).await;
                let (mut postings, mut own) = (Vec::new(), 0);
                for (place, (list, (_, weight))) in lists.into_iter().zip(&terms).enumerate() {
                    match list {
                        Ok(list) => {
                            own += usize::from(place < self.query.terms.len());
                            postings.push((list, *weight));
                        }
                        Err(error) => self.note(&error),
                    }
                }
                let units = self.units();
                let all = self.filters().then(|| bm25_weighted(&head, &postings, units, &|_| true));
                let hits = bm25_weighted(&head, &postings, units, &keep);
                self.best_unit = hits.first().map_or(0.0, |best| best.score);
                self.words = Some(Words { head, postings, own });
                (hits, all)
            }
        };
        let hits = self.chunks_of(hits).await;
        self.without_filter("lexical", all).await;
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
