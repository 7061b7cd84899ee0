//! Which children a chunk has.

use std::ops::Range;

use campanile_text::Span;

use super::SentenceUnit;
use crate::Chunk;

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
