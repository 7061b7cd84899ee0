//! Propositions that a language model writes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::check::{Refusal, refusal};
use super::restore::Setting;
use super::words::Lists;
use super::{Proposer, Proposition, Rule};
use crate::unit::{Part, SentenceUnit, parts, sentences_of};
use crate::{BlockKind, Chunk, Document, Span, context_at};

/// A writer's own failure.
pub type WriterError = Box<dyn std::error::Error + Send + Sync>;

/// A sentence, and what a reader of the page knows when coming to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentenceInContext<'a> {
    /// Title and headings: `Exam rules > Resits`.
    pub context: &'a str,
    /// The sentence before in the same paragraph; empty where there is none.
    pub before: &'a str,
    /// The sentence, or an item of a list.
    pub sentence: &'a str,
}

/// Writes propositions: lent by whoever holds a language model.
pub trait PropositionWriter {
    /// The statements that a sentence makes, each of which can be read alone. Nothing is believed of
    /// them: what does not say the same as the sentence is not used.
    ///
    /// # Errors
    /// Whatever the model's own are.
    fn write(&self, sentence: &SentenceInContext<'_>) -> Result<Vec<String>, WriterError>;
}

/// The propositions of a chunk, and who wrote them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// In the order of the text, none twice.
    pub propositions: Vec<Proposition>,
    /// Sentences that the writer was asked about.
    pub asked: usize,
    /// The statements that it wrote and that were not used.
    pub refused: Vec<Refused>,
}

/// Statements of a writer that were not used; the rules' propositions stand in their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The sentence.
    pub sentence: String,
    /// The statements that were made of it, one a line.
    pub written: String,
    /// Why it was not used.
    pub because: Refusal,
}

impl Proposer {
    /// The propositions of a chunk, written by a language model where what it writes holds.
    ///
    /// It is asked about one sentence at a time, where that has a word that points beyond it ("it",
    /// "these"), and not about rows of tables, code, and items that a line introduces, which the
    /// rules are sure of. What it writes of a sentence is used whole or not at all: together its
    /// statements must say what the sentence says ([`Refusal`] lists what is looked at). Else the
    /// rules' propositions are kept. Without a language nobody is asked.
    ///
    /// # Errors
    /// The writer's own.
    pub fn written(
        &self,
        document: &Document,
        chunk: &Chunk,
        writer: &dyn PropositionWriter,
    ) -> Result<Written, WriterError> {
        let mut by_rules = self.propositions(document, chunk);
        let mut written = Written::default();
        let parts = parts(document, chunk);
        let mut before: Option<SentenceUnit> = None;
        for unit in sentences_of(document, chunk) {
            let place = by_rules.iter().take_while(|made| made.source.start < unit.span.end);
            let own: Vec<Proposition> = by_rules.drain(..place.count()).collect();
            let part = parts.iter().find(|part| part.span.contains(unit.span));
            let last = before.replace(unit);
            let part = part.filter(|part| is_flowing(part) && !has_stem_outside(&own, unit.span));
            let Some(part) = part.filter(|_| self.points_beyond(document, unit.span)) else {
                written.propositions.extend(own);
                continue;
            };
            let near = last.filter(|before| part.span.contains(before.span));
            let made = self.by_model(document, (part, unit), near, writer, &mut written)?;
            written.propositions.extend(made.unwrap_or(own));
        }
        written.propositions.append(&mut by_rules);
        // A sentence's own are not always in one run: an introduced abbreviation stands before the items of its list.
        written.propositions.sort_by_key(|made| made.source.start);
        let mut seen = BTreeSet::new();
        written.propositions.retain(|made| seen.insert(made.text.clone()));
        Ok(written)
    }

    /// Returns `true` if a word of the sentence stands for something said elsewhere.
    fn points_beyond(&self, document: &Document, sentence: Span) -> bool {
        let Some(lists) = Lists::of(self.analyzer.language()) else { return false };
        let text = sentence.slice(&document.text).unwrap_or_default();
        lists.stand_ins(text) > 0
    }

    /// Asks the writer about one sentence; `None` where what it writes does not hold.
    fn by_model(
        &self,
        document: &Document,
        (part, unit): (&Part, SentenceUnit),
        before: Option<SentenceUnit>,
        writer: &dyn PropositionWriter,
        written: &mut Written,
    ) -> Result<Option<Vec<Proposition>>, WriterError> {
        let text = |span: Span| span.slice(&document.text).unwrap_or_default();
        let section = document.sections.get(unit.section as usize);
        let context = section
            .map(|section| context_at(document, section, unit.span.start))
            .unwrap_or_default();
        let asked = SentenceInContext {
            context: &context,
            before: before.map(|before| text(before.span)).unwrap_or_default(),
            sentence: text(unit.span),
        };
        written.asked += 1;
        let line = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let statements: Vec<String> = writer.write(&asked)?.into_iter().map(line).collect();
        if let Some(because) = refusal(&asked, &statements, &self.analyzer) {
            written.refused.push(Refused {
                sentence: asked.sentence.to_owned(),
                written: statements.join("\n"),
                because,
            });
            return Ok(None);
        }
        let setting = Setting::new(document, part, &self.analyzer);
        let proposition = |statement: &String| {
            let mut rules = vec![Rule::Model];
            let text = setting.restored(statement, &self.analyzer, &mut rules);
            let SentenceUnit { parent, section, span: source } = unit;
            Proposition { parent, section, source, stem: None, text, rules }
        };
        Ok(Some(statements.iter().map(proposition).collect()))
    }
}

fn is_flowing(part: &Part) -> bool {
    matches!(part.kind, BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote)
}

/// Returns `true` if the rules read the sentence together with words that the writer would not see.
fn has_stem_outside(made: &[Proposition], sentence: Span) -> bool {
    made.iter().filter_map(|made| made.stem).any(|stem| !sentence.contains(stem))
}
