//! OpenDocument texts and presentations (ODF 1.2, part 1, and later).

mod blocks;
mod controls;
mod lists;
mod styles;
mod tables;

use std::collections::BTreeMap;

use campanile_corpus::Document;

use super::bold_lines::{BoldLines, Census};
use super::flow::{Flow, Piece, Role, Shape, Slide};
use super::package::Package;
use super::properties::Properties;
use super::words::{Format, Words};
use super::xml::{Element, Node};
use crate::Trouble;
use crate::inline::InlineText;
use crate::report::Report;
use crate::spreadsheet::Book;
use crate::table::TableDraft;
use lists::{Counters, Lists};
use styles::Styles;

pub(super) fn read(path: &str, package: &mut Package<'_>) -> Result<(Document, Report), Trouble> {
    refuse_encrypted(package)?;
    let content = package.required("content.xml")?;
    let common = package.xml("styles.xml")?;
    let meta = package.xml("meta.xml")?;
    let objects = objects(package, &content)?;
    Ok(read_parts(path, &content, common.as_ref(), meta.as_ref(), &objects))
}

/// Reads a document whose root holds all parts.
pub(super) fn read_flat(path: &str, root: &Element) -> (Document, Report) {
    read_parts(path, root, Some(root), Some(root), &BTreeMap::new())
}

fn read_parts(
    path: &str,
    content: &Element,
    common: Option<&Element>,
    meta: Option<&Element>,
    objects: &BTreeMap<String, Element>,
) -> (Document, Report) {
    let mut report = Report::default();
    let styles = Styles::of(content, common);
    let lists = Lists::of(content, common);
    let controls = controls::controls(content);
    let mut properties = Properties::default();
    if let Some(list) = meta.and_then(|meta| meta.child("office:meta")) {
        properties.add(list, &mut report);
    }
    let mut reader = Reader {
        styles: &styles,
        lists: &lists,
        objects,
        controls: &controls,
        bold_lines: BoldLines::default(),
        is_below_heading: false,
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
            "office:presentation" => reader.presentation(body, common),
            _ => {
                reader.bold_lines = reader.bold_lines_of(body);
                reader.blocks(body);
            }
        }
    }
    let (document, noticed) = properties.finish(path, reader.flow);
    report.absorb(noticed);
    (document, report)
}

/// Objects of other programs (formulas, charts, sheets) that are read of one document.
const MOST_OBJECTS: usize = 2_000;

/// The objects that a document holds as documents of their own, by the addresses that it names them with.
fn objects(
    package: &mut Package<'_>,
    content: &Element,
) -> Result<BTreeMap<String, Element>, Trouble> {
    let mut found = BTreeMap::new();
    for object in content.all("draw:object").take(MOST_OBJECTS) {
        let Some(address) = object.attribute("xlink:href") else { continue };
        let folder = address.trim_start_matches("./").trim_end_matches('/');
        if folder.is_empty() || found.contains_key(address) {
            continue;
        }
        if let Some(root) = package.xml(&format!("{folder}/content.xml"))? {
            found.insert(address.to_owned(), root);
        }
    }
    Ok(found)
}

/// The sheets of a spreadsheet.
pub(super) fn sheets(path: &str, package: &mut Package<'_>) -> Result<Book, Trouble> {
    refuse_encrypted(package)?;
    let content = package.required("content.xml")?;
    let common = package.xml("styles.xml")?;
    Ok(tables::book(path, &content, &Styles::of(&content, common.as_ref())))
}

/// The sheets of a spreadsheet whose root holds all parts.
pub(super) fn sheets_flat(path: &str, root: &Element) -> Book {
    tables::book(path, root, &Styles::of(root, Some(root)))
}

/// Each part of an encrypted document is encrypted by itself, and the list of parts says so.
fn refuse_encrypted(package: &mut Package<'_>) -> Result<(), Trouble> {
    match package.xml("META-INF/manifest.xml")? {
        Some(manifest) if manifest.all("manifest:encryption-data").next().is_some() => {
            Err(Trouble::Encrypted)
        }
        _ => Ok(()),
    }
}

