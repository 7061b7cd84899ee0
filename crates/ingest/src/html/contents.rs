//! Lists of a page's own headings ("On this page"), which say again what stands below.

use std::collections::{BTreeMap, BTreeSet};

use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use scraper::{Html, Node};

use super::walk::heading_level;

/// The words around such a list that go with it: its title.
const TITLE_CHARS: usize = 40;
/// Elements and texts around such a list that are looked at.
const TITLE_NODES: usize = 100;

/// Takes away the lists that hold nothing but links to headings of the same page, with their titles.
pub(super) fn remove_contents(page: &mut Html) {
    for list in lists(page) {
        if let Some(mut list) = page.tree.get_mut(list) {
            list.detach();
        }
    }
}

fn lists(page: &Html) -> Vec<NodeId> {
    let mut by_id: BTreeMap<&str, NodeRef<'_, Node>> = BTreeMap::new();
    for node in page.tree.root().descendants() {
        let element = node.value().as_element();
        if let Some(id) = element.and_then(|element| element.id().or_else(|| element.attr("name")))
        {
            by_id.entry(id).or_insert(node);
        }
    }
    let mut found: BTreeSet<NodeId> = BTreeSet::new();
    for node in page.tree.root().descendants() {
        let is_list = matches!(name(node), Some("ul" | "ol"));
        let is_inside = || node.ancestors().any(|above| found.contains(&above.id()));
        if is_list && lists_headings(node, &by_id) && !is_inside() {
            found.insert(with_title(node).id());
        }
    }
    found.into_iter().collect()
}

fn name(node: NodeRef<'_, Node>) -> Option<&str> {
    node.value().as_element().map(scraper::node::Element::name)
}

/// Returns `true` if all words of a list are links to headings, two at least.
fn lists_headings(list: NodeRef<'_, Node>, by_id: &BTreeMap<&str, NodeRef<'_, Node>>) -> bool {
    let links: Vec<NodeRef<'_, Node>> =
        list.descendants().filter(|node| name(*node) == Some("a")).collect();
    let leads_to_heading = |link: &NodeRef<'_, Node>| {
        let href = link.value().as_element().and_then(|element| element.attr("href"));
        let target = href.and_then(|href| href.strip_prefix('#')).and_then(|id| by_id.get(id));
        target.is_some_and(|target| is_heading(*target))
    };
    let is_word = |node: &NodeRef<'_, Node>| {
        let text = node.value().as_text();
        text.is_some_and(|text| text.chars().any(char::is_alphabetic))
    };
    let is_linked = |text: NodeRef<'_, Node>| {
        let mut around = text.ancestors().take_while(|above| above.id() != list.id());
        around.any(|above| name(above) == Some("a"))
    };
    links.len() > 1
        && links.iter().all(leads_to_heading)
        && list.descendants().filter(is_word).all(is_linked)
}

/// Returns `true` for a heading, what begins with one, and an anchor right in front of one.
fn is_heading(node: NodeRef<'_, Node>) -> bool {
    let is_level = |node: NodeRef<'_, Node>| name(node).and_then(heading_level).is_some();
    let within = node.ancestors().take(2).any(is_level);
    let next = node.next_siblings().find(|next| next.value().is_element());
    let is_empty = !node
        .descendants()
        .take(TITLE_NODES)
        .any(|below| below.value().as_text().is_some_and(|text| !text.trim().is_empty()));
    is_level(node)
        || within
        || first_element(node)
            .is_some_and(|first| is_level(first) || first_element(first).is_some_and(is_level))
        || is_empty && next.is_some_and(is_level)
}

fn first_element(node: NodeRef<'_, Node>) -> Option<NodeRef<'_, Node>> {
    node.children().find(|child| child.value().is_element())
}

/// The element around a list that holds nothing besides it but a title.
fn with_title(list: NodeRef<'_, Node>) -> NodeRef<'_, Node> {
    let is_part = |node: &NodeRef<'_, Node>| {
        let is_whole =
            matches!(name(*node), None | Some("html" | "body" | "main" | "article" | "section"));
        if is_whole {
            return false;
        }
        // The list itself aside.
        let (mut count, mut nodes, mut inside) = (0, 0, false);
        for edge in node.traverse() {
            match edge {
                Edge::Open(below) if below.id() == list.id() => inside = true,
                Edge::Close(below) if below.id() == list.id() => inside = false,
                Edge::Open(below) if !inside => {
                    nodes += 1;
                    let text = below.value().as_text();
                    count += text.map_or(0, |text| text.trim().chars().count());
                }
                Edge::Open(_) | Edge::Close(_) => {}
            }
            if count > TITLE_CHARS || nodes > TITLE_NODES {
                return false;
            }
        }
        true
    };
    list.ancestors().take_while(is_part).last().unwrap_or(list)
}
