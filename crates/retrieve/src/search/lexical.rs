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
    /// With what each weighs.
    postings: Vec<(TermPostings, f32)>,
}

impl Words {
    /// The BM25 scores of units.
    pub(super) fn scores(&self, units: &[u32]) -> Vec<f32> {
        bm25_of(&self.head, &self.postings, units)
    }

    /// The share that a score is of the highest that the question's terms could give.
    pub(super) fn reach(&self, score: f32) -> f32 {
        let highest = highest_bm25(&self.head, &self.postings);
        if highest > 0.0 { score / highest } else { 0.0 }
    }
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Ranks by BM25, unless meaning alone is wanted.
    pub(super) async fn lexical(&mut self) {
        if self.settings.retriever == Retriever::Dense {
            return;
        }
        let started = self.now();
        let hits = match self.index.lexical_head().await {
            Err(error) => {
                self.note(&error);
                Vec::new()
            }
            Ok(head) => {
                let lists = self.index.postings(&self.query.terms).await;
                let mut postings = Vec::new();
                for (place, list) in lists.into_iter().enumerate() {
                    match list {
                        Ok(list) => postings.push((list, self.weight(place))),
                        Err(error) => self.note(&error),
                    }
                }
                let hits = bm25_weighted(&head, &postings, self.units(), &|_| true);
                self.best_unit = hits.first().map_or(0.0, |best| best.score);
                self.words = Some(Words { head, postings });
                hits
            }
        };
        let hits = self.chunks_of(hits).await;
        self.ranked("lexical", started, hits);
    }

    /// What the question's term at a place weighs.
    fn weight(&self, place: usize) -> f32 {
        let term = self.query.terms.get(place);
        term.map_or(1.0, |term| self.query.weight_of(term, self.engine.analyzer()))
    }
}
