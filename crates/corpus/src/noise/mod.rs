//! Lines that are no content.

mod furniture;
mod listings;
mod remove;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use campanile_text::Span;
use serde::{Deserialize, Serialize};

use crate::chunk::trimmed;
use crate::{BlockKind, Document};
pub use furniture::Boilerplate;
pub use remove::without_noise;

/// An excerpt has about this many bytes.
// One line of the report, which lists hundreds of them.
const EXCERPT_BYTES: usize = 120;
/// A line with fewer characters than this is too short to say what it is made of.
// "§ 5 (1)" has more signs than letters and is what is looked for.
const FEW_CHARACTERS: usize = 8;
/// Fewer signs alone may be a list item's mark.
const FEW_SIGNS: usize = 3;

/// The kinds of lines that are dropped as noise.
///
/// The defaults are careful: noise that is kept costs a little room, content that is dropped is
/// never found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct QualityOptions {
    /// Drop menus, "skip to content", cookie notices, "page 3 of 10".
    pub page_furniture: bool,
    /// Drop sections that are headed as a bibliography and are one.
    pub bibliographies: bool,
    /// Drop entries of bibliographies elsewhere, and text that is mostly citations. Off by default:
    /// a list of publications may be what a page is about.
    pub citations: bool,
    /// Drop text that is mostly signs.
    pub symbols: bool,
    /// The least share of letters and digits in a text that is not "mostly signs", in percent.
    #[schemars(range(min = 0, max = 100))]
    pub least_letters_percent: u8,
    /// Drop headers and footers that nearly all documents have, in all documents but the first.
    pub repeated: bool,
    /// The fewest documents that must have the same line at their beginning or end.
    pub repeated_documents: usize,
    /// In what share of all documents, in percent.
    #[schemars(range(min = 0, max = 100))]
    pub repeated_percent: u8,
    /// Drop tables of contents whose page numbers stand behind dots.
    pub contents: bool,
}

impl Default for QualityOptions {
    fn default() -> Self {
        Self {
            page_furniture: true,
            bibliographies: true,
            citations: false,
            symbols: true,
            // Two fifths: a formula or a price has more letters and digits, an ornament hardly any. A header is
            // dropped only where most documents have it: what one department repeats stays.
            least_letters_percent: 40,
            repeated: true,
            repeated_documents: 8,
            repeated_percent: 60,
            contents: true,
        }
    }
}

/// A reason to take a line for noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseReason {
    /// It belongs to the page, not to what the page says.
    PageFurniture,
    /// It lies in a bibliography.
    Bibliography,
    /// It is an entry of a bibliography, or mostly citations.
    Citations,
    /// It is mostly signs.
    Symbols,
    /// It stands at the edge of nearly all documents.
    Repeated,
    /// It is a line of a table of contents.
    Contents,
}

impl NoiseReason {
    /// The reason in words, to go on from "dropped: ".
    pub const fn describe(self) -> &'static str {
        match self {
            Self::PageFurniture => "part of the page, not of its content",
            Self::Bibliography => "in a list of references",
            Self::Citations => "mostly citations",
            Self::Symbols => "mostly signs",
            Self::Repeated => "a header or footer that nearly all documents have",
            Self::Contents => "a table of contents with page numbers",
        }
    }
}

/// A line that is noise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The document's path.
    pub document: String,
    /// The line, in the document's text.
    pub span: Span,
    /// The reason why it is noise.
    pub reason: NoiseReason,
    /// Its beginning, for a report.
    pub excerpt: String,
}

