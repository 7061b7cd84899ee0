//! Notes: moved behind the paragraph, item or cell that refers to them.
//!
//! Generators print notes at the end of a page, where nothing ties them to what they limit, and their marks stand behind a word
//! or a figure: `EUR 95` with a mark is not `EUR 951`. A link counts as such a mark if it is short and its target leads back to it,
//! or says by its role or class that it is a note.

use std::collections::{BTreeMap, BTreeSet};

use ego_tree::{NodeId, NodeRef};
use scraper::node::Element;
use scraper::{Html, Node};

use super::walk::{heading_level, is_block};
use crate::inline::single_spaced;

/// The longest mark, in characters: `[12]`, `***`.
const MARK_CHARS: usize = 6;
/// Notes of one page; each is copied for every place that refers to it.
const MOST_NOTES: usize = 2_000;
/// The longest note that is moved, in bytes.
const NOTE_BYTES: usize = 10_000;
/// Elements and texts of a note and of a mark: what has more is none, and a page may link to its own body ten thousand times.
const NOTE_NODES: usize = 2_000;
const MARK_NODES: usize = 50;
/// Parts of names by which references and notes are known.
const NAMES: &[&str] = &["footnote", "endnote", "noteref", "reference", "sidenote", "cite", "ftn"];

/// Moves the notes of a page to where they are referred to.
pub(crate) fn move_notes(page: &mut Html) {
    let references = references(page);
    let mut moved: Vec<NodeId> = Vec::new();
    // The last note behind each place: further ones stand behind it.
    let mut last: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for reference in references {
        let text = page.tree.get(reference.note).map(|note| note_text(note, &reference.marks));
        let Some(text) = text.filter(|text| !text.is_empty() && text.len() <= NOTE_BYTES) else {
            continue;
        };
        let behind = *last.get(&reference.place).unwrap_or(&reference.place);
        let (name, source) = if reference.is_inside {
            ("i", format!("<i> ({text})</i>"))
        } else {
            ("p", format!("<p>{text}</p>"))
        };
        let fragment = page.tree.extend_tree(Html::parse_fragment(&source).tree).id();
        let Some(fragment) = page.tree.get(fragment) else { continue };
        let is_note = |node: &NodeRef<'_, Node>| {
            node.value().as_element().is_some_and(|element| element.name() == name)
        };
        let note = fragment.descendants().find(is_note).map(|note| note.id());
        if let (Some(note), Some(mut place)) = (note, page.tree.get_mut(behind)) {
            if reference.is_inside {
                place.append_id(note);
            } else {
                place.insert_id_after(note);
                last.insert(reference.place, note);
            }
        }
        moved.push(reference.note);
        if let Some(mut mark) = page.tree.get_mut(reference.mark) {
            mark.detach();
        }
    }
    for note in moved {
        if let Some(mut note) = page.tree.get_mut(note) {
            note.detach();
        }
    }
}

/// A place that refers to a note.
struct Reference {
    /// What is shown of it.
    mark: NodeId,
    note: NodeId,
    /// The element behind which the note is to stand, or at whose end.
    place: NodeId,
    is_inside: bool,
    /// The ids of all its marks, to which the note leads back.
    marks: Vec<String>,
}

fn references(page: &Html) -> Vec<Reference> {
    let mut by_id: BTreeMap<String, NodeRef<'_, Node>> = BTreeMap::new();
    let mut links = Vec::new();
    for node in page.tree.root().descendants() {
        let Some(element) = node.value().as_element() else { continue };
        for name in ["id", "name"] {
            if let Some(id) = element.attr(name) {
                by_id.entry(id.to_owned()).or_insert(node);
            }
        }
        let target = element.attr("href").and_then(|href| href.strip_prefix('#'));
        if let Some(target) = target.filter(|target| element.name() == "a" && !target.is_empty()) {
            links.push((node, target));
        }
    }
    let mut found = Vec::new();
    let mut notes = BTreeSet::new();
    for (link, target) in links {
        // What a note refers to stays in the note.
        let is_in_note = link.ancestors().any(|above| notes.contains(&above.id()));
        if found.len() >= MOST_NOTES || is_in_note {
            continue;
        }
        let target = by_id.get(target).copied();
        if let Some(reference) = target.and_then(|target| reference(link, target)) {
            notes.insert(reference.note);
            found.push(reference);
        }
    }
    found
}

/// The reference that a link is, if it is one.
fn reference(link: NodeRef<'_, Node>, target: NodeRef<'_, Node>) -> Option<Reference> {
    let shown = text_of(link);
    let is_mark = !shown.is_empty() && shown.chars().count() <= MARK_CHARS && !shown.contains(' ');
    // The number that leads from a note back to its place is none, and a link within a note neither.
    let note = note_of(target);
    let is_in_note = link.ancestors().any(|above| above.id() == note.id());
    let leads_away = link.value().as_element().is_some_and(is_back_link);
    if !is_mark
        || is_in_note
        || note.descendants().nth(NOTE_NODES).is_some()
        || leads_away
        || target.ancestors().any(|above| above.id() == link.id())
    {
        return None;
    }
    let mark = mark_of(link);
    let is_inline = |node: &NodeRef<'_, Node>| {
        node.value().as_element().is_some_and(|element| !is_block(element.name()))
    };
    let around = [Some(link), Some(mark), link.parent().filter(is_inline)];
    let marks: Vec<String> = around
        .into_iter()
        .flatten()
        .chain(link.descendants().take(MARK_NODES))
        .filter_map(|node| node.value().as_element())
        .flat_map(|element| [element.attr("id"), element.attr("name")])
        .flatten()
        .map(str::to_owned)
        .collect();
    let leads_back = note.descendants().take(NOTE_NODES).any(|node| {
        let element = node.value().as_element();
        let target = element.and_then(|element| element.attr("href")?.strip_prefix('#'));
        target.is_some_and(|target| marks.iter().any(|mark| mark == target))
    });
    let is_raised = link
        .ancestors()
        .take(2)
        .chain(link.descendants().take(MARK_NODES))
        .any(|node| node.value().as_element().is_some_and(|element| element.name() == "sup"));
    let is_named = |node: NodeRef<'_, Node>| node.value().as_element().is_some_and(says_note);
    let says_so = is_named(mark) || link.descendants().take(MARK_NODES).any(is_named);
    let is_note = is_named(note) || is_named(target);
    // Two signs: a note that leads back, and a mark that is raised or named; or both named.
    let is_reference = leads_back && (is_raised || says_so || is_note) || says_so && is_note;
    if !is_reference {
        return None;
    }
    let place = mark
        .ancestors()
        .find(|above| above.value().as_element().is_some_and(|element| is_block(element.name())))?;
    let name = place.value().as_element().map(Element::name).unwrap_or_default();
    let is_inside = !(name == "p" || heading_level(name).is_some());
    Some(Reference { mark: mark.id(), note: note.id(), place: place.id(), is_inside, marks })
}

