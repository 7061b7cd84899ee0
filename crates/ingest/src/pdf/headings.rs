//! Headings among the paragraphs, and their levels.
//!
//! Headings show themselves by size, weight, place and numbers; tags, bookmarks and a table of
//! contents name them.
//!
//! Their looks order them: larger is higher, bold is higher than plain, and among equals `§ 5` is
//! higher than `1.` and that than `1.2`. Where bookmarks or tags name most of the headings, their
//! depth counts instead.

use std::collections::{BTreeMap, BTreeSet};

use super::catalog::Bookmark;
use super::furniture::folded;
use super::ink::Role;
use super::markers::{Rank, rank};
use super::paragraphs::{Paragraph, Vocabulary, append};
use super::text::Part;

const LONGEST_CHARS: usize = 220;
/// So much larger than the body is large.
const LARGE: f64 = 1.12;

/// Other evidence of the headings.
#[derive(Debug, Default)]
pub(super) struct Clues {
    pub(super) bookmarks: Vec<Bookmark>,
    /// The folded titles of a printed table of contents.
    pub(super) contents: Vec<String>,
}

/// Finds the headings. Lines that make one heading together become one part.
pub(super) fn headings(parts: &mut Vec<Part>, clues: &Clues) -> Levels {
    let body = Body::of(parts);
    let mut is_heading: Vec<bool> = Vec::with_capacity(parts.len());
    for part in parts.iter() {
        is_heading.push(match part {
            Part::Paragraph(paragraph) => body.is_heading(paragraph, clues),
            Part::Table(_) => false,
        });
    }
    // Before chains are demoted: the lines of one title are not a chain of headings.
    merge(parts, &mut is_heading, &body);
    demote_chains(parts, &mut is_heading, &body, clues);
    demote_letterhead(parts, &mut is_heading);
    levels(parts, &is_heading, clues)
}

/// The look of ordinary text here.
struct Body {
    size: f64,
    is_bold: bool,
    trusts_tags: bool,
    /// Sizes that plain long paragraphs have, in halves of a point.
    plain: BTreeSet<u32>,
}

/// Sizes in halves of a point.
fn halves(size: f64) -> u32 {
    (size * 2.0).round().clamp(0.0, 10_000.0) as u32
}

impl Body {
    fn of(parts: &[Part]) -> Self {
        let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
        let mut plain = BTreeSet::new();
        let (mut all, mut tagged) = (0, 0);
        for part in parts {
            if let Part::Paragraph(paragraph) = part {
                let letters = paragraph.text.text.len();
                *sizes.entry(halves(paragraph.size)).or_default() += letters;
                all += letters;
                if letters > LONGEST_CHARS && !paragraph.style.bold {
                    plain.insert(halves(paragraph.size));
                }
                tagged += if matches!(paragraph.role, Role::Heading(_)) { letters } else { 0 };
            }
        }
        // By letters, so that a form with many short labels still has the size of its text.
        let usual = sizes.into_iter().max_by_key(|(_, letters)| *letters);
        let usual = usual.map_or(20, |(size, _)| size);
        // Titles are bold in most documents: only text of the usual size tells.
        let bold: i64 = parts
            .iter()
            .map(|part| match part {
                Part::Paragraph(paragraph) if halves(paragraph.size) == usual => {
                    let letters = i64::try_from(paragraph.text.text.len()).unwrap_or(0);
                    if paragraph.style.bold { letters } else { -letters }
                }
                _ => 0,
            })
            .sum();
        Self {
            size: f64::from(usual) / 2.0,
            is_bold: bold > 0,
            // Some programs tag most of a document as headings: then the tags say something else.
            trusts_tags: 3 * tagged < all,
            plain,
        }
    }

    fn is_large(&self, paragraph: &Paragraph) -> bool {
        let is_plain = !paragraph.style.bold && self.plain.contains(&halves(paragraph.size));
        paragraph.size > LARGE * self.size && !is_plain
    }

    fn is_tagged(&self, paragraph: &Paragraph) -> bool {
        self.trusts_tags && matches!(paragraph.role, Role::Heading(_))
    }

