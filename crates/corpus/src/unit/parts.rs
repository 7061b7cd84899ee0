//! The parts of a document's blocks that lie in a chunk.

use campanile_text::Span;

use crate::chunk::{number, trimmed};
use crate::{BlockKind, Chunk, Document, Section};

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
        add_parts(document, (number(index), section), chunk.span, &mut found);
    }
    found
}

fn add_parts(
    document: &Document,
    (number, section): (u32, &Section),
    chunk: Span,
    found: &mut Vec<Part>,
) {
    let mut add = |kind, start: u32, end: u32| {
        if let Some(span) = trimmed(&document.text, Span::new(start, end)) {
            found.push(Part { section: number, kind, span });
        }
    };
    let end = section.span.end.min(chunk.end);
    let mut position = section.span.start.max(chunk.start);
    let first = section.blocks.partition_point(|block| block.span.end <= position);
    let blocks = section.blocks.iter().skip(first);
    for block in blocks.take_while(|block| block.span.start < end) {
        let block_start = block.span.start.clamp(position, end.max(position));
        let block_end = block.span.end.clamp(block_start, end.max(block_start));
        // What a reader has left between blocks is text like any other.
        add(BlockKind::Paragraph, position, block_start);
        add(block.kind, block_start, block_end);
        position = block_end;
    }
    add(BlockKind::Paragraph, position, end);
}
