//! The lines of a mail in HTML, changed where they stand.
//!
//! What the roles of lines are is decided as for plain text; tables, links and lists stay what they are.

use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use scraper::node::Text;
use scraper::{Html, Node};

use super::lines::MailLine;
use crate::html::is_block;

/// Names by which programs mark the signature. The text itself may not show where it begins.
const SIGNATURES: &[&str] = &[
    "applemailsignature",
    "gmail_signature",
    "moz-signature",
    "ms-outlook-mobile-signature",
    "protonmail_signature_block",
    "signature",
];

/// The lines of a page, each with the texts that it consists of.
#[derive(Debug, Default)]
pub(super) struct PageLines {
    pub(super) lines: Vec<MailLine>,
    nodes: Vec<Vec<NodeId>>,
}

impl PageLines {
    pub(super) fn of(page: &Html) -> Self {
        let mut found = Self::default();
        let (mut open, mut text) = (Vec::new(), String::new());
        let mut quotes = 0_usize;
        let mut silent = None;
        for edge in page.tree.root().traverse() {
            let (node, is_open) = match edge {
                Edge::Open(node) => (node, true),
                Edge::Close(node) => (node, false),
            };
            match node.value() {
                _ if silent == Some(node.id()) && !is_open => silent = None,
                _ if silent.is_some() => {}
                Node::Text(own) if is_open => {
                    text.push_str(own);
                    open.push(node.id());
                }
                Node::Element(element) => {
                    let name = element.name();
                    if is_open && matches!(name, "head" | "style" | "script" | "title") {
                        silent = Some(node.id());
                        continue;
                    }
                    if is_block(name) || name == "br" && is_open {
                        found.push(&mut text, &mut open, quotes > 0);
                    }
                    if name == "blockquote" {
                        quotes = if is_open { quotes + 1 } else { quotes.saturating_sub(1) };
                    }
                    if is_open && is_signature(node) {
                        // As in plain text; it belongs to no node, so nothing shows it.
                        found.push(&mut "--".to_owned(), &mut Vec::new(), quotes > 0);
                    }
                }
                _ => {}
            }
        }
        found.push(&mut text, &mut open, false);
        found
    }

    fn push(&mut self, text: &mut String, open: &mut Vec<NodeId>, is_quote: bool) {
        let text = std::mem::take(text).split_whitespace().collect::<Vec<_>>().join(" ");
        let nodes = std::mem::take(open);
        if !text.is_empty() {
            self.lines.push(MailLine { text, is_quote });
            self.nodes.push(nodes);
        }
    }

    /// Writes other words in place of a line, or none.
    pub(super) fn replace(&self, page: &mut Html, line: usize, words: &str) {
        for (number, node) in self.nodes.get(line).into_iter().flatten().enumerate() {
            let words = if number == 0 { words } else { "" };
            if let Some(mut node) = page.tree.get_mut(*node)
                && let Node::Text(text) = node.value()
            {
                *text = Text { text: words.into() };
            }
        }
    }

    /// Makes a quotation of all that stands behind a line.
    pub(super) fn quote_after(&self, page: &mut Html, line: usize) {
        let last = self.nodes.get(line).and_then(|nodes| nodes.last());
        let Some(last) = last.and_then(|last| page.tree.get(*last)) else { return };
        let is_body = |node: &NodeRef<'_, Node>| {
            node.value().as_element().is_some_and(|element| element.name() == "body")
        };
        let mut levels: Vec<NodeId> = vec![last.id()];
        levels.extend(last.ancestors().take_while(|node| !is_body(node)).map(|node| node.id()));
        let Some(body) = last.ancestors().find(is_body).map(|body| body.id()) else { return };
        let behind: Vec<NodeId> = levels
            .iter()
            .filter_map(|level| page.tree.get(*level))
            .flat_map(|level| level.next_siblings())
            .map(|sibling| sibling.id())
            .collect();
        let fragment = Html::parse_fragment("<blockquote></blockquote>");
        let fragment = page.tree.extend_tree(fragment.tree).id();
        let quote = page.tree.get(fragment).and_then(|fragment| {
            let is_quote = |node: &NodeRef<'_, Node>| {
                node.value().as_element().is_some_and(|element| element.name() == "blockquote")
            };
            fragment.descendants().find(is_quote).map(|quote| quote.id())
        });
        let Some(quote) = quote else { return };
        let behind: Vec<NodeId> = behind.into_iter().filter(|node| *node != quote).collect();
        if let Some(mut body) = page.tree.get_mut(body) {
            body.append_id(quote);
        }
        if let Some(mut quote) = page.tree.get_mut(quote) {
            for node in behind {
                quote.append_id(node);
            }
        }
    }
}

fn is_signature(node: NodeRef<'_, Node>) -> bool {
    node.value().as_element().is_some_and(|element| {
        let names = element.id().into_iter().chain(element.classes());
        let mut names = names.chain(element.attr("data-smartmail"));
        names.any(|name| SIGNATURES.contains(&name.to_ascii_lowercase().as_str()))
    })
}
