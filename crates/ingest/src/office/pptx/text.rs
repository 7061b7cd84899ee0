//! Paragraphs of shapes and cells.

use super::super::formula::formula;
use super::super::numbers::NumberFormat;
use super::super::relationships::Relationships;
use super::super::words::{Look, Words};
use super::super::xml::Element;
use crate::report::Report;

const LEVELS: usize = 9;
/// Hundredths of a point: text of one point or less is not meant to be read.
const INVISIBLE: i64 = 100;

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
                        words.text(&formula(math), Look::default());
                    }
                }
            }
        }
    }

    fn run(&mut self, run: &Element, words: &mut Words) {
        let own = run.child("a:rPr");
        let value = |name: &str| own.and_then(|own| own.attribute(name));
        let number = |name: &str| value(name).and_then(|value| value.parse::<i64>().ok());
        let look = Look {
            is_hidden: number("sz").is_some_and(|size| size <= INVISIBLE),
            is_bold: matches!(value("b"), Some("1" | "true")),
            is_raised: number("baseline").is_some_and(|offset| offset > 0),
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
pub(super) struct Numbers {
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
            return is_item.then(String::new);
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
