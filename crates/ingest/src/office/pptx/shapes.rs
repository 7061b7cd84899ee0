//! The shapes of a slide, their paragraphs, and what they say.

use std::collections::BTreeMap;

use super::places::{Frame, Inherited, Placeholder, Transform, inherited};
use crate::inline::InlineText;
use crate::numbers::NumberFormat;
use crate::office::chart;
use crate::office::flow::{
    FoundCell, FoundRow, MOST_COLUMNS, Piece, Role, Shape, Slide, table_of_rows,
};
use crate::office::package::Relationships;
use crate::office::signs::SignFont;
use crate::office::words::{Look, Place, Words, bullet_sign};
use crate::office::xml::Element;
use crate::office::{formula, pictures};
use crate::report::Report;
use crate::table::{CellDraft, TableDraft};

/// Placeholders for what stands on every slide.
const FURNITURE: &[&str] = &["dt", "ftr", "hdr", "sldNum"];

/// Gathers the shapes of one slide.
pub(super) struct Shapes<'a> {
    links: &'a Relationships,
    inherited: &'a Inherited,
    /// Each is read once.
    diagrams: BTreeMap<String, Element>,
    charts: BTreeMap<String, Element>,
    slide_size: Frame,
    report: &'a mut Report,
    slide: Slide,
    /// The groups around the current shape, innermost last.
    groups: Vec<Transform>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(
        links: &'a Relationships,
        inherited: &'a Inherited,
        (diagrams, charts): (BTreeMap<String, Element>, BTreeMap<String, Element>),
        slide_size: Frame,
        report: &'a mut Report,
    ) -> Self {
        let (slide, groups) = (Slide::default(), Vec::new());
        Self { links, inherited, diagrams, charts, slide_size, report, slide, groups }
    }

    pub(super) fn finish(self) -> Slide {
        self.slide
    }

    /// Reads all shapes below an element.
    pub(super) fn read(&mut self, tree: &Element) {
        for shape in tree.elements() {
            match &*shape.name {
                "p:sp" | "p:pic" | "p:graphicFrame" | "p:grpSp" if is_hidden(shape) => {
                    self.hide(shape)
                }
                "p:sp" => self.text_shape(shape),
                "p:pic" => self.picture(shape),
                "p:graphicFrame" => self.frame(shape),
                "p:grpSp" => {
                    let group = shape.descend(&["p:grpSpPr", "a:xfrm"]).and_then(Transform::of);
                    let depth = self.groups.len();
                    self.groups.extend(group);
                    self.read(shape);
                    self.groups.truncate(depth);
                }
                "mc:AlternateContent" => shape.chosen().for_each(|chosen| self.read(chosen)),
                _ => {}
            }
        }
    }

    fn text_shape(&mut self, shape: &Element) {
        let placeholder = Placeholder::of(shape);
        let kind = placeholder.as_ref().map(|own| own.kind.as_str());
        if kind.is_some_and(|kind| FURNITURE.contains(&kind)) {
            return;
        }
        let Some(body) = shape.child("p:txBody") else {
            return;
        };
        let own = shape.descend(&["p:spPr", "a:xfrm"]).and_then(Frame::of);
        let frame = match (own, &placeholder) {
            (Some(frame), _) => self.on_slide(frame),
            (None, Some(own)) => inherited(own, self.inherited).unwrap_or_default(),
            (None, None) => Frame::default(),
        };
        if frame.is_outside(&self.slide_size) {
            return self.hide(shape);
        }
        if kind == Some("title") && self.slide.title.is_none() {
            self.slide.title = Some(self.line(paragraphs(body), Place::Line).0);
            return;
        }
        let pieces = self.pieces(body, matches!(kind, Some("body" | "obj")));
        self.slide.shapes.push(Shape { x: frame.x, y: frame.y, pieces });
    }

    /// What a picture says, where it says something of its own.
    fn picture(&mut self, picture: &Element) {
        let own = picture.descend(&["p:spPr", "a:xfrm"]).and_then(Frame::of);
        let frame = own.map(|frame| self.on_slide(frame)).unwrap_or_default();
        let sentences = pictures::sentences(picture).map(InlineText::plain);
        let pieces: Vec<_> = sentences.map(|text| Piece::Paragraph(Role::Body, text)).collect();
        if !pieces.is_empty() && !frame.is_outside(&self.slide_size) {
            self.slide.shapes.push(Shape { x: frame.x, y: frame.y, pieces });
        }
    }

    /// Paragraphs in one line, and whether all of it is bold.
    fn line<'b>(
        &mut self,
        paragraphs: impl Iterator<Item = &'b Element>,
        place: Place,
    ) -> (InlineText, bool) {
        let mut words = Words::new(place);
        let mut text = Text::new(self.links, self.report);
        for paragraph in paragraphs {
            text.add(paragraph, &mut words);
            words.next_paragraph();
        }
        let is_bold = words.is_bold();
        (words.finish(self.report), is_bold)
    }

    fn pieces(&mut self, body: &Element, has_bullets: bool) -> Vec<Piece> {
        let mut numbers = Numbers::default();
        let mut pieces = Vec::new();
        for paragraph in paragraphs(body) {
            let place = numbers.next(paragraph, has_bullets);
            let mut words = Words::new(Place::Block);
            words.marker(place.as_deref().unwrap_or_default());
            Text::new(self.links, self.report).add(paragraph, &mut words);
            let text = words.finish(self.report);
            let role = if place.is_some() { Role::Item } else { Role::Body };
            if !text.text.is_empty() {
                pieces.push(Piece::Paragraph(role, text));
            }
        }
        pieces
    }

    /// A table, a diagram or a chart.
    fn frame(&mut self, shape: &Element) {
        let frame = shape.child("p:xfrm").and_then(Frame::of).map(|frame| self.on_slide(frame));
        let frame = frame.unwrap_or_default();
        if frame.is_outside(&self.slide_size) {
            return self.hide(shape);
        }
        let Some(data) = shape.descend(&["a:graphic", "a:graphicData"]) else {
            return;
        };
        let pieces = if let Some(table) = data.child("a:tbl") {
            vec![Piece::Table(self.table(table))]
        } else if let Some(diagram) = data.child("dgm:relIds") {
            self.diagram(diagram)
        } else if let Some(chart) = data.child("c:chart") {
            let part = chart.attribute("r:id").and_then(|id| self.links.part(id));
            let chart = part.and_then(|part| self.charts.remove(part));
            chart.as_ref().and_then(chart::table).map(Piece::Table).into_iter().collect()
        } else {
            return;
        };
        self.slide.shapes.push(Shape { x: frame.x, y: frame.y, pieces });
    }

    fn table(&mut self, table: &Element) -> TableDraft {
        let shows_first = table.child("a:tblPr").is_some_and(|own| is_on(own, "firstRow"));
        let mut rows = Vec::new();
        for row in table.elements().filter(|row| row.is("a:tr")) {
            let mut found = FoundRow::default();
            for cell in row.elements().filter(|cell| cell.is("a:tc")) {
                if is_on(cell, "hMerge") || is_on(cell, "vMerge") {
                    continue;
                }
                let span = |name: &str| cell.number(name).unwrap_or(1_u32);
                let body = cell.child("a:txBody").into_iter().flat_map(paragraphs);
                let (text, stands_out) = self.line(body, Place::Cell);
                let draft = CellDraft {
                    text,
                    is_header: false,
                    columns: span("gridSpan").clamp(1, MOST_COLUMNS),
                    rows: span("rowSpan").clamp(1, u32::from(u16::MAX)),
                };
                let fill = cell.descend(&["a:tcPr", "a:solidFill"]);
                let color = fill.and_then(|fill| fill.elements().next());
                let ground = color.and_then(|color| color.attribute("val")).map(str::to_owned);
                found.cells.push(FoundCell { draft, stands_out, ground });
            }
            rows.push(found);
        }
        table_of_rows(rows, shows_first)
    }

    /// The words of a diagram, in the order in which it holds them.
    fn diagram(&mut self, ids: &Element) -> Vec<Piece> {
        let part = ids.attribute("r:dm").and_then(|id| self.links.part(id));
        let Some(root) = part.and_then(|part| self.diagrams.remove(part)) else {
            return Vec::new();
        };
        let points = root.child("dgm:ptLst").into_iter().flat_map(Element::elements);
        // The other kinds hold what the layout made of the words.
        let points =
            points.filter(|point| matches!(point.attribute("type"), None | Some("node" | "asst")));
        let mut pieces = Vec::new();
        for point in points {
            let body = point.child("dgm:t").into_iter().flat_map(paragraphs);
            let (text, _) = self.line(body, Place::Line);
            if !text.text.is_empty() {
                pieces.push(Piece::Paragraph(Role::Item, text));
            }
        }
        pieces
    }

    fn on_slide(&self, frame: Frame) -> Frame {
        // From the innermost group outwards.
        self.groups.iter().rev().fold(frame, |frame, group| group.apply(frame))
    }

    /// Reports a shape that nobody sees.
    fn hide(&mut self, shape: &Element) {
        let words: Vec<String> = shape.all("a:t").map(Element::text).collect();
        self.report.hidden_words(&words.join(" "));
    }
}

