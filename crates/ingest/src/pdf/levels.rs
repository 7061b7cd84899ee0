//! Of which level each heading is.
//!
//! Their looks order them: larger is higher, bold is higher than plain, and among equals `§ 5` is
//! higher than `1.` and that than `1.2`. Where bookmarks or tags name most of the headings, their
//! depth counts instead.

use std::collections::{BTreeMap, BTreeSet};

use super::contents::folded;
use super::headings::{Clues, halves};
use super::ink::Role;
use super::outline::Bookmark;
use super::paragraphs::Paragraph;
use super::sections::{Rank, rank};
use super::text::Part;

/// The level of each part that is a heading, 1 to 6.
pub(super) type Levels = Vec<Option<u8>>;

/// Looks and number of a heading; lower is higher up.
type Class = (std::cmp::Reverse<u32>, bool);

/// The levels of the headings among these parts.
pub(super) fn levels(parts: &[Part], is_heading: &[bool], clues: &Clues) -> Levels {
    let heading = |index: usize| match parts.get(index)? {
        Part::Paragraph(paragraph) if is_heading.get(index) == Some(&true) => Some(paragraph),
        _ => None,
    };
    let class = |paragraph: &Paragraph| -> Class {
        (std::cmp::Reverse(halves(paragraph.size)), !paragraph.style.bold)
    };
    let ranked = |paragraph: &Paragraph| rank(&paragraph.text.text).map(|(rank, _)| rank);
    let mut classes: BTreeMap<Class, BTreeSet<Rank>> = BTreeMap::new();
    for paragraph in (0..parts.len()).filter_map(heading) {
        classes.entry(class(paragraph)).or_default().extend(ranked(paragraph));
    }
    let seen = |paragraph: &Paragraph| -> u8 {
        let own = class(paragraph);
        let above: usize = classes
            .iter()
            .take_while(|(class, _)| **class < own)
            .map(|(_, ranks)| ranks.len().max(1))
            .sum();
        let within = ranked(paragraph)
            .and_then(|rank| classes.get(&own)?.iter().position(|other| *other == rank))
            .unwrap_or(0);
        u8::try_from(above + within + 1).unwrap_or(u8::MAX)
    };
    let stated = stated(parts, is_heading, clues);
    // What a name says of one heading holds for those that look the same.
    let mut alike: BTreeMap<(Class, Option<Rank>), BTreeMap<u8, usize>> = BTreeMap::new();
    for (index, level) in stated.iter().enumerate() {
        if let (Some(paragraph), Some(level)) = (heading(index), level) {
            let look = (class(paragraph), ranked(paragraph));
            *alike.entry(look).or_default().entry(*level).or_default() += 1;
        }
    }
    let as_alike = |paragraph: &Paragraph| {
        let levels = alike.get(&(class(paragraph), ranked(paragraph)))?;
        levels.iter().rev().max_by_key(|(_, count)| **count).map(|(level, _)| *level)
    };
    let mut levels = Vec::with_capacity(parts.len());
    let mut shift: i16 = 0;
    for index in 0..parts.len() {
        let level = heading(index).map(|paragraph| {
            let seen = i16::from(seen(paragraph));
            let level = match stated.get(index).copied().flatten().or_else(|| as_alike(paragraph)) {
                Some(level) => {
                    // What nobody names keeps its distance from what was named last.
                    shift = i16::from(level) - seen;
                    i16::from(level)
                }
                None => seen + shift,
            };
            u8::try_from(level.clamp(1, 6)).unwrap_or(6)
        });
        levels.push(level);
    }
    level_sections(parts, &mut levels);
    levels
}

/// All `§` of a document are of one level, however one of them is set.
fn level_sections(parts: &[Part], levels: &mut Levels) {
    let is_section = |part: &Part| match part {
        Part::Paragraph(paragraph) => {
            matches!(rank(&paragraph.text.text), Some((Rank::Paragraph, _)))
        }
        Part::Table(_) => false,
    };
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for (part, level) in parts.iter().zip(levels.iter()) {
        if let Some(level) = level.filter(|_| is_section(part)) {
            *counts.entry(level).or_default() += 1;
        }
    }
    let most = counts.iter().rev().max_by_key(|(_, count)| **count).map(|(level, _)| *level);
    for (part, level) in parts.iter().zip(levels) {
        if level.is_some() && is_section(part) {
            *level = most;
        }
    }
}

/// The level of each heading as bookmarks or tags give it, if they name most of them.
fn stated(parts: &[Part], is_heading: &[bool], clues: &Clues) -> Vec<Option<u8>> {
    let total = is_heading.iter().filter(|is_heading| **is_heading).count();
    let by = |level: &dyn Fn(&Paragraph) -> Option<u8>| -> Vec<Option<u8>> {
        let of = |(part, is_heading): (&Part, &bool)| match part {
            Part::Paragraph(paragraph) if *is_heading => level(paragraph),
            _ => None,
        };
        parts.iter().zip(is_heading).map(of).collect()
    };
    let marked = by(&|paragraph| {
        let name = folded(&paragraph.text.text);
        let of = |mark: &&Bookmark| {
            mark.title == name && mark.page.is_none_or(|page| page == paragraph.page)
        };
        clues.bookmarks.iter().find(of).map(|mark| mark.depth)
    });
    let tagged = by(&|paragraph| match paragraph.role {
        Role::Heading(level) => Some(level),
        _ => None,
    });
    let depths = |levels: &[Option<u8>]| levels.iter().flatten().collect::<BTreeSet<_>>().len();
    for stated in [marked, tagged] {
        let count = stated.iter().flatten().count();
        // One depth for all says nothing about their order.
        if 10 * count >= 6 * total && depths(&stated) > 1 {
            return below_title(parts, is_heading, stated);
        }
    }
    vec![None; parts.len()]
}

/// The title of a document stands above what its bookmarks name, if they do not name it.
fn below_title(parts: &[Part], is_heading: &[bool], stated: Vec<Option<u8>>) -> Vec<Option<u8>> {
    let first = is_heading.iter().position(|is_heading| *is_heading);
    let Some(first) = first.filter(|first| stated.get(*first).copied().flatten().is_none()) else {
        return stated;
    };
    let size = |index: usize| match parts.get(index) {
        Some(Part::Paragraph(paragraph)) => paragraph.size,
        _ => 0.0,
    };
    let others = (0..parts.len()).filter(|index| stated.get(*index).copied().flatten().is_some());
    let is_title = others.map(size).all(|other| other <= size(first));
    let lower = u8::from(is_title);
    let mut lowered: Vec<Option<u8>> =
        stated.into_iter().map(|level| level.map(|level| level + lower)).collect();
    if let Some(title) = lowered.get_mut(first).filter(|_| is_title) {
        *title = Some(1);
    }
    lowered
}
