//! The places of shapes on a slide.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Trouble;
use crate::office::package::{Package, Relationships};
use crate::office::xml::Element;

/// A rectangle in English Metric Units, 914,400 to the inch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
}

impl Frame {
    /// The frame that an `a:xfrm` or `p:xfrm` element states.
    pub(super) fn of(place: &Element) -> Option<Self> {
        Self::named(place, "a:off", "a:ext")
    }

    fn named(place: &Element, corner: &str, size: &str) -> Option<Self> {
        let (corner, size) = (place.child(corner)?, place.child(size));
        let length = |name: &str| size.and_then(|size| size.number(name)).unwrap_or(0);
        Some(Self {
            x: corner.number("x")?,
            y: corner.number("y")?,
            width: length("cx"),
            height: length("cy"),
        })
    }

    /// Returns `true` if nothing of it lies inside of `page`.
    pub(super) fn is_outside(&self, page: &Self) -> bool {
        self.x >= page.width
            || self.y >= page.height
            || self.x.saturating_add(self.width) < 0
            || self.y.saturating_add(self.height) < 0
    }
}

/// The transformation of places in a group into places on the slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    outer: Frame,
    inner: Frame,
}

impl Transform {
    /// The transformation that the `a:xfrm` element of a group states.
    pub(super) fn of(place: &Element) -> Option<Self> {
        Some(Self { outer: Frame::of(place)?, inner: Frame::named(place, "a:chOff", "a:chExt")? })
    }

    pub(super) fn apply(&self, frame: Frame) -> Frame {
        let (outer, inner) = (self.outer, self.inner);
        let x = scaled(frame.x.saturating_sub(inner.x), outer.width, inner.width);
        let y = scaled(frame.y.saturating_sub(inner.y), outer.height, inner.height);
        Frame {
            x: outer.x.saturating_add(x),
            y: outer.y.saturating_add(y),
            width: scaled(frame.width, outer.width, inner.width),
            height: scaled(frame.height, outer.height, inner.height),
        }
    }
}

fn scaled(length: i64, outer: i64, inner: i64) -> i64 {
    if inner == 0 {
        return length;
    }
    // The product of two lengths in range need not be.
    let scaled = i128::from(length) * i128::from(outer) / i128::from(inner);
    i64::try_from(scaled).unwrap_or(i64::MAX)
}

/// The mark that makes a shape a placeholder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Placeholder {
    /// `title`, `body`, `dt`; a title in the middle of its slide is a title like any other.
    pub(super) kind: String,
    index: String,
}

impl Placeholder {
    /// The mark of a `p:sp` element.
    pub(super) fn of(shape: &Element) -> Option<Self> {
        let own = shape.elements().next()?.descend(&["p:nvPr", "p:ph"])?;
        let kind = match own.attribute("type").unwrap_or("obj") {
            "ctrTitle" => "title",
            kind => kind,
        };
        let index = own.attribute("idx").unwrap_or("0");
        Some(Self { kind: kind.to_owned(), index: index.to_owned() })
    }
}

/// The placeholders of a layout and of the master behind it, the layout's first.
pub(super) type Inherited = Vec<(Placeholder, Frame)>;

/// The place that a placeholder has by its slide's layout.
pub(super) fn inherited(placeholder: &Placeholder, from: &Inherited) -> Option<Frame> {
    let by_index = from.iter().find(|(own, _)| own.index == placeholder.index && own.index != "0");
    let by_kind = || from.iter().find(|(own, _)| own.kind == placeholder.kind);
    let by_use = || from.iter().find(|(own, _)| own.kind == "body" && placeholder.kind != "title");
    // In this order: a layout may have two bodies, but gives each an index of its own.
    by_index.or_else(by_kind).or_else(by_use).map(|(_, frame)| *frame)
}

/// The layouts that were read so far, each once.
#[derive(Default)]
pub(super) struct Layouts {
    known: BTreeMap<String, Rc<Inherited>>,
}

impl Layouts {
    /// Returns what a slide with these relationships inherits.
    pub(super) fn of(
        &mut self,
        package: &mut Package<'_>,
        links: &Relationships,
    ) -> Result<Rc<Inherited>, Trouble> {
        let Some(part) = links.first("slideLayout") else {
            return Ok(Rc::default());
        };
        if let Some(known) = self.known.get(part) {
            return Ok(Rc::clone(known));
        }
        let mut found = placeholders(package, part)?;
        let links = Relationships::of(package, part)?;
        if let Some(master) = links.first("slideMaster") {
            found.extend(placeholders(package, master)?);
        }
        let found = Rc::new(found);
        self.known.insert(part.to_owned(), Rc::clone(&found));
        Ok(found)
    }
}

fn placeholders(package: &mut Package<'_>, part: &str) -> Result<Inherited, Trouble> {
    let Some(root) = package.xml(part)? else {
        return Ok(Inherited::new());
    };
    let shapes = root.all("p:sp").filter_map(|shape| {
        let frame = shape.descend(&["p:spPr", "a:xfrm"]).and_then(Frame::of)?;
        Some((Placeholder::of(shape)?, frame))
    });
    Ok(shapes.collect())
}

#[cfg(test)]
mod tests {
    use super::{Frame, Transform};

    #[test]
    fn places_in_groups_are_places_on_the_slide() {
        let frame = |x, y, width, height| Frame { x, y, width, height };
        let group =
            Transform { outer: frame(100, 200, 50, 50), inner: frame(1000, 1000, 100, 100) };
        assert_eq!(group.apply(frame(1050, 1020, 20, 10)), frame(125, 210, 10, 5));
        let flat = Transform { outer: frame(1, 2, 0, 0), inner: frame(0, 0, 0, 0) };
        assert_eq!(flat.apply(frame(i64::MAX, 5, 1, 1)), frame(i64::MAX, 7, 1, 1));
    }
}