/// Walks the body and what hangs on it.
struct Reader<'a> {
    styles: &'a Styles,
    lists: &'a Lists,
    /// The objects of other programs in the document, by their addresses.
    objects: &'a BTreeMap<String, Element>,
    /// What the fields of its forms show.
    controls: &'a BTreeMap<String, String>,
    /// What a bold line of the body means: a heading, where there are no others, or one above them all.
    bold_lines: BoldLines,
    /// A heading by its style has been read: bold lines are headings below it.
    is_below_heading: bool,
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
    /// Returns what bold lines of this body mean.
    fn bold_lines_of(&self, body: &Element) -> BoldLines {
        let mut census = Census::default();
        for block in body.elements() {
            if block.is("text:h") {
                census.heading();
                continue;
            }
            if !block.is("text:p") {
                continue;
            }
            let style = self.styles.paragraph(block.attribute("text:style-name"));
            if matches!(style.role, Role::Heading(_)) {
                census.heading();
            } else if let Some(is_bold) = self.is_bold(block, style.format) {
                census.paragraph(is_bold, block.text().trim_end().ends_with(':'));
            }
        }
        census.finish()
    }

    /// Tells if all text of a paragraph is bold; `None` if it has none.
    fn is_bold(&self, parent: &Element, format: Format) -> Option<bool> {
        let mut found = None;
        for child in &parent.children {
            let own = match child {
                Node::Text(text) if text.trim().is_empty() => None,
                Node::Text(_) => Some(format.is_bold == Some(true)),
                Node::Element(span) if span.is("text:span") || span.is("text:a") => {
                    let style = span.attribute("text:style-name");
                    let own = style.map(|name| self.styles.characters(name)).unwrap_or_default();
                    self.is_bold(span, own.or(format))
                }
                Node::Element(_) => None,
            };
            found = own.map_or(found, |own| Some(found.unwrap_or(true) && own));
        }
        found
    }

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
        self.report().hidden_words(&element.text());
    }
}

/// English Metric Units to the centimetre: whole numbers are ordered alike everywhere.
const UNITS: f64 = 360_000.0;
/// The height of a slide where none is stated, in the same unit.
// 21 cm, as LibreOffice makes its slides of 4 to 3.
const USUAL_HEIGHT: i64 = 7_560_000;

impl<'a> Reader<'a> {
    pub(super) fn presentation(&mut self, body: &'a Element, common: Option<&Element>) {
        let height = common.and_then(height).unwrap_or(USUAL_HEIGHT);
        // Slides, and shapes on them, have grounds of their own.
        self.is_shaded = true;
        let pages = body.elements().filter(|page| page.is("draw:page"));
        for (number, page) in (1_u32..).zip(pages) {
            let mut slide = Slide { number, ..Slide::default() };
            self.shapes(page, &mut slide);
            for note in page.elements().filter(|child| child.is("presentation:notes")) {
                slide.notes.extend(self.notes(note));
            }
            let style = page.attribute("draw:style-name");
            if style.is_some_and(|name| self.styles.is_hidden_slide(name)) {
                slide.hide(self.report());
            } else {
                slide.write(&mut self.flow, height);
            }
        }
    }

    fn shapes(&mut self, parent: &'a Element, slide: &mut Slide) {
        for shape in parent.elements() {
            match shape.attribute("presentation:class") {
                Some("header" | "footer" | "date-time" | "page-number") => continue,
                Some("title") if slide.title.is_none() => {
                    let words: Vec<String> = self.pieces(shape).into_iter().map(line).collect();
                    slide.title = Some(InlineText::plain(words.join(" ")));
                    continue;
                }
                _ => {}
            }
            match &*shape.name {
                "draw:g" => self.shapes(shape, slide),
                "office:annotation" => self.report().comments += 1,
                name if name.starts_with("draw:") => {
                    let place = |name: &str| shape.attribute(name).and_then(length).unwrap_or(0);
                    let (x, y) = (place("svg:x"), place("svg:y"));
                    let pieces = self.pieces(shape);
                    slide.shapes.push(Shape { x, y, pieces });
                }
                _ => {}
            }
        }
    }

    fn pieces(&mut self, shape: &'a Element) -> Vec<Piece> {
        self.pieces = Some(Vec::new());
        if shape.child("draw:image").is_some() {
            self.pictures(shape);
        }
        self.blocks(shape);
        self.pieces.take().unwrap_or_default()
    }

    fn notes(&mut self, notes: &'a Element) -> Vec<InlineText> {
        let mut found = Vec::new();
        let is_note = |shape: &&Element| shape.attribute("presentation:class") == Some("notes");
        for shape in notes.elements().filter(is_note) {
            for piece in self.pieces(shape) {
                if let Piece::Paragraph(_, text) = piece {
                    found.push(text);
                }
            }
        }
        found
    }
}

fn line(piece: Piece) -> String {
    match piece {
        Piece::Paragraph(_, text) => text.text.replace('\n', " "),
        Piece::Table(_) => String::new(),
    }
}

/// The height of the first page layout.
fn height(common: &Element) -> Option<i64> {
    let properties = common.all("style:page-layout-properties").next()?;
    length(properties.attribute("fo:page-height")?)
}

/// A length with its unit, as whole English Metric Units.
pub(super) fn length(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let centimetres = match text.get(digits.len()..)? {
        "cm" => 1.0,
        "mm" => 0.1,
        "in" => 2.54,
        "pt" => 2.54 / 72.0,
        _ => return None,
    };
    let value: f64 = digits.parse().ok()?;
    // Out of range, the conversion stops at the ends.
    Some((value * centimetres * UNITS).round() as i64)
}
