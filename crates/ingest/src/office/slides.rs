//! Slides, of either format: their shapes in the order in which they are read.

use super::flow::{Flow, Role};
use crate::inline::InlineText;
use crate::report::Report;
use crate::table::TableDraft;

/// The longest line at the top of a slide that is taken for its title, in characters.
const TITLE_CHARS: usize = 90;
/// Shapes whose tops differ by less than this part of the slide's height stand side by side.
const ROWS: i64 = 20;

/// The content of a slide.
#[derive(Debug, Default)]
pub(super) struct Slide {
    /// From 1, as the program counts.
    pub(super) number: u32,
    /// The number that it shows, if that is another.
    pub(super) label: Option<String>,
    pub(super) title: Option<InlineText>,
    pub(super) shapes: Vec<Shape>,
    pub(super) notes: Vec<InlineText>,
}

/// A shape with text, and the place of its upper left corner.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) pieces: Vec<Piece>,
}

/// A paragraph or a table of a shape.
#[derive(Debug)]
pub(super) enum Piece {
    Paragraph(Role, InlineText),
    Table(TableDraft),
}

impl Slide {
    /// Adds the slide as a page; `height` is the slides' own, in the unit of the shapes.
    pub(super) fn write(mut self, flow: &mut Flow, height: i64) {
        flow.page(self.number, self.label.take());
        self.shapes.retain(|shape| !shape.pieces.is_empty());
        let mut shapes = in_reading_order(self.shapes, height);
        let has_text = !shapes.is_empty() || !self.notes.is_empty();
        let title = self.title.filter(|title| !title.text.is_empty());
        let heading = title.or_else(|| top_line(&mut shapes)).or_else(|| {
            // Without a heading of its own, its text would stand under that of the slide before.
            has_text.then(|| InlineText::plain(format!("Slide {}", self.number)))
        });
        if let Some(heading) = heading {
            flow.paragraph(Role::Heading(1), heading);
        }
        for piece in shapes.into_iter().flat_map(|shape| shape.pieces) {
            match piece {
                Piece::Paragraph(role, text) => flow.paragraph(role, text),
                Piece::Table(table) => flow.table(table),
            }
        }
        for (index, note) in self.notes.into_iter().enumerate() {
            let note = if index == 0 { note.after("Notes: ") } else { note };
            flow.paragraph(Role::Body, note);
        }
    }

    /// Reports the slide instead: it is not shown.
    pub(super) fn hide(self, report: &mut Report) {
        let mut words: Vec<String> = self.title.map(|title| title.text).into_iter().collect();
        for piece in self.shapes.into_iter().flat_map(|shape| shape.pieces) {
            match piece {
                Piece::Paragraph(_, text) => words.push(text.text),
                Piece::Table(table) => {
                    let cells = table.rows.into_iter().flat_map(|row| row.cells);
                    words.extend(cells.map(|cell| cell.text.text));
                }
            }
        }
        let words = words.join(" ");
        if words.chars().any(char::is_alphanumeric) {
            report.hidden(&words);
        }
    }
}

/// A title that was written into a shape of its own: one short line above everything else.
fn top_line(shapes: &mut Vec<Shape>) -> Option<InlineText> {
    let (first, rest) = shapes.split_first()?;
    let [Piece::Paragraph(Role::Body, line)] = first.pieces.as_slice() else {
        return None;
    };
    let is_line = line.text.chars().count() <= TITLE_CHARS
        && !line.text.contains('\n')
        && !line.text.ends_with(['.', ':', ',', ';']);
    if !is_line || rest.is_empty() || rest.iter().any(|other| other.y <= first.y) {
        return None;
    }
    let line = line.clone();
    shapes.remove(0);
    Some(line)
}

/// From top to bottom, and from left to right where shapes stand side by side.
fn in_reading_order(mut shapes: Vec<Shape>, height: i64) -> Vec<Shape> {
    let near = height.max(0) / ROWS;
    shapes.sort_by_key(|shape| (shape.y, shape.x));
    let mut ordered: Vec<Shape> = Vec::with_capacity(shapes.len());
    let mut row: Vec<Shape> = Vec::new();
    for shape in shapes {
        if row.first().is_some_and(|first| shape.y.saturating_sub(first.y) > near) {
            row.sort_by_key(|shape| shape.x);
            ordered.append(&mut row);
        }
        row.push(shape);
    }
    row.sort_by_key(|shape| shape.x);
    ordered.append(&mut row);
    ordered
}

#[cfg(test)]
mod tests {
    use super::{Shape, in_reading_order};

    #[test]
    fn shapes_are_read_in_rows() {
        let shapes = [(500, 102), (0, 100), (250, 400), (0, 398), (0, 0)];
        let shapes = shapes.map(|(x, y)| Shape { x, y, pieces: Vec::new() });
        let order: Vec<_> =
            in_reading_order(shapes.into(), 1000).iter().map(|shape| (shape.x, shape.y)).collect();
        assert_eq!(order, [(0, 0), (0, 100), (500, 102), (0, 398), (250, 400)]);
    }
}