/// The lines of a document that are noise, in the order of the text.
///
/// Rows of tables and code are never noise: what looks odd there is often what is looked for.
/// `boilerplate` is what all documents together have been found to repeat.
pub fn noise(
    document: &Document,
    boilerplate: &Boilerplate,
    options: &QualityOptions,
) -> Vec<Dropped> {
    let lines = lines(document);
    let judge = Judge {
        bibliographies: listings::bibliographies(document, &lines),
        contents: listings::contents_lines(&lines),
        edges: furniture::edges(&lines).into_iter().map(|line| line.span).collect(),
        page_numbers: furniture::page_number_lines(&lines),
        document,
        boilerplate,
        options,
    };
    let mut furniture = furniture::Furniture::new(document);
    let mut found = Vec::new();
    for line in &lines {
        // Each line is looked at, so that a running head is known when it comes again.
        let is_furniture = furniture.is_furniture(line.text);
        if let Some(reason) = judge.reason(line, is_furniture) {
            found.push(dropped(document, line, reason));
        }
    }
    found
}

/// The facts about a document by which its lines are judged.
struct Judge<'a> {
    document: &'a Document,
    boilerplate: &'a Boilerplate,
    options: &'a QualityOptions,
    /// The numbers of the sections that are bibliographies.
    bibliographies: BTreeSet<usize>,
    contents: BTreeSet<Span>,
    /// The lines that may be a header or a footer.
    edges: BTreeSet<Span>,
    page_numbers: BTreeSet<Span>,
}

impl Judge<'_> {
    fn reason(&self, line: &Line<'_>, is_furniture: bool) -> Option<NoiseReason> {
        let options = self.options;
        let is_repeated = || {
            self.edges.contains(&line.span)
                && self.boilerplate.repeats(line.text, self.document, options)
        };
        let is_page_number = || self.page_numbers.contains(&line.span);
        let is_in_bibliography = || self.bibliographies.contains(&line.section);
        let is_signs = || is_mostly_signs(line.text, options.least_letters_percent);
        // From the surest reason to the vaguest: the report names one, and the first is the easiest to check.
        if options.contents && self.contents.contains(&line.span) {
            Some(NoiseReason::Contents)
        } else if options.page_furniture && (is_furniture || is_page_number()) {
            Some(NoiseReason::PageFurniture)
        } else if options.bibliographies && is_in_bibliography() {
            Some(NoiseReason::Bibliography)
        } else if options.repeated && is_repeated() {
            Some(NoiseReason::Repeated)
        } else if options.citations && listings::is_mostly_citations(line.text) {
            Some(NoiseReason::Citations)
        } else if options.symbols && is_signs() {
            Some(NoiseReason::Symbols)
        } else {
            None
        }
    }
}

fn dropped(document: &Document, line: &Line<'_>, reason: NoiseReason) -> Dropped {
    let end = line.text.floor_char_boundary(EXCERPT_BYTES);
    let mut excerpt = line.text[..end].to_owned();
    if end < line.text.len() {
        excerpt.push('…');
    }
    Dropped { document: document.path.clone(), span: line.span, reason, excerpt }
}

/// The words of a text in small letters, one space between them, without signs around them.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    words.join(" ")
}

/// Returns `true` if a text has no letter or digit, or few for its signs; a row of dots is one sign, so that
/// neither "Pen ....... 2" nor "Name: ______" is dropped.
fn is_mostly_signs(text: &str, least_percent: u8) -> bool {
    let mut solid: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let letters = solid.iter().filter(|character| character.is_alphanumeric()).count();
    if letters == 0 {
        return solid.len() >= FEW_SIGNS;
    }
    // "Name: ______" is one line to fill in, not a line of signs.
    solid.dedup_by(|next, before| next == before && !next.is_alphanumeric());
    solid.len() >= FEW_CHARACTERS && letters * 100 < solid.len() * usize::from(least_percent)
}

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
            let text = block.span.cut_from(&document.text);
            for line in text.split_inclusive('\n') {
                let span = Span::from_range(start..start + line.len());
                start += line.len();
                if let Some(span) = trimmed(&document.text, span) {
                    let text = span.cut_from(&document.text);
                    found.push(Line { section, span, text });
                }
            }
        }
    }
    found
}
