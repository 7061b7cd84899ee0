//! Menus, cookie notices and link bars on pages that do not mark their content.
//!
//! Kohlschütter, Fankhauser and Nejdl ("Boilerplate Detection using Shallow Text Features", WSDM
//! 2010) found that two numbers tell most of a page's furniture from its text: how many words a
//! block has, and how many of them are linked. The same two are used here on the tree of elements,
//! to take parts away rather than to choose one, because a department's page of links, or its table
//! of telephone numbers, is content too. A part goes only if
//!
//! - its name says what it is (a cookie notice, the footer, a path of breadcrumbs) and it is a
//!   small part of the page;
//! - its name says that it is a menu or the like, and it is mostly links, without prose;
//! - it has no name, but is hardly more than links, has no heading, and stands beside the element
//!   that holds the page's prose. Pages without prose keep all such parts.
//!
//! The element that holds the first heading of the first level is never taken away.

use std::collections::{BTreeMap, BTreeSet};

use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use scraper::{Html, Node};

use super::Layout;
use super::content::{is_marked, skip};
use super::walk::{heading_level, is_block};

/// A page with less prose than this says nothing about where its content lies.
// One paragraph of 28 words is enough in the cases of `tests.rs`. With more asked for, short pages
// keep their menus; the names of links alone must not pass for it.
const LEAST_PROSE_WORDS: usize = 25;
/// The element that holds the content holds at least this part of the prose.
const CORE_PERCENT: usize = 70;
/// The least share of links among the words of a part that is furniture by its name.
// A name is half of the evidence; without one more of the words have to be links.
const NAMED_LINKED_PERCENT: usize = 50;
/// The same for a part without a name.
const UNNAMED_LINKED_PERCENT: usize = 65;
/// Links in one of these at least.
// With one, a cell with a mail address is a menu; with four, a menu of three pages stays.
const FEWEST_LINKS: usize = 2;
/// Words of a link in a menu, at most on average.
const LONGEST_LINK_WORDS: usize = 6;
/// A part that is furniture by its name alone is no more than this of the page.
// With ten, the breadcrumbs of a short page stay. A section about cookies that is the page is no notice.
const NAMED_PERCENT: usize = 40;

/// Names of parts that are never content.
const ALWAYS: &[&str] = &["breadcrumb", "breadcrumbs", "rootline", "skiplink", "skiplinks"];
/// Words in the name of a notice about cookies, besides theirs: a section named for cookies alone may explain
/// them.
const NOTICES: &[&str] = &[
    "bar", "banner", "box", "consent", "dialog", "hint", "info", "law", "layer", "message",
    "modal", "notice", "overlay", "popup",
];
/// Names of the foot of a page, if one element alone has them: that of a box is content.
const FOOTERS: &[&str] =
    &["footer", "global-footer", "main-footer", "page-footer", "portal-footer"];
/// Names of parts that are not, if they are mostly links.
const IF_LINKS: &[&str] = &[
    "lang", "language", "languages", "langmenu", "mainnav", "megamenu", "menu", "menubar", "meta",
    "metanav", "nav", "navi", "navigation", "navbar", "pager", "pagination", "portlet", "related",
    "share", "sharing", "shariff", "sidebar", "sitemap", "social", "subnav", "submenu", "tabs",
    "toolbar", "topbar", "topnav", "viewlet",
];
/// Elements that may be taken away as a whole.
const PARTS: &[&str] = &[
    "aside", "div", "dl", "form", "header", "ol", "p", "section", "span", "table", "td", "th",
    "tr", "ul",
];

/// The parts of a page to be passed over, none inside another.
pub(super) fn furniture(page: &Html) -> Vec<NodeId> {
    // Such a page is read from that element on; guesses could only take parts of it away.
    if is_marked(page) {
        return Vec::new();
    }
    let counts = counts(page);
    let whole = count(&counts, page.tree.root());
    let named = named(page, &counts, whole);
    let gone: usize = named.iter().filter_map(|id| counts.get(id)).map(|count| count.prose).sum();
    let core = core(page, &counts, &named, whole.prose.saturating_sub(gone));
    // What holds the content, from the root down to it.
    let around: BTreeSet<NodeId> = core
        .into_iter()
        .flat_map(|core| core.ancestors().chain([core]))
        .map(|node| node.id())
        .collect();
    let mut found = Vec::new();
    let mut inside: Option<NodeId> = None;
    // The part beside the content that is being looked at, and whether it has no heading.
    let mut beside: Option<(NodeId, bool)> = None;
    for edge in page.tree.root().traverse() {
        match edge {
            Edge::Open(node) if inside.is_none() => {
                let is_outside = !around.contains(&node.id());
                let branches = node.parent().is_some_and(|above| {
                    around.contains(&above.id()) && core.is_some_and(|core| core.id() != above.id())
                });
                if is_outside && branches {
                    beside = Some((node.id(), !count(&counts, node).has_heading));
                }
                let is_bar = || beside.is_some_and(|(_, bare)| bare) && is_link_bar(node, &counts);
                if named.binary_search(&node.id()).is_ok() || is_bar() {
                    found.push(node.id());
                    inside = Some(node.id());
                }
            }
            Edge::Close(node) => {
                inside = inside.filter(|id| *id != node.id());
                beside = beside.filter(|(id, _)| *id != node.id());
            }
            Edge::Open(_) => {}
        }
    }
    found
}