/// Reads what the speaker noted on a slide.
pub(super) fn notes(root: &Element, links: &Relationships, report: &mut Report) -> Vec<InlineText> {
    let is_body = |shape: &&Element| Placeholder::of(shape).is_some_and(|own| own.kind == "body");
    let bodies = root.all("p:sp").filter(is_body).filter_map(|shape| shape.child("p:txBody"));
    let mut found = Vec::new();
    for paragraph in bodies.flat_map(paragraphs) {
        let mut words = Words::new(Place::Block);
        Text::new(links, report).add(paragraph, &mut words);
        let text = words.finish(report);
        if !text.text.is_empty() {
            found.push(text);
        }
    }
    found
}

fn paragraphs(body: &Element) -> impl Iterator<Item = &Element> {
    body.elements().filter(|child| child.is("a:p"))
}

fn is_on(element: &Element, name: &str) -> bool {
    matches!(element.attribute(name), Some("1" | "true"))
}

fn is_hidden(shape: &Element) -> bool {
    let own = shape.elements().next().and_then(|own| own.child("p:cNvPr"));
    own.is_some_and(|own| is_on(own, "hidden"))
}

// As many as PowerPoint offers.
const LEVELS: usize = 9;
/// Hundredths of a point: text of one point or less is not meant to be read.
const INVISIBLE_HUNDREDTHS: i64 = 100;

