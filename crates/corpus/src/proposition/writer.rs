//! Propositions that a language model writes, and the check that they hold.

use std::collections::BTreeSet;

use super::restore::terms;
use super::{Proposer, Proposition, Rule};
use crate::facts::facts;
use crate::unit::{SentenceUnit, sentences_of};
use crate::{Chunk, Document, context_at};

/// Fewer words than this say nothing.
const FEW_WORDS: usize = 3;

/// What a writer's own failure is.
pub type WriterError = Box<dyn std::error::Error + Send + Sync>;

/// Writes propositions: lent by whoever holds a language model.
pub trait PropositionWriter {
    /// The statements of a chunk's text, each of which can be read alone. `context` says where the
    /// text stands: its title and headings.
    ///
    /// # Errors
    /// Whatever the model's own are.
    fn write(&self, text: &str, context: &str) -> Result<Vec<String>, WriterError>;
}

/// What a writer wrote about a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// What passed the check, in the writer's order.
    pub propositions: Vec<Proposition>,
    /// What did not: it says a word, a number or an address that neither the chunk nor its context
    /// says, says too little, or says it again.
    pub dropped: Vec<String>,
}

impl Proposer {
    /// The propositions that a language model makes of a chunk, without those that it made up.
    ///
    /// Each word that is not a stop word must occur in the chunk or in its context, in some
    /// inflection, and each number, date, code and address exactly. That catches what is invented,
    /// not what is put together wrongly.
    ///
    /// # Errors
    /// The writer's own.
    pub fn written(
        &self,
        document: &Document,
        chunk: &Chunk,
        writer: &dyn PropositionWriter,
    ) -> Result<Written, WriterError> {
        let text = chunk.span.slice(&document.text).unwrap_or_default();
        let section = document.sections.get(chunk.section as usize);
        let context = section
            .map(|section| context_at(document, section, chunk.span.start))
            .unwrap_or_default();
        let mut known_terms = terms(text, &self.analyzer);
        known_terms.extend(terms(&context, &self.analyzer));
        let known_facts: BTreeSet<_> = facts(text).into_iter().chain(facts(&context)).collect();
        let units = sentences_of(document, chunk);
        let mut written = Written::default();
        let mut seen = BTreeSet::new();
        for statement in writer.write(text, &context)? {
            let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
            let own = terms(&statement, &self.analyzer);
            let holds = own.is_subset(&known_terms)
                && facts(&statement).iter().all(|fact| known_facts.contains(fact))
                && statement.split_whitespace().count() >= FEW_WORDS
                && seen.insert(statement.clone());
            let nearest = self.nearest(document, &units, &own).filter(|_| holds);
            let Some(unit) = nearest else {
                written.dropped.push(statement);
                continue;
            };
            written.propositions.push(Proposition {
                parent: chunk.index,
                section: unit.section,
                source: unit.span,
                stem: None,
                text: statement,
                rules: vec![Rule::Model],
            });
        }
        Ok(written)
    }

    /// The sentence that shares the most words with a statement; the first of several.
    fn nearest(
        &self,
        document: &Document,
        units: &[SentenceUnit],
        own: &BTreeSet<String>,
    ) -> Option<SentenceUnit> {
        let shared = |unit: &&SentenceUnit| {
            let text = unit.span.slice(&document.text).unwrap_or_default();
            terms(text, &self.analyzer).intersection(own).count()
        };
        units.iter().rev().max_by_key(shared).copied()
    }
}
