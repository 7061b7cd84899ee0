//! The parts of a page that are its content.

use ego_tree::NodeRef;
use scraper::node::Element;
use scraper::{Html, Node};

use super::Layout;
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
    "breadcrumb", "breadcrumbs", "catlinks", "contentSub", "cookie-banner", "mw-editsection",
    "mw-jump-link", "navbar", "navigation", "page-footer", "printfooter", "secedit", "sidebar",
    "site-footer", "site-header", "siteSub", "skip-link", "theme-doc-toc-mobile",
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
    if SILENT.contains(&name) || is_footnote_mark(element) {
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
        || (FURNITURE_OUTSIDE.contains(&name) && is_outside())
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
