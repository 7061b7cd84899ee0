//! The question's words: corrected, in the documents' other forms, with words of the best passages, in other phrasings.
//!
//! Further lists, of other phrasings and of units of other sizes, put candidates forward; how these are ordered is
//! decided by what the question itself says of them.

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::{BundleIndex, ChunkId, Fetch};
use campanile_corpus::Granularity;
use campanile_index::{Hit, highest_bm25};
use campanile_text::{edits, foreign_language};

use super::Search;
use super::lexical::Words;
use crate::engine::Clock;
use crate::error::RetrieveError;
use crate::expansion::{Feedback, Phrasing, feedback_terms};
use crate::fuse::Fused;
use crate::options::Retriever;
use crate::passage::{Children, Passage};
use crate::query::Query;
use crate::spelling::{Correction, Suspect, suspects};

/// The most shards of postings that are read to find words near one: about as many as a question of
/// ordinary length reads anyway.
const MOST_SHARDS: usize = 4;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Finds stand-ins for the question's words that no text holds, unless meaning alone is
    /// wanted. A question without such words costs nothing: its shards are read in any case.
    pub(super) async fn spelling(&mut self) {
        // A word of another language is no slip.
        let language = self.engine.analyzer().language();
        if self.settings.retriever == Retriever::Dense
            || foreign_language(&self.query.question, language).is_some()
        {
            return;
        }
        let started = self.now();
        let mut found = Vec::new();
        for unknown in self.unknown().await {
            if let Some(correction) = self.correction(&unknown).await {
                found.push((unknown.term, correction));
            }
        }
        if found.is_empty() {
            return;
        }
        // All at once: each correction keeps its place in the question as it was typed.
        self.query.correct(found);
        self.trace.terms.clone_from(&self.query.terms);
        self.trace.record("spelling", self.query.corrections.len(), self.now() - started);
    }

    /// Words whose postings are there to be read and hold nothing. What damages a shard is named
    /// by the search that needs it.
    async fn unknown(&self) -> Vec<Suspect> {
        let question = &self.query.question;
        let mut suspects = suspects(question, &self.engine.analyzer().analyze(question));
        if let Some(encoder) = self.engine.encoder() {
            // A word that the encoder has a piece of its own for is one that people write: no text here
            // holds `fire`, and yet it is no slip for `firm`.
            suspects.retain(|suspect| encoder.tokenizer().token_id(&suspect.word).is_none());
        }
        let terms: Vec<&str> = suspects.iter().map(|suspect| suspect.term.as_str()).collect();
        let lists = self.index.postings(&terms).await;
        let is_unknown = lists.iter().map(|list| list.as_ref().is_ok_and(|list| list.is_empty()));
        let unknown = suspects.into_iter().zip(is_unknown).filter(|(_, is_unknown)| *is_unknown);
        unknown.map(|(suspect, _)| suspect).collect()
    }

    async fn correction(&mut self, unknown: &Suspect) -> Option<Correction> {
        let vocabulary = self.index.vocabulary(&unknown.word, MOST_SHARDS).await;
        unknown.correction(self.engine.analyzer(), self.had(vocabulary)?.terms())
    }

    /// Shows each correction as the passages spell it: of a word in the index there is but the
    /// stem.
    pub(super) fn spelled_as_found(&mut self, passages: &[Passage]) {
        let analyzer = self.engine.analyzer();
        for correction in &mut self.query.corrections {
            let Some(term) = correction.terms.first() else { continue };
            let mut spelled = BTreeSet::new();
            for passage in passages {
                let text = passage.text();
                let tokens = analyzer.analyze(text);
                let words = tokens.iter().filter(|token| token.term == *term);
                let words = words.filter_map(|token| token.span.slice(text));
                let words = words.filter(|word| word.chars().all(char::is_alphabetic));
                spelled.extend(words.map(str::to_lowercase));
            }
            let far = |spelled: &String| edits(&correction.word, spelled, spelled.len());
            if let Some(nearest) = spelled.into_iter().min_by_key(far) {
                correction.instead = nearest;
            }
        }
        self.trace.corrections.clone_from(&self.query.corrections);
    }
}

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
        let forms = self.engine.other_forms().await;
        if let Some(forms) = self.had(forms) {
            let expansions = forms.of(&self.query.question, self.engine.analyzer());
            self.query.expand(expansions, weight);
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
            // By rank: sums of standard scores may be below 0, and have no shares.
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
        // The search by keywords runs again, and its first list would else be fused and told beside the second.
        self.rankings.stages.retain(|ranking| ranking.stage != "lexical");
        self.unfiltered.retain(|ranking| ranking.stage != "lexical");
        self.lexical().await;
    }

    /// Returns how rare each term is among the units of the index.
    async fn rarities(&mut self, terms: Vec<String>) -> BTreeMap<String, f32> {
        let head = self.index.lexical_head().await;
        let Some(head) = self.had(head) else { return BTreeMap::new() };
        let lists = self.index.postings(&terms).await;
        // A list that cannot be had is named by the search that follows.
        let known =
            terms.into_iter().zip(lists).filter_map(|(term, list)| Some((term, list.ok()?)));
        known.map(|(term, list)| (term, highest_bm25(&head, &[(list, 1.0)]))).collect()
    }
}

