//! The styles of a document (`styles.xml`), the formatting of runs, and what they make of a paragraph.

use std::collections::BTreeMap;

use super::is_on;
use crate::office::flow::{Role, heading_name};
use crate::office::signs::SignFont;
use crate::office::words::{Format, is_white_hex};
use crate::office::xml::Element;

/// Styles build on one another, but not without end, and some files let them go in circles.
const LONGEST_CHAIN: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Styles {
    by_id: BTreeMap<String, Style>,
    default_paragraph: Option<String>,
    base: Format,
}

#[derive(Debug, Default)]
struct Style {
    /// In lower case; the built-in styles have English names in every language.
    name: String,
    based_on: Option<String>,
    /// From 0 as in the file; 9 means that it is none.
    outline: Option<u8>,
    list: ListPlace,
    format: Format,
    is_shaded: bool,
    has_first_row: bool,
}

/// The list that a paragraph belongs to, and its level there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListPlace {
    pub(super) list: Option<String>,
    pub(super) level: Option<usize>,
}

/// The effect of a style on a paragraph.
#[derive(Debug, Default)]
pub(super) struct ParagraphStyle {
    pub(super) role: Role,
    /// It is a title because the style that it builds on is: an author's name and a date may be set like it.
    pub(super) is_like_title: bool,
    /// It belongs to a table of contents.
    pub(super) is_contents: bool,
    pub(super) list: ListPlace,
    pub(super) format: Format,
}

/// The effect of a style on a table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TableStyle {
    pub(super) is_shaded: bool,
    /// It shows the first row in a way of its own.
    pub(super) has_first_row: bool,
}

impl Styles {
    pub(super) fn of(part: Option<&Element>) -> Self {
        let mut styles = Self::default();
        let Some(part) = part else {
            return styles;
        };
        let defaults = part.descend(&["w:docDefaults", "w:rPrDefault", "w:rPr"]);
        styles.base = format_of(defaults);
        for element in part.elements().filter(|element| element.is("w:style")) {
            let Some(id) = element.attribute("w:styleId") else {
                continue;
            };
            let is_default = matches!(element.attribute("w:default"), Some("1" | "true" | "on"));
            if is_default && element.attribute("w:type") == Some("paragraph") {
                styles.default_paragraph = Some(id.to_owned());
            }
            styles.by_id.insert(id.to_owned(), Style::of(element));
        }
        styles
    }

    /// A style and those it builds on, the nearest first.
    fn chain<'a>(&'a self, id: Option<&str>) -> impl Iterator<Item = &'a Style> {
        let mut next = id.and_then(|id| self.by_id.get(id));
        std::iter::from_fn(move || {
            let style = next?;
            next = style.based_on.as_deref().and_then(|id| self.by_id.get(id));
            Some(style)
        })
        .take(LONGEST_CHAIN)
    }

    /// Returns what the style `id` makes of a paragraph; the default style if it names none.
    pub(super) fn paragraph(&self, id: Option<&str>) -> ParagraphStyle {
        let known = id.filter(|id| self.by_id.contains_key(*id));
        if let (Some(id), None) = (id, known) {
            let role = heading_name(&id.to_lowercase()).map_or(Role::Body, Role::Heading);
            return ParagraphStyle { role, format: self.base, ..ParagraphStyle::default() };
        }
        let mut found = ParagraphStyle::default();
        let mut role = None;
        let mut is_first = true;
        for style in self.chain(known.or(self.default_paragraph.as_deref())) {
            if role.is_none() && !is_first {
                found.is_like_title = style.role() == Some(Role::Title);
            }
            is_first = false;
            role = role.or_else(|| style.role());
            found.is_contents |= is_contents(&style.name);
            found.list.list = found.list.list.or_else(|| style.list.list.clone());
            found.list.level = found.list.level.or(style.list.level);
            found.format = found.format.or(style.format);
        }
        found.role = role.unwrap_or_default();
        found.format = found.format.or(self.base);
        found
    }

    /// The formatting of a style of characters.
    pub(super) fn characters(&self, id: &str) -> Format {
        self.chain(Some(id)).fold(Format::default(), |format, style| format.or(style.format))
    }

    /// Returns `true` for Word's own style of what asks for an entry. Its name is English in every language.
    pub(super) fn is_prompt(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|style| style.name == "placeholder text")
    }

    pub(super) fn table(&self, id: Option<&str>) -> TableStyle {
        self.chain(id).fold(TableStyle::default(), |found, style| TableStyle {
            is_shaded: found.is_shaded || style.is_shaded,
            has_first_row: found.has_first_row || style.has_first_row,
        })
    }

    /// The list that a style of lists stands for.
    pub(super) fn list(&self, id: &str) -> Option<&str> {
        self.by_id.get(id)?.list.list.as_deref()
    }
}

