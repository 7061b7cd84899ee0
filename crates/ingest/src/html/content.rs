//! The parts of a page that are its content.

use ego_tree::NodeRef;
use scraper::node::Element;
use scraper::{Html, Node};

use super::Layout;
use super::furniture::words_of_name;
use super::hiding::{is_hidden, is_struck};

/// Elements that hold no text to read, or only the text of controls.
const SILENT: &[&str] = &[
    "annotation", "applet", "area", "audio", "base", "canvas", "datalist", "embed", "head",
    "iframe", "img", "input", "link", "map", "meta", "meter", "noembed", "noframes", "noscript",
    "object", "picture", "progress", "script", "select", "style", "svg", "template", "textarea",
    "title", "video",
];

/// Elements and roles around the content of a page.
const FURNITURE: &[&str] = &["nav", "footer"];
// Within the content a header holds its title, and an aside a remark.
const FURNITURE_OUTSIDE: &[&str] = &["header", "aside"];
const FURNITURE_ROLES: &[&str] = &[
    "banner", "complementary", "contentinfo", "menu", "menubar", "navigation", "search", "toolbar",
];

/// Names that pages without such elements give to the same parts.
const FURNITURE_NAMES: &[&str] = &[
    "breadcrumb",
    "breadcrumbs",
    "catlinks",
    "contentSub",
    "cookie-banner",
    "mw-editsection",
    "mw-jump-link",
    "navbar",
    "navigation",
    "page-footer",
    "printfooter",
    "secedit",
    "sidebar",
    "bd-header-article",
    "dsq-brlink",
    "site-footer",
    "site-header",
    "siteSub",
    "skip-link",
    "sourceline",
    "theme-doc-toc-mobile",
    "theme-doc-version-badge",
    "theme-doc-version-banner",
    "theme-edit-this-page",
];

/// Finds the node that holds the content of a page.
pub(super) fn root(page: &Html, layout: Layout) -> NodeRef<'_, Node> {
    let whole = page.tree.root();
    if layout == Layout::Text {
        return whole;
    }
    let is_main =
        |element: &Element| element.name() == "main" || element.attr("role") == Some("main");
    let mains = find(page, is_main);
    let articles = find(page, |element| element.name() == "article");
    match (mains.as_slice(), articles.as_slice()) {
        ([main, ..], _) if has_text(*main) => *main,
        // Several articles are a list of news, and all of them the content.
        ([], [article]) if has_text(*article) => *article,
        _ => whole,
    }
}

/// Returns `true` if a page marks its content.
pub(super) fn is_marked(page: &Html) -> bool {
    page.tree.values().filter_map(Node::as_element).any(|element| {
        matches!(element.name(), "main" | "article") || element.attr("role") == Some("main")
    })
}

fn find(page: &Html, wanted: impl Fn(&Element) -> bool) -> Vec<NodeRef<'_, Node>> {
    page.tree
        .root()
        .descendants()
        .filter(|node| node.value().as_element().is_some_and(&wanted))
        .collect()
}

fn has_text(node: NodeRef<'_, Node>) -> bool {
    node.descendants().filter_map(|node| node.value().as_text()).any(|text| !text.trim().is_empty())
}

/// The reason why an element is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    /// It holds nothing to read, or belongs to the site rather than the page.
    Silent,
    /// It holds text that a browser does not show: to be reported.
    Hidden,
    /// It holds text that is struck out: to be reported.
    Struck,
}

/// Decides whether, and why, an element and all within it are passed over.
pub(super) fn skip(node: NodeRef<'_, Node>, element: &Element, layout: Layout) -> Option<Skip> {
    let name = element.name();
    if SILENT.contains(&name) || is_footnote_mark(element) || is_name_of_language(node, element) {
        return Some(Skip::Silent);
    }
    // After the silent ones: a script that is hidden holds no text to report.
    if is_hidden(node, element) {
        return Some(Skip::Hidden);
    }
    if is_struck(element) {
        return Some(Skip::Struck);
    }
    (layout == Layout::Page && is_furniture(node, element)).then_some(Skip::Silent)
}

fn is_furniture(node: NodeRef<'_, Node>, element: &Element) -> bool {
    let name = element.name();
    let is_outside = || {
        !node
            .ancestors()
            .filter_map(|above| above.value().as_element())
            .any(|above| matches!(above.name(), "main" | "article"))
    };
    let named = |value: &str| FURNITURE_NAMES.contains(&value);
    FURNITURE.contains(&name)
        || element.attr("role").is_some_and(|role| FURNITURE_ROLES.contains(&role))
        || element.id().is_some_and(named)
        || element.classes().any(named)
        || (FURNITURE_OUTSIDE.contains(&name) && is_outside() && !is_remark(node, name))
        || is_feed(element)
}

/// Siblings among which a remark's paragraphs are looked for.
const NEIGHBOURS: usize = 20;

/// Names of remarks.
const REMARKS: &[&str] =
    &["admonition", "callout", "caution", "hint", "important", "note", "remark", "tip", "warning"];

/// Returns `true` for an aside that is called a remark and follows a paragraph: where a page marks no content, a sidebar
/// would be called otherwise, and stand beside blocks.
fn is_remark(node: NodeRef<'_, Node>, name: &str) -> bool {
    let is_text = |beside: NodeRef<'_, Node>| {
        beside.value().as_element().is_some_and(|element| element.name() == "p") && has_text(beside)
    };
    let is_called = |element: &Element| {
        let mut words = element.classes().flat_map(words_of_name);
        words.any(|word| REMARKS.contains(&word.as_str()))
    };
    name == "aside"
        && node.value().as_element().is_some_and(is_called)
        && node.prev_siblings().take(NEIGHBOURS).any(is_text)
}

/// Returns `true` for a link to a feed, which only programs read.
fn is_feed(element: &Element) -> bool {
    let says = |name: &str, word: &str| {
        element.attr(name).is_some_and(|value| value.to_ascii_lowercase().contains(word))
    };
    element.name() == "a"
        && says("rel", "alternate")
        && (says("type", "atom+xml") || says("type", "rss+xml"))
}

/// Returns `true` for the name of a program's language that stands above it, as its block is called: `<div
/// class="language-sh"><span>sh</span><pre>`.
fn is_name_of_language(node: NodeRef<'_, Node>, element: &Element) -> bool {
    let around = || node.parent().and_then(|around| around.value().as_element());
    let is_before_code = || {
        let mut after = node.next_siblings().filter_map(|after| after.value().as_element());
        after.next().is_some_and(|after| after.name() == "pre")
    };
    let text =
        || node.first_child().and_then(|child| child.value().as_text()).map(|text| text.trim());
    let is_language = |class: &str| {
        class.strip_prefix("language-").is_some_and(|language| text() == Some(language))
    };
    element.name() == "span"
        && around().is_some_and(|around| around.classes().any(is_language))
        && is_before_code()
}

/// The numbers that Markdown's footnotes leave in the text: read as part of it they would change
/// figures (`20` and a mark `1` is not `201`).
fn is_footnote_mark(element: &Element) -> bool {
    element.name() == "sup"
        && element
            .classes()
            .any(|class| matches!(class, "footnote-reference" | "footnote-definition-label"))
        || element.classes().any(|class| class == "headerlink")
}
