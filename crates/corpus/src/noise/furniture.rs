//! Page furniture: what a page shows around its content. Menus, running heads, headers and footers, page numbers.

use std::collections::{BTreeMap, BTreeSet};

use campanile_language::documents;
use campanile_text::Span;

use super::{Line, QualityOptions, lines, plain};
use crate::Document;

/// The longest cookie notice, in words.
// Notices have one to three sentences; a page that explains its cookies has more, and is content.
const LONGEST_NOTICE: usize = 60;

/// Knows page furniture, running heads among it.
pub(super) struct Furniture {
    /// `true` if the document is about cookies or privacy itself.
    is_about_cookies: bool,
    /// The words that stood beside the page numbers so far.
    heads: BTreeSet<String>,
}

impl Furniture {
    pub(super) fn new(document: &Document) -> Self {
        let named = format!("{} {}", document.title, document.path).to_lowercase();
        let topics = ["cookie", "privacy", "datenschutz", "data protection"];
        let is_about_cookies = topics.iter().any(|topic| named.contains(topic));
        Self { is_about_cookies, heads: BTreeSet::new() }
    }

    pub(super) fn is_furniture(&mut self, text: &str) -> bool {
        let plain = plain(text);
        let words: Vec<&str> = plain.split(' ').collect();
        documents::FURNITURE.contains(&plain)
            || is_menu(&words)
            || (!self.is_about_cookies && is_cookie_notice(&plain, &words))
            || self.is_page_number(&words)
    }

    /// "Page 3 of 10", alone or beside a running head that stood on a page before.
    fn is_page_number(&mut self, words: &[&str]) -> bool {
        let Some(place) = page_number_at(words) else { return false };
        let (before, after) = (words.get(..place), words.get(place + 4..));
        let mut head = before.unwrap_or_default().to_vec();
        head.extend(after.unwrap_or_default());
        // A running head is known when it comes a second time; the first time it may be the title.
        head.is_empty() || (head.len() <= 12 && !self.heads.insert(head.join(" ")))
    }
}

/// Finds the word at which "page 3 of 10" begins.
fn page_number_at(words: &[&str]) -> Option<usize> {
    let is_number = |word: &str| word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.windows(4).position(|window| match window {
        ["page", number, "of", total] | ["seite", number, "von", total] => {
            is_number(number) && is_number(total)
        }
        _ => false,
    })
}

/// Two or more words of menus and no other: "Previous | Next". "Contact us" alone is a heading.
fn is_menu(words: &[&str]) -> bool {
    let mut items = words.iter().filter(|word| **word != "us");
    // One word alone ("Contact") is a heading of the page.
    words.len() >= 2
        && items.clone().count() >= 2
        && items.all(|word| documents::MENU.contains(word))
}

fn is_cookie_notice(plain: &str, words: &[&str]) -> bool {
    let notices = [
        "this site uses cookies",
        "this website uses cookies",
        "we use cookies",
        "diese website verwendet cookies",
        "wir verwenden cookies",
    ];
    let actions =
        ["accept", "agree", "by continuing", "consent", "got it", "akzeptieren", "zustimm"];
    words.len() <= LONGEST_NOTICE
        && notices.iter().any(|notice| plain.contains(notice))
        && actions.iter().any(|action| plain.contains(action))
}

/// The number of lines from either end of a document that may be a header or a footer.
// Room for title, department, breadcrumb and menu above, and for imprint, address, date and "top" below.
const EDGE_LINES: usize = 4;
/// A longer text is content, however often it is said.
// A disclaimer below every rule is part of the rule.
const LONGEST_WORDS: usize = 40;

/// The lines at the edges of documents, and how many documents have them.
#[derive(Clone, Debug, Default)]
pub struct Boilerplate {
    lines: BTreeMap<String, Seen>,
    documents: usize,
}

#[derive(Clone, Debug)]
struct Seen {
    /// The path of the first document that has the line; it keeps it.
    first: String,
    documents: usize,
}

impl Boilerplate {
    /// Counts the lines at the edges of these documents.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let mut found = Self::default();
        for document in documents {
            found.documents += 1;
            let lines = lines(document);
            let edges = edges(&lines).into_iter();
            let mut own: Vec<String> = edges.map(|line| plain(line.text)).collect();
            own.sort_unstable();
            own.dedup();
            for line in own {
                let first = document.path.clone();
                found.lines.entry(line).or_insert(Seen { first, documents: 0 }).documents += 1;
            }
        }
        found
    }

    /// Returns `true` if enough documents have this line, and another one keeps it.
    pub(super) fn repeats(
        &self,
        text: &str,
        document: &Document,
        options: &QualityOptions,
    ) -> bool {
        self.lines.get(&plain(text)).is_some_and(|seen| {
            // Both an amount and a share: of three documents all may begin alike, and of a thousand eight may.
            seen.documents >= options.repeated_documents
                && seen.documents * 100 >= self.documents * usize::from(options.repeated_percent)
                && seen.first != document.path
        })
    }
}

