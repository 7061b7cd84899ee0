//! Styles, and what they make of a paragraph or a run of text.

use std::collections::BTreeMap;

use crate::office::flow::{Role, heading_name};
use crate::office::signs::SignFont;
use crate::office::words::{Format, is_white_hex};
use crate::office::xml::Element;

/// Styles build on one another, but not without end, and some files let them go in circles.
const LONGEST_CHAIN: usize = 20;

/// The styles of a document by family and name.
#[derive(Debug, Default)]
pub(super) struct Styles {
    by_name: BTreeMap<(String, String), Style>,
}

#[derive(Debug, Default)]
struct Style {
    name: String,
    role: Option<Role>,
    parent: Option<String>,
    /// The list that its paragraphs belong to; empty for none.
    list: Option<String>,
    format: Format,
    /// The colour behind it; `None` for white.
    ground: Option<String>,
    /// A slide of this style is not shown.
    is_hidden_slide: bool,
}

/// The effect of a style on a paragraph.
#[derive(Debug, Default)]
pub(super) struct ParagraphStyle {
    pub(super) role: Role,
    /// It is the style for headers of tables.
    pub(super) is_table_heading: bool,
    pub(super) list: Option<String>,
    pub(super) format: Format,
}

impl Styles {
    pub(super) fn of(content: &Element, common: Option<&Element>) -> Self {
        let mut styles = Self::default();
        let own = content.child("office:automatic-styles");
        let shared = common.and_then(|common| common.child("office:styles"));
        // Slides of a presentation use automatic styles of the other part too; their names differ.
        let masters = common.and_then(|common| common.child("office:automatic-styles"));
        // The document's own last, so that they replace others of their names.
        for element in [masters, shared, own].into_iter().flatten().flat_map(Element::elements) {
            let default = element.is("style:default-style");
            if !default && !element.is("style:style") {
                continue;
            }
            let family = element.attribute("style:family").unwrap_or_default().to_owned();
            let name = if default { "" } else { element.attribute("style:name").unwrap_or("?") };
            styles.by_name.insert((family, name.to_owned()), Style::of(element, name));
        }
        styles
    }

    fn chain<'a>(&'a self, family: &str, name: &str) -> impl Iterator<Item = &'a Style> {
        let family = family.to_owned();
        let mut next = self.by_name.get(&(family.clone(), name.to_owned()));
        std::iter::from_fn(move || {
            let style = next?;
            let parent = style.parent.clone();
            next = parent.and_then(|parent| self.by_name.get(&(family.clone(), parent)));
            Some(style)
        })
        .take(LONGEST_CHAIN)
    }

    pub(super) fn paragraph(&self, name: Option<&str>) -> ParagraphStyle {
        let mut found = ParagraphStyle::default();
        let mut role = None;
        for style in self.chain("paragraph", name.unwrap_or("Standard")) {
            role = role.or(style.role);
            // A space in the name of a style is written `_20_`.
            found.is_table_heading |= style.name == "Table_20_Heading";
            found.list = found.list.or_else(|| style.list.clone());
            found.format = found.format.or(style.format);
        }
        let base = self.by_name.get(&("paragraph".to_owned(), String::new()));
        found.format = found.format.or(base.map(|base| base.format).unwrap_or_default());
        // Some programs name a style and leave it to the reader's own program.
        let is_known =
            |name: &str| self.by_name.contains_key(&("paragraph".to_owned(), name.to_owned()));
        let by_name = name.filter(|name| !is_known(name)).and_then(|name| role_by_name(name, name));
        found.role = role.or(by_name).unwrap_or_default();
        found
    }

    pub(super) fn characters(&self, name: &str) -> Format {
        self.chain("text", name).fold(Format::default(), |format, style| format.or(style.format))
    }

    /// The colour behind what has this style; `None` for white.
    pub(super) fn ground(&self, family: &str, name: &str) -> Option<&str> {
        self.chain(family, name).find_map(|style| style.ground.as_deref())
    }

    /// Returns `true` if text of this style is bold.
    pub(super) fn is_bold(&self, family: &str, name: &str) -> bool {
        self.chain(family, name).find_map(|style| style.format.is_bold).unwrap_or(false)
    }

    /// Returns `true` if text of this style is struck out.
    pub(super) fn is_struck(&self, family: &str, name: &str) -> bool {
        self.chain(family, name).find_map(|style| style.format.is_struck).unwrap_or(false)
    }

    pub(super) fn is_hidden_slide(&self, name: &str) -> bool {
        self.chain("drawing-page", name).any(|style| style.is_hidden_slide)
    }
}

