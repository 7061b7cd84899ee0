use std::collections::BTreeMap;

use campanile_text::Span;
use serde::{Deserialize, Serialize};

use crate::Table;

/// One file of the corpus, read: plain text, and where its parts lie in it.
///
/// Every span in a document counts bytes of [`Document::text`]. Heading lines are in the text, so
/// that it reads as the page did, but lie outside of every section's body span.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The path of the file, relative to the documents' folder, with `/` between the parts.
    pub path: String,
    /// The document's name for itself: front matter, first heading, or the file's name.
    pub title: String,
    /// The document's public address, if it states one.
    pub link: Option<String>,
    /// The whole document as plain text; blocks are separated by one or two newlines.
    pub text: String,
    /// The parts between headings, in the order of the text; together they hold every block.
    pub sections: Vec<Section>,
    /// The document's links, in the order of the text.
    pub links: Vec<Link>,
    /// The document's tables, in the order of the text.
    pub tables: Vec<Table>,
    /// The document's pages, in their order; none where the file has no pages.
    pub pages: Vec<Page>,
    /// The fields of the front matter (or of a page's `<meta>` elements), by name.
    pub metadata: BTreeMap<String, serde_json::Value>,
}

/// A page of a printed document, or a slide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Its place in the file, from 1: what `#page=` in an address means.
    pub number: u32,
    /// The label printed on it or stated for it: `iv`, `12`; `None` where it is the number.
    pub label: Option<String>,
    /// The text that begins on it.
    pub span: Span,
}

impl Document {
    /// The page that the byte at `offset` of the text stands on.
    pub fn page_at(&self, offset: u32) -> Option<&Page> {
        page_at(&self.pages, offset)
    }

    /// The table in whose rows the byte at `offset` of the text stands.
    pub(crate) fn table_at(&self, offset: u32) -> Option<&Table> {
        // By halves: this is asked for every chunk, and a workbook has many tables.
        let after = self.tables.partition_point(|table| table.span().start <= offset);
        self.tables.get(after.checked_sub(1)?).filter(|table| offset < table.span().end)
    }
}

/// The page among `pages`, in their order, that the byte at `offset` of the text stands on.
pub fn page_at(pages: &[Page], offset: u32) -> Option<&Page> {
    let after = pages.partition_point(|page| page.span.start <= offset);
    pages.get(after.checked_sub(1)?)
}

/// The part of a document between one heading and the next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The heading's text; empty before the first heading.
    pub heading: String,
    /// 1 to 6 as in `<h1>` to `<h6>`; 0 before the first heading.
    pub level: u8,
    /// The headings above it from the top, its own last; empty before the first heading.
    pub path: Vec<String>,
    /// `true` if it is an entry of a FAQ, the heading its question and the body the answer
    /// ([`mark_entries`](crate::mark_entries)).
    pub is_question: bool,
    /// The fragment that leads a browser to the heading, without `#`.
    pub anchor: Option<String>,
    /// The body without its heading; empty where one heading follows another at once.
    pub span: Span,
    /// The paragraphs, items and rows of the body, in order; they do not overlap.
    pub blocks: Vec<Block>,
}

/// A paragraph, a list item, a table row: the unit that a chunk would rather not cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The kind of block that it was in the document.
    pub kind: BlockKind,
    /// Its text.
    pub span: Span,
}

/// The kind of a block in the document it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// One item of a list.
    ListItem,
    /// One row of a table, written out with its column headers.
    TableRow,
    /// Code or other preformatted text.
    Code,
    /// A quotation.
    Quote,
}

/// A link of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The words that are linked, in [`Document::text`].
    pub span: Span,
    /// The target, as the document wrote it.
    pub target: String,
}
