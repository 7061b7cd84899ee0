//! The lines of a document, which is what noise is made of: a reader of plain text keeps a menu or
//! a page number in one block with what stands around it.

use campanile_text::Span;

use crate::chunk::trimmed;
use crate::{BlockKind, Document};

/// A line of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The number of its section.
    pub(super) section: usize,
    pub(super) span: Span,
    pub(super) text: &'a str,
}

/// The lines of running text, of list items and of quotations. Rows of tables and code are left
/// out: what looks odd there is often what is looked for.
pub(super) fn lines(document: &Document) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    for (section, blocks) in document.sections.iter().map(|section| &section.blocks).enumerate() {
        for block in blocks {
            if matches!(block.kind, BlockKind::TableRow | BlockKind::Code) {
                continue;
            }
            let mut start = block.span.start as usize;
            let text = block.span.slice(&document.text).unwrap_or_default();
            for line in text.split_inclusive('\n') {
                let span = Span::from_range(start..start + line.len());
                start += line.len();
                if let Some(span) = trimmed(&document.text, span) {
                    let text = span.slice(&document.text).unwrap_or_default();
                    found.push(Line { section, span, text });
                }
            }
        }
    }
    found
}
