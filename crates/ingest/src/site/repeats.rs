//! Pages whose text is in the folder's other pages, and pages that only serve a site.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use campanile_corpus::Document;

use super::addresses::{Addresses, address};
use super::{Beside, listings, words};
use crate::kind::Kind;
use crate::{PageSigns, Reading};

/// Of a page put together of others so much is in them, and of a source so much in its page.
// Tables and notes are read a little otherwise in the two.
const REPEATED_PERCENT: usize = 90;
/// A page with more words than this says something itself, whatever it is called.
// The longest page for errors of twelve generators' themes has 45, the longest page for searches 38.
const FEW_WORDS: usize = 80;
/// A page that only leads on has so many words at most, with a link to where it leads, and without one.
const WORDS_WITH_LINK: usize = 30;
const WORDS_WITHOUT_LINK: usize = 6;
/// So many pages are compared with all others: a site has one of each kind, or one for each language.
const MOST_COMPARED: usize = 50;

/// A part of pages has so many words: with fewer it may stand in any page, with more it is a page itself.
const FEWEST_PART_WORDS: usize = 5;
const MOST_PART_WORDS: usize = 400;

/// Names of pages that are put together of others; each of the name's words is one of these.
const TOGETHER: &[&str] = &["all", "full", "llms", "page", "print", "single", "singlehtml"];
/// Words without which such a name is any page's.
const TOGETHER_SURELY: &[&str] = &["llms", "print", "single", "singlehtml"];
/// Names of pages that ask for words to look up.
const SEARCH: &[&str] = &["buscar", "recherche", "search", "suche"];
/// Names of pages for addresses that lead nowhere.
const ERRORS: &[&str] = &["404", "not-found", "notfound", "page-not-found"];
/// Names in a folder that Sphinx wrote, where `search.html` is its search.
const SPHINX: &[&str] = &["_sources", "_static", "genindex", "genindex.html", "searchindex.js"];

/// A page, as far as it matters here.
pub(super) struct Page<'a> {
    /// The place of its reading.
    pub(super) place: usize,
    pub(super) document: &'a Document,
    signs: &'a PageSigns,
    kind: Option<Kind>,
}

impl Page<'_> {
    /// The last part of its address: the file's name, or the folder's for an index page.
    pub(super) fn name(&self) -> String {
        let address = address(&self.document.path);
        address.rsplit('/').next().unwrap_or_default().to_lowercase()
    }

    pub(super) fn is_html(&self) -> bool {
        self.kind == Some(Kind::Html)
    }
}

/// The files among `readings`, all of one folder at `root`, that say nothing which its other files do not say, by their
/// places, and what they are.
pub fn repeats(root: &Path, readings: &[Reading]) -> BTreeMap<usize, Beside> {
    let mut pages: Vec<Page<'_>> = readings.iter().enumerate().filter_map(page).collect();
    // A link to `fees` means the page and not its source.
    pages.sort_by_key(|page| (!page.is_html(), page.place));
    let paths = pages.iter().enumerate().map(|(number, page)| (number, &*page.document.path));
    let addresses = Addresses::of(paths);
    let mut found: BTreeMap<usize, Beside> = BTreeMap::new();
    if pages.first().is_some_and(Page::is_html) {
        found.extend(sources(&pages, &addresses));
        found.extend(serving(root, &pages, &addresses));
        for number in listings::found(&pages, &addresses, &found.keys().copied().collect()) {
            found.insert(number, Beside::Listing);
        }
        let together = together(&pages, &found);
        found.extend(together.into_iter().map(|number| (number, Beside::Together)));
        let parts = parts(&pages, &found);
        found.extend(parts.into_iter().map(|number| (number, Beside::Source)));
    }
    for number in listings::of_contents(&pages, &addresses) {
        found.entry(number).or_insert(Beside::Listing);
    }
    let place = |(number, kind)| (pages.get(number).map(|page: &Page<'_>| page.place), kind);
    found.into_iter().map(place).filter_map(|(place, kind)| Some((place?, kind))).collect()
}

/// The page that a file holds, if it is one: a file of records is none.
fn page((place, reading): (usize, &Reading)) -> Option<Page<'_>> {
    let [document] = reading.documents.as_slice() else { return None };
    let kind = Kind::of(&document.path);
    let is_page = matches!(
        kind,
        Some(
            Kind::Html | Kind::Asciidoc | Kind::Markdown | Kind::Rst | Kind::Text | Kind::Notebook
        )
    );
    is_page.then_some(Page { place, document, signs: &reading.page, kind })
}

/// The sources beside the pages that were made of them: `fees.md` beside `fees.html`.
fn sources<'a>(
    pages: &'a [Page<'a>],
    addresses: &'a Addresses,
) -> impl Iterator<Item = (usize, Beside)> + 'a {
    let is_source = |(_, page): &(usize, &Page<'_>)| !page.is_html();
    pages.iter().enumerate().filter(is_source).filter_map(|(number, page)| {
        let path = page.document.path.as_str();
        // Some name the page whole: `fees.html.md`.
        let whole = path.rfind('.').map_or(path, |dot| &path[..dot]);
        let mut twins = [path, whole].into_iter().filter_map(|path| addresses.at(address(path)));
        let twin = twins.find_map(|twin| pages.get(twin).filter(|twin| twin.is_html()))?;
        let runs: HashSet<u64> = words::runs(&twin.document.text).into_iter().collect();
        let is_within = words::percent_within(&page.document.text, &runs) >= REPEATED_PERCENT;
        is_within.then_some((number, Beside::Source))
    })
}