/// Adds the text of paragraphs to words.
pub(super) struct Text<'a> {
    links: &'a Relationships,
    report: &'a mut Report,
}

impl<'a> Text<'a> {
    pub(super) fn new(links: &'a Relationships, report: &'a mut Report) -> Self {
        Self { links, report }
    }

    pub(super) fn add(&mut self, paragraph: &Element, words: &mut Words) {
        for piece in paragraph.elements() {
            match &*piece.name {
                "a:r" => self.run(piece, words),
                "a:br" => words.break_line(),
                // The number of the slide, or today's date.
                "a:fld" if is_furniture(piece) => {}
                "a:fld" => self.run(piece, words),
                "a:pPr" | "a:endParaRPr" => {}
                _ => {
                    // A formula stands in a wrapper, with a picture of it as the other form.
                    if let Some(math) = piece.all("m:oMath").next() {
                        words.text(&formula::office(math), Look::default());
                    }
                }
            }
        }
    }

    fn run(&mut self, run: &Element, words: &mut Words) {
        let own = run.child("a:rPr");
        let value = |name: &str| own.and_then(|own| own.attribute(name));
        let number = |name: &str| value(name).and_then(|value| value.parse::<i64>().ok());
        let font = |name: &str| SignFont::of(own?.child(name)?.attribute("typeface")?);
        let look = Look {
            is_hidden: number("sz").is_some_and(|size| size <= INVISIBLE_HUNDREDTHS),
            is_bold: matches!(value("b"), Some("1" | "true")),
            is_raised: number("baseline").is_some_and(|offset| offset > 0),
            is_struck: value("strike").is_some_and(|line| line != "noStrike"),
            // The font for signs goes before that for letters.
            signs: font("a:sym").or_else(|| font("a:latin")),
        };
        let link = own.and_then(|own| own.child("a:hlinkClick"));
        let target = link.and_then(|link| link.attribute("r:id"));
        if let Some(target) = target.and_then(|id| self.links.address(id)) {
            words.open_link(target, self.report);
        }
        if let Some(text) = run.child("a:t") {
            words.text(&text.text(), look);
        }
        words.close_link();
    }
}

