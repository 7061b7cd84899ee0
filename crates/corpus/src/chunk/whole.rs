//! Functions shared by the strategies that cut a document as one text, across its sections.

use campanile_text::Span;

use super::Chunk;
use super::pieces::trimmed;
use crate::Document;

/// Chunks from spans in the order of their beginnings: trimmed, without those that hold no word.
pub(super) fn chunks(document: &Document, spans: &[Span]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::with_capacity(spans.len());
    let mut section = 0;
    for span in spans.iter().filter_map(|span| trimmed(&document.text, *span)) {
        let text = span.slice(&document.text).unwrap_or_default();
        if !text.contains(char::is_alphanumeric) {
            continue;
        }
        section = section_at(document, span.start, section);
        chunks.push(Chunk { section: number(section), span, index: number(chunks.len()) });
    }
    chunks
}

/// The section that a place of the text belongs to, looked for from section `from` on: the first
/// whose body ends behind the place, so that a heading belongs to what it heads.
pub(super) fn section_at(document: &Document, place: u32, from: usize) -> usize {
    let later = document.sections.iter().enumerate().skip(from);
    let found = later.into_iter().find(|(_, section)| section.span.end > place);
    found.map_or(document.sections.len().saturating_sub(1), |(index, _)| index)
}

/// An index as it is kept.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