impl Style {
    fn of(element: &Element) -> Self {
        let value = |name: &str| element.child(name).and_then(|child| child.attribute("w:val"));
        let paragraph = element.child("w:pPr");
        let outline = paragraph.and_then(outline);
        let first_row =
            |part: &&Element| part.attribute("w:type").is_some_and(|kind| kind == "firstRow");
        let has_first_row =
            element.elements().filter(|part| part.is("w:tblStylePr")).any(|part| first_row(&part));
        Self {
            name: value("w:name").unwrap_or_default().to_lowercase(),
            based_on: value("w:basedOn").map(str::to_owned),
            outline,
            list: paragraph.map(ListPlace::of).unwrap_or_default(),
            format: format_of(element.child("w:rPr")),
            is_shaded: element.all("w:shd").any(is_shaded),
            has_first_row,
        }
    }

    fn role(&self) -> Option<Role> {
        match self.name.as_str() {
            "title" => return Some(Role::Title),
            "caption" => return Some(Role::Caption),
            "quote" | "intense quote" => return Some(Role::Quote),
            _ => {}
        }
        match (self.outline, heading_name(&self.name)) {
            (Some(level @ 0..9), _) => Some(Role::Heading(level + 1)),
            // The ninth level says that it is no heading, whatever the style is called.
            (Some(_), _) => Some(Role::Body),
            (None, level) => level.map(Role::Heading),
        }
    }
}

impl ListPlace {
    /// The place that a `w:pPr` element states.
    pub(super) fn of(properties: &Element) -> Self {
        let list = properties.child("w:numPr");
        let value = |name: &str| list?.child(name)?.attribute("w:val");
        Self {
            list: value("w:numId").map(str::to_owned),
            level: value("w:ilvl").and_then(|level| level.parse().ok()),
        }
    }
}

/// The level of an outline that a `w:pPr` element states, from 0.
pub(super) fn outline(properties: &Element) -> Option<u8> {
    properties.child("w:outlineLvl")?.number("w:val")
}

/// Returns `true` if the mark at a paragraph's end is deleted, so that the next goes on in it.
pub(super) fn is_mark_deleted(properties: Option<&Element>) -> bool {
    let mark = properties.and_then(|properties| properties.child("w:rPr"));
    mark.is_some_and(|mark| {
        mark.elements().any(|change| change.is("w:del") || change.is("w:moveFrom"))
    })
}

fn is_contents(name: &str) -> bool {
    matches!(name, "toc heading" | "table of figures" | "table of authorities")
        || name.strip_prefix("toc ").is_some_and(|level| level.parse::<u8>().is_ok())
}

/// Half points: text of one point or less is not meant to be read.
// Small print has six points; one is a trick.
const INVISIBLE_HALF_POINTS: u32 = 2;

/// The formatting that a `w:rPr` element states.
pub(super) fn format_of(properties: Option<&Element>) -> Format {
    let mut format = Format::default();
    for own in properties.into_iter().flat_map(Element::elements) {
        let value = own.attribute("w:val");
        match &*own.name {
            "w:vanish" => format.is_vanished = Some(is_on(own)),
            // One line and two: neither undoes the other.
            "w:strike" | "w:dstrike" => {
                format.is_struck = Some(is_on(own) || format.is_struck == Some(true));
            }
            "w:rFonts" => {
                let font = own.attribute("w:ascii").or_else(|| own.attribute("w:hAnsi"));
                format.signs = font.map(SignFont::of);
            }
            "w:b" => format.is_bold = Some(is_on(own)),
            "w:vertAlign" => format.is_raised = Some(value == Some("superscript")),
            "w:color" => {
                let theme = own.attribute("w:themeColor");
                let is_white = match theme {
                    Some(name) => matches!(name, "background1" | "light1"),
                    None => value.is_some_and(is_white_hex),
                };
                format.is_white = Some(is_white);
            }
            "w:shd" => format.is_shaded = Some(is_shaded(own)),
            "w:highlight" => format.is_shaded = Some(value != Some("none")),
            "w:sz" => {
                let size: Option<u32> = own.number("w:val");
                format.is_tiny = size.map(|size| size <= INVISIBLE_HALF_POINTS);
            }
            _ => {}
        }
    }
    format
}
/// Returns `true` if a ground (`w:shd`) may be other than white.
pub(super) fn is_shaded(ground: &Element) -> bool {
    let fill = ground.attribute("w:fill").unwrap_or("auto");
    let has_pattern = !matches!(ground.attribute("w:val"), None | Some("clear" | "nil"));
    has_pattern
        || ground.attribute("w:themeFill").is_some_and(|fill| fill != "background1")
        || !(fill == "auto" || is_white_hex(fill))
}