impl Style {
    fn of(element: &Element, name: &str) -> Self {
        let visibility = element.child("style:drawing-page-properties");
        let visibility = visibility.and_then(|own| own.attribute("presentation:visibility"));
        Self {
            name: name.to_owned(),
            role: role_of(element, name),
            parent: element.attribute("style:parent-style-name").map(str::to_owned),
            list: element.attribute("style:list-style-name").map(str::to_owned),
            format: format_of(element),
            ground: element.elements().find_map(ground).map(str::to_owned),
            is_hidden_slide: visibility == Some("hidden"),
        }
    }
}

/// The built-in styles have English names in every language; those that came from Word keep Word's.
fn role_of(style: &Element, name: &str) -> Option<Role> {
    let shown = style.attribute("style:display-name").unwrap_or(name);
    let stated =
        style.number("style:default-outline-level").filter(|level| (1..=9).contains(level));
    stated.map(Role::Heading).or_else(|| role_by_name(name, shown))
}

/// The role of a style by its name, and by the name that the program shows.
fn role_by_name(name: &str, shown: &str) -> Option<Role> {
    // A space in the name of a style is written `_20_`.
    if let Some(level) = heading_name(&shown.replace("_20_", " ").to_lowercase()) {
        return Some(Role::Heading(level));
    }
    match name {
        "Title" => Some(Role::Title),
        "Caption" | "caption" | "Table" | "Illustration" | "Figure" | "Drawing" => {
            Some(Role::Caption)
        }
        "Quotations" | "Quote" | "Intense_20_Quote" => Some(Role::Quote),
        _ => None,
    }
}

/// The formatting that a style states.
fn format_of(style: &Element) -> Format {
    let mut format = Format::default();
    for properties in style.elements() {
        let value = |name: &str| properties.attribute(name);
        if value("fo:background-color").is_some() {
            format.is_shaded = Some(ground(properties).is_some());
        }
        if !properties.is("style:text-properties") {
            continue;
        }
        format.is_vanished = value("text:display").map(|display| display == "none");
        format.is_bold = value("fo:font-weight").map(is_bold);
        // Named in two ways, by the program's age.
        let line = value("style:text-line-through-style");
        let line = line.or_else(|| value("style:text-line-through-type"));
        format.is_struck = line.map(|line| line != "none");
        let font = value("style:font-name").or_else(|| value("fo:font-family"));
        format.signs = font.map(SignFont::of);
        format.is_raised = value("style:text-position").map(is_raised);
        format.is_white = value("fo:color").map(is_white);
        format.is_tiny = value("fo:font-size").and_then(points).map(|points| points <= 1.0);
    }
    format
}

/// The colour behind text of these properties; slides call it a fill.
fn ground(properties: &Element) -> Option<&str> {
    let own = properties.attribute("fo:background-color");
    let fill = properties.attribute("draw:fill-color");
    let fill = fill.filter(|_| properties.attribute("draw:fill") != Some("none"));
    own.or(fill).filter(|color| *color != "transparent" && !is_white(color))
}

fn is_bold(weight: &str) -> bool {
    weight == "bold" || weight.parse::<u32>().is_ok_and(|weight| weight >= 600)
}

fn is_raised(position: &str) -> bool {
    let first = position.split_whitespace().next().unwrap_or_default();
    let percent = first.strip_suffix('%').and_then(|percent| percent.parse::<f64>().ok());
    first == "super" || percent.is_some_and(|percent| percent > 0.0)
}

/// `#FFFFFF` and what is near to it.
fn is_white(color: &str) -> bool {
    color.get(1..).is_some_and(is_white_hex)
}

/// A size in points; `None` for one relative to another.
fn points(size: &str) -> Option<f64> {
    size.strip_suffix("pt")?.parse().ok()
}
