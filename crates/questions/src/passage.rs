//! Passages of a site, as the templates see them.

use campanile_bundle::{ChunkRecord, DocumentRecord, SectionRecord};
use campanile_corpus::{Table, TableRow};

/// A passage with what is known of its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePassage {
    /// The path of its document.
    pub document: String,
    /// The document's public address.
    pub link: Option<String>,
    /// The document's title.
    pub title: String,
    /// The headings above it, from the top.
    pub headings: Vec<String>,
    /// Its text.
    pub text: String,
    /// The rows of tables in it.
    pub rows: Vec<SourceRow>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRow {
    /// The row as the passage says it, a line of its text.
    pub line: String,
    /// Header and cell, from the left.
    pub cells: Vec<(String, String)>,
    /// Which of the document's tables it is of.
    pub table: usize,
}

impl SourcePassage {
    /// The nearest heading that is not the title.
    pub fn heading(&self) -> Option<&str> {
        let heading = self.headings.last().map(String::as_str);
        heading.filter(|heading| !heading.is_empty() && *heading != self.title)
    }

    /// Returns the topic: the nearest heading, else the title.
    pub fn topic(&self) -> &str {
        self.heading().unwrap_or(&self.title)
    }

    /// The title and the headings on one line.
    pub fn place(&self) -> String {
        let headings = self.headings.iter().filter(|heading| **heading != self.title);
        std::iter::once(&self.title)
            .chain(headings)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" > ")
    }
}

/// The passages of a document of a site.
pub fn passages_of(record: &DocumentRecord) -> Vec<SourcePassage> {
    let passage = |chunk: &ChunkRecord| {
        let section = usize::try_from(chunk.section).ok().and_then(|it| record.sections.get(it));
        Some(SourcePassage {
            document: record.path.clone(),
            link: record.link.clone(),
            title: record.title.clone(),
            headings: section
                .map(|section: &SectionRecord| section.path.clone())
                .unwrap_or_default(),
            text: chunk.span.slice(&record.text)?.to_owned(),
            rows: rows_in(record, chunk),
        })
    };
    record.chunks.iter().filter_map(passage).collect()
}

fn rows_in(record: &DocumentRecord, chunk: &ChunkRecord) -> Vec<SourceRow> {
    let mut rows = Vec::new();
    for (number, table) in record.tables.iter().enumerate() {
        let Some(head) = head(table) else { continue };
        let inside = table
            .lines
            .iter()
            .filter(|line| chunk.span.start <= line.span.start && line.span.end <= chunk.span.end);
        for line in inside {
            let row = usize::try_from(line.row).ok().and_then(|row| table.rows.get(row));
            let (Some(row), Some(text)) = (row, line.span.slice(&record.text)) else { continue };
            if row.cells.len() == head.len() && !row.is_head && is_plain(row) {
                let cells = row.cells.iter().map(|cell| cell.text.clone());
                let cells = head.iter().cloned().zip(cells).collect();
                rows.push(SourceRow { line: text.to_owned(), cells, table: number });
            }
        }
    }
    rows
}

/// The headers of a table that has one row of them; others are too intricate for a template.
fn head(table: &Table) -> Option<Vec<String>> {
    let mut heads = table.rows.iter().filter(|row| row.is_head);
    let head = heads.next().filter(|row| is_plain(row))?;
    let texts: Vec<String> = head.cells.iter().map(|cell| cell.text.clone()).collect();
    (heads.next().is_none() && texts.iter().all(|text| !text.is_empty())).then_some(texts)
}

/// Returns `true` if no cell reaches over others.
fn is_plain(row: &TableRow) -> bool {
    row.cells.iter().all(|cell| cell.columns == 1 && cell.rows == 1)
}
