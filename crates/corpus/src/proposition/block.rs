//! The statements in a block of a chunk: of running text, and of the row of a table.

use campanile_language::{documents, propositions};
use campanile_text::{Language, Span, sentences};

use super::Rule;
use super::clauses::{clauses, relative};
use super::lists::{enumeration, introduction, joined};
use super::setting::Subjects;
use super::terms::{abbreviations, definition, is_glossary};
use super::words::Lists;
use crate::facts::single_spaced;
use crate::unit::Part;
use crate::{BlockKind, Document};

/// A sentence of fewer words is read with its neighbour.
// As for units: "Yes." says nothing alone, and most often belongs to the sentence before.
const FEW_WORDS: usize = 3;

/// A block with what the rules know about it.
pub(super) struct Block<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) language: Language,
    kind: BlockKind,
    lists: Option<Lists>,
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
        span.cut_from(self.text)
    }
}

/// The statements of a block, in its order.
pub(super) fn drafts(block: &Block<'_>) -> Vec<Draft> {
    match block.kind {
        BlockKind::TableRow => row_drafts(block),
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
        // Only the first sentence of an item continues its introduction; the others stand on their own.
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
fn opening(block: &Block<'_>, span: Span, lists: Lists) -> Option<Vec<Draft>> {
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
    // Anything but an article may begin a sentence, which "means" would not fit in front of.
    let first = meaning.split_whitespace().next().unwrap_or_default();
    let article = first.to_lowercase();
    let language = match block.language {
        Language::None => Language::default(),
        language => language,
    };
    if propositions::articles(language).contains(&article) {
        let rest = meaning.get(first.len()..).unwrap_or_default();
        format!("{term} {} {article}{rest}", propositions::means(language).as_str())
    } else {
        format!("{term}: {meaning}")
    }
}

/// The statements of a sentence that may be taken apart.
fn of_sentence(block: &Block<'_>, span: Span, lists: Lists) -> Vec<Draft> {
    let own = block.slice(span);
    if let Some(found) = enumeration(own, lists) {
        let stem = found.stem.cut_from(own);
        let draft = |item: &Span| {
            let text = ended(&joined(stem, item.cut_from(own), lists));
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
        let text = ended(&capitalised(clause.cut_from(own)));
        Draft::reworded(clause.shifted(span.start), text, Rule::Compound)
    };
    clauses.iter().map(draft).collect()
}

/// A statement without its title and headings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) source: Span,
    pub(super) stem: Option<Span>,
    pub(super) text: String,
    pub(super) rules: Vec<Rule>,
    /// `true` if title and headings would add nothing.
    pub(super) stands_alone: bool,
}

impl Draft {
    /// The words under a span as they are.
    pub(super) fn plain(text: &str, source: Span) -> Self {
        let own = source.cut_from(text);
        Self {
            source,
            stem: None,
            text: single_spaced(own),
            rules: Vec::new(),
            stands_alone: false,
        }
    }

    /// Other words for a span.
    fn reworded(source: Span, text: String, rule: Rule) -> Self {
        Self { source, stem: None, text, rules: vec![rule], stands_alone: false }
    }

    /// The same with a stem.
    fn with_stem(self, stem: Span) -> Self {
        Self { stem: Some(stem), ..self }
    }
}

/// The text with a capital at its beginning, if that is an ordinary word in small letters.
pub(super) fn capitalised(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let mut rest = text.chars();
    match rest.next() {
        Some(first) if !word.is_empty() && word.chars().all(char::is_lowercase) => {
            first.to_uppercase().chain(rest).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text with a full stop, unless something else ends it.
fn ended(text: &str) -> String {
    let text = text.trim_end_matches([',', ';', ' ']);
    let is_ended = text.ends_with(['.', '!', '?', '…', ':']);
    if is_ended { text.to_owned() } else { format!("{text}.") }
}

/// A cell as it is written out.
struct Cell<'a> {
    span: Span,
    label: &'a str,
    value: &'a str,
    /// The value's place, from the beginning of the text.
    value_span: Span,
}

/// The row as it is written out with its headers, and a sentence for each number that the row's
/// subject surely has; where that is all the row says, only the sentences.
fn row_drafts(block: &Block<'_>) -> Vec<Draft> {
    let cells = cells(block);
    let mut found = Vec::new();
    let mut is_all = cells.len() > 1;
    if let Some((name, others)) = cells.split_first()
        && documents::NAME_HEADERS.contains(&name.label.to_lowercase())
        && !name.value.is_empty()
    {
        for cell in others {
            let label = cell.label.to_lowercase();
            if documents::AMOUNT_HEADERS.contains(&label) && is_amount(cell.value) {
                let text = format!("{} has {} {}.", name.value, cell.value, cell.label);
                let draft = Draft::reworded(cell.span, text, Rule::Row);
                found.push(draft.with_stem(name.value_span));
            } else {
                is_all = false;
            }
        }
    }
    // The whole row goes first, so that nothing of it is lost where only some of its cells became sentences.
    if found.is_empty() || !is_all {
        found.insert(0, Draft::plain(block.text, block.span));
    }
    found
}

/// The cells of a row `Course: CS 101; ECTS: 6`; none where one of them has no label.
fn cells<'a>(block: &Block<'a>) -> Vec<Cell<'a>> {
    let text = block.span.cut_from(block.text);
    let mut start = block.span.start as usize;
    let mut cells = Vec::new();
    for cell in text.split("; ") {
        let Some((label, value)) = cell.split_once(": ") else { return Vec::new() };
        let span = Span::from_range(start..start + cell.len());
        let value_start = start + label.len() + 2;
        let value_span = Span::from_range(value_start..start + cell.len());
        cells.push(Cell { span, label, value, value_span });
        start += cell.len() + 2;
    }
    cells
}

/// A plain number other than one, which would need another form of the noun.
fn is_amount(value: &str) -> bool {
    let is_number = value.split(['.', ',']).all(|digits| {
        !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_number && value != "1"
}
