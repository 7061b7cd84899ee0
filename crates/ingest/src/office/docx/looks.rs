//! The formatting of a run that decides whether it is read.

use super::super::words::Look;
use super::super::xml::Element;
use super::is_on;

/// Half points: text of one point or less is not meant to be read.
const INVISIBLE_HALF_POINTS: u32 = 2;

/// The formatting that a style or a run states; `None` where it leaves it to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Format {
    is_vanished: Option<bool>,
    is_bold: Option<bool>,
    is_raised: Option<bool>,
    is_white: Option<bool>,
    is_shaded: Option<bool>,
    half_points: Option<u32>,
}

impl Format {
    /// Of a `w:rPr` element.
    pub(super) fn of(properties: Option<&Element>) -> Self {
        let mut format = Self::default();
        for own in properties.into_iter().flat_map(Element::elements) {
            let value = own.attribute("w:val");
            match &*own.name {
                "w:vanish" => format.is_vanished = Some(is_on(own)),
                "w:b" => format.is_bold = Some(is_on(own)),
                "w:vertAlign" => format.is_raised = Some(value == Some("superscript")),
                "w:color" => {
                    let theme = own.attribute("w:themeColor");
                    let is_white = match theme {
                        Some(name) => matches!(name, "background1" | "light1"),
                        None => value.is_some_and(is_white),
                    };
                    format.is_white = Some(is_white);
                }
                "w:shd" => format.is_shaded = Some(is_shaded(own)),
                "w:highlight" => format.is_shaded = Some(value != Some("none")),
                "w:sz" => format.half_points = own.number("w:val"),
                _ => {}
            }
        }
        format
    }

    /// With what `base` says where this says nothing.
    pub(super) fn or(self, base: Self) -> Self {
        Self {
            is_vanished: self.is_vanished.or(base.is_vanished),
            is_bold: self.is_bold.or(base.is_bold),
            is_raised: self.is_raised.or(base.is_raised),
            is_white: self.is_white.or(base.is_white),
            is_shaded: self.is_shaded.or(base.is_shaded),
            half_points: self.half_points.or(base.half_points),
        }
    }

    pub(super) fn is_vanished(self) -> bool {
        self.is_vanished == Some(true)
    }

    /// Returns the look of text of this format on a ground that is white or not.
    pub(super) fn look(self, is_shaded: bool) -> Look {
        let on = |switch: Option<bool>| switch == Some(true);
        let is_unseen = on(self.is_white) && !is_shaded && !on(self.is_shaded);
        let is_tiny = self.half_points.is_some_and(|size| size <= INVISIBLE_HALF_POINTS);
        Look {
            is_hidden: on(self.is_vanished) || is_unseen || is_tiny,
            is_bold: on(self.is_bold),
            is_raised: on(self.is_raised),
        }
    }
}

/// White, or so near to it that nobody sees it on paper.
fn is_white(color: &str) -> bool {
    let bytes = color.as_bytes();
    bytes.len() == 6 && bytes.iter().step_by(2).all(|high| matches!(high, b'F' | b'f'))
}

/// Returns `true` if a ground (`w:shd`) may be other than white.
pub(super) fn is_shaded(ground: &Element) -> bool {
    let fill = ground.attribute("w:fill").unwrap_or("auto");
    let has_pattern = !matches!(ground.attribute("w:val"), None | Some("clear" | "nil"));
    has_pattern
        || ground.attribute("w:themeFill").is_some_and(|fill| fill != "background1")
        || !(fill == "auto" || is_white(fill))
}
