//! Units smaller than a chunk, and the way back from them to the chunk they came from.
//!
//! A short unit is easier to match exactly, a chunk is easier to understand. So a search may look
//! for sentences or [propositions](crate::propositions()), and show the chunk around what it found.

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;

use campanile_text::{Span, sentences};
use serde::{Deserialize, Serialize};

use crate::chunk::{number, trimmed};
use crate::{BlockKind, Chunk, Document, Section};

/// The size of the units that an index counts. A smaller unit knows the chunk it is part of, and finding it
/// finds that chunk.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// A [`Chunk`](crate::Chunk).
    #[default]
    Chunk,
    /// A sentence, a list item or a table row of a chunk.
    Sentence,
    /// A statement made from a chunk that can be understood alone.
    Proposition,
    /// A question that a chunk answers: the heading of a FAQ's entry, or one that was written for the chunk.
    Question,
}

impl Granularity {
    /// All of them, the largest first.
    pub const ALL: [Self; 4] = [Self::Chunk, Self::Sentence, Self::Proposition, Self::Question];

    /// As it is written in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chunk => "chunk",
            Self::Sentence => "sentence",
            Self::Proposition => "proposition",
            Self::Question => "question",
        }
    }
}

impl fmt::Display for Granularity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A sentence of fewer words than this says too little to stand alone.
// "Yes." and "Note:" match nothing exactly and everything loosely; three words are the shortest that have a subject,
// a verb and something said.
const FEW_WORDS: usize = 3;
/// A list item longer than this is cut into its sentences.
// A shorter item is read as one statement: its sentences refer to each other.
const LONG_ITEM_WORDS: usize = 60;

/// A sentence of a chunk, a list item or a table row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentenceUnit {
    /// The chunk it lies in: its [`index`](Chunk::index) among the document's chunks.
    pub parent: u32,
    /// The section it lies in: an index into [`Document::sections`].
    pub section: u32,
    /// Its text, in [`Document::text`], inside of the chunk's span.
    pub span: Span,
}

/// The sentences of a chunk, in the order of the text; they do not overlap.
///
/// A table row is one unit, and so is a list item unless it is long. Running text is cut into its
/// [sentences](campanile_text::sentences()); one of a word or two ("Yes.", "Note:") is joined to its
/// neighbour, if it has one in the section that is running text too. Headings are no units and
/// part of none. Every word of the chunk that lies in a section's body lies in one unit.
pub fn sentences_of(document: &Document, chunk: &Chunk) -> Vec<SentenceUnit> {
    let mut pieces = Vec::new();
    for (block, part) in parts(document, chunk).into_iter().enumerate() {
        add_pieces(document, block, part, &mut pieces);
    }
    join_fragments(&mut pieces);
    let unit = |piece: Piece| SentenceUnit {
        parent: chunk.index,
        section: piece.section,
        span: piece.span,
    };
    pieces.into_iter().map(unit).collect()
}

#[derive(Clone, Copy)]
struct Piece {
    section: u32,
    span: Span,
    /// The number of its block among the chunk's.
    block: usize,
    /// `true` for running text, which neighbours may be joined to.
    flows: bool,
    words: usize,
    /// `true` if it says what comes next: `Note:`.
    introduces: bool,
}

fn add_pieces(document: &Document, block: usize, part: Part, pieces: &mut Vec<Piece>) {
    let own = part.span.cut_from(&document.text);
    let is_long = || own.split_whitespace().count() > LONG_ITEM_WORDS;
    let flows = matches!(part.kind, BlockKind::Paragraph | BlockKind::Quote);
    // A row is never cut, whatever its length: values without their headers say nothing.
    let is_cut = flows || (part.kind != BlockKind::TableRow && is_long());
    let spans = if is_cut {
        sentences(own).into_iter().map(|span| span.shifted(part.span.start)).collect()
    } else {
        vec![part.span]
    };
    for span in spans {
        let text = span.cut_from(&document.text);
        if !text.contains(char::is_alphanumeric) {
            continue;
        }
        pieces.push(Piece {
            section: part.section,
            span,
            block,
            flows,
            words: text.split_whitespace().count(),
            introduces: text.ends_with(':'),
        });
    }
}

/// Joins each fragment to the sentence before it, or to the one behind it where that is nearer.
fn join_fragments(pieces: &mut Vec<Piece>) {
    let mut index = 0;
    while let Some(&piece) = pieces.get(index) {
        // By halves for each parent: most chunks have children, and the list is sorted by them.
        let before = index.checked_sub(1).and_then(|before| pieces.get(before).copied());
        let after = pieces.get(index + 1).copied();
        let near = |other: Option<Piece>| {
            other.filter(|other| other.flows && other.section == piece.section)
        };
        let same_block = |other: &Piece| other.block == piece.block;
        let (before, after) = (near(before), near(after));
        if !piece.flows || piece.words >= FEW_WORDS || (before.is_none() && after.is_none()) {
            index += 1;
            continue;
        }
        // "Note:" belongs to what comes, and so does a fragment that begins its block; any other to the sentence
        // before it.
        let belongs_before = before.is_some_and(|before| same_block(&before)) && !piece.introduces
            || after.is_none();
        let first = if belongs_before { index - 1 } else { index };
        join_at(pieces, first);
        // The joined piece is looked at again: three fragments in a row become one.
        index = first;
    }
}

