//! A document as a search of the site needs it.

use campanile_corpus::metadata::Metadata;
use campanile_corpus::{Chunk, Document, Granularity, Link, Page, Table, page_at};
use campanile_text::Span;
use serde::{Deserialize, Serialize};

/// A document's text and structure; every span counts bytes of [`DocumentRecord::text`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// The document's title.
    pub title: String,
    /// The path that its file had, relative to the documents' folder.
    pub path: String,
    /// Its public address, where it stated one.
    pub link: Option<String>,
    /// Its parts between headings.
    pub sections: Vec<SectionRecord>,
    /// The whole document as plain text.
    pub text: String,
    /// Its passages, in the order of their numbers.
    pub chunks: Vec<ChunkRecord>,
    /// Its links.
    pub links: Vec<Link>,
    /// Its tables, for display.
    pub tables: Vec<Table>,
    /// Its pages; none where its file has no pages.
    pub pages: Vec<Page>,
    /// Whom it is for, when it holds, what it is.
    pub metadata: Metadata,
    /// The parts of its chunks that the site has an index over: by granularity, by chunk, in order.
    pub children: Vec<ChildRecord>,
    /// The other documents that its chunks stand in, by chunk: the site holds a passage that several
    /// documents share once.
    pub also: Vec<AlsoRecord>,
}

/// Another document that says the same as a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlsoRecord {
    /// The chunk, by its number in its own document.
    pub chunk: u32,
    /// The other document's title.
    pub title: String,
    /// The path that its file had.
    pub path: String,
    /// Its public address.
    pub link: Option<String>,
}

/// A part of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildRecord {
    /// The size of the part.
    pub granularity: Granularity,
    /// The chunk it is part of, by its number in its document.
    pub chunk: u32,
    /// The words it is, or was made from.
    pub span: Span,
    /// The part's text, where that is more than those words.
    pub text: Option<String>,
}

/// A section's heading and place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SectionRecord {
    /// The heading's text; empty before the first heading.
    pub heading: String,
    /// 1 to 6; 0 before the first heading.
    pub level: u8,
    /// The headings from the top, its own last.
    pub path: Vec<String>,
    /// The fragment that leads to the heading, without `#`.
    pub anchor: Option<String>,
    /// Its body, without the heading.
    pub span: Span,
}

/// A passage: what the indexes count and a search finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkRecord {
    /// Index in [`DocumentRecord::sections`].
    pub section: u32,
    /// The place of its text.
    pub span: Span,
}

impl DocumentRecord {
    /// Makes the record that a site keeps of a document that was cut into `chunks`.
    pub fn new(document: &Document, chunks: &[Chunk]) -> Self {
        let section = |section: &campanile_corpus::Section| SectionRecord {
            heading: section.heading.clone(),
            level: section.level,
            path: section.path.clone(),
            anchor: section.anchor.clone(),
            span: section.span,
        };
        let chunk = |chunk: &Chunk| ChunkRecord { section: chunk.section, span: chunk.span };
        Self {
            title: document.title.clone(),
            path: document.path.clone(),
            link: document.link.clone(),
            sections: document.sections.iter().map(section).collect(),
            text: document.text.clone(),
            chunks: chunks.iter().map(chunk).collect(),
            links: document.links.clone(),
            tables: document.tables.clone(),
            pages: document.pages.clone(),
            metadata: Metadata::default(),
            children: Vec::new(),
            also: Vec::new(),
        }
    }

    /// A document without headings whose text is one chunk.
    pub fn plain(title: &str, path: &str, text: &str) -> Self {
        Self {
            title: title.to_owned(),
            path: path.to_owned(),
            link: None,
            sections: vec![SectionRecord {
                heading: String::new(),
                level: 0,
                path: Vec::new(),
                anchor: None,
                span: Span::from_range(0..text.len()),
            }],
            text: text.to_owned(),
            chunks: vec![ChunkRecord { section: 0, span: Span::from_range(0..text.len()) }],
            links: Vec::new(),
            tables: Vec::new(),
            pages: Vec::new(),
            metadata: Metadata::default(),
            children: Vec::new(),
            also: Vec::new(),
        }
    }

    /// The `number`th part of that kind of the document's chunk number `chunk`.
    pub fn child(&self, granularity: Granularity, chunk: u32, number: u32) -> Option<&ChildRecord> {
        let key = (granularity, chunk);
        let first = self.children.partition_point(|child| (child.granularity, child.chunk) < key);
        let child = self.children.get(first.checked_add(number as usize)?)?;
        ((child.granularity, child.chunk) == key).then_some(child)
    }

    /// The page that the byte at `offset` of the text stands on.
    pub fn page_at(&self, offset: u32) -> Option<&Page> {
        page_at(&self.pages, offset)
    }

    /// The text of the document's chunk number `chunk`.
    pub fn chunk_text(&self, chunk: u32) -> Option<&str> {
        self.chunks.get(chunk as usize)?.span.slice(&self.text)
    }

    /// The section that the document's chunk number `chunk` stands in.
    pub fn chunk_section(&self, chunk: u32) -> Option<&SectionRecord> {
        let chunk = self.chunks.get(chunk as usize)?;
        self.sections.get(chunk.section as usize)
    }

