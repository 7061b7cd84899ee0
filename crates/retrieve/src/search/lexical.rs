//! By keywords.

use std::rc::Rc;

use campanile_bundle::Fetch;
use campanile_index::{LexicalHead, Posting, bm25, bm25_of, highest_bm25};

use super::Search;
use crate::clock::Clock;
use crate::options::Retriever;

/// The question's terms in the index.
pub(super) struct Words {
    head: Rc<LexicalHead>,
    postings: Vec<Vec<Posting>>,
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
                let mut postings = Vec::new();
                for list in self.index.postings(&self.query.terms).await {
                    match list {
                        Ok(list) => postings.push(list),
                        Err(error) => self.note(&error),
                    }
                }
                let hits = bm25(&head, &postings, self.units());
                self.best_unit = hits.first().map_or(0.0, |best| best.score);
                self.words = Some(Words { head, postings });
                hits
            }
        };
        let hits = self.chunks_of(hits).await;
        self.ranked("lexical", started, hits);
    }
}
