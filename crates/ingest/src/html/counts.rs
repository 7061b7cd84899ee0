//! The number of words of an element, and how many of them are links, and how many are prose.

use std::collections::BTreeMap;

use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use scraper::{Html, Node};

use super::Layout;
use super::content::skip;
use super::walk::{heading_level, is_block};

/// A block of at least this many words with few of them linked is prose (the paper's trees cut at
/// 10 to 15 words, and at a third).
const PROSE_WORDS: usize = 12;
const PROSE_LINKED_PERCENT: usize = 33;

/// The counts of an element and all below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) words: usize,
    pub(super) linked: usize,
    pub(super) links: usize,
    pub(super) prose: usize,
    pub(super) has_title: bool,
    pub(super) has_heading: bool,
}

/// The counts of a block itself, outside of the blocks in it.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    words: usize,
    linked: usize,
}

/// The counts of a node; all are 0 for one that is not shown.
pub(super) fn count(counts: &BTreeMap<NodeId, Count>, node: NodeRef<'_, Node>) -> Count {
    counts.get(&node.id()).copied().unwrap_or_default()
}

/// The counts of every element that is shown.
pub(super) fn counts(page: &Html) -> BTreeMap<NodeId, Count> {
    let mut counts = BTreeMap::new();
    let mut open: Vec<(Count, Own)> = Vec::new();
    let mut skipping = None;
    let mut link_depth = 0_usize;
    for edge in page.tree.root().traverse() {
        match edge {
            Edge::Open(node) if skipping.is_none() => match node.value() {
                Node::Text(text) => {
                    let words = text
                        .split_whitespace()
                        .filter(|word| word.contains(char::is_alphanumeric))
                        .count();
                    if let Some((count, own)) = open.last_mut() {
                        count.words += words;
                        own.words += words;
                        if link_depth > 0 {
                            count.linked += words;
                            own.linked += words;
                        }
                    }
                }
                Node::Element(element) if skip(node, element, Layout::Text).is_some() => {
                    skipping = Some(node.id());
                }
                value => {
                    link_depth += usize::from(is_link(value));
                    open.push((Count::default(), Own::default()));
                }
            },
            Edge::Close(node) if skipping == Some(node.id()) => skipping = None,
            Edge::Close(node) if skipping.is_none() && !node.value().is_text() => {
                let Some((mut count, own)) = open.pop() else {
                    continue;
                };
                let own = closed(node.value(), &mut count, own);
                link_depth -= usize::from(is_link(node.value()));
                counts.insert(node.id(), count);
                if let Some((above, own_above)) = open.last_mut() {
                    above.add(count);
                    own_above.words += own.words;
                    own_above.linked += own.linked;
                }
            }
            Edge::Open(_) | Edge::Close(_) => {}
        }
    }
    counts
}

fn is_link(value: &Node) -> bool {
    value
        .as_element()
        .is_some_and(|element| element.name() == "a" && element.attr("href").is_some())
}

/// Counts what an element is, and gives what it leaves to the block around it.
fn closed(value: &Node, count: &mut Count, own: Own) -> Own {
    let Some(element) = value.as_element() else {
        return own;
    };
    let name = element.name();
    let level = heading_level(name);
    count.has_title |= level == Some(1);
    count.has_heading |= level.is_some();
    count.links += usize::from(is_link(value));
    if !is_block(name) {
        return own;
    }
    let is_prose = own.words >= PROSE_WORDS && own.linked * 100 < own.words * PROSE_LINKED_PERCENT;
    if is_prose && level.is_none() {
        count.prose += own.words;
    }
    Own::default()
}

impl Count {
    fn add(&mut self, other: Self) {
        self.words += other.words;
        self.linked += other.linked;
        self.links += other.links;
        self.prose += other.prose;
        self.has_title |= other.has_title;
        self.has_heading |= other.has_heading;
    }

    pub(super) fn is_linked(&self, percent: usize) -> bool {
        self.words > 0 && self.linked * 100 >= self.words * percent
    }
}
