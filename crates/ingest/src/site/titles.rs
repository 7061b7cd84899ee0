//! The titles of pages: their headings, and never the name of their site.
//!
//! `<title>` is written for a browser's tab, and most sites put their own name there, before or
//! behind that of the page. Which part is the site's, one page cannot tell; all pages together do.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::words::folded;
use crate::Reading;

/// Signs between the parts of a title, with spaces around.
const BETWEEN: &[&str] =
    &["|", "-", "–", "—", "·", "•", "::", "»", "«", "›", "‹", "/", ">", "<", "~"];
/// Fewer pages share a part of their titles by chance.
const FEWEST_PAGES: usize = 3;

/// The names that compete for a page's title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Names {
    /// `<title>`, unless a program wrote it.
    pub(crate) stated: Option<String>,
    /// Its one heading of the first level, or what is set as a title.
    pub(crate) heading: Option<String>,
    /// The heading that the page's text begins with, of any level.
    pub(crate) opening: Option<String>,
    /// Names of the site that the page itself gives.
    pub(crate) site: Vec<String>,
}

/// Which of a page's names are its site's.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Parts of `<title>`, folded.
    parts: BTreeSet<String>,
    /// Its heading is on most pages.
    is_heading_of_site: bool,
    /// Other pages with another `<title>` have the same heading.
    is_heading_repeated: bool,
}

/// The title of a page, as far as its names tell.
pub(crate) fn chosen(names: &Names, shared: &Shared) -> Option<String> {
    let is_of_site = |part: &str| {
        let part = folded(part);
        // The end of "Fees 2024 / 25" is no name, however many pages have it.
        if !part.contains(char::is_alphabetic) {
            return false;
        }
        shared.parts.contains(&part) || names.site.iter().any(|name| folded(name) == part)
    };
    let heading = names
        .heading
        .as_deref()
        .filter(|heading| !shared.is_heading_of_site && !is_of_site(heading));
    let own = names.stated.as_deref().and_then(|stated| without_site(stated, is_of_site));
    let tells_more = |own: &String| {
        heading.is_some_and(|heading| {
            own.len() > heading.len() && folded(own).contains(&folded(heading))
        })
    };
    if shared.is_heading_repeated && own.as_ref().is_some_and(tells_more) {
        return own;
    }
    let otherwise = || names.opening.clone().filter(|opening| !is_of_site(opening));
    heading
        .map(str::to_owned)
        .or(own)
        .or_else(otherwise)
        .or_else(|| names.stated.clone())
        .or_else(|| names.heading.clone())
}

/// Title without the parts that are the site's name; `None` where nothing is left.
fn without_site(title: &str, is_of_site: impl Fn(&str) -> bool) -> Option<String> {
    let parts = parts(title);
    let is_own: Vec<bool> = parts.iter().map(|(_, part)| !is_of_site(part)).collect();
    // From the first part of its own to the last: a name within them belongs to what is around it.
    let first = is_own.iter().position(|is_own| *is_own)?;
    let last = is_own.iter().rposition(|is_own| *is_own)?;
    let mut own = String::new();
    for (place, (before, part)) in parts.iter().enumerate().take(last + 1).skip(first) {
        if place > first {
            own.push_str(before);
        }
        own.push_str(part);
    }
    Some(own)
}

/// The parts of a title, each with the sign before it.
pub(crate) fn parts(title: &str) -> Vec<(String, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut before, mut at) = (0, String::new(), 0);
    while let Some(space) = title[at..].find(' ').map(|space| at + space) {
        let word_start = space + 1;
        let rest = &title[word_start..];
        let word = rest.split(' ').next().unwrap_or_default();
        // "Handbook: Fees"
        let is_colon = title[start..space].ends_with(':');
        let sign = BETWEEN.contains(&word) && word_start + word.len() < title.len();
        if sign || is_colon {
            let end = if is_colon { space - 1 } else { space };
            parts.push((std::mem::take(&mut before), title[start..end].trim()));
            start = if sign { word_start + word.len() + 1 } else { word_start };
            before = if sign { format!(" {word} ") } else { ": ".to_owned() };
        }
        at = start.max(word_start);
    }
    parts.push((before, title[start..].trim()));
    parts
}