/// Makes one piece of two neighbours.
fn join_at(pieces: &mut Vec<Piece>, first: usize) {
    if first + 1 >= pieces.len() {
        return;
    }
    let second = pieces.remove(first + 1);
    if let Some(piece) = pieces.get_mut(first) {
        piece.span = piece.span.joined(second.span);
        piece.words += second.words;
        piece.block = second.block;
        piece.introduces = second.introduces;
    }
}

/// A block, or as much of it as lies in the chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The number of its section.
    pub(crate) section: u32,
    pub(crate) kind: BlockKind,
    /// Trimmed, and never empty.
    pub(crate) span: Span,
}

/// The parts of a chunk in the order of the text. Headings are in none: they lie outside of every
/// section's body.
pub(crate) fn parts(document: &Document, chunk: &Chunk) -> Vec<Part> {
    let first = chunk.section as usize;
    let sections = document.sections.iter().enumerate().skip(first);
    let mut found = Vec::new();
    for (index, section) in sections.take_while(|(_, s)| s.span.start < chunk.span.end) {
        let own = parts_of_section(&document.text, section, chunk.span).into_iter();
        found.extend(own.map(|(kind, span)| Part { section: number(index), kind, span }));
    }
    found
}

/// The blocks of a section as far as they lie in a span, and what lies between them; trimmed, none empty.
pub(crate) fn parts_of_section(
    text: &str,
    section: &Section,
    within: Span,
) -> Vec<(BlockKind, Span)> {
    let mut found = Vec::new();
    let mut add = |kind, start: u32, end: u32| {
        found.extend(trimmed(text, Span::new(start, end)).map(|span| (kind, span)));
    };
    let end = section.span.end.min(within.end);
    let mut position = section.span.start.max(within.start);
    let first = section.blocks.partition_point(|block| block.span.end <= position);
    let blocks = section.blocks.iter().skip(first);
    for block in blocks.take_while(|block| block.span.start < end) {
        let block_start = block.span.start.clamp(position, end.max(position));
        let block_end = block.span.end.clamp(block_start, end.max(block_start));
        // What a parser has left between blocks is text like any other: no word may be lost.
        add(BlockKind::Paragraph, position, block_start);
        add(block.kind, block_start, block_end);
        position = block_end;
    }
    add(BlockKind::Paragraph, position, end);
    found
}

/// A unit that was made of a chunk.
pub trait Child {
    /// The chunk's [`index`](Chunk::index) among the document's chunks.
    fn parent(&self) -> u32;
    /// The words of the document that it was made of.
    fn source(&self) -> Span;
}

impl Child for SentenceUnit {
    fn parent(&self) -> u32 {
        self.parent
    }

    fn source(&self) -> Span {
        self.span
    }
}

/// The children of each chunk of a document, as ranges of their list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The places at which each chunk's children begin, and the end of the last.
    starts: Vec<usize>,
}

impl Family {
    /// The family of `children`, which stand in the order of their parents, as
    /// [`sentences_of`](crate::sentences_of) and [`propositions`](crate::propositions()) give them
    /// for one chunk after the other.
    pub fn new<C: Child>(children: &[C], parents: usize) -> Self {
        let before =
            |parent: usize| children.partition_point(|child| (child.parent() as usize) < parent);
        Self { starts: (0..=parents).map(before).collect() }
    }

    /// The places of a chunk's children in the list; empty for a chunk that is not there.
    pub fn children(&self, parent: u32) -> Range<usize> {
        let parent = parent as usize;
        match (self.starts.get(parent), self.starts.get(parent + 1)) {
            (Some(&start), Some(&end)) => start..end,
            _ => 0..0,
        }
    }
}

/// Returns what to highlight in a chunk for a hit on its child: a span of the chunk's own text.
///
/// `None` where the child is not of this chunk.
pub fn highlight(chunk: &Chunk, child: &impl Child) -> Option<Span> {
    let source = child.source();
    let is_inside = child.parent() == chunk.index && chunk.span.contains(source);
    is_inside.then(|| Span::new(source.start - chunk.span.start, source.end - chunk.span.start))
}

/// The question that a chunk answers, where it is the first of an entry of a FAQ: the entry's heading.
///
/// A long answer is cut into several chunks; the question leads to where the answer begins.
pub fn question_of<'a>(document: &'a Document, chunk: &Chunk) -> Option<&'a str> {
    let section = document.sections.get(chunk.section as usize)?;
    let first = section.blocks.first()?;
    let begins = chunk.span.start <= first.span.start;
    (section.is_question && begins).then_some(section.heading.as_str())
}

/// `true` if a heading or a paragraph asks: one sentence that ends with a question mark.
pub fn asks(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['"', '”', '»', ')', '*']).trim_end();
    let body = text.strip_suffix(['?', '？', '؟']);
    body.is_some_and(|body| {
        // A full stop inside means that only the last of several sentences asks.
        body.chars().any(char::is_alphabetic) && !body.contains(['?', '\n']) && !body.contains(". ")
    })
}
