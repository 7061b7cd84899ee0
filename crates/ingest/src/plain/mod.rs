//! Plain text: what little structure it shows.

mod headings;
mod lines;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};

use crate::assemble::Assembler;
use crate::inline::InlineText;
use crate::name::readable;
use crate::report::Report;
use headings::{Headings, underline};
use lines::{is_item, is_rule, unwrapped};

pub(crate) fn read(path: &str, source: &str) -> (Document, Report) {
    // A form feed is a page break of a printed text.
    let source = source
        .replace("\r\n", "\n")
        .replace(['\r', '\u{2028}'], "\n")
        .replace(['\u{c}', '\u{2029}'], "\n\n");
    let mut assembler = Assembler::default();
    let headings = Headings::of(&source);
    let lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    for group in lines.split(|line| line.trim().is_empty()) {
        read_group(&mut assembler, &headings, group);
    }
    // Headings are guesses here: only one that the text opens with may name it.
    let title = assembler.opening_heading().map(str::to_owned);
    let title = title.unwrap_or_else(|| readable(path));
    assembler.finish(path, title, None, BTreeMap::new())
}

/// Reads lines that no blank line parts: headings, and what stands below each.
fn read_group(assembler: &mut Assembler, headings: &Headings, mut group: &[&str]) {
    while let [first, rest @ ..] = group {
        group = match heading(headings, group) {
            Some((level, lines)) => {
                assembler.heading(level, InlineText::plain(first.trim()), None);
                group.get(lines..).unwrap_or_default()
            }
            None if is_rule(first) => rest,
            None => {
                let next = (1..group.len()).find(|start| {
                    let tail = group.get(*start..).unwrap_or_default();
                    heading(headings, tail).is_some()
                        || tail.first().is_some_and(|line| is_rule(line))
                });
                let (body, rest) = group.split_at(next.unwrap_or(group.len()));
                read_body(assembler, body);
                rest
            }
        };
    }
}

/// The level of the heading that these lines begin with, and how many of them it takes.
fn heading(headings: &Headings, lines: &[&str]) -> Option<(u8, usize)> {
    let [first, rest @ ..] = lines else {
        return None;
    };
    if is_rule(first) {
        return None;
    }
    let underlined = rest.first().and_then(|second| underline(second));
    match underlined.filter(|_| !is_item(first)) {
        Some(level) => Some((level, 2)),
        None => headings.level(first, rest.is_empty()).map(|level| (level, 1)),
    }
}

fn read_body(assembler: &mut Assembler, lines: &[&str]) {
    let mut start = 0;
    for index in 1..=lines.len() {
        let ends = lines.get(index).is_none_or(|line| is_item(line));
        if !ends {
            continue;
        }
        let block = lines.get(start..index).unwrap_or_default();
        let kind = match block.first() {
            Some(first) if is_item(first) => BlockKind::ListItem,
            _ => BlockKind::Paragraph,
        };
        let text = unwrapped(block);
        assembler.block(kind, InlineText::plain(text));
        start = index;
    }
}
