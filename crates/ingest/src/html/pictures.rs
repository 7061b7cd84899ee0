//! What a picture says: `yes` behind a tick in a cell, a sentence where it stands by itself.

use ego_tree::NodeRef;
use scraper::node::Element;
use scraper::{ElementRef, Node};

use super::hiding::is_hidden;
use super::icons;
use super::walk::is_block;
use crate::inline::single_spaced;
use crate::{office, picture_words, tex};

/// So many neighbours of a picture are looked at to either side for text in its line.
// A row of icons has a handful; a page may hold thousands of pictures side by side.
const NEIGHBOURS: usize = 20;
/// A formula and what draws it have no more parts than this.
const FORMULA_NODES: usize = 500;

/// The words behind a picture or an icon, where it has some of its own.
pub(super) fn words(node: NodeRef<'_, Node>, element: &Element) -> Option<String> {
    let has_text = || {
        let mut texts = node.descendants().filter_map(|below| below.value().as_text());
        texts.any(|text| !text.trim().is_empty())
    };
    let title = || {
        let titles = node.descendants().find(|below| {
            below.value().as_element().is_some_and(|element| element.name() == "title")
        });
        let texts = titles?.descendants().filter_map(|below| below.value().as_text());
        Some(texts.map(|text| text.trim()).collect::<String>())
    };
    let label = element.attr("aria-label").map(str::to_owned);
    let found = match element.name() {
        _ if let Some(sign) = icons::sign(node, element) => return Some(sign.to_owned()),
        "img" => element.attr("alt").map(str::to_owned),
        "svg" => label.or_else(title),
        _ if element.attr("role") == Some("img") => label,
        "i" | "span" if !has_text() => label.or_else(|| element.attr("title").map(str::to_owned)),
        _ => None,
    }?;
    picture_words::of_a_sign(&found)
}

/// The words of a picture that stands by itself outside of tables, where they say something of their own.
pub(super) fn sentence(node: NodeRef<'_, Node>, element: &Element) -> Option<String> {
    let is_ornament = matches!(element.attr("role"), Some("presentation" | "none"));
    if element.name() != "img" || is_ornament || is_hidden(node, element) {
        return None;
    }
    let words = picture_words::sentence(element.attr("alt")?)?;
    stands_by_itself(node, &words).then_some(words)
}

/// Returns `true` if there is no other text in the block of a picture; a figure's caption says something else.
fn stands_by_itself(node: NodeRef<'_, Node>, words: &str) -> bool {
    let named = |node: NodeRef<'_, Node>, name: &str| {
        node.value().as_element().is_some_and(|element| element.name() == name)
    };
    let text_of = |node: NodeRef<'_, Node>| {
        let below = node.descendants().take(FORMULA_NODES);
        let texts: String = below.filter_map(|it| it.value().as_text()).map(|it| &**it).collect();
        single_spaced(&texts)
    };
    if let Some(figure) = node.ancestors().find(|above| named(*above, "figure")) {
        // A caption that is kept from those who hear the page is left out, since the picture says it.
        let is_read = |it: &NodeRef<'_, Node>| {
            it.value().as_element().is_some_and(|element| !is_hidden(*it, element))
        };
        let mut captions = figure
            .descendants()
            .take(FORMULA_NODES)
            .filter(|it| named(*it, "figcaption") && is_read(it));
        return captions.all(|caption| !text_of(caption).contains(words));
    }
    let is_block_element = |node: NodeRef<'_, Node>| {
        node.value().as_element().is_none_or(|element| is_block(element.name()))
    };
    // What stands in one line with it, within its block or between two others.
    let inline = |above: &NodeRef<'_, Node>| above.parent().is_none_or(is_block_element);
    let Some(line) = std::iter::once(node).chain(node.ancestors()).find(inline) else {
        return false;
    };
    let is_in_line = |beside: &NodeRef<'_, Node>| {
        beside.value().as_element().is_none_or(|element| !is_block(element.name()))
    };
    let before = line.prev_siblings().take(NEIGHBOURS).take_while(is_in_line);
    let after = line.next_siblings().take(NEIGHBOURS).take_while(is_in_line);
    before.chain(after).chain([line]).all(|beside| text_of(beside).is_empty())
}

/// The formula that an element is, in one line.
pub(super) fn formula(node: NodeRef<'_, Node>, element: &Element) -> Option<String> {
    if is_tex(element) {
        let source: String = node
            .descendants()
            .filter_map(|below| below.value().as_text())
            .map(|text| &**text)
            .collect();
        return tex::between_marks(&source);
    }
    let is_math = element.name() == "math";
    let source = is_math.then(|| ElementRef::wrap(node)).flatten()?.html();
    office::mathml(&source)
}

/// Returns `true` of an element in which a site's program leaves a formula for the browser to draw:
/// arithmatex of MkDocs, Sphinx, Pandoc.
pub(super) fn is_tex(element: &Element) -> bool {
    element.classes().any(|class| matches!(class, "math" | "arithmatex"))
}

/// Returns `true` if an element hides nothing but a formula that a drawing beside it shows.
pub(super) fn is_drawn_formula(node: NodeRef<'_, Node>) -> bool {
    let is_math = |below: NodeRef<'_, Node>| {
        below.value().as_element().is_some_and(|element| element.name() == "math")
    };
    let has_text = |below: NodeRef<'_, Node>| {
        below.value().as_text().is_some_and(|text| !text.trim().is_empty())
    };
    let is_outside = |text: NodeRef<'_, Node>| !text.ancestors().any(is_math);
    let Some(around) = node.parent() else { return false };
    node.descendants().take(FORMULA_NODES).any(is_math)
        && !around
            .descendants()
            .take(FORMULA_NODES)
            .filter(|below| has_text(*below))
            .any(is_outside)
        && around.children().filter(|child| child.value().is_element()).count() > 1
}

/// Returns `true` if the formula that an element draws stands beside it.
pub(super) fn is_beside_formula(node: NodeRef<'_, Node>) -> bool {
    let is_math = |below: NodeRef<'_, Node>| {
        below.value().as_element().is_some_and(|element| element.name() == "math")
    };
    let before = node.prev_siblings().find(|sibling| sibling.value().is_element());
    before.is_some_and(|before| before.descendants().take(FORMULA_NODES).any(is_math))
}

/// Returns `true` if an element holds all the text that a cell has.
pub(super) fn is_alone(node: NodeRef<'_, Node>, cell: NodeRef<'_, Node>) -> bool {
    let is_text = |below: &NodeRef<'_, Node>| {
        below.value().as_text().is_some_and(|text| !text.trim().is_empty())
    };
    cell.descendants()
        .filter(is_text)
        .all(|text| text.ancestors().any(|above| above.id() == node.id()))
}