/// Gives pages their titles, now that the names of their site are known.
///
/// A part of `<title>` is the site's name where it is at the same end of most titles of a folder
/// and all below it, and a heading of the first level where it is on most of its pages.
pub fn name_pages(readings: &mut [Reading]) {
    let shared = shared(readings);
    for (place, shared) in shared {
        let Some(reading) = readings.get_mut(place) else { continue };
        let title = reading.page.names.as_ref().and_then(|names| chosen(names, &shared));
        if let (Some(title), [document]) = (title, reading.documents.as_mut_slice()) {
            document.title = title;
        }
    }
}

/// The pages with names that compete for their titles, by their places, with what they share with others.
fn shared(readings: &[Reading]) -> BTreeMap<usize, Shared> {
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    let pages: Vec<(usize, &str, &Names)> = readings
        .iter()
        .enumerate()
        .filter_map(|(place, reading)| {
            let [document] = reading.documents.as_slice() else { return None };
            // Pages that only lead on have titles of their own kind.
            if reading.page.leads_on {
                return None;
            }
            Some((place, document.path.as_str(), reading.page.names.as_ref()?))
        })
        .collect();
    for (_, path, names) in &pages {
        for folder in folders_of(path) {
            folders.entry(folder).or_default().add(names);
        }
    }
    let whole = folders.get("");
    let one = |(place, path, names): &(usize, &str, &Names)| {
        let mut shared = Shared::default();
        for folder in folders_of(path).filter_map(|folder| folders.get(folder)) {
            shared
                .parts
                .extend(ends(names).filter(|end| folder.is_of_site(end)).map(|(_, part)| part));
            shared.is_heading_of_site |= folder.are_most(folder.with_heading(names).0);
        }
        shared.is_heading_repeated = whole.is_some_and(|whole| whole.with_heading(names).1 > 1);
        (*place, shared)
    };
    pages.iter().map(one).collect()
}

/// The folders that a file is in, from the top down.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(end, _)| &path[..end]))
}

/// An end of a title.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    First,
    Last,
}

/// The titles and headings of a folder's pages, counted.
#[derive(Default)]
struct Folder {
    pages: usize,
    /// Parts at the ends of titles of several parts.
    ends: BTreeMap<(End, String), usize>,
    /// By heading, how many pages have it, and under which titles.
    headings: BTreeMap<String, (usize, BTreeSet<String>)>,
}

impl Folder {
    fn add(&mut self, names: &Names) {
        self.pages += 1;
        for end in ends(names) {
            *self.ends.entry(end).or_default() += 1;
        }
        if let Some(heading) = &names.heading {
            let (count, stated) = self.headings.entry(folded(heading)).or_default();
            *count += 1;
            stated.insert(names.stated.as_deref().map(folded).unwrap_or_default());
        }
    }

    fn are_most(&self, count: usize) -> bool {
        count >= FEWEST_PAGES && count * 2 > self.pages
    }

    fn is_of_site(&self, end: &(End, String)) -> bool {
        self.are_most(self.ends.get(end).copied().unwrap_or_default())
    }

    /// The pages that have this page's heading, and the number of their titles.
    fn with_heading(&self, names: &Names) -> (usize, usize) {
        let heading = names.heading.as_deref().map(folded);
        let found = heading.and_then(|heading| self.headings.get(&heading));
        found.map_or((0, 0), |(count, stated)| (*count, stated.len()))
    }
}

/// The parts at the ends of a title, folded. A title of one part is at both ends: that of the start page is the site's name.
fn ends(names: &Names) -> impl Iterator<Item = (End, String)> {
    let parts = names.stated.as_deref().map(parts).unwrap_or_default();
    let mut ends = Vec::new();
    // A name in two languages is two parts at one end.
    let most = parts.len().div_ceil(2).min(MOST_PARTS_OF_NAME);
    let folded = |(_, part): &(String, &str)| folded(part);
    ends.extend(parts.iter().take(most).map(folded).map(|part| (End::First, part)));
    ends.extend(parts.iter().rev().take(most).map(folded).map(|part| (End::Last, part)));
    ends.into_iter().collect::<BTreeSet<_>>().into_iter()
}

/// A site's name has at most as many parts: "Institute of Physics | Institut für Physik".
const MOST_PARTS_OF_NAME: usize = 2;
