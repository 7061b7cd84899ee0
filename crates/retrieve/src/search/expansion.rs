//! Adds to the question what else it might have said.

use std::collections::BTreeMap;

use campanile_bundle::Fetch;
use campanile_index::highest_bm25;

use super::Search;
use crate::clock::Clock;
use crate::expansion::{Feedback, feedback_terms};
use crate::fuse::Fused;
use crate::options::Retriever;

/// The number of words that are weighed by how rare they are, for each word wanted.
const WIDE: usize = 4;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Adds the other forms of what the question says.
    pub(super) async fn synonyms(&mut self) {
        let weight = self.settings.search.synonym_weight;
        if weight <= 0.0 || self.engine.manifest().synonyms.is_none() {
            return;
        }
        let started = self.now();
        match self.engine.other_forms().await {
            Ok(forms) => {
                let expansions = forms.of(&self.query.question, self.engine.analyzer());
                self.query.expand(expansions, weight);
            }
            Err(error) => self.note(&error),
        }
        self.trace.expansions.clone_from(&self.query.expansions);
        self.trace.record("synonyms", self.query.expansions.len(), self.now() - started);
    }

    /// Searches by keywords once more, with the words of the best passages, where that is wanted.
    pub(super) async fn feedback(&mut self) {
        let Some(settings) = self.settings.feedback else { return };
        if self.settings.retriever == Retriever::Dense {
            return;
        }
        let started = self.now();
        let best: Vec<Fused> =
            self.fused().await.ranked().into_iter().take(settings.passages).collect();
        let best: Vec<(usize, &Fused)> = best.iter().enumerate().collect();
        let mut passages = Vec::new();
        self.read_passages(&best, &mut passages).await;
        let texts: Vec<(&str, f32)> = passages
            .iter()
            .map(|passage| (passage.text(), 1.0 / passage.scores.fused.rank as f32))
            .collect();
        let analyzer = self.engine.analyzer();
        let asked = self.query.terms.clone();
        // Several times as many as wanted by their share alone, of which the rarest remain.
        let wide = Feedback { terms: WIDE * settings.terms, weight: 1.0, ..settings };
        let candidates = feedback_terms(&texts, &asked, &wide, analyzer, |_| 1.0);
        let rarities = self.rarities(candidates.into_iter().map(|(term, _)| term).collect()).await;
        let rarity = |term: &str| rarities.get(term).copied().unwrap_or_default();
        let found = feedback_terms(&texts, &asked, &settings, analyzer, rarity);
        for (term, weight) in &found {
            self.query.add(term, *weight);
        }
        self.trace.record("feedback", found.len(), self.now() - started);
        self.rankings.stages.retain(|ranking| ranking.stage != "lexical");
        self.unfiltered.retain(|ranking| ranking.stage != "lexical");
        self.lexical().await;
    }

    /// Returns how rare each term is among the units of the index.
    async fn rarities(&mut self, terms: Vec<String>) -> BTreeMap<String, f32> {
        let head = match self.index.lexical_head().await {
            Ok(head) => head,
            Err(error) => {
                self.note(&error);
                return BTreeMap::new();
            }
        };
        let lists = self.index.postings(&terms).await;
        let known =
            terms.into_iter().zip(lists).filter_map(|(term, list)| Some((term, list.ok()?)));
        known.map(|(term, list)| (term, highest_bm25(&head, &[(list, 1.0)]))).collect()
    }
}
