//! Further lists: the question in other words, and units of other sizes.
//!
//! They put candidates forward; how these are ordered is decided by what the question itself says of them.

use campanile_bundle::{BundleIndex, Fetch};
use campanile_corpus::Granularity;
use campanile_index::Hit;

use super::Search;
use crate::children::Children;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::expansion::Phrasing;
use crate::options::Retriever;
use crate::query::Query;

/// The weight of a further list beside the question's own.
const WEIGHT: f32 = 0.5;

/// A list beside the question's own.
pub(super) struct Further {
    hits: Vec<Hit>,
    retriever: Retriever,
}

impl Further {
    /// Returns `true` if the list is of keywords and has the chunk, which then holds words that were
    /// searched for.
    pub(super) fn has_words_in(&self, chunk: u32) -> bool {
        self.retriever == Retriever::Lexical && self.hits.iter().any(|hit| hit.chunk == chunk)
    }

    /// The list with its weight, where the two searches weigh so much.
    pub(super) fn weighted(&self, lexical: f32, dense: f32) -> (&[Hit], f32) {
        let weight = if self.retriever == Retriever::Lexical { lexical } else { dense };
        (&self.hits, WEIGHT * weight)
    }
}

/// The terms and the vector that a further list is searched with.
struct Asked {
    terms: Vec<(String, f32)>,
    vector: Option<Vec<f32>>,
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Searches for the question's other phrasings, and in the indexes of other units, where that
    /// is wanted.
    pub(super) async fn further(&mut self) -> Result<(), RetrieveError> {
        let granularities = self.other_granularities();
        if self.settings.phrasings.is_empty() && granularities.is_empty() {
            return Ok(());
        }
        let started = self.now();
        for phrasing in self.settings.phrasings.clone() {
            let asked = self.asked(&phrasing)?;
            if asked.terms.is_empty() && asked.vector.is_none() {
                continue;
            }
            if let Some(index) = self.engine.bundle().index(self.settings.search.granularity) {
                self.add_lists(&index, asked).await;
            }
            self.trace.phrasings.push(phrasing);
        }
        for granularity in granularities {
            if let Some(index) = self.engine.bundle().index(granularity) {
                let terms = self.weighted_terms();
                self.add_lists(&index, Asked { terms, vector: self.query.vector.clone() }).await;
            }
        }
        let found = self.further.iter().map(|list| list.hits.len()).sum();
        self.trace.record("further", found, self.now() - started);
        Ok(())
    }

    /// The sizes of units that are searched beside the one that was asked for.
    fn other_granularities(&self) -> Vec<Granularity> {
        let main = self.settings.search.granularity;
        let all = Granularity::ALL.into_iter().filter(|granularity| *granularity != main);
        if self.settings.all_granularities { all.collect() } else { Vec::new() }
    }

    fn asked(&self, phrasing: &Phrasing) -> Result<Asked, RetrieveError> {
        let embeds = self.query.vector.is_some();
        Ok(match phrasing {
            Phrasing::Question(text) => {
                let terms = Query::new(text, self.engine.analyzer(), None).terms;
                let embedded = embeds.then(|| self.engine.embed_question(text)).transpose()?;
                Asked {
                    terms: terms.into_iter().map(|term| (term, 1.0)).collect(),
                    vector: embedded.map(|(vector, _)| vector),
                }
            }
            Phrasing::Passage(text) => {
                let embedded = embeds.then(|| self.engine.embed(&[text])).transpose()?;
                Asked { terms: Vec::new(), vector: embedded.and_then(|mut found| found.pop()) }
            }
        })
    }

    async fn add_lists(&mut self, index: &BundleIndex<'_, F>, asked: Asked) {
        let keep = self.kept_units_of(index).await;
        if self.settings.retriever != Retriever::Dense && !asked.terms.is_empty() {
            let words = self.words_in(index, &asked.terms, 0).await;
            let units = self.units_of_index(index);
            let search = |units: usize, keep: &dyn Fn(u32) -> bool| {
                words.as_ref().map(|words| words.search(units, keep)).unwrap_or_default()
            };
            let hits = keep.in_turns(units, search);
            self.add_list(index, hits, Retriever::Lexical).await;
        }
        if let Some(vector) = asked.vector {
            let hits = self.nearest_in(index, &vector, &keep).await;
            self.add_list(index, hits, Retriever::Dense).await;
        }
    }

    /// Hits on units as a list of chunks; the part of a passage that is shown stays the one that the
    /// question itself found.
    async fn add_list(&mut self, index: &BundleIndex<'_, F>, hits: Vec<Hit>, retriever: Retriever) {
        let hits = match index.parents().await {
            Ok(None) => hits,
            Ok(Some(parents)) => Children::default().collapse(hits, &parents, self.settings.depth),
            Err(error) => return self.note(&error),
        };
        self.further.push(Further { hits, retriever });
    }
}
