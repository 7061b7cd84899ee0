//! A folder of pages as the one website that they are.
//!
//! Read by itself, a page cannot tell that its text is in the folder once more: as the source beside
//! it, in a list of articles, on the page for printing, in the index of the site's own search. Seen
//! together, the pages tell. Whatever is left out here needs two signs: a name or a place that
//! generators use, and what the folder or the text says. [`laid_beside`] looks at names before
//! anything is read, [`repeats`] at the texts afterwards; [`name_pages`] takes the site's name out of
//! the pages' titles.

mod addresses;
mod beside;
mod listings;
mod repeats;
#[cfg(test)]
mod tests;
mod titles;
mod translations;
mod words;

use serde::{Deserialize, Serialize};

pub use beside::laid_beside;
pub use repeats::repeats;
pub use titles::name_pages;
pub(crate) use titles::{Names, Shared, chosen, parts};
pub use translations::language_of;

use crate::inline::shortened;
use crate::{Finding, Noticed};

/// What a page says about its site and itself, besides its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSigns {
    /// The names that compete for its title; none where its front matter states one.
    pub(crate) names: Option<Names>,
    /// It has a field for words to look up.
    pub(crate) has_search_field: bool,
    /// It sends a browser on to another page.
    pub(crate) leads_on: bool,
}

/// What a file is that a generator laid beside its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Beside {
    /// The source of a page that is there.
    Source,
    /// A part of the pages' looks.
    Looks,
    /// The licence of a program or a font.
    Licence,
    /// What robots may fetch, or where the pages are.
    Robots,
    /// The index of the site's own search.
    SearchIndex,
    /// A page that asks for words to look up.
    SearchPage,
    /// The page for addresses that lead nowhere.
    ErrorPage,
    /// A page at an old address that leads on to the new one.
    Redirect,
    /// A list of pages or of articles that are there.
    Listing,
    /// Pages that are there, put together on one.
    Together,
    /// A list of the site's versions.
    Versions,
}

impl Beside {
    /// One of them, and several.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Source => ("source of a page that is there", "sources of pages that are there"),
            Self::Looks => ("part of the pages' looks", "parts of the pages' looks"),
            Self::Licence => ("licence of a program", "licences of programs"),
            Self::Robots => ("file for robots", "files for robots"),
            Self::SearchIndex => ("index of the site's search", "indexes of the site's search"),
            Self::SearchPage => ("search page", "search pages"),
            Self::ErrorPage => ("page of an error", "pages of errors"),
            Self::Redirect => ("page that leads on to another", "pages that lead on to others"),
            Self::Listing => ("list of pages that are there", "lists of pages that are there"),
            Self::Versions => ("list of versions", "lists of versions"),
            Self::Together => ("page put together of others", "pages put together of others"),
        }
    }
}

/// Files that one finding names of each kind.
const MOST_NAMED: usize = 3;
/// Longest path that a finding names, in characters.
const PATH_CHARS: usize = 80;

/// One line about everything that was left out; none where nothing was.
pub fn finding(left_out: &[(String, Beside)]) -> Option<Finding> {
    let (first, _) = left_out.iter().min()?;
    let mut kinds: Vec<Beside> = left_out.iter().map(|(_, kind)| *kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let told = kinds.into_iter().map(|kind| {
        let mut paths: Vec<&str> = left_out
            .iter()
            .filter(|(_, own)| *own == kind)
            .map(|(path, _)| path.as_str())
            .collect();
        paths.sort_unstable();
        let (one, many) = kind.words();
        let mut named: Vec<String> = paths
            .iter()
            .take(MOST_NAMED)
            .map(|path| format!("`{}`", shortened(path, PATH_CHARS)))
            .collect();
        if let others @ 1.. = paths.len().saturating_sub(MOST_NAMED) {
            named.push(format!("{others} more"));
        }
        let words = if paths.len() == 1 { one } else { many };
        format!("{} {words} ({})", paths.len(), named.join(", "))
    });
    let kinds = told.collect::<Vec<_>>().join(", ");
    Some(Noticed::LaidBeside { count: left_out.len(), kinds }.of(first.as_str()))
}
