//! Asks an index, whoever wants to know: the question, its other words, or units of other sizes.

use std::rc::Rc;

use campanile_bundle::{BundleIndex, Fetch, TermPostings};
use campanile_index::{Hit, LexicalHead, bm25_of, bm25_weighted, highest_bm25};

use super::Search;
use super::filter::{KeptUnits, merged};
use crate::clock::Clock;
use crate::engine::compared;

/// Terms in an index.
pub(super) struct Words {
    head: Rc<LexicalHead>,
    /// With what each weighs: those of the question's own terms first.
    postings: Vec<(TermPostings, f32)>,
    /// The number of those that are of the question's own terms.
    own: usize,
}

impl Words {
    /// The best units by BM25 that `keep` lets through.
    pub(super) fn search(&self, units: usize, keep: &dyn Fn(u32) -> bool) -> Vec<Hit> {
        bm25_weighted(&self.head, &self.postings, units, keep)
    }

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
    /// Reads weighted terms in an index, of which the first `own` are the question's. A list that cannot be
    /// had is named and left out.
    pub(super) async fn words_in(
        &mut self,
        index: &BundleIndex<'_, F>,
        terms: &[(String, f32)],
        own: usize,
    ) -> Option<Words> {
        let head = match index.lexical_head().await {
            Ok(head) => head,
            Err(error) => {
                self.note(&error);
                return None;
            }
        };
        let names: Vec<&str> = terms.iter().map(|(term, _)| term.as_str()).collect();
        let lists = index.postings(&names).await;
        let mut words = Words { head, postings: Vec::new(), own: 0 };
        for (place, (list, (_, weight))) in lists.into_iter().zip(terms).enumerate() {
            match list {
                Ok(list) => {
                    words.own += usize::from(place < own);
                    words.postings.push((list, *weight));
                }
                Err(error) => self.note(&error),
            }
        }
        Some(words)
    }

    /// The units of an index that are nearest to a vector, of those that may be found.
    pub(super) async fn nearest_in(
        &mut self,
        index: &BundleIndex<'_, F>,
        vector: &[f32],
        keep: &KeptUnits,
    ) -> Vec<Hit> {
        let units = self.units_of_index(index);
        let mut all = Vec::new();
        for turn in keep.turns() {
            let keep = |unit| keep.keeps_in(*turn, unit);
            let found = self.nearest_of(index, vector, turn.depth(units), &keep).await;
            all = merged(&all, &found, usize::MAX);
        }
        all
    }

    /// The nearest units of those that `keep` lets through, at most `units`. A graph that cannot be had is named,
    /// and all vectors are compared.
    pub(super) async fn nearest_of(
        &mut self,
        index: &BundleIndex<'_, F>,
        vector: &[f32],
        units: usize,
        keep: &dyn Fn(u32) -> bool,
    ) -> Vec<Hit> {
        let graph = self.engine.graph(index).await.unwrap_or_else(|error| {
            self.note(&error);
            None
        });
        compared(index, vector, units, graph, keep).await.unwrap_or_else(|error| {
            self.note(&error);
            Vec::new()
        })
    }
}