/// Returns `true` if a link says that it leads from a note to its place.
fn is_back_link(link: &Element) -> bool {
    link.attr("role") == Some("doc-backlink") || link.classes().any(|class| class.contains("back"))
}

/// Returns `true` if an element says by its name that it belongs to a note.
fn says_note(element: &Element) -> bool {
    let role = element.attr("role").unwrap_or_default();
    let kind = element.attr("epub:type").unwrap_or_default();
    let is_named = |name: &str| NAMES.iter().any(|part| name.to_ascii_lowercase().contains(part));
    matches!(role, "doc-noteref" | "doc-footnote" | "doc-endnote")
        || is_named(kind)
        || element.attr("data-footnote-ref").is_some()
        || element.classes().any(is_named)
}

/// The whole of a mark: the brackets or the raised letters around the link.
fn mark_of(link: NodeRef<'_, Node>) -> NodeRef<'_, Node> {
    let shown = text_of(link);
    let is_only_mark = |node: &NodeRef<'_, Node>| {
        let element = node.value().as_element();
        let is_inline = element.is_some_and(|element| !is_block(element.name()));
        let own = text_of(*node);
        is_inline
            && own.trim_matches(['[', ']', '(', ')']) == shown.trim_matches(['[', ']', '(', ')'])
    };
    link.ancestors().take_while(is_only_mark).last().unwrap_or(link)
}

/// The element that holds a note whose anchor is `target`.
fn note_of(target: NodeRef<'_, Node>) -> NodeRef<'_, Node> {
    let is_own = |node: &NodeRef<'_, Node>| {
        node.value().as_element().is_some_and(|element| is_block(element.name()))
    };
    if is_own(&target) { target } else { target.ancestors().find(is_own).unwrap_or(target) }
}

fn text_of(node: NodeRef<'_, Node>) -> String {
    let nodes = node.descendants().take(MARK_NODES);
    let texts = nodes.filter_map(|below| below.value().as_text());
    // More than a mark has, whatever a page puts into a link.
    let text: String = texts.flat_map(|text| text.chars()).take(200).collect();
    single_spaced(&text)
}

/// The words of a note with their links, as HTML, without its number and what leads back.
fn note_text(note: NodeRef<'_, Node>, marks: &[String]) -> String {
    let leads_back = |element: &Element| {
        let target = element.attr("href").and_then(|href| href.strip_prefix('#'));
        let is_back = target.is_some_and(|target| {
            marks.iter().any(|mark| mark == target) || is_arrow(element, target)
        });
        let is_label = element.classes().any(|class| {
            matches!(
                class,
                "label" | "fn-bracket" | "footnote-definition-label" | "mw-cite-backlink"
            )
        });
        element.name() == "a" && is_back || is_label || element.attr("role") == Some("doc-backlink")
    };
    let mut text = String::new();
    let mut skipping: Option<NodeId> = None;
    for edge in note.traverse() {
        match edge {
            ego_tree::iter::Edge::Open(node) if skipping.is_none() => match node.value() {
                Node::Text(words) => text.push_str(&escaped(words)),
                Node::Element(element) if leads_back(element) => skipping = Some(node.id()),
                Node::Element(element) if element.name() == "a" => {
                    let target = escaped(element.attr("href").unwrap_or_default());
                    text.extend(["<a href=\"", &target.replace('"', "%22"), "\">"]);
                }
                Node::Element(element) if is_block(element.name()) || element.name() == "br" => {
                    text.push(' ');
                }
                _ => {}
            },
            ego_tree::iter::Edge::Close(node) => {
                let is_link =
                    node.value().as_element().is_some_and(|element| element.name() == "a");
                if skipping == Some(node.id()) {
                    skipping = None;
                } else if skipping.is_none() && is_link {
                    text.push_str("</a>");
                }
            }
            ego_tree::iter::Edge::Open(_) => {}
        }
    }
    let text = single_spaced(&text);
    let arrows = ['↩', '\u{fe0e}', '↑', '^', '⏎', '↵', ' '];
    text.trim_end_matches(arrows).trim_start_matches(['.', ':', ')', ']', ' ', '↑', '^']).to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A link back to another place that refers to the same note.
fn is_arrow(element: &Element, target: &str) -> bool {
    says_note(element)
        || element.classes().any(|class| class.contains("backref") || class.contains("footnote"))
        || target.contains("ref")
}
