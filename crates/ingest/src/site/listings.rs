//! Pages that list others: archives, tags, start pages of blogs, indexes of terms.
//!
//! A list repeats the titles of pages and the beginnings of their texts, often cut within a
//! sentence, and an answer from it leads to the list in place of the page. It is left out where its
//! entries begin with links to pages that are there and say what those pages say. A list that says
//! more about the pages than they say themselves is an overview, and stays.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use campanile_corpus::BlockKind;
use campanile_text::enumerator;

use super::addresses::{Addresses, address};
use super::repeats::Page;
use super::words;

/// Names of pages, and of the folders of pages, that list others.
const NAMES: &[&str] = &[
    "archive", "archives", "author", "authors", "categories", "category", "genindex",
    "genindex-all", "modindex", "py-modindex", "sitemap", "tag", "tags", "toc",
];
/// Names of sources that hold a generator's menu.
const MENUS: &[&str] = &["_navbar", "_sidebar", "nav", "summary"];
/// A line with fewer words outside of its links, numbers aside, is a date or an author and not a sentence.
const SENTENCE_WORDS: usize = 5;
/// So much of a sentence is in the page that it was taken from.
// The last run of three words is another where the sentence was cut.
const REPEATED_PERCENT: usize = 75;
/// So many of a list's entries say nothing of their own.
const ENTRIES_PERCENT: usize = 80;
/// A list says no more than this of its own.
const OWN_WORDS: usize = 30;
/// So many entries tell what a page is.
const MOST_ENTRIES: usize = 100;

/// A heading or a block of a page.
struct Line {
    range: Range<usize>,
    kind: LineKind,
    /// The page that it begins with a link to, and the end of the link.
    begins_with: Option<(usize, usize)>,
    /// Bytes in links to pages that are there.
    linked: usize,
    /// The words outside of links.
    own_words: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Heading,
    Item,
    Other,
}

/// The numbers of the pages that list others, in their order. Those in `left_out` count as not there.
pub(super) fn found(
    pages: &[Page<'_>],
    addresses: &Addresses,
    left_out: &BTreeSet<usize>,
) -> Vec<usize> {
    let mut texts = Texts { pages, known: BTreeMap::new() };
    let mut gone = left_out.clone();
    let mut found = Vec::new();
    for (number, page) in pages.iter().enumerate() {
        if gone.contains(&number) || !page.links_elsewhere() {
            continue;
        }
        let lines = lines(number, page, addresses, &gone);
        let is_listing = match is_named(page) {
            true => is_index(&lines) || is_list_of_articles(page, &lines, &mut texts),
            false => is_list_of_articles(page, &lines, &mut texts),
        };
        if is_listing {
            gone.insert(number);
            found.push(number);
        }
    }
    found
}

/// The numbers of the sources from which a generator makes its menu: `SUMMARY.md`, `_sidebar.md`, `nav.adoc`. Their name says
/// it, and their lines are links.
pub(super) fn of_contents(pages: &[Page<'_>], addresses: &Addresses) -> Vec<usize> {
    let is_contents = |(number, page): &(usize, &Page<'_>)| {
        MENUS.contains(&&*page.name())
            && !page.is_html()
            && page.links_elsewhere()
            && is_menu(&lines(*number, page, addresses, &BTreeSet::new()))
    };
    let found = pages.iter().enumerate().filter(is_contents);
    found.map(|(number, _)| number).collect()
}

/// Lines that are links, with the names of groups among them.
fn is_menu(lines: &[Line]) -> bool {
    let blocks = || lines.iter().filter(|line| line.kind != LineKind::Heading);
    let linked = blocks().filter(|line| line.own_words == 0).count();
    linked * 2 > blocks().count() && blocks().all(|line| line.own_words <= SENTENCE_WORDS)
}

impl Page<'_> {
    pub(super) fn links_elsewhere(&self) -> bool {
        !self.document.links.is_empty()
    }
}

/// A page called by one of the names, or in a folder that is.
fn is_named(page: &Page<'_>) -> bool {
    // The page of a folder lies in the folder above: `tag/money/index.html` as `tag/money.html`.
    let folders = address(&page.document.path).rsplit_once('/').map_or("", |(folders, _)| folders);
    let folder = folders.rsplit('/').next().unwrap_or_default().to_lowercase();
    let name = page.name();
    let is_letter = |rest: &str| rest.chars().count() == 1;
    let is_year = |name: &str| name.len() == 4 && name.starts_with(['1', '2']) && is_number(name);
    let is_month = is_year(&folder) && name.len() <= 2 && is_number(&name);
    NAMES.contains(&&*name)
        || NAMES.contains(&&*folder)
        // What was published in a year or a month.
        || is_year(&name)
        || is_month
        // One page for each letter, where there are many terms.
        || name.strip_prefix("genindex-").is_some_and(is_letter)
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// An index: its lines lead to pages that are there and say no more, and what is around them is short.
fn is_index(lines: &[Line]) -> bool {
    let blocks = || lines.iter().filter(|line| line.kind != LineKind::Heading);
    let leads = |line: &&Line| line.linked > 0;
    let says_itself = |line: &Line| leads(&line) && line.own_words > SENTENCE_WORDS;
    let around: usize = blocks().filter(|line| !leads(line)).map(|line| line.own_words).sum();
    blocks().any(|line| leads(&line)) && !blocks().any(says_itself) && around <= OWN_WORDS
}

/// A list of articles: entries that begin with a link to their own page and repeat it.
fn is_list_of_articles(page: &Page<'_>, lines: &[Line], texts: &mut Texts<'_>) -> bool {
    let starts_with =
        |kind| lines.iter().any(|line| line.kind == kind && line.begins_with.is_some());
    // Where entries have headings, other lines that begin with a link are tags or "Read more".
    let kind = match starts_with(LineKind::Heading) {
        true => LineKind::Heading,
        false => LineKind::Item,
    };
    let mut judged = Judged::default();
    let mut entry: Option<usize> = None;
    for line in lines {
        let start = line.begins_with.filter(|_| line.kind == kind);
        if let Some((target, _)) = start.filter(|(target, _)| Some(*target) != entry) {
            entry = Some(target);
            judged.entries += 1;
            if judged.entries > MOST_ENTRIES {
                break;
            }
        }
        let text = &page.document.text[line.range.clone()];
        let Some(target) = entry else {
            judged.own_words += line.own_words;
            continue;
        };
        // Behind the link stands the entry's text, in the same line or in those below.
        let rest = start.and_then(|(_, end)| text.get(end..)).unwrap_or(text);
        if start.is_some() && line.kind == LineKind::Heading {
            continue;
        }
        // What is short and stands nowhere else is a date, an author, "Read more".
        let is_sentence =
            words::without_numbers(rest) >= SENTENCE_WORDS && line.own_words >= SENTENCE_WORDS;
        if is_sentence && texts.percent(rest, target) >= REPEATED_PERCENT {
            judged.repeated += 1;
        } else if is_sentence {
            judged.own += 1;
            judged.own_words += words::count(rest);
        }
    }
    let all = judged.repeated + judged.own;
    judged.repeated > 0
        && judged.repeated * 100 >= all * ENTRIES_PERCENT
        && judged.own_words <= OWN_WORDS
        // One entry is a list where it has a heading, and where the page is called one.
        && (judged.entries > 1 || kind == LineKind::Heading || is_named(page))
}

/// What was found of a page's entries.
#[derive(Default)]
struct Judged {
    entries: usize,
    /// Sentences that their pages have, and others.
    repeated: usize,
    own: usize,
    /// The words that stand nowhere else.
    own_words: usize,
}

/// The runs of pages' texts, each made once.
struct Texts<'a> {
    pages: &'a [Page<'a>],
    known: BTreeMap<usize, HashSet<u64>>,
}

