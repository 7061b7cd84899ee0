use campanile_text::Span;
use serde::Serialize;

/// A span in UTF-16 code units, as JavaScript counts strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Utf16Span {
    /// The first code unit.
    pub start: usize,
    /// One past the last code unit.
    pub end: usize,
}

/// Converts spans of one text; text is walked once for each offset, so keep texts to a document.
pub fn span(text: &str, span: Span) -> Utf16Span {
    Utf16Span { start: offset(text, span.start), end: offset(text, span.end) }
}

fn offset(text: &str, byte: u32) -> usize {
    text.char_indices()
        .take_while(|(index, _)| *index < byte as usize)
        .map(|(_, character)| character.len_utf16())
        .sum()
}