    /// The first way, if any, in which the record's numbers do not fit its text.
    fn fault(&self) -> Option<String> {
        let spans = self.chunks.iter().map(|chunk| chunk.span);
        let spans = spans.chain(self.links.iter().map(|link| link.span));
        let spans = spans.chain(self.sections.iter().map(|section| section.span));
        let spans = spans.chain(self.pages.iter().map(|page| page.span));
        let spans = spans.chain(self.children.iter().map(|child| child.span));
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        let spans = spans.chain(lines.clone().map(|line| line.span));
        let outside = spans.into_iter().find(|span| span.slice(&self.text).is_none());
        if let Some(Span { start, end }) = outside {
            let length = self.text.len();
            return Some(format!(
                "expected spans of whole characters within {length} bytes, found {start} to {end}"
            ));
        }
        let sections = self.sections.len();
        if let Some(stray) = self.chunks.iter().find(|chunk| chunk.section as usize >= sections) {
            return Some(format!("expected a section below {sections}, found {}", stray.section));
        }
        let chunks = self.chunks.len();
        if let Some(stray) = self.children.iter().find(|child| child.chunk as usize >= chunks) {
            return Some(format!("expected a chunk below {chunks}, found {}", stray.chunk));
        }
        if let Some(stray) = self.also.iter().find(|also| also.chunk as usize >= chunks) {
            return Some(format!("expected a chunk below {chunks}, found {}", stray.chunk));
        }
        self.tables.iter().find_map(|table| {
            let rows = table.rows.len();
            let stray = table.lines.iter().find(|line| line.row as usize >= rows)?;
            Some(format!("expected a table's row below {rows}, found {}", stray.row))
        })
    }
}

/// Reads a shard of documents and checks that all their numbers fit.
///
/// # Errors
/// The expected and the found, for a [`BundleError::Content`](crate::BundleError::Content).
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<DocumentRecord>, String> {
    let (records, rest) = postcard::take_from_bytes::<Vec<DocumentRecord>>(bytes)
        .map_err(|error| format!("expected documents, found other data ({error})"))?;
    if !rest.is_empty() {
        return Err(format!("expected documents alone, found {} bytes behind them", rest.len()));
    }
    match records.iter().find_map(|record| Some((record, record.fault()?))) {
        None => Ok(records),
        Some((record, fault)) => Err(format!("{fault} in `{}`", record.path)),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;
    use campanile_corpus::{TableCell, TableLine, TableRow};
    use proptest::prelude::*;

    fn record() -> DocumentRecord {
        let mut record = DocumentRecord::plain("Bücher", "books.md", "Die Bücherei ist offen.");
        record.links.push(Link { span: Span::new(4, 13), target: "library.md".to_owned() });
        record.pages.push(Page { number: 1, label: None, span: Span::new(0, 24) });
        record.tables.push(Table {
            rows: vec![TableRow { is_head: false, cells: vec![TableCell::new("offen")] }],
            lines: vec![TableLine { row: 0, span: Span::new(18, 23) }],
            ..Table::default()
        });
        record.children.push(ChildRecord {
            granularity: Granularity::Sentence,
            chunk: 0,
            span: Span::new(0, 24),
            text: None,
        });
        record
    }

    #[test]
    fn a_record_keeps_what_a_reader_needs() {
        let document = Document {
            path: "a.md".to_owned(),
            title: "A".to_owned(),
            link: Some("https://example.org/a".to_owned()),
            text: "Head\nOne. Two.".to_owned(),
            sections: vec![campanile_corpus::Section {
                heading: "Head".to_owned(),
                level: 1,
                path: vec!["Head".to_owned()],
                is_question: false,
                anchor: Some("head".to_owned()),
                span: Span::new(5, 14),
                blocks: Vec::new(),
            }],
            ..Document::default()
        };
        let chunks = [
            Chunk { section: 0, span: Span::new(5, 9), index: 0 },
            Chunk { section: 0, span: Span::new(10, 14), index: 1 },
        ];
        let record = DocumentRecord::new(&document, &chunks);
        assert_eq!(record.chunk_text(1), Some("Two."));
        assert_eq!(record.chunk_section(1).unwrap().anchor.as_deref(), Some("head"));
        assert_eq!(record.chunk_text(2), None);
        assert_eq!(record.fault(), None);
    }

    #[test]
    fn numbers_that_do_not_fit_are_named() {
        type Edit = fn(&mut DocumentRecord);
        let cases: &[(Edit, &str)] = &[
            (
                |record| record.chunks[0].span.end = 99,
                "within 24 bytes, found 0 to 99 in `books.md`",
            ),
            (
                |record| record.chunks[0].span.end = 6,
                "whole characters within 24 bytes, found 0 to 6",
            ),
            (|record| record.chunks[0].span = Span { start: 9, end: 4 }, "found 9 to 4"),
            (|record| record.links[0].span.start = 6, "found 6 to 13"),
            (|record| record.chunks[0].section = 1, "expected a section below 1, found 1"),
            (|record| record.pages[0].span.end = 25, "found 0 to 25"),
            (|record| record.tables[0].lines[0].span.start = 6, "found 6 to 23"),
            (|record| record.children[0].span.end = 25, "found 0 to 25"),
            (|record| record.children[0].chunk = 1, "expected a chunk below 1, found 1"),
            (|record| record.tables[0].lines[0].row = 1, "expected a table's row below 1, found 1"),
        ];
        for (edit, message) in cases {
            let mut record = record();
            edit(&mut record);
            let error = decode(&postcard::to_allocvec(&[record][..]).unwrap()).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = decode(&bytes);
        }

        #[test]
        fn a_flipped_bit_never_panics(place in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = postcard::to_allocvec(&vec![record(), record()]).unwrap();
            let at = place.index(bytes.len());
            bytes[at] ^= 1 << bit;
            for record in decode(&bytes).unwrap_or_default() {
                for chunk in 0..record.chunks.len() as u32 {
                    prop_assert!(record.chunk_text(chunk).is_some());
                    prop_assert!(record.chunk_section(chunk).is_some());
                }
            }
        }
    }
}
