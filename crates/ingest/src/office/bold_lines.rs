//! Headings of documents that use no styles for them.
//!
//! Many people make a line bold and call it a heading. Where a document has no heading by its
//! styles, or one above all, such lines are taken for headings: short, wholly bold, and rare among its paragraphs.

/// The longest line that is taken for a heading, in characters.
const HEADING_CHARS: usize = 100;
/// At most one paragraph in so many may be bold: more, and bold means nothing.
// Headings are rarer than what stands below them.
const RARE: usize = 3;
/// The same where no two of them follow one another.
const RARE_APART: usize = 2;
/// Bold lines with a colon at their ends that make sure that this is how the writer ends headings.
const FEWEST_WITH_COLON: usize = 2;

/// Counts the paragraphs of a body, from its beginning.
#[derive(Debug, Default)]
pub(super) struct Census {
    all: usize,
    bold: usize,
    /// Bold lines that end in a colon.
    with_colon: usize,
    headings: usize,
    /// The paragraph before was bold.
    was_bold: bool,
    /// Two bold paragraphs follow one another.
    are_together: bool,
}

impl Census {
    /// Counts a heading by its style.
    pub(super) fn heading(&mut self) {
        self.headings += 1;
    }

    /// Counts a paragraph with text.
    pub(super) fn paragraph(&mut self, is_bold: bool, ends_in_colon: bool) {
        self.all += 1;
        self.bold += usize::from(is_bold);
        self.with_colon += usize::from(is_bold && ends_in_colon);
        self.are_together |= self.was_bold && is_bold;
        self.was_bold = is_bold;
    }

    pub(super) fn finish(self) -> BoldLines {
        // Bold lines with something between them are headings even where each heads one paragraph.
        let are_apart = !self.are_together && !self.was_bold;
        let rare = if are_apart { RARE_APART } else { RARE };
        // One real heading is the title of all; several say that the writer knows how to make them.
        let fewest = if self.headings == 0 { 1 } else { 2 };
        let are_headings = self.headings < 2 && self.bold >= fewest && self.bold * rare <= self.all;
        let end_in_colons = self.with_colon == self.bold && self.bold >= FEWEST_WITH_COLON;
        BoldLines { are_headings, end_in_colons }
    }
}

/// What a bold line means in a document; nothing by default.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoldLines {
    are_headings: bool,
    end_in_colons: bool,
}

impl BoldLines {
    /// Returns `true` if a bold line is a heading rather than a sentence or a label.
    pub(super) fn are_headings_like(self, line: &str) -> bool {
        let ends_as_label =
            line.ends_with(['.', ',', ';', '!']) || line.ends_with(':') && !self.end_in_colons;
        self.are_headings
            && line.chars().count() <= HEADING_CHARS
            && !line.contains('\n')
            && !ends_as_label
            && line.chars().any(char::is_alphabetic)
    }
}
