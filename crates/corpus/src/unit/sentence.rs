//! A chunk in sentences.

use campanile_text::{Span, sentences};
use serde::{Deserialize, Serialize};

use super::{Part, parts};
use crate::{BlockKind, Chunk, Document};

/// A sentence of fewer words than this says too little to stand alone.
const FEW_WORDS: usize = 3;
/// A list item longer than this is cut into its sentences.
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
    let own = part.span.slice(&document.text).unwrap_or_default();
    let is_long = || own.split_whitespace().count() > LONG_ITEM_WORDS;
    let flows = matches!(part.kind, BlockKind::Paragraph | BlockKind::Quote);
    let is_cut = flows || (part.kind != BlockKind::TableRow && is_long());
    let spans = if is_cut {
        sentences(own).into_iter().map(|span| span.shifted(part.span.start)).collect()
    } else {
        vec![part.span]
    };
    for span in spans {
        let text = span.slice(&document.text).unwrap_or_default();
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
        let belongs_before = before.is_some_and(|before| same_block(&before)) && !piece.introduces
            || after.is_none();
        let first = if belongs_before { index - 1 } else { index };
        join_at(pieces, first);
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
