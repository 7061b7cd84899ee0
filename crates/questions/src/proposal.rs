//! Questions that are proposed, the passages that they are made from, and what a person decides about each.

use campanile_bundle::{ChunkRecord, DocumentRecord, SectionRecord};
use campanile_corpus::{Table, TableRow};
use serde::{Deserialize, Serialize};

use crate::Question;

/// A question that nobody has looked at yet, or what a person decided about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The question.
    pub question: Question,
    /// The way it was made.
    pub template: Template,
    /// The path of the document it was made from.
    pub document: String,
    /// The place in the document: its title and the headings.
    pub place: String,
    /// The passage it was made from, to be shown with it.
    pub passage: String,
    /// A person's decision; `None` as long as nobody made one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

/// The way a question was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// From a row of a table, or a line such as `Office hours: Monday`.
    Row,
    /// From "X is a Y".
    Definition,
    /// From a sentence that says when something happens.
    Date,
    /// From a sentence that says how much or how many.
    Amount,
    /// From an address or a telephone number.
    Contact,
    /// From two rows of a table.
    Comparison,
    /// From a heading.
    Heading,
    /// From another question, about something that no document mentions.
    Swap,
    /// By a language model.
    Model,
}

/// A person's decision about a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is good as it is.
    Accepted,
    /// It is good as they wrote it.
    Edited,
    /// It is not.
    Rejected,
}

impl Template {
    /// As it is shown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Definition => "definition",
            Self::Date => "date",
            Self::Amount => "amount",
            Self::Contact => "contact",
            Self::Comparison => "comparison",
            Self::Heading => "heading",
            Self::Swap => "swap",
            Self::Model => "model",
        }
    }
}

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
    /// The place of its table among the document's.
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
        // Two rows of headings, or cells that reach over others, have no one header for a cell.
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
