//! Headings of documents that use no styles for them.
//!
//! Many people make a line bold and call it a heading. Where a document has no heading by its
//! styles, such lines are taken for headings: short, wholly bold, and rare among its paragraphs.

use super::super::flow::Role;
use super::super::xml::Element;
use super::Reader;
use super::looks::Format;

/// The longest line that is taken for a heading, in characters.
const HEADING_CHARS: usize = 100;
/// At most one paragraph in so many may be bold: more, and bold means nothing.
const RARE: usize = 3;

impl Reader<'_> {
    /// Returns `true` if bold lines of this body are its headings.
    pub(super) fn guesses_headings(&self, body: &Element) -> bool {
        let (mut bold, mut all) = (0, 0);
        for paragraph in body.elements().filter(|element| element.is("w:p")) {
            let style = self.style(paragraph);
            if matches!(style.role, Role::Heading(_)) && !style.is_contents {
                return false;
            }
            match self.is_bold(paragraph, style.format) {
                Some(true) => (bold, all) = (bold + 1, all + 1),
                Some(false) => all += 1,
                None => {}
            }
        }
        bold > 0 && bold * RARE <= all
    }

    /// Tells if all text of a paragraph is bold; `None` if it has none.
    fn is_bold(&self, paragraph: &Element, format: Format) -> Option<bool> {
        let mut found = None;
        for run in paragraph.elements().filter(|element| element.is("w:r")) {
            if !run.elements().any(|piece| piece.is("w:t") && !piece.text().trim().is_empty()) {
                continue;
            }
            let look = self.format(run, format).look(true);
            found = Some(found.unwrap_or(true) && look.is_bold);
        }
        found
    }
}

/// Returns `true` if a bold line reads as a heading rather than as a sentence or a label.
pub(super) fn reads_as_heading(line: &str) -> bool {
    line.chars().count() <= HEADING_CHARS
        && !line.contains('\n')
        && !line.ends_with(['.', ':', ',', ';', '!'])
        && line.chars().any(char::is_alphabetic)
}
