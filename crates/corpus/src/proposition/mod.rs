//! Statements that can be read alone.
//!
//! A sentence taken out of its page often says little: "It has 6 ECTS." A proposition is a sentence
//! made to stand alone (Chen et al. 2024, "Dense X Retrieval"): compound sentences are taken apart,
//! what a list's introducing line says is said again with each item, "this course" becomes the
//! course, and title and headings stand in front where the sentence does not name them.
//!
//! There it is done by a large language model; here by rules, each of which acts only where it is
//! sure. A sentence that no rule is sure about stays as it is, behind its headings. No rule
//! changes, drops or adds a number, a date, a code or an address: every proposition is checked for
//! that at the end, and one that fails gives way to the plain sentence. A language model may be asked
//! what "it" stands for ([`PropositionWriter`]); what it writes is checked more strictly still.

mod block;
mod clauses;
mod lists;
#[cfg(test)]
mod property_tests;
mod setting;
mod terms;
#[cfg(test)]
mod tests;
mod words;
mod writer;

use std::collections::BTreeSet;

use campanile_text::{Analyzer, Language, Span};
use serde::{Deserialize, Serialize};

use crate::facts::facts;
use crate::unit::{Child, parts};
use crate::{Chunk, Document};
use block::{Block, Draft, drafts};
use setting::Setting;
pub use writer::{PropositionWriter, Refusal, Refused, SentenceInContext, WriterError, Written};

/// A statement that can be read alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposition {
    /// The chunk it was made from: its [`index`](Chunk::index) among the document's chunks.
    pub parent: u32,
    /// The section it lies in: an index into [`Document::sections`].
    pub section: u32,
    /// The words of the document that it was made from and none other has: what to highlight.
    pub source: Span,
    /// Words that it shares with its neighbours: a list's introducing line, the subject of a
    /// sentence that was taken apart. May lie outside of the chunk.
    pub stem: Option<Span>,
    /// The text of the statement.
    pub text: String,
    /// The rules that made it; empty where the sentence was left as it is.
    pub rules: Vec<Rule>,
}

impl Child for Proposition {
    fn parent(&self) -> u32 {
        self.parent
    }

    fn source(&self) -> Span {
        self.source
    }
}

/// A rule that makes a proposition of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// A compound sentence was taken apart at a semicolon or at ", and".
    Compound,
    /// `a) … b) …` within a sentence, each with the words before them.
    Enumeration,
    /// A list item with the line that introduces the list.
    Introduced,
    /// The words of ", which …," about a name, on their own.
    Relative,
    /// "Data Protection Officer (DPO)" read as what DPO stands for.
    Abbreviation,
    /// A term and its definition in a glossary.
    Definition,
    /// A row of a table read as a sentence.
    Row,
    /// "This course" and its like replaced by the name.
    Reference,
    /// Title and headings set in front.
    Restored,
    /// Written by a language model.
    Model,
}

/// The propositions of a chunk, in the order of the text, none twice.
///
/// The rules know English and German. With [`Language::None`] only those act that need no words:
/// rows, and title and headings set in front.
///
/// To make them of many chunks, keep a [`Proposer`].
pub fn propositions(document: &Document, chunk: &Chunk, language: Language) -> Vec<Proposition> {
    Proposer::new(language).propositions(document, chunk)
}

/// Makes propositions in one language.
#[derive(Debug)]
pub struct Proposer {
    analyzer: Analyzer,
}

impl Proposer {
    /// One for documents in this language.
    pub fn new(language: Language) -> Self {
        Self { analyzer: Analyzer::new(language) }
    }

    /// The propositions of a chunk; see [`propositions`].
    pub fn propositions(&self, document: &Document, chunk: &Chunk) -> Vec<Proposition> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for part in parts(document, chunk) {
            let block = Block::new(document, &part, self.analyzer.language());
            let setting = Setting::new(document, &part, &self.analyzer);
            for draft in drafts(&block) {
                let (text, rules) = self.finished(&block, &setting, &draft);
                // Rows and items of one list repeat, and the index would count them twice.
                if seen.insert(text.clone()) {
                    let Draft { source, stem, .. } = draft;
                    let (parent, section) = (chunk.index, part.section);
                    found.push(Proposition { parent, section, source, stem, text, rules });
                }
            }
        }
        found
    }

    /// The draft in its setting; the plain words where that would touch a fact.
    fn finished(&self, block: &Block<'_>, setting: &Setting, draft: &Draft) -> (String, Vec<Rule>) {
        let mut rules = draft.rules.clone();
        let text = if draft.stands_alone {
            draft.text.clone()
        } else {
            setting.restored(&draft.text, &self.analyzer, &mut rules)
        };
        let source = draft.source.cut_from(block.text);
        let stem = draft.stem.and_then(|stem| stem.slice(block.text)).unwrap_or_default();
        // Checked at the end, whatever the rules were: a rule with an error must not change a number.
        if keeps_facts(&text, source, &[stem, setting.named()]) {
            return (text, rules);
        }
        let mut rules = Vec::new();
        let text = setting.restored(source, &self.analyzer, &mut rules);
        (text, rules)
    }
}

/// Returns `true` if `text` has all facts of its source, and none but those of its source and surroundings.
fn keeps_facts(text: &str, source: &str, surroundings: &[&str]) -> bool {
    let own: BTreeSet<_> = facts(text).into_iter().collect();
    let mut known: BTreeSet<_> = facts(source).into_iter().collect();
    let has_all = known.is_subset(&own);
    known.extend(surroundings.iter().flat_map(|text| facts(text)));
    has_all && own.is_subset(&known)
}