/// The weight of a further list beside the question's own.
// A phrasing may be about something else: the question's own lists are to choose most of the candidates.
const FURTHER_WEIGHT: f32 = 0.5;

/// A list beside the question's own.
pub(super) struct Further {
    hits: Vec<Hit<ChunkId>>,
    retriever: Retriever,
}

impl Further {
    /// Returns `true` if the list is of keywords and has the chunk, which then holds words that were
    /// searched for.
    pub(super) fn has_words_in(&self, chunk: ChunkId) -> bool {
        self.retriever == Retriever::Lexical && self.hits.iter().any(|hit| hit.id == chunk)
    }

    /// The list with its weight, where the two searches weigh so much.
    pub(super) fn weighted(&self, lexical: f32, dense: f32) -> (&[Hit<ChunkId>], f32) {
        let weight = if self.retriever == Retriever::Lexical { lexical } else { dense };
        (&self.hits, FURTHER_WEIGHT * weight)
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
            // Neither corrected nor expanded: a phrasing is in other words already.
            let asked = self.asked(&phrasing).await?;
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
        if self.settings.search.all_granularities { all.collect() } else { Vec::new() }
    }

    async fn asked(&self, phrasing: &Phrasing) -> Result<Asked, RetrieveError> {
        let embeds = self.query.vector.is_some();
        Ok(match phrasing {
            Phrasing::Question(text) => {
                let terms = Query::new(text, self.engine.analyzer(), None).terms;
                let vector = match embeds {
                    true => Some(self.engine.embed_question(text).await?.0),
                    false => None,
                };
                Asked { terms: terms.into_iter().map(|term| (term, 1.0)).collect(), vector }
            }
            Phrasing::Passage(text) => {
                let vector = match embeds {
                    true => self.engine.embed(&[text]).await?.pop(),
                    false => None,
                };
                Asked { terms: Vec::new(), vector }
            }
        })
    }

    async fn add_lists(&mut self, index: &BundleIndex<'_, F>, asked: Asked) {
        let keep = self.kept_units_of(index).await;
        if self.settings.retriever != Retriever::Dense && !asked.terms.is_empty() {
            let words = self.words_in(index, &asked.terms, 0).await;
            let units = self.units_of_index(index);
            let hits = keep.in_turns(units, |units, keep| Words::found(&words, units, keep));
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
        let parents = index.parents().await;
        let Some(parents) = self.had(parents) else { return };
        let depth = self.settings.depth;
        let hits = Children::default().collapse(hits, parents.as_deref(), depth);
        self.further.push(Further { hits, retriever });
    }
}
