//! Numbers of pages that stand alone.

use std::collections::{BTreeMap, BTreeSet};

use campanile_text::Span;

use super::Line;

/// A document with fewer numbered pages needs no cleaning, and its numbers may be others.
const FEW_PAGES: usize = 10;
/// The bytes of text that a page has: a list that is numbered on lines of its own has less between its
/// numbers, and chapters have more.
const PAGE_BYTES: std::ops::Range<u32> = 400..9_000;

/// The lines that hold a number only and go on from page to page: 7, 8, 9, each a page's text
/// behind the one before it. None where most numbers that stand alone in between are others: the
/// days of a calendar go on from month to month as well.
pub(super) fn lines(lines: &[Line<'_>]) -> BTreeSet<Span> {
    let numbers: Vec<(u32, Span)> =
        lines.iter().filter_map(|line| Some((page_number(line.text)?, line.span))).collect();
    let chain = longest_chain(&numbers);
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
        return BTreeSet::new();
    };
    let reach = first.joined(*last);
    let inside = numbers.iter().filter(|(_, span)| reach.contains(*span)).count();
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
    use super::{Line, Span, lines};

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
            assert_eq!(lines(&all).len(), expected, "{name}");
        }
    }
}
