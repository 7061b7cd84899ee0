//! A document without its noise.

use campanile_text::Span;

use super::Dropped;
use crate::chunk::trimmed;
use crate::{Document, Link, Page};

/// The document without what was dropped from it: its text is shorter, and every span is measured
/// anew. What was dropped from other documents is passed over.
///
/// A section that loses all its blocks stays with its heading.
pub fn without_noise(document: &Document, dropped: &[Dropped]) -> Document {
    let own = dropped.iter().filter(|dropped| dropped.document == document.path);
    let cuts = Cuts::new(&document.text, own.map(|dropped| dropped.span));
    if cuts.ranges.is_empty() {
        return document.clone();
    }
    let text = cuts.shortened(&document.text);
    let sections = document.sections.iter().map(|section| {
        let mut section = section.clone();
        section.blocks.retain(|block| !cuts.hold(block.span));
        for block in &mut section.blocks {
            block.span = cuts.moved(block.span);
        }
        let span = cuts.moved(section.span);
        let body = trimmed(&text, span).unwrap_or(Span::new(span.end, span.end));
        // A block may begin or end with white space, and lies in its section all the same.
        section.span = section.blocks.iter().fold(body, |body, block| body.joined(block.span));
        section
    });
    let links = document.links.iter().filter(|link| !cuts.hold(link.span));
    let tables = document.tables.iter().map(|table| {
        let mut table = table.clone();
        table.lines.retain(|line| !cuts.hold(line.span));
        for line in &mut table.lines {
            line.span = cuts.moved(line.span);
        }
        table
    });
    let pages = document.pages.iter();
    Document {
        path: document.path.clone(),
        title: document.title.clone(),
        link: document.link.clone(),
        metadata: document.metadata.clone(),
        sections: sections.collect(),
        links: links.map(|link| Link { span: cuts.moved(link.span), ..link.clone() }).collect(),
        tables: tables.collect(),
        pages: pages.map(|page| Page { span: cuts.moved(page.span), ..page.clone() }).collect(),
        text,
    }
}

/// Ranges of a text that are taken out, in order, apart from one another.
struct Cuts {
    ranges: Vec<Span>,
    /// The number of bytes that are taken out before each range.
    removed: Vec<u32>,
}

impl Cuts {
    /// Cuts of these spans and of the white space before each of them.
    fn new(text: &str, spans: impl Iterator<Item = Span>) -> Self {
        let mut spans: Vec<Span> = spans.collect();
        spans.sort_unstable();
        let mut ranges: Vec<Span> = Vec::new();
        for span in spans {
            let Some(before) = text.get(..span.start as usize) else { continue };
            // The white space before goes too, or an empty paragraph would stand where the line was.
            let range = Span::from_range(before.trim_end().len()..span.end as usize);
            match ranges.last_mut() {
                Some(last) if range.start <= last.end => *last = last.joined(range),
                _ => ranges.push(range),
            }
        }
        let mut total = 0;
        let mut before = |range: &Span| {
            let before = total;
            total += range.end - range.start;
            before
        };
        let removed = ranges.iter().map(&mut before).collect();
        Self { ranges, removed }
    }

    fn shortened(&self, text: &str) -> String {
        let mut kept = String::with_capacity(text.len());
        let mut position = 0;
        for range in &self.ranges {
            kept.push_str(text.get(position..range.start as usize).unwrap_or_default());
            position = range.end as usize;
        }
        kept.push_str(text.get(position..).unwrap_or_default());
        kept
    }

    /// Returns `true` if a span is taken out as a whole; an empty one never is.
    fn hold(&self, span: Span) -> bool {
        let range = self.last_before(span.end).and_then(|last| self.ranges.get(last));
        !span.is_empty() && range.is_some_and(|range| range.contains(span))
    }

    fn moved(&self, span: Span) -> Span {
        Span::new(self.place(span.start), self.place(span.end))
    }

    fn place(&self, place: u32) -> u32 {
        // By halves: every span of the document is moved, and a catalogue has thousands of cuts.
        let last = self.last_before(place);
        let found = last.and_then(|last| self.ranges.get(last).zip(self.removed.get(last)));
        found.map_or(place, |(range, removed)| {
            place - removed - (range.end.min(place) - range.start)
        })
    }

    /// The last range that begins before a place.
    fn last_before(&self, place: u32) -> Option<usize> {
        self.ranges.partition_point(|range| range.start < place).checked_sub(1)
    }
}
