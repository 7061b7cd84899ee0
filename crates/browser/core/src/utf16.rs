//! Places in texts, counted as JavaScript counts.

use campanile_text::Span;

/// Bytes between two places whose UTF-16 offset is kept.
// A document is counted once for each of its sections and rows: from the beginning each time, a handbook of 2 MB takes
// seconds. So many bytes are counted in a microsecond.
const STRIDE: usize = 1024;

/// Converts a single span of a text. For many of one text there is [`Utf16Text`].
pub fn span(text: &str, span: Span) -> Span {
    let units = |byte: u32| units(text.get(..byte as usize).unwrap_or(text));
    Span::from_range(units(span.start)..units(span.end))
}

fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// A text in which any place is found without counting from its beginning.
pub struct Utf16Text<'a> {
    text: &'a str,
    /// Byte and code unit about every [`STRIDE`] bytes, from `(0, 0)` on.
    marks: Vec<(usize, usize)>,
}

impl<'a> Utf16Text<'a> {
    /// Counts the text once.
    pub fn new(text: &'a str) -> Self {
        let mut marks = vec![(0, 0)];
        let (mut unit, mut next) = (0, STRIDE);
        for (byte, character) in text.char_indices() {
            if byte >= next {
                marks.push((byte, unit));
                next = byte + STRIDE;
            }
            unit += character.len_utf16();
        }
        Self { text, marks }
    }

    /// Converts a span of bytes.
    pub fn span(&self, span: Span) -> Span {
        Span::from_range(self.offset(span.start)..self.offset(span.end))
    }

    fn offset(&self, byte: u32) -> usize {
        let byte = byte as usize;
        let index = self.marks.partition_point(|(mark, _)| *mark <= byte).saturating_sub(1);
        let (from, unit) = self.marks.get(index).copied().unwrap_or_default();
        unit + units(self.text.get(from..byte).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_count_alike() {
        let text = "Prüfung 𝒳 – ok.\n".repeat(300);
        let counted = Utf16Text::new(&text);
        for (byte, _) in text.char_indices().step_by(7) {
            let place = Span::from_range(byte..text.len());
            let expected = text[..byte].encode_utf16().count();
            assert_eq!(counted.span(place).start as usize, expected, "byte {byte}");
            assert_eq!(counted.span(place), span(&text, place));
        }
    }
}
