//! Lists and the numbers in front of their items.

use std::collections::BTreeMap;

use crate::numbers::{NumberFormat, pattern};
use crate::office::words::bullet_sign;
use crate::office::xml::Element;

/// Levels that a list may have.
const LEVELS: usize = 10;

/// The styles of lists by name, each with its levels from 1.
#[derive(Debug, Default)]
pub(super) struct Lists {
    styles: BTreeMap<String, ListStyle>,
    /// The numbers of headings.
    pub(super) outline: ListStyle,
}

pub(super) type ListStyle = BTreeMap<usize, Level>;

#[derive(Clone, Debug)]
pub(super) struct Level {
    format: NumberFormat,
    prefix: String,
    suffix: String,
    /// The number of levels that are shown, its own among them.
    shown: usize,
    start: u32,
    /// The whole, with `%1%` for the number of the first level; newer files state it so.
    pattern: Option<String>,
    /// The bullet, where it says whether something is done or needed.
    sign: String,
}

impl Lists {
    pub(super) fn of(content: &Element, common: Option<&Element>) -> Self {
        let mut lists = Self::default();
        let shared = common.and_then(|common| common.child("office:styles"));
        let own = content.child("office:automatic-styles");
        for element in [shared, own].into_iter().flatten().flat_map(Element::elements) {
            match &*element.name {
                "text:list-style" => {
                    let name = element.attribute("style:name").unwrap_or_default();
                    lists.styles.insert(name.to_owned(), levels(element));
                }
                "text:outline-style" => lists.outline = levels(element),
                _ => {}
            }
        }
        lists
    }

    pub(super) fn style(&self, name: &str) -> Option<&ListStyle> {
        self.styles.get(name)
    }
}

fn levels(style: &Element) -> ListStyle {
    let levels = style.elements();
    let levels = levels.filter_map(|level| Some((level.number("text:level")?, Level::of(level))));
    levels.filter(|(number, _)| *number <= LEVELS).collect()
}

impl Level {
    fn of(element: &Element) -> Self {
        let text = |name: &str| pattern(element.attribute(name).unwrap_or_default());
        let is_bullet =
            element.is("text:list-level-style-bullet") || element.is("text:list-level-style-image");
        let format = if is_bullet {
            NumberFormat::Bullet
        } else {
            NumberFormat::of_sample(element.attribute("style:num-format").unwrap_or_default())
        };
        let whole = element
            .attribute("style:num-list-format")
            .or_else(|| element.attribute("loext:num-list-format"))
            // LibreOffice's own namespace has no usual prefix here.
            .or_else(|| element.attribute("other-loext:num-list-format"));
        Self {
            format,
            prefix: text("style:num-prefix"),
            suffix: text("style:num-suffix"),
            shown: element.number("text:display-levels").unwrap_or(1).clamp(1, LEVELS),
            start: element.number("text:start-value").unwrap_or(1),
            pattern: whole.map(pattern),
            sign: sign(element).map(String::from).unwrap_or_default(),
        }
    }
}

/// The sign of a level's bullets, if it means something.
fn sign(level: &Element) -> Option<char> {
    let look = level.child("style:text-properties");
    let font = look.and_then(|look| {
        look.attribute("style:font-name").or_else(|| look.attribute("fo:font-family"))
    });
    bullet_sign(font.unwrap_or_default(), level.attribute("text:bullet-char")?)
}

/// The numbers that a list has counted to, by level.
pub(super) type Counted = [Option<u32>; LEVELS];

/// The numbers that lists have counted to, from which another may go on.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) by_id: BTreeMap<String, Counted>,
    pub(super) by_style: BTreeMap<String, Counted>,
    pub(super) headings: Counted,
}

/// Counts one item on a level from 1, and says what stands in front of it: nothing for a bullet that only begins an item.
pub(super) fn next(
    counted: &mut Counted,
    style: Option<&ListStyle>,
    level: usize,
    stated: Option<u32>,
) -> String {
    let level_of = |level: usize| style.and_then(|style| style.get(&level));
    let start = |level: usize| level_of(level).map_or(1, |level| level.start);
    let Some(place) = level.checked_sub(1).and_then(|index| counted.get_mut(index)) else {
        return String::new();
    };
    let next = place.map_or_else(|| start(level), |number| number.saturating_add(1));
    *place = Some(stated.unwrap_or(next));
    // Levels count from one and places from nought, so that this skips the level itself.
    for deeper in counted.iter_mut().skip(level) {
        *deeper = None;
    }
    let Some(shown) = level_of(level) else { return String::new() };
    if shown.format == NumberFormat::Bullet {
        return shown.sign.clone();
    }
    let number = |level: usize| {
        let index = level.saturating_sub(1);
        let value = counted.get(index).copied().flatten().unwrap_or_else(|| start(level));
        level_of(level).map_or(NumberFormat::Decimal, |level| level.format).written(value)
    };
    let text = match &shown.pattern {
        Some(pattern) => (1..=level).fold(pattern.clone(), |text, level| {
            text.replace(&format!("%{level}%"), &number(level))
        }),
        None if shown.format == NumberFormat::Hidden => {
            format!("{}{}", shown.prefix, shown.suffix)
        }
        None => {
            let first = (level + 1).saturating_sub(shown.shown).max(1);
            let numbers: Vec<String> =
                (first..=level).map(number).filter(|number| !number.is_empty()).collect();
            format!("{}{}{}", shown.prefix, numbers.join("."), shown.suffix)
        }
    };
    text.trim().to_owned()
}
