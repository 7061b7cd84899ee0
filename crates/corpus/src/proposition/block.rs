//! A block of a chunk, and the statements in it.

use campanile_text::{Language, Span, sentences};

use super::abbreviation::abbreviations;
use super::compound::clauses;
use super::definition::{definition, is_glossary};
use super::draft::{Draft, capitalised, ended};
use super::enumeration::{enumeration, joined};
use super::introduced::introduction;
use super::reference::Subjects;
use super::relative::relative;
use super::words::Lists;
use super::{Rule, row};
use crate::unit::Part;
use crate::{BlockKind, Document};

/// A sentence of fewer words is read with its neighbour.
const FEW_WORDS: usize = 3;

/// A block with what the rules know about it.
pub(super) struct Block<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) language: Language,
    kind: BlockKind,
    lists: Option<&'static Lists>,
    /// The line that introduces the list that it is an item of.
    introduction: Option<Span>,
    is_glossary: bool,
    subjects: Subjects,
}

impl<'a> Block<'a> {
    pub(super) fn new(document: &'a Document, part: &Part, language: Language) -> Self {
        let lists = Lists::of(language);
        let section = document.sections.get(part.section as usize);
        let is_item = part.kind == BlockKind::ListItem;
        let introduction = lists
            .filter(|_| is_item)
            .and_then(|lists| introduction(document, part.section, part.span, lists));
        Self {
            text: &document.text,
            span: part.span,
            language,
            kind: part.kind,
            lists,
            introduction,
            is_glossary: section.is_some_and(is_glossary),
            subjects: Subjects::new(document, section),
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        span.slice(self.text).unwrap_or_default()
    }
}

/// The statements of a block, in its order.
pub(super) fn drafts(block: &Block<'_>) -> Vec<Draft> {
    match block.kind {
        BlockKind::TableRow => row::drafts(block),
        BlockKind::Code => vec![Draft::plain(block.text, block.span)],
        BlockKind::Paragraph | BlockKind::ListItem | BlockKind::Quote => flowing(block),
    }
}

/// The statements of running text.
fn flowing(block: &Block<'_>) -> Vec<Draft> {
    let sentences = whole_sentences(block);
    let Some(lists) = block.lists else {
        return sentences.into_iter().map(|span| Draft::plain(block.text, span)).collect();
    };
    let mut found = Vec::new();
    let mut subject = None;
    for (index, span) in sentences.into_iter().enumerate() {
        let mut drafts = if index == 0 { opening(block, span, lists) } else { None }
            .unwrap_or_else(|| of_sentence(block, span, lists));
        for draft in &mut drafts {
            block.subjects.resolve(block.text, draft, &mut subject, lists);
        }
        found.append(&mut drafts);
        for abbreviation in abbreviations(block.slice(span)) {
            let source = abbreviation.span.shifted(span.start);
            let text = abbreviation.sentence(block.language);
            let draft = Draft::reworded(source, text, Rule::Abbreviation);
            found.push(Draft { stands_alone: true, ..draft });
        }
    }
    found
}

/// The block's sentences; one of a word or two is part of its neighbour.
fn whole_sentences(block: &Block<'_>) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let words = |span: Span| block.slice(span).split_whitespace().count();
    for span in sentences(block.slice(block.span)) {
        let span = span.shifted(block.span.start);
        match found.last_mut() {
            Some(last) if words(span) < FEW_WORDS || words(*last) < FEW_WORDS => {
                *last = last.joined(span);
            }
            _ => found.push(span),
        }
    }
    found.retain(|span| block.slice(*span).contains(char::is_alphanumeric));
    found
}

/// The first sentence of a list item with its introduction, or of a glossary's entry.
fn opening(block: &Block<'_>, span: Span, lists: &Lists) -> Option<Vec<Draft>> {
    let own = block.slice(span);
    if block.is_glossary
        && let Some((term, meaning)) = definition(own)
    {
        let text = defined(block, term.slice(own)?, meaning.slice(own)?);
        return Some(vec![Draft::reworded(span, ended(&text), Rule::Definition)]);
    }
    let stem = block.introduction?;
    let text = ended(&joined(block.slice(stem), own, lists));
    Some(vec![Draft::reworded(span, text, Rule::Introduced).with_stem(stem)])
}

/// "Module means a unit of teaching.", where the meaning begins with an article: what begins with
/// another word may be a sentence.
fn defined(block: &Block<'_>, term: &str, meaning: &str) -> String {
    let first = meaning.split_whitespace().next().unwrap_or_default();
    let article = first.to_lowercase();
    let (verb, articles): (_, &[&str]) = match block.language {
        Language::German => ("bedeutet", &["der", "die", "das", "ein", "eine"]),
        Language::English | Language::None => ("means", &["a", "an", "the"]),
    };
    if articles.contains(&article.as_str()) {
        let rest = meaning.get(first.len()..).unwrap_or_default();
        format!("{term} {verb} {article}{rest}")
    } else {
        format!("{term}: {meaning}")
    }
}

/// The statements of a sentence that may be taken apart.
fn of_sentence(block: &Block<'_>, span: Span, lists: &Lists) -> Vec<Draft> {
    let own = block.slice(span);
    if let Some(found) = enumeration(own, lists) {
        let stem = found.stem.slice(own).unwrap_or_default();
        let draft = |item: &Span| {
            let text = ended(&joined(stem, item.slice(own).unwrap_or_default(), lists));
            Draft::reworded(item.shifted(span.start), text, Rule::Enumeration)
                .with_stem(found.stem.shifted(span.start))
        };
        return found.items.iter().map(draft).collect();
    }
    if let Some(found) = relative(own, lists) {
        let name = found.name.shifted(span.start);
        let draft = |clause: Span| {
            let clause = clause.shifted(span.start);
            let text = ended(&format!("{} {}", block.slice(name), block.slice(clause)));
            Draft::reworded(clause, text, Rule::Relative).with_stem(name)
        };
        return vec![draft(found.aside), draft(found.main)];
    }
    let clauses = clauses(own, lists);
    if clauses.len() < 2 {
        return vec![Draft::plain(block.text, span)];
    }
    let draft = |clause: &Span| {
        let text = ended(&capitalised(clause.slice(own).unwrap_or_default()));
        Draft::reworded(clause.shifted(span.start), text, Rule::Compound)
    };
    clauses.iter().map(draft).collect()
}
