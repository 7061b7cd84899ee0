//! The parts that a chunk is made of, from whole blocks down to characters; and what the ways to cut have in common.

use campanile_text::{Span, sentences};

use super::Chunk;
use crate::unit::parts_of_section;
use crate::{Document, Section};

/// The fineness of a cut; each splits into the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grade {
    Block,
    Sentence,
    Word,
    Fragment,
    Character,
}

/// A part of a section's body that is not cut unless it must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) span: Span,
    /// Words that begin in it, by white space.
    pub(super) words: usize,
    pub(super) grade: Grade,
}

/// Longest fragment of a word, in bytes.
// Short enough that a fragment fits wherever any text does (option checks ask for at least as much), long enough that
// a line of base64 does not become thousands of pieces.
pub(super) const FRAGMENT_BYTES: usize = 16;

impl Piece {
    pub(super) fn new(text: &str, span: Span, grade: Grade) -> Self {
        let words = match grade {
            Grade::Block | Grade::Sentence => span.cut_from(text).split_whitespace().count(),
            Grade::Word => 1,
            Grade::Fragment | Grade::Character => 0,
        };
        Self { span, words, grade }
    }

    /// The piece in smaller ones, at the next grade that cuts it at all; empty if none does.
    pub(super) fn finer(self, text: &str) -> Vec<Piece> {
        let Some(own) = self.span.slice(text) else {
            return Vec::new();
        };
        let mut grade = self.grade;
        loop {
            grade = match grade {
                Grade::Block => Grade::Sentence,
                Grade::Sentence => Grade::Word,
                Grade::Word => Grade::Fragment,
                Grade::Fragment => Grade::Character,
                Grade::Character => return Vec::new(),
            };
            // A grade that leaves it whole is passed over: the caller needs less text, not another name for the same.
            let spans = match grade {
                Grade::Sentence => sentences(own),
                Grade::Word => words(own),
                Grade::Fragment => fragments(own, FRAGMENT_BYTES),
                Grade::Block | Grade::Character => fragments(own, 1),
            };
            if spans.len() > 1 {
                let shifted = spans.iter().map(|span| span.shifted(self.span.start));
                return shifted.map(|span| Piece::new(text, span, grade)).collect();
            }
        }
    }
}

/// The blocks of a section as pieces, and what lies between them, should a reader have left
/// anything there: no word may be lost.
pub(super) fn pieces(text: &str, section: &Section) -> Vec<Piece> {
    let parts = parts_of_section(text, section, section.span).into_iter();
    parts.map(|(_, span)| Piece::new(text, span, Grade::Block)).collect()
}

/// The span without white space at its ends, or `None` if nothing is left.
pub(crate) fn trimmed(text: &str, span: Span) -> Option<Span> {
    let own = span.slice(text)?;
    let leading = own.len() - own.trim_start().len();
    let length = own.trim().len();
    let start = span.start as usize + leading;
    (length > 0).then(|| Span::from_range(start..start + length))
}

pub(super) fn words(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        if !word.is_empty() {
            spans.push(Span::from_range(start..start + word.len()));
        }
        start += piece.len();
    }
    spans
}

/// Runs of characters of at most `bytes` bytes each, one character at least.
pub(super) fn fragments(text: &str, bytes: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (position, character) in text.char_indices() {
        let end = position + character.len_utf8();
        if position > start && end - start > bytes {
            spans.push(Span::from_range(start..position));
            start = position;
        }
    }
    if start < text.len() {
        spans.push(Span::from_range(start..text.len()));
    }
    spans
}

/// Chunks from spans in the order of their beginnings: trimmed, without those that hold no word.
pub(super) fn chunks_of(document: &Document, spans: &[Span]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::with_capacity(spans.len());
    let mut section = 0;
    for span in spans.iter().filter_map(|span| trimmed(&document.text, *span)) {
        let text = span.cut_from(&document.text);
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
    // From the section of the span before: spans come in order, so all of them together pass over each section once.
    let later = document.sections.iter().enumerate().skip(from);
    let found = later.into_iter().find(|(_, section)| section.span.end > place);
    found.map_or(document.sections.len().saturating_sub(1), |(index, _)| index)
}

/// An index as it is kept.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The largest count up to `wanted` that fits; 0 if not even one does.
///
/// Takes for granted that fewer always fit where more do. What it returns has been tried.
pub(super) fn most_fitting(wanted: usize, fits: impl Fn(usize) -> bool) -> usize {
    if fits(wanted) {
        return wanted;
    }
    let (mut fitting, mut too_many) = (0, wanted);
    while too_many - fitting > 1 {
        let middle = fitting.midpoint(too_many);
        if fits(middle) {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::most_fitting;

    #[test]
    fn the_largest_fitting_count_is_found() {
        for limit in 0..20 {
            for wanted in 1..20 {
                assert_eq!(most_fitting(wanted, |count| count <= limit), wanted.min(limit));
            }
        }
    }
}