/// The lines at the edges that may be furniture: no fields (`Language: English`), no facts.
pub(super) fn edges<'a>(lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let is_edge = |index: usize| index < EDGE_LINES || index + EDGE_LINES >= lines.len();
    let is_furniture = |text: &str| {
        text.split_whitespace().count() <= LONGEST_WORDS
            && text.contains(char::is_alphabetic)
            && !text.contains([':', '@'])
            // A line with a number may be a room or a date that is looked for; the year of a copyright is not.
            && (!text.contains(char::is_numeric) || text.contains('©'))
    };
    let edges = lines.iter().enumerate().filter(|(index, _)| is_edge(*index));
    edges.map(|(_, line)| *line).filter(|line| is_furniture(line.text)).collect()
}

/// A document with fewer numbered pages needs no cleaning, and its numbers may be others.
// Ten numbers that rise by one, each a page behind the other, do not happen by chance.
const FEW_PAGES: usize = 10;
/// The bytes of text that a page has: a list that is numbered on lines of its own has less between its
/// numbers, and chapters have more.
// A printed page has about 3,000 bytes: half-empty ones and those in small print lie between these.
const PAGE_BYTES: std::ops::Range<u32> = 400..9_000;

/// The lines that hold a number only and go on from page to page: 7, 8, 9, each a page's text
/// behind the one before it. None where most numbers that stand alone in between are others: the
/// days of a calendar go on from month to month as well.
pub(super) fn page_number_lines(lines: &[Line<'_>]) -> BTreeSet<Span> {
    let numbers: Vec<(u32, Span)> =
        lines.iter().filter_map(|line| Some((page_number(line.text)?, line.span))).collect();
    let chain = longest_chain(&numbers);
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
        return BTreeSet::new();
    };
    let reach = first.joined(*last);
    let inside = numbers.iter().filter(|(_, span)| reach.contains(*span)).count();
    // Three numbers of four must be the chain's: in a calendar, days stand alone that are no pages.
    if chain.len() < FEW_PAGES || chain.len() * 4 < inside * 3 {
        return BTreeSet::new();
    }
    chain.into_iter().collect()
}

/// The number of a line `12` or `Page 12`.
fn page_number(text: &str) -> Option<u32> {
    let number = ["Page ", "page ", "Seite "].iter().find_map(|word| text.strip_prefix(word));
    let number = number.unwrap_or(text).trim();
    let is_number = number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

/// The longest run of numbers that rise by one, with other numbers in between.
fn longest_chain(numbers: &[(u32, Span)]) -> Vec<Span> {
    // By the last number of a chain: its lines.
    let mut chains: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
    let mut longest = Vec::new();
    for (number, span) in numbers {
        let before = number.checked_sub(1).and_then(|before| chains.get(&before));
        let is_apart = |chain: &&Vec<Span>| {
            let last = chain.last().map_or(0, |last| last.end);
            PAGE_BYTES.contains(&span.start.saturating_sub(last))
        };
        let mut chain = before.filter(is_apart).cloned().unwrap_or_default();
        chain.push(*span);
        if chain.len() > longest.len() {
            longest.clone_from(&chain);
        }
        if chains.get(number).is_none_or(|other| other.len() <= chain.len()) {
            chains.insert(*number, chain);
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::{Line, Span, page_number_lines};

    #[test]
    fn only_numbers_a_page_apart_are_pages() {
        let range = |from: u32, to: u32| (from..to).map(|n| n.to_string()).collect::<Vec<_>>();
        let with = |mut texts: Vec<String>, more: &[&str]| {
            more.iter().for_each(|text| texts.insert(texts.len() / 2, (*text).to_owned()));
            texts
        };
        let days = (1..15).flat_map(|n| [n.to_string(), (n + 14).to_string()]).collect();
        let named = range(1, 13).iter().map(|n| format!("Page {n}")).collect();
        let cases = [
            ("pages", 900, with(range(1, 13), &["x", "99"]), 12),
            ("named pages", 900, named, 12),
            ("too few", 900, range(1, 8), 0),
            ("a numbered list", 50, range(1, 30), 0),
            ("chapters", 20_000, range(1, 13), 0),
            ("days", 450, days, 0),
        ];
        for (name, gap, texts, expected) in cases {
            let line = |(index, text): (usize, _)| {
                let start: u32 = u32::try_from(index).unwrap_or(0) * gap;
                Line { section: 0, span: Span::new(start, start + 1), text }
            };
            let all: Vec<_> = texts.iter().map(String::as_str).enumerate().map(line).collect();
            assert_eq!(page_number_lines(&all).len(), expected, "{name}");
        }
    }
}
