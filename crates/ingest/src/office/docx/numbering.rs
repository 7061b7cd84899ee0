//! The numbers in front of paragraphs (`numbering.xml`), counted as Word counts them.

use std::collections::{BTreeMap, BTreeSet};

use super::is_on;
use super::styles::Styles;
use crate::numbers::{NumberFormat, pattern};
use crate::office::words::bullet_sign;
use crate::office::xml::Element;

// As many as Word offers.
const LEVELS: usize = 9;

/// The lists of a document.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The looks of lists, by id: lists of one look count on from one another.
    looks: BTreeMap<String, BTreeMap<usize, Level>>,
    lists: BTreeMap<String, List>,
}

#[derive(Debug)]
struct List {
    look: String,
    /// The numbers at which levels begin anew with this list.
    starts: BTreeMap<usize, u32>,
    levels: BTreeMap<usize, Level>,
}

#[derive(Clone, Debug)]
struct Level {
    start: u32,
    format: NumberFormat,
    /// The text in front, with `%1` for the number of the first level.
    text: String,
    /// The level from 1 behind which it begins anew; 0 if it never does.
    restart: Option<usize>,
    /// All its numbers are shown as figures.
    is_legal: bool,
    /// The style whose paragraphs stand on this level.
    style: Option<String>,
    /// The bullet, where it says whether something is done or needed: a box or a tick.
    sign: String,
}

impl Numbering {
    pub(super) fn of(part: Option<&Element>, styles: &Styles) -> Self {
        let mut numbering = Self::default();
        let Some(part) = part else {
            return numbering;
        };
        let mut linked = Vec::new();
        for look in part.elements().filter(|element| element.is("w:abstractNum")) {
            let Some(id) = look.attribute("w:abstractNumId") else {
                continue;
            };
            if let Some(style) = look.child("w:numStyleLink") {
                linked.push((id, style.attribute("w:val").unwrap_or_default()));
            }
            numbering.looks.insert(id.to_owned(), levels(look));
        }
        for list in part.elements().filter(|element| element.is("w:num")) {
            let look = list.child("w:abstractNumId").and_then(|look| look.attribute("w:val"));
            if let (Some(id), Some(look)) = (list.attribute("w:numId"), look) {
                numbering.lists.insert(id.to_owned(), List::of(list, look));
            }
        }
        // A look may stand for the list of a style.
        for (id, style) in linked {
            let list = styles.list(style).and_then(|list| numbering.lists.get(list));
            let own = list.and_then(|list| numbering.looks.get(&list.look)).cloned();
            numbering.looks.insert(id.to_owned(), own.unwrap_or_default());
        }
        numbering
    }

    /// The level of a list that a style's paragraphs stand on.
    pub(super) fn level_of_style(&self, list: &str, style: &str) -> Option<usize> {
        let look = self.looks.get(&self.lists.get(list)?.look)?;
        let found = look.iter().find(|(_, level)| level.style.as_deref() == Some(style));
        found.map(|(number, _)| *number)
    }
}

impl List {
    fn of(element: &Element, look: &str) -> Self {
        let mut list =
            Self { look: look.to_owned(), starts: BTreeMap::new(), levels: BTreeMap::new() };
        for change in element.elements().filter(|element| element.is("w:lvlOverride")) {
            let Some(level) = change.number("w:ilvl") else {
                continue;
            };
            if let Some(own) = change.child("w:lvl") {
                list.levels.insert(level, Level::of(own));
            }
            if let Some(start) = change.child("w:startOverride") {
                list.starts.insert(level, start.number("w:val").unwrap_or(1));
            }
        }
        list
    }
}

fn levels(look: &Element) -> BTreeMap<usize, Level> {
    let levels = look.elements().filter(|element| element.is("w:lvl"));
    let levels = levels.filter_map(|level| Some((level.number("w:ilvl")?, Level::of(level))));
    levels.filter(|(number, _)| *number < LEVELS).collect()
}

impl Level {
    fn of(element: &Element) -> Self {
        let value = |name: &str| element.child(name).and_then(|child| child.attribute("w:val"));
        Self {
            start: value("w:start").and_then(|start| start.parse().ok()).unwrap_or(1),
            format: NumberFormat::of_word(value("w:numFmt").unwrap_or_default()),
            text: pattern(value("w:lvlText").unwrap_or_default()),
            restart: value("w:lvlRestart").and_then(|level| level.parse().ok()),
            is_legal: element.child("w:isLgl").is_some_and(is_on),
            style: value("w:pStyle").map(str::to_owned),
            sign: sign(element).map(String::from).unwrap_or_default(),
        }
    }
}

/// The sign of a level's bullets, if it means something.
fn sign(level: &Element) -> Option<char> {
    let text = level.child("w:lvlText")?.attribute("w:val")?;
    let font = level.descend(&["w:rPr", "w:rFonts"]);
    let font =
        font.and_then(|font| font.attribute("w:ascii").or_else(|| font.attribute("w:hAnsi")));
    bullet_sign(font.unwrap_or_default(), text)
}

/// The counts of each look of lists so far.
#[derive(Debug, Default)]
pub(super) struct Counters {
    counted: BTreeMap<String, [Option<u32>; LEVELS]>,
    /// The lists that have begun.
    begun: BTreeSet<String>,
}

impl Counters {
    /// Counts one paragraph, and says what stands in front of it: nothing for a bullet. `None` if
    /// there is no such list.
    pub(super) fn next(
        &mut self,
        numbering: &Numbering,
        list: &str,
        level: usize,
    ) -> Option<String> {
        let own = numbering.lists.get(list)?;
        let look = numbering.looks.get(&own.look)?;
        let level_of = |level: usize| own.levels.get(&level).or_else(|| look.get(&level));
        let counted = self.counted.entry(own.look.clone()).or_default();
        // Once only: a list that starts anew counts on from there.
        if self.begun.insert(list.to_owned()) {
            for level in own.starts.keys() {
                if let Some(counted) = counted.get_mut(*level) {
                    *counted = None;
                }
            }
        }
        let start = |level: usize| {
            let stated = level_of(level).map_or(1, |level| level.start);
            own.starts.get(&level).copied().unwrap_or(stated)
        };
        let place = counted.get_mut(level)?;
        *place = Some(place.map_or_else(|| start(level), |number| number.saturating_add(1)));
        for (deeper, place) in counted.iter_mut().enumerate().skip(level + 1) {
            let restart = level_of(deeper).and_then(|deeper| deeper.restart);
            if restart.is_none_or(|restart| level < restart) {
                *place = None;
            }
        }
        let Some(shown) = level_of(level) else {
            return Some(String::new());
        };
        if shown.format == NumberFormat::Bullet {
            return Some(shown.sign.clone());
        }
        let mut text = shown.text.clone();
        for (number, counted) in counted.iter().enumerate().take(level + 1) {
            let sign = format!("%{}", number + 1);
            if text.contains(&sign) {
                let format = level_of(number).map_or(NumberFormat::Decimal, |level| level.format);
                let format = if shown.is_legal { NumberFormat::Decimal } else { format };
                let value = counted.unwrap_or_else(|| start(number));
                text = text.replace(&sign, &format.written(value));
            }
        }
        Some(text.trim().to_owned())
    }
}