    fn is_heading(&self, paragraph: &Paragraph, clues: &Clues) -> bool {
        let text = paragraph.text.text.trim();
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let rank = rank(text);
        let most_lines = if self.is_large(paragraph) { 8 } else { 4 };
        let is_sized = text.chars().count() <= LONGEST_CHARS && paragraph.lines <= most_lines;
        if !is_sized || (letters < 2 && rank.is_none()) {
            return false;
        }
        let ends_sentence = text.ends_with('.') && letters > 30;
        let is_plain = !self.is_large(paragraph) && (!paragraph.style.bold || self.is_bold);
        // A sentence that looks like all others is tagged by mistake, or by the tree of another page.
        if self.is_tagged(paragraph) && !(is_plain && ends_sentence) {
            return true;
        }
        if text.ends_with([',', ';']) || text.starts_with(['•', '–', '(']) {
            return false;
        }
        let name = folded(text);
        if is_named(&name, paragraph.page, clues) {
            return true;
        }
        if ends_sentence || self.is_large(paragraph) && rank.is_none() && !has_word(text) {
            return false;
        }
        let is_bold = paragraph.style.bold && !self.is_bold;
        let is_small = paragraph.size < 0.95 * self.size;
        let is_section = matches!(rank, Some((Rank::Paragraph, _)))
            && (paragraph.is_centred || is_bold)
            && paragraph.lines <= 3;
        self.is_large(paragraph) || is_section || (is_bold && !is_small && paragraph.lines <= 3)
    }
}

/// Returns `true` if a text has a word, or an abbreviation in capitals: the large letters of a formula have neither.
fn has_word(text: &str) -> bool {
    text.split(|character: char| !character.is_alphabetic()).any(|word| {
        let letters = word.chars().count();
        letters >= 3 || letters == 2 && word.chars().all(char::is_uppercase)
    }) || text.chars().any(is_whole_word)
}

