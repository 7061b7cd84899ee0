//! By keywords.

use campanile_bundle::Fetch;
use campanile_index::bm25;

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
                bm25(&head, &postings, self.units())
            }
        };
        let hits = self.chunks_of(hits).await;
        self.ranked("lexical", started, hits);
    }
}
