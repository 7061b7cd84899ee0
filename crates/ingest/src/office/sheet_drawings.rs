//! What lies over the cells of a sheet, of Excel or OpenDocument: pictures with what they say, and boxes of text.

use super::odf::length;
use super::pictures::{description, stated};
use super::workbook::local;
use super::xml::Element;

/// Pictures and boxes that are read of one sheet.
const MOST_DRAWN: usize = 10_000;
/// Rows and columns that a picture in a cell may reach over: its own, and the edge of the next.
const REACH: u32 = 1;
/// A picture that is larger than this on one side, in English Metric Units, is no sign in a cell: two centimetres, four lines of text.
const SIGN: i64 = 720_000;

/// What lies over one sheet, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pub(crate) pictures: Vec<DrawnPicture>,
    /// The text of each box, over as many lines as it has.
    pub(crate) boxes: Vec<String>,
}

/// A picture and what it says.
#[derive(Debug)]
pub(crate) struct DrawnPicture {
    /// The row and the column of its upper left corner, from 0; `None` where it is larger than a cell, or lies anywhere.
    pub(crate) place: Option<(u32, u32)>,
    pub(crate) description: String,
}

impl Drawn {
    pub(crate) fn is_empty(&self) -> bool {
        self.pictures.is_empty() && self.boxes.is_empty()
    }

    /// Takes the pictures and boxes that an OpenDocument cell holds, or a sheet as a whole.
    pub(super) fn take(&mut self, parent: &Element, place: Option<(u32, u32)>) {
        for shape in parent.elements().filter(|shape| shape.name.starts_with("draw:")) {
            if self.pictures.len() + self.boxes.len() >= MOST_DRAWN {
                return;
            }
            if let Some(description) = description(shape) {
                let size = |name: &str| shape.attribute(name).and_then(length);
                let is_small = |name: &str| size(name).is_none_or(|size| size <= SIGN);
                let fits = is_small("svg:width") && is_small("svg:height");
                let description = description.to_owned();
                self.pictures.push(DrawnPicture { place: place.filter(|_| fits), description });
            }
            let lines: Vec<String> = shape.all("text:p").map(Element::text).collect();
            let text = lines.join("\n");
            if !text.trim().is_empty() {
                self.boxes.push(text);
            }
        }
    }

    /// Reads a drawing's part.
    pub(super) fn of(drawing: &Element) -> Self {
        let mut drawn = Self::default();
        for anchor in drawing.elements().take(MOST_DRAWN) {
            let place = place(anchor);
            for part in anchor.descendants() {
                match local(part) {
                    "pic" => drawn.pictures.extend(picture(part, place)),
                    "txBody" => drawn.boxes.extend(text_of(part)),
                    _ => {}
                }
            }
        }
        drawn
    }
}

fn child<'a>(parent: &'a Element, name: &str) -> Option<&'a Element> {
    parent.elements().find(|own| local(own) == name)
}

fn place(anchor: &Element) -> Option<(u32, u32)> {
    let corner = |name: &str| {
        let corner = child(anchor, name)?;
        let number = |name: &str| child(corner, name)?.text().trim().parse::<u32>().ok();
        Some((number("row")?, number("col")?))
    };
    let (row, column) = corner("from")?;
    // Without a second corner it has a size of its own.
    let (last_row, last_column) = corner("to").unwrap_or((row, column));
    let is_small =
        last_row.saturating_sub(row) <= REACH && last_column.saturating_sub(column) <= REACH;
    is_small.then_some((row, column))
}

fn picture(picture: &Element, place: Option<(u32, u32)>) -> Option<DrawnPicture> {
    let properties = child(child(picture, "nvPicPr")?, "cNvPr")?;
    let is_hidden = properties.attribute("hidden").is_some_and(super::is_on);
    let description = stated(properties).filter(|_| !is_hidden)?.to_owned();
    Some(DrawnPicture { place, description })
}

fn text_of(body: &Element) -> Option<String> {
    let paragraphs = body.elements().filter(|own| own.is("a:p"));
    let line = |paragraph: &Element| paragraph.all("a:t").map(Element::text).collect::<String>();
    let lines: Vec<String> = paragraphs.map(line).filter(|line| !line.trim().is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
