//! OpenDocument texts and presentations (ODF 1.2, part 1, and later).

mod blocks;
mod inline;
mod lists;
mod sheets;
mod slides;
mod styles;
mod tables;

use campanile_corpus::Document;

use super::flow::{Flow, Role};
use super::package::Package;
use super::properties::Properties;
use super::slides::Piece;
use super::words::Words;
use super::xml::Element;
use crate::IngestError;
use crate::inline::InlineText;
use crate::report::Report;
use crate::spreadsheet::Book;
use crate::table::TableDraft;
use lists::{Counters, Lists};
use styles::Styles;

pub(super) fn read(
    path: &str,
    package: &mut Package<'_>,
) -> Result<(Document, Report), IngestError> {
    refuse_encrypted(path, package)?;
    let mut report = Report::default();
    let content = package.required("content.xml")?;
    let common = package.xml("styles.xml")?;
    let styles = Styles::of(&content, common.as_ref());
    let lists = Lists::of(&content, common.as_ref());
    let mut properties = Properties::default();
    if let Some(meta) = package.xml("meta.xml")?
        && let Some(list) = meta.child("office:meta")
    {
        properties.add(list, &mut report);
    }
    let mut reader = Reader {
        styles: &styles,
        lists: &lists,
        counters: Counters::default(),
        after: Vec::new(),
        is_shaded: false,
        cell: None,
        cell_stands_out: false,
        room_for_repeats: tables::REPEATED_BYTES,
        pieces: None,
        flow: Flow::default(),
    };
    for body in content.child("office:body").into_iter().flat_map(Element::elements) {
        match &*body.name {
            "office:presentation" => reader.presentation(body, common.as_ref()),
            _ => reader.blocks(body),
        }
    }
    let (document, noticed) = properties.finish(path, reader.flow);
    report.absorb(noticed);
    Ok((document, report))
}

/// The sheets of a spreadsheet.
pub(super) fn sheets(path: &str, package: &mut Package<'_>) -> Result<Book, IngestError> {
    refuse_encrypted(path, package)?;
    let content = package.required("content.xml")?;
    let common = package.xml("styles.xml")?;
    Ok(sheets::book(path, &content, &Styles::of(&content, common.as_ref())))
}

/// Each part of an encrypted document is encrypted by itself, and the list of parts says so.
fn refuse_encrypted(path: &str, package: &mut Package<'_>) -> Result<(), IngestError> {
    match package.xml("META-INF/manifest.xml")? {
        Some(manifest) if manifest.all("manifest:encryption-data").next().is_some() => {
            Err(IngestError::Encrypted { path: path.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Walks the body and what hangs on it.
struct Reader<'a> {
    styles: &'a Styles,
    lists: &'a Lists,
    counters: Counters,
    /// Boxes of text and notes of the paragraph or table that is being read.
    after: Vec<&'a Element>,
    /// `true` if the ground is not known to be white: white text may be seen.
    is_shaded: bool,
    /// The cell that is being read: its paragraphs share one line.
    cell: Option<Words>,
    /// A paragraph of that cell has the style of a header.
    cell_stands_out: bool,
    /// The text that repeated rows and cells may still add, in bytes.
    room_for_repeats: usize,
    /// The shape of a slide that is being read.
    pieces: Option<Vec<Piece>>,
    flow: Flow,
}

impl Reader<'_> {
    fn report(&mut self) -> &mut Report {
        self.flow.report()
    }

    fn write(&mut self, role: Role, text: InlineText) {
        match &mut self.pieces {
            Some(_) if text.text.is_empty() => {}
            Some(pieces) => pieces.push(Piece::Paragraph(role, text)),
            None => self.flow.paragraph(role, text),
        }
    }

    fn write_table(&mut self, table: TableDraft) {
        match &mut self.pieces {
            Some(pieces) => pieces.push(Piece::Table(table)),
            None => self.flow.table(table),
        }
    }

    /// Reports all text below an element that is not shown.
    fn hide(&mut self, element: &Element) {
        let text = element.text();
        if text.chars().any(char::is_alphanumeric) {
            self.report().hidden(&text);
        }
    }
}
