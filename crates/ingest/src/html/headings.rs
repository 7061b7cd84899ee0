//! The headings that a page may take its title from.

use ego_tree::NodeRef;
use scraper::node::Element;
use scraper::{Html, Node};

use super::Layout;
use super::furniture::words_of_name;
use super::hiding::is_hidden;
use super::walk::{inline_of, without_mark};
use crate::assemble::Assembler;
use crate::inline::shortened;
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::site::{Names, parts};

/// Longest title, in characters.
const TITLE_CHARS: usize = 200;
/// Beyond so many headings of the first level none is the title, and looking at all takes its time.
const MOST_HEADINGS: usize = 20;

/// The headings of the first level outside of menus and footers.
#[derive(Debug, Default)]
pub(super) struct Headings {
    /// Within the page's content.
    inside: Vec<String>,
    /// Around it; all of them on a page that does not mark its content.
    outside: Vec<String>,
    /// Those that link to the start page: names of the site.
    of_site: Vec<String>,
    /// The first words, where a word processor set them as the document's title.
    set_as_title: Option<String>,
}

/// Finds the headings of the page at `path`.
pub(super) fn of(page: &Html, path: &str) -> Headings {
    let mut headings = Headings::default();
    let mut is_first_text = true;
    for node in page.tree.root().descendants() {
        match node.value() {
            Node::Element(element)
                if element.name() == "h1" && headings.count() < MOST_HEADINGS =>
            {
                let above = || node.ancestors().chain([node]);
                let is_any = |is: &dyn Fn(NodeRef<'_, Node>, &Element) -> bool| {
                    above().any(|node| node.value().as_element().is_some_and(|own| is(node, own)))
                };
                if is_any(&|node, own| is_hidden(node, own) || is_around(own)) {
                    continue;
                }
                let Some(text) = text_of(node) else { continue };
                let kept = if links_to_start(node, &text, path) {
                    &mut headings.of_site
                } else if is_any(&|_, own| is_content(own)) {
                    &mut headings.inside
                } else {
                    &mut headings.outside
                };
                kept.push(text);
            }
            Node::Element(element)
                if is_first_text && headings.set_as_title.is_none() && is_set_as_title(element) =>
            {
                headings.set_as_title = text_of(node);
            }
            Node::Text(text) if is_first_text => {
                let is_shown = || {
                    let mut above = node.ancestors().filter_map(|above| above.value().as_element());
                    !above.any(|above| matches!(above.name(), "head" | "script" | "style"))
                };
                is_first_text = text.trim().is_empty() || !is_shown();
            }
            _ => {}
        }
    }
    headings
}

impl Headings {
    fn count(&self) -> usize {
        self.inside.len() + self.outside.len() + self.of_site.len()
    }

    /// The names that compete for the page's title.
    pub(super) fn names(
        self,
        stated: Option<String>,
        mut site: Vec<String>,
        content: &Assembler,
    ) -> Names {
        let opening = content.opening_heading().map(str::to_owned);
        let is_part_of_stated = |text: &str| {
            let is_same = |(_, part): &(String, &str)| part.eq_ignore_ascii_case(text);
            stated.as_deref().is_some_and(|stated| parts(stated).iter().any(is_same))
        };
        site.extend(self.of_site);
        let is_inside = !self.inside.is_empty();
        let mut candidates = if is_inside { self.inside } else { self.outside };
        let is_alone = candidates.len() == 1;
        let first = if candidates.is_empty() { None } else { Some(candidates.swap_remove(0)) };
        let heading = match (first, &opening) {
            // The content begins with another heading, which `<title>` names: what is above it is the site's.
            (Some(first), Some(opening))
                if !is_inside && first != *opening && is_part_of_stated(opening) =>
            {
                site.push(first);
                Some(opening.clone())
            }
            // Of several the first, where `<title>` agrees.
            (Some(first), _) => {
                let is_stated = || {
                    let begins = |stated: &str| stated.starts_with(first.as_str());
                    stated.as_deref().is_none_or(begins) || is_part_of_stated(&first)
                };
                (is_alone || is_stated()).then_some(first)
            }
            (None, _) => self.set_as_title.filter(|_| stated.is_none()),
        };
        Names { stated, heading, opening, site }
    }
}

/// Menus and the foot of a page, whose headings are their own.
fn is_around(element: &Element) -> bool {
    matches!(element.name(), "nav" | "footer" | "dialog")
        || matches!(element.attr("role"), Some("navigation" | "contentinfo" | "dialog"))
}

fn is_content(element: &Element) -> bool {
    matches!(element.name(), "main" | "article") || element.attr("role") == Some("main")
}

/// The words of a heading on one line; `None` where it has none.
fn text_of(heading: NodeRef<'_, Node>) -> Option<String> {
    let mut report = Report::default();
    let text = inline_of(heading, false, Layout::Text, &mut report).text;
    let text = clean_line(without_mark(&text), &mut report);
    (!text.is_empty()).then(|| shortened(&text, TITLE_CHARS))
}

/// Returns `true` if a heading is nothing but a link to the site's start page.
fn links_to_start(heading: NodeRef<'_, Node>, text: &str, path: &str) -> bool {
    let is_link = |node: NodeRef<'_, Node>| {
        let element = node.value().as_element().filter(|element| element.name() == "a");
        element
            .and_then(|element| element.attr("href"))
            .is_some_and(|address| is_start(address, path))
    };
    let is_whole = |node: NodeRef<'_, Node>| text_of(node).as_deref() == Some(text);
    heading.ancestors().any(is_link)
        || heading.descendants().any(|node| is_link(node) && is_whole(node))
}

/// Returns `true` for the address of a start page: `/`, `../..`, `https://www.example.edu`, `./index.html`.
fn is_start(address: &str, path: &str) -> bool {
    let address = address.trim();
    let bare = address.split(['#', '?']).next().unwrap_or_default();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_folders_page = !folder.is_empty() && file.starts_with("index.");
    let target = match bare.split_once("://") {
        Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
        None => bare,
    };
    let names_nothing =
        |part: &str| matches!(part, "" | "." | ".." | "index.htm" | "index.html" | "index.php");
    // `#fees` leads to the page itself, and so does `.` on the page of a folder.
    let leads_up = bare.starts_with("..") || bare.starts_with('/') || bare.contains("://");
    let is_own = is_folders_page && !leads_up;
    !bare.is_empty() && !is_own && target.split('/').all(names_nothing)
}

/// Classes by which word processors and converters mark a document's title: `MsoTitle`, `title`.
fn is_set_as_title(element: &Element) -> bool {
    element.name() == "p"
        && element.classes().any(|class| words_of_name(class).iter().any(|word| word == "title"))
}

/// Returns `true` if words can be typed on a page to be looked up, outside of its menus.
pub(super) fn has_search_field(page: &Html) -> bool {
    page.tree.root().descendants().any(|node| {
        let is_field = node.value().as_element().is_some_and(|element| {
            let is_typed = matches!(element.attr("type"), None | Some("search" | "text"));
            element.name() == "input" && is_typed
        });
        is_field
            && !node
                .ancestors()
                .filter_map(|above| above.value().as_element())
                .any(|above| is_around(above) || above.name() == "header")
    })
}
