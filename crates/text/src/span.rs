use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of bytes `[start, end)` in some text.
///
/// Offsets are 32 bits wide: a document is at most 4 GiB, and the reader refuses far smaller ones.
/// A span is only meaningful beside the text it was measured in.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`; empty at `start` if `end` lies before it.
    pub const fn new(start: u32, end: u32) -> Self {
        let end = if end < start { start } else { end };
        Self { start, end }
    }

    /// A span from a range of byte offsets; offsets beyond 32 bits are cut there.
    pub fn from_range(range: Range<usize>) -> Self {
        Self::new(offset(range.start), offset(range.end))
    }

    /// The bytes of the span, for slicing a string.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text under the span, or `None` where it leaves `text` or splits a character.
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(self.range())
    }

    /// The text under a span that was measured in `text` itself; empty where it was not, which debug builds report.
    ///
    /// For text of unknown origin there is [`slice`](Self::slice).
    pub fn cut_from(self, text: &str) -> &str {
        debug_assert!(self.slice(text).is_some(), "{self:?} lies not in its text");
        self.slice(text).unwrap_or_default()
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Returns `true` if the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns `true` if `other` lies wholly inside this span.
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns `true` if the two spans share a byte.
    pub const fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that holds both.
    pub fn joined(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The same span `by` bytes further on: turns offsets in a slice into offsets in the whole.
    pub const fn shifted(self, by: u32) -> Span {
        Span { start: self.start.saturating_add(by), end: self.end.saturating_add(by) }
    }
}

fn offset(value: usize) -> u32 {
    // Eight bytes a span instead of sixteen: a site's chunks, sentences and links are all spans that a page loads.
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn a_span_slices_only_what_is_there() {
        let text = "über uns";
        assert_eq!(Span::new(0, 5).slice(text), Some("über"));
        assert_eq!(Span::new(1, 5).slice(text), None, "inside a character");
        assert_eq!(Span::new(5, 90).slice(text), None, "beyond the end");
        assert_eq!(Span::new(5, 3), Span::new(5, 5), "never backwards");
        assert_eq!(Span::from_range(2..usize::MAX).end, u32::MAX);
    }

    #[test]
    fn spans_relate_as_intervals_do() {
        let (whole, part, beside) = (Span::new(2, 8), Span::new(3, 8), Span::new(8, 9));
        assert!(whole.contains(part) && !part.contains(whole));
        assert!(whole.overlaps(part) && !whole.overlaps(beside));
        assert_eq!(part.joined(beside), Span::new(3, 9));
        assert_eq!(part.shifted(10), Span::new(13, 18));
        assert!(Span::default().is_empty() && part.len() == 5);
    }
}
