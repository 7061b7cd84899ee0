//! Words that no text holds.

use std::collections::BTreeSet;

use campanile_bundle::Fetch;
use campanile_text::{edits, foreign_language};

use super::Search;
use crate::clock::Clock;
use crate::options::Retriever;
use crate::passage::Passage;
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
        match self.index.vocabulary(&unknown.word, MOST_SHARDS).await {
            Ok(vocabulary) => unknown.correction(self.engine.analyzer(), vocabulary.terms()),
            Err(error) => {
                self.note(&error);
                None
            }
        }
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
