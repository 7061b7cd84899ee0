//! The navigation of a book: where each file stands in it, and what it is called.

use ego_tree::iter::Edge;
use scraper::Node;

use super::package::{Book, in_archive, local};
use crate::Trouble;
use crate::inline::single_spaced;
use crate::office::Element;

/// Entries of a table of contents: an index of a thousand pages has fewer.
const MOST_ENTRIES: usize = 20_000;

/// An entry of the table of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The file's name in the archive.
    pub(super) file: String,
    pub(super) label: String,
    /// From 1.
    pub(super) depth: u8,
}

#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) entries: Vec<Entry>,
    /// The files that show the table of contents as a page.
    printed: Vec<String>,
}

impl Contents {
    pub(super) fn of(book: &mut Book<'_>) -> Result<Self, Trouble> {
        let navigation = book.navigation.clone();
        let mut entries = match &navigation {
            Some(file) => {
                let source = book.text(file)?;
                of_page(file, &super::page::as_html(&source))
            }
            None => Vec::new(),
        };
        if entries.is_empty()
            && let Some(file) = book.older_navigation.clone()
            && let Some(tree) = book.tree(&file)
        {
            entries = of_tree(&file, &tree);
        }
        let printed = navigation.into_iter().chain(book.printed_contents.clone()).collect();
        Ok(Self { entries, printed })
    }

    /// Returns `true` for a file that only lists what the others hold.
    pub(super) fn is_printed(&self, file: &str) -> bool {
        !self.entries.is_empty() && self.printed.iter().any(|printed| printed == file)
    }

    /// The first entry that leads to a file.
    pub(super) fn place(&self, file: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.file == file)
    }
}

/// The entries of a navigation document: lists within lists.
fn of_page(file: &str, source: &str) -> Vec<Entry> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let Ok(page) = crate::html::parse(source) else { return Vec::new() };
    let navs = || {
        page.tree
            .root()
            .descendants()
            .filter(|node| node.value().as_element().is_some_and(|element| element.name() == "nav"))
    };
    let is_contents = |node: &ego_tree::NodeRef<'_, Node>| {
        node.value().as_element().is_some_and(|element| {
            let kind = element.attr("epub:type").or_else(|| element.attr("role"));
            kind.is_some_and(|kind| kind.contains("toc"))
        })
    };
    let Some(nav) = navs().find(is_contents).or_else(|| navs().next()) else { return Vec::new() };
    let mut entries = Vec::new();
    let mut depth = 0_u8;
    for edge in nav.traverse() {
        let (node, is_open) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        let Some(element) = node.value().as_element() else { continue };
        match (element.name(), is_open) {
            ("ol", true) => depth = depth.saturating_add(1),
            ("ol", false) => depth = depth.saturating_sub(1),
            ("a", true) if entries.len() < MOST_ENTRIES => {
                let texts = node.descendants().filter_map(|below| below.value().as_text());
                let label: String = texts.flat_map(|text| text.chars()).take(500).collect();
                entries.extend(entry(folder, element.attr("href"), &label, depth));
            }
            _ => {}
        }
    }
    entries
}

/// The entries of `toc.ncx`.
fn of_tree(file: &str, tree: &Element) -> Vec<Entry> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut entries = Vec::new();
    // The depth of a tree of XML has a limit of its own.
    fn add(folder: &str, element: &Element, depth: u8, entries: &mut Vec<Entry>) {
        for point in element.elements() {
            if local(point) != "navPoint" || entries.len() >= MOST_ENTRIES {
                continue;
            }
            let named = |name: &str| point.elements().find(|child| local(child) == name);
            let label = named("navLabel").map(Element::text).unwrap_or_default();
            let target = named("content").and_then(|content| content.attribute("src"));
            entries.extend(entry(folder, target, &label, depth));
            add(folder, point, depth.saturating_add(1), entries);
        }
    }
    if let Some(map) = tree.descendants().find(|element| local(element) == "navMap") {
        add(folder, map, 1, &mut entries);
    }
    entries
}

fn entry(folder: &str, target: Option<&str>, label: &str, depth: u8) -> Option<Entry> {
    let file = target?.split('#').next().filter(|file| !file.is_empty())?;
    let label = single_spaced(label);
    (!label.is_empty()).then(|| Entry {
        file: in_archive(folder, file),
        label,
        depth: depth.max(1),
    })
}