/// Scripts whose letters are words or syllables.
fn is_whole_word(character: char) -> bool {
    matches!(character, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}

fn is_named(name: &str, page: usize, clues: &Clues) -> bool {
    let is_mark = |mark: &&Bookmark| mark.title == name && mark.page.is_none_or(|to| to == page);
    !name.is_empty()
        && (clues.bookmarks.iter().any(|mark| is_mark(&mark))
            || clues.contents.iter().any(|title| title == name))
}

/// Puts together headings of several lines: a centred title, a number above its words.
fn merge(parts: &mut Vec<Part>, is_heading: &mut Vec<bool>, body: &Body) {
    let mut index = 1;
    while index < parts.len() {
        let both = is_heading[index - 1] && is_heading[index];
        let (before, rest) = parts.split_at_mut(index);
        let (Some(Part::Paragraph(first)), Some(Part::Paragraph(second))) =
            (before.last_mut(), rest.first_mut())
        else {
            index += 1;
            continue;
        };
        if !both || !is_one(first, second, body) {
            index += 1;
            continue;
        }
        let text = std::mem::take(&mut second.text);
        append(&mut first.text, text, &Vocabulary::default());
        first.lines += second.lines;
        first.bottom = second.bottom;
        parts.remove(index);
        is_heading.remove(index);
    }
}

fn is_one(first: &Paragraph, second: &Paragraph, body: &Body) -> bool {
    let is_like = first.page == second.page
        && halves(first.size) == halves(second.size)
        && first.style.bold == second.style.bold
        && first.role == second.role
        && first.lines + second.lines <= 8;
    if !is_like || rank(&second.text.text).is_some() {
        return false;
    }
    let gap = (second.top - first.bottom) / first.size.max(1.0);
    let is_number = rank(&first.text.text).is_some_and(|(_, is_all)| is_all);
    let is_centred = first.is_centred && second.is_centred;
    let is_title = body.is_large(first) && (first.left - second.left).abs() < 0.5 * first.size;
    let is_inset =
        |paragraph: &Paragraph| paragraph.left - paragraph.column.left > 2.0 * paragraph.size;
    let is_finished = first.text.text.ends_with([':', '.']);
    (is_number && gap < 1.5)
        || (is_inset(first)
            && is_inset(second)
            && gap < 3.0
            && !is_finished
            && body.is_large(first))
        || (is_centred && gap < 0.6 && !is_finished)
        || (is_title && gap < 0.6 && !is_finished && second.page == 0)
}

/// Bold lines one below the other, with nothing under any but the last, are no headings: a
/// signature, an address.
fn demote_chains(parts: &[Part], is_heading: &mut [bool], body: &Body, clues: &Clues) {
    let is_weak = |index: usize| match &parts[index] {
        Part::Paragraph(paragraph) => {
            !body.is_large(paragraph)
                && !paragraph.is_centred
                && rank(&paragraph.text.text).is_none()
                && !is_named(&folded(&paragraph.text.text), paragraph.page, clues)
        }
        Part::Table(_) => false,
    };
    let mut start = 0;
    while start < parts.len() {
        let chained = |index: &usize| is_heading[*index] && is_weak(*index);
        let length = (start..parts.len()).take_while(chained).count();
        let is_tagged = |index: usize| match &parts[index] {
            Part::Paragraph(paragraph) => paragraph.role != Role::Untold,
            Part::Table(_) => false,
        };
        let levels = parts.iter().skip(start).take(length).map(|part| match part {
            Part::Paragraph(paragraph) if body.is_tagged(paragraph) => Some(paragraph.role),
            _ => None,
        });
        // A title, a chapter and its first section, as tags say.
        if length > 1 && goes_down(levels) {
            start += length;
            continue;
        }
        if length >= 3 || (length == 2 && !(start..start + length).any(is_tagged)) {
            is_heading[start..start + length].fill(false);
        }
        start += length.max(1);
    }
}

/// Returns `true` if each of these is tagged as a heading, and of a level below that before it.
fn goes_down(roles: impl Iterator<Item = Option<Role>>) -> bool {
    let mut last = 0;
    for role in roles {
        match role {
            Some(Role::Heading(level)) if level > last => last = level,
            _ => return false,
        }
    }
    true
}

/// The name of a house at the head of the first page is no heading over all that follows, if the
/// title says it again.
fn demote_letterhead(parts: &[Part], is_heading: &mut [bool]) {
    let headings: Vec<(usize, String)> = parts
        .iter()
        .zip(is_heading.iter())
        .enumerate()
        .filter_map(|(index, (part, is_heading))| match part {
            Part::Paragraph(paragraph) if paragraph.page == 0 && *is_heading => {
                Some((index, folded(&paragraph.text.text)))
            }
            _ => None,
        })
        .collect();
    let Some((first, name)) = headings.first() else {
        return;
    };
    let is_said_again = headings
        .iter()
        .skip(1)
        .any(|(_, other)| other.len() > name.len() && other.contains(name.as_str()));
    if is_said_again {
        is_heading[*first] = false;
    }
}

/// The level of each part that is a heading, 1 to 6.
pub(super) type Levels = Vec<Option<u8>>;

/// Looks and number of a heading; lower is higher up.
type Class = (std::cmp::Reverse<u32>, bool);

/// The levels of the headings among these parts.
fn levels(parts: &[Part], is_heading: &[bool], clues: &Clues) -> Levels {
    let heading = |index: usize| match &parts[index] {
        Part::Paragraph(paragraph) if is_heading[index] => Some(paragraph),
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
        // Backwards, as `max_by_key` keeps the last of equals: the higher level.
        levels.iter().rev().max_by_key(|(_, count)| **count).map(|(level, _)| *level)
    };
    let mut levels = Vec::with_capacity(parts.len());
    let mut shift: i16 = 0;
    for (index, stated) in stated.into_iter().enumerate() {
        let level = heading(index).map(|paragraph| {
            let seen = i16::from(seen(paragraph));
            let level = match stated.or_else(|| as_alike(paragraph)) {
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
    // Last, as it goes by the level that most of them were given.
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
    let Some(first) = first.filter(|first| stated[*first].is_none()) else {
        return stated;
    };
    let size = |index: usize| match &parts[index] {
        Part::Paragraph(paragraph) => paragraph.size,
        Part::Table(_) => 0.0,
    };
    let others = (0..parts.len()).filter(|index| stated[*index].is_some());
    let is_title = others.map(size).all(|other| other <= size(first));
    let lower = u8::from(is_title);
    let mut lowered: Vec<Option<u8>> =
        stated.into_iter().map(|level| level.map(|level| level + lower)).collect();
    if is_title {
        lowered[first] = Some(1);
    }
    lowered
}
