//! The search by keywords: the question's terms, or others, in an index.

use std::rc::Rc;

use campanile_bundle::{BundleIndex, Fetch, TermPostings};
use campanile_index::{Hit, LexicalHead, bm25_of, bm25_weighted, highest_bm25};

use super::Search;
use crate::engine::Clock;
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
        let own = terms.iter().take(self.query.terms.len());
        let lists = words.iter().flat_map(|words| words.postings.iter());
        // If a list could not be read, it is unknown which terms no text has.
        if words.as_ref().is_some_and(|words| words.own == self.query.terms.len()) {
            let absent = own.zip(lists).filter(|(_, (list, _))| list.is_empty());
            self.trace.absent = absent.map(|((term, _), _)| term.clone()).collect();
        }
        let search = |units: usize, keep: &dyn Fn(u32) -> bool| Words::found(&words, units, keep);
        let hits = keep.in_turns(units, search);
        let behind = self.looks_behind_filter().then(|| search(units, &|unit| !keep.keeps(unit)));
        // Of units, before these become chunks: the highest score that it is compared with is a unit's.
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

/// Terms in an index.
pub(super) struct Words {
    head: Rc<LexicalHead>,
    /// The lists with what each weighs: those of the question's own terms first.
    postings: Vec<(TermPostings, f32)>,
    /// The number of those that are of the question's own terms.
    own: usize,
}

impl Words {
    /// The best units by BM25 that `keep` lets through; none where the words could not be read.
    pub(super) fn found(
        words: &Option<Self>,
        units: usize,
        keep: &dyn Fn(u32) -> bool,
    ) -> Vec<Hit> {
        let search = |words: &Self| bm25_weighted(&words.head, &words.postings, units, keep);
        words.as_ref().map(search).unwrap_or_default()
    }

    /// The BM25 scores of units.
    pub(super) fn scores(&self, units: &[u32]) -> Vec<f32> {
        bm25_of(&self.head, &self.postings, units)
    }

    /// The share that a score is of the highest that the question's terms could give.
    pub(super) fn reach(&self, score: f32) -> f32 {
        // Added words never count for how much of the question was found, and may lift a score above its own highest.
        let highest = highest_bm25(&self.head, &self.postings[..self.own]);
        if highest > 0.0 { (score / highest).min(1.0) } else { 0.0 }
    }
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Reads weighted terms in an index, of which the first `own` are the question's. A list that cannot be
    /// had is named and left out.
    pub(super) async fn words_in(
        &mut self,
        index: &BundleIndex<'_, F>,
        terms: &[(String, f32)],
        own: usize,
    ) -> Option<Words> {
        let head = index.lexical_head().await;
        let head = self.had(head)?;
        let names: Vec<&str> = terms.iter().map(|(term, _)| term.as_str()).collect();
        let lists = index.postings(&names).await;
        let mut words = Words { head, postings: Vec::new(), own: 0 };
        for (place, (list, (_, weight))) in lists.into_iter().zip(terms).enumerate() {
            let Some(list) = self.had(list) else { continue };
            words.own += usize::from(place < own);
            words.postings.push((list, *weight));
        }
        Some(words)
    }
}
