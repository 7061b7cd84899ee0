//! Presentations.

use super::super::slides::{Piece, Shape, Slide};
use super::super::xml::Element;
use super::Reader;
use crate::inline::InlineText;

/// English Metric Units to the centimetre: whole numbers are ordered alike everywhere.
const UNITS: f64 = 360_000.0;
/// The height of a slide where none is stated, in the same unit.
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
fn length(text: &str) -> Option<i64> {
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