/// Sources without a page of their own whose words stand in a page: what others take in, and a generator copied.
fn parts(pages: &[Page<'_>], left_out: &BTreeMap<usize, Beside>) -> Vec<usize> {
    let is_part = |(number, page): &(usize, &Page<'_>)| {
        let words = words::count(&page.document.text);
        !page.is_html()
            && !left_out.contains_key(number)
            && (FEWEST_PART_WORDS..=MOST_PART_WORDS).contains(&words)
    };
    let mut open: Vec<(usize, &Page<'_>)> =
        pages.iter().enumerate().filter(is_part).take(MOST_COMPARED).collect();
    let mut found = Vec::new();
    for page in pages.iter().filter(|page| page.is_html()) {
        if open.is_empty() {
            break;
        }
        let runs: HashSet<u64> = words::runs(&page.document.text).into_iter().collect();
        let is_within = |(_, part): &(usize, &Page<'_>)| {
            words::percent_within(&part.document.text, &runs) >= REPEATED_PERCENT
        };
        let (within, others): (Vec<_>, Vec<_>) = open.into_iter().partition(is_within);
        found.extend(within.into_iter().map(|(number, _)| number));
        open = others;
    }
    found
}

/// Pages that lead on, that search or that say what is missing.
fn serving(root: &Path, pages: &[Page<'_>], addresses: &Addresses) -> Vec<(usize, Beside)> {
    let mut linked: Option<BTreeSet<usize>> = None;
    let mut found = Vec::new();
    for (number, page) in pages.iter().enumerate().filter(|(_, page)| page.is_html()) {
        if only_leads_on(page) {
            found.push((number, Beside::Redirect));
            continue;
        }
        let name = page.name();
        let (is_search, is_error) = (SEARCH.contains(&&*name), ERRORS.contains(&&*name));
        if !(is_search || is_error) || words::count(&page.document.text) > FEW_WORDS {
            continue;
        }
        if is_search && (page.signs.has_search_field || is_of_sphinx(root, &page.document.path)) {
            found.push((number, Beside::SearchPage));
        }
        // A page about room 404 is linked in a text; nobody links to what is shown in place of a page.
        let linked = linked.get_or_insert_with(|| linked_pages(pages, addresses));
        if is_error && !linked.contains(&number) {
            found.push((number, Beside::ErrorPage));
        }
    }
    found
}

/// Returns `true` for a page that sends its reader elsewhere and says no more than where. One that says something
/// without a link is read: what leads on may have been put into it.
fn only_leads_on(page: &Page<'_>) -> bool {
    let words = words::count(&page.document.text);
    let most = if page.links_elsewhere() { WORDS_WITH_LINK } else { WORDS_WITHOUT_LINK };
    page.signs.leads_on && words <= most
}

fn is_of_sphinx(root: &Path, path: &str) -> bool {
    // Beside the page, or beside its folder: `search.html`, `search/index.html`.
    let mut folders = Path::new(path).ancestors().skip(1).take(2);
    folders.any(|folder| SPHINX.iter().any(|name| root.join(folder).join(name).exists()))
}

/// The pages that the texts of others link to.
fn linked_pages(pages: &[Page<'_>], addresses: &Addresses) -> BTreeSet<usize> {
    let mut linked = BTreeSet::new();
    for (number, page) in pages.iter().enumerate() {
        let targets = page.document.links.iter();
        let targets =
            targets.filter_map(|link| addresses.target(&page.document.path, &link.target));
        linked.extend(targets.filter(|target| *target != number));
    }
    linked
}

/// Pages for printing and the like: their names say it, and their text is in the others.
fn together(pages: &[Page<'_>], left_out: &BTreeMap<usize, Beside>) -> Vec<usize> {
    let is_named = |(number, page): &(usize, &Page<'_>)| {
        let name = page.name();
        let words: Vec<&str> = name.split(['-', '_', '.']).collect();
        words.iter().all(|word| TOGETHER.contains(word))
            && words.iter().any(|word| TOGETHER_SURELY.contains(word))
            && !left_out.contains_key(number)
    };
    let named = pages.iter().enumerate().filter(is_named).take(MOST_COMPARED);
    let named: BTreeMap<usize, Vec<u64>> =
        named.map(|(number, page)| (number, words::runs(&page.document.text))).collect();
    if named.is_empty() {
        return Vec::new();
    }
    // Once over all texts, however many pages are looked at.
    let mut are_elsewhere: HashMap<u64, bool> =
        named.values().flatten().map(|run| (*run, false)).collect();
    for (number, page) in pages.iter().enumerate() {
        if named.contains_key(&number) || left_out.contains_key(&number) {
            continue;
        }
        for run in words::runs(&page.document.text) {
            are_elsewhere.entry(run).and_modify(|is_elsewhere| *is_elsewhere = true);
        }
    }
    let is_repeated = |(_, runs): &(usize, Vec<u64>)| {
        let elsewhere = runs.iter().filter(|run| are_elsewhere.get(run) == Some(&true)).count();
        !runs.is_empty() && elsewhere * 100 >= runs.len() * REPEATED_PERCENT
    };
    named.into_iter().filter(is_repeated).map(|(number, _)| number).collect()
}