impl Texts<'_> {
    /// The percentage of a text that is in a page.
    fn percent(&mut self, text: &str, page: usize) -> usize {
        let pages = self.pages;
        let runs = self.known.entry(page).or_insert_with(|| {
            let Some(page) = pages.get(page) else { return HashSet::new() };
            let stated = page.document.metadata.values().filter_map(|value| value.as_str());
            let texts = stated.chain([page.document.title.as_str(), page.document.text.as_str()]);
            texts.flat_map(words::runs).collect()
        });
        words::percent_within(text, runs)
    }
}

/// The headings and blocks of a page in the order of its text.
fn lines(
    number: usize,
    page: &Page<'_>,
    addresses: &Addresses,
    left_out: &BTreeSet<usize>,
) -> Vec<Line> {
    let document = page.document;
    let mut lines = Vec::new();
    let mut end = 0;
    let mut links = document.links.iter().peekable();
    let mut add = |range: Range<usize>, kind: LineKind| {
        let Some(text) = document.text.get(range.clone()) else { return };
        let mut line =
            Line { range: range.clone(), kind, begins_with: None, linked: 0, own_words: 0 };
        let mut linked_words = 0;
        while let Some(link) = links.next_if(|link| (link.span.start as usize) < range.end) {
            let (from, to) = (link.span.start as usize, link.span.end as usize);
            let words = document.text.get(from..to).unwrap_or_default();
            let target = addresses.target(&document.path, &link.target);
            linked_words += words::count(words);
            let Some(target) = target else { continue };
            line.linked += to.saturating_sub(from);
            if left_out.contains(&target) {
                continue;
            }
            let before = document.text.get(range.start..from).unwrap_or_default();
            let is_nothing = words::count(before) == 0 || enumerator(before.trim()).is_some();
            let is_first = line.begins_with.is_none() && is_nothing;
            if is_first && target != number && to >= range.start {
                line.begins_with = Some((target, (to - range.start).min(range.len())));
            }
        }
        line.own_words = words::count(text).saturating_sub(linked_words);
        lines.push(line);
    };
    for section in &document.sections {
        // A heading stands between the blocks before it and its own.
        if section.level > 0 {
            let start = section.blocks.first().map(|block| block.span.start as usize);
            let start = start.unwrap_or(section.span.start as usize);
            if start > end {
                add(end..start, LineKind::Heading);
                end = start;
            }
        }
        for block in &section.blocks {
            let is_item = matches!(block.kind, BlockKind::ListItem);
            let kind = if is_item { LineKind::Item } else { LineKind::Other };
            add(block.span.start as usize..block.span.end as usize, kind);
            end = block.span.end as usize;
        }
    }
    lines
}