/// The parts that are furniture by their names, in the order of their ids.
fn named(page: &Html, counts: &BTreeMap<NodeId, Count>, whole: Count) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut footers = Vec::new();
    for node in page.tree.nodes() {
        let element = node.value().as_element();
        let Some(element) = element.filter(|element| PARTS.contains(&element.name())) else {
            continue;
        };
        let count = count(counts, node);
        let is_small = count.words * 100 <= whole.words * NAMED_PERCENT;
        if count.words == 0 || count.has_title || !is_small {
            continue;
        }
        let is_menu = count.prose == 0
            && count.links >= FEWEST_LINKS
            && count.is_linked(NAMED_LINKED_PERCENT);
        let mut names = element.id().into_iter().chain(element.classes());
        if names.clone().any(|name| is_furniture(&words_of_name(name), is_menu)) {
            found.push(node.id());
        } else if names.any(|name| FOOTERS.contains(&name)) {
            footers.push(node.id());
        }
    }
    if let [footer] = footers.as_slice() {
        found.push(*footer);
    }
    found.sort_unstable();
    found
}

/// Returns `true` if a name says that its part is furniture: `tx-cookie_bar`, `mainNav`.
fn is_furniture(words: &[String], is_menu: bool) -> bool {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let is_notice =
        has(&["cookiebar", "cookieconsent"]) || (has(&["cookie", "cookies"]) && has(NOTICES));
    has(ALWAYS) || is_notice || (is_menu && has(IF_LINKS))
}

/// The words of a name, in lower case.
pub(super) fn words_of_name(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let begins = character.is_uppercase() && was_lower;
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words
}

/// The smallest element with nearly all of the prose, and the page's title if there is one.
fn core<'a>(
    page: &'a Html,
    counts: &BTreeMap<NodeId, Count>,
    named: &[NodeId],
    prose: usize,
) -> Option<NodeRef<'a, Node>> {
    if prose < LEAST_PROSE_WORDS {
        return None;
    }
    let has_title = count(counts, page.tree.root()).has_title;
    let holds = |node: &NodeRef<'_, Node>| {
        let count = count(counts, *node);
        named.binary_search(&node.id()).is_err()
            && count.prose * 100 >= prose * CORE_PERCENT
            && (count.has_title || !has_title)
    };
    let mut core = page.tree.root();
    while let Some(child) = core.children().find(holds) {
        core = child;
    }
    // A paragraph alone is not what encloses the content.
    while let Some(parent) = core.parent() {
        let is_enclosing = core.value().as_element().is_some_and(|element| {
            matches!(element.name(), "div" | "td" | "section" | "form" | "center" | "body")
        });
        if is_enclosing {
            break;
        }
        core = parent;
    }
    let is_part = core.value().as_element().is_some_and(|element| element.name() != "body");
    is_part.then_some(core)
}

fn is_link_bar(node: NodeRef<'_, Node>, counts: &BTreeMap<NodeId, Count>) -> bool {
    let count = count(counts, node);
    let is_part = node.value().as_element().is_some_and(|element| PARTS.contains(&element.name()));
    is_part
        && count.links >= FEWEST_LINKS
        && count.prose == 0
        && count.is_linked(UNNAMED_LINKED_PERCENT)
        && count.linked <= count.links * LONGEST_LINK_WORDS
}

/// A block of at least this many words with few of them linked is prose (the paper's trees cut at
/// 10 to 15 words, and at a third).
const PROSE_WORDS: usize = 12;
const PROSE_LINKED_PERCENT: usize = 33;

/// The counts of an element and all below it.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    pub(super) words: usize,
    pub(super) linked: usize,
    pub(super) links: usize,
    pub(super) prose: usize,
    has_title: bool,
    has_heading: bool,
}

/// The counts of a block itself, outside of the blocks in it.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    words: usize,
    linked: usize,
}

/// The counts of a node; all are 0 for one that is not shown.
fn count(counts: &BTreeMap<NodeId, Count>, node: NodeRef<'_, Node>) -> Count {
    counts.get(&node.id()).copied().unwrap_or_default()
}

/// The counts of every element that is shown.
fn counts(page: &Html) -> BTreeMap<NodeId, Count> {
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

    fn is_linked(&self, percent: usize) -> bool {
        self.words > 0 && self.linked * 100 >= self.words * percent
    }
}