fn is_furniture(field: &Element) -> bool {
    let kind = field.attribute("type").unwrap_or_default();
    kind == "slidenum" || kind.starts_with("datetime")
}

/// Counts the numbered paragraphs of one shape.
#[derive(Debug, Default)]
struct Numbers {
    /// By level: the kind of number, and how far it has counted.
    counted: [Option<(String, u32)>; LEVELS],
}

impl Numbers {
    /// Returns what stands in front of the next paragraph: nothing for a bullet. `None` if it is no item of a
    /// list.
    pub(super) fn next(&mut self, paragraph: &Element, has_bullets: bool) -> Option<String> {
        let own = paragraph.child("a:pPr");
        let level: usize = own.and_then(|own| own.number("lvl")).unwrap_or(0).min(LEVELS - 1);
        for deeper in self.counted.iter_mut().skip(level + 1) {
            *deeper = None;
        }
        let place = self.counted.get_mut(level)?;
        let child = |name: &str| own.and_then(|own| own.child(name));
        let Some(numbered) = child("a:buAutoNum") else {
            *place = None;
            let has_own = child("a:buChar").is_some() || child("a:buBlip").is_some();
            let is_item = has_own || (has_bullets && child("a:buNone").is_none());
            let font = child("a:buFont").and_then(|font| font.attribute("typeface"));
            let bullet = child("a:buChar").and_then(|bullet| bullet.attribute("char"));
            let sign = bullet.and_then(|text| bullet_sign(font.unwrap_or_default(), text));
            return is_item.then(|| sign.map(String::from).unwrap_or_default());
        };
        let kind = numbered.attribute("type").unwrap_or("arabicPeriod");
        let start = numbered.number("startAt").unwrap_or(1);
        let number = match place.take() {
            Some((before, number)) if before == kind => number.saturating_add(1),
            _ => start,
        };
        *place = Some((kind.to_owned(), number));
        Some(written(kind, number))
    }
}

/// A number of a kind such as `alphaLcParenR` (ST_TextAutonumberScheme).
fn written(kind: &str, number: u32) -> String {
    let format = match kind {
        _ if kind.starts_with("alphaLc") => NumberFormat::LowerLetter,
        _ if kind.starts_with("alphaUc") => NumberFormat::UpperLetter,
        _ if kind.starts_with("romanLc") => NumberFormat::LowerRoman,
        _ if kind.starts_with("romanUc") => NumberFormat::UpperRoman,
        _ => NumberFormat::Decimal,
    };
    let number = format.written(number);
    if kind.ends_with("ParenBoth") {
        format!("({number})")
    } else if kind.ends_with("ParenR") {
        format!("{number})")
    } else if kind.ends_with("Plain") {
        number
    } else {
        format!("{number}.")
    }
}
