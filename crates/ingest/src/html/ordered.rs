//! The numbers of ordered lists, which a browser writes and the source does not hold.
//!
//! A reader of the page sees `5.` in front of the fifth rule, refers to it ("rule 5") and asks for it. The numbers are
//! counted before notes are moved out of their lists, and written into the page as text once all that is furniture is gone:
//! paragraphs, tables and headings then have them without knowing of lists.

use std::collections::BTreeMap;

use campanile_text::enumerator;
use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use scraper::node::{Element, Text};
use scraper::{Html, Node};

use super::Layout;
use super::hiding::is_hidden;
use super::list_style::{ListStyle, StyleSheet};
use super::walk::{heading_level, is_block};

/// Nodes of an item that are looked through for its first words: marks and anchors stand in front of them, no more.
// Each item is looked at from every list around it, and a hostile page nests two thousand of them.
const OPENING_NODES: usize = 50;

/// The numbers of a page's items, as a reader of the page sees them: `5.`, `a.`, `(iv)`.
pub(crate) struct ListNumbers(Vec<(NodeId, String)>);

/// A list that is being counted.
struct OpenList {
    /// `None` for a list without numbers.
    style: Option<ListStyle>,
    next: i64,
    step: i64,
}

/// Counts the items of a page's ordered lists.
pub(crate) fn list_numbers(page: &Html) -> ListNumbers {
    let sheet = StyleSheet::of(page);
    let mut open: Vec<OpenList> = Vec::new();
    let mut found = Vec::new();
    for edge in page.tree.root().traverse() {
        let (node, is_open) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        let Some(element) = node.value().as_element() else { continue };
        match element.name() {
            "ol" | "ul" | "menu" | "dir" if !is_open => {
                open.pop();
            }
            "ol" => open.push(opened(node, element, &sheet)),
            "ul" | "menu" | "dir" => open.push(OpenList { style: None, next: 1, step: 1 }),
            "li" if is_open => {
                let number = open.last_mut().and_then(|list| next_number(list, node, element));
                found.extend(number.map(|number| (node.id(), number)));
            }
            _ => {}
        }
    }
    ListNumbers(found)
}

fn opened(list: NodeRef<'_, Node>, element: &Element, sheet: &StyleSheet) -> OpenList {
    let is_reversed = element.attr("reversed").is_some();
    let first = || if is_reversed { items(list).count() } else { 1 };
    let start = element.attr("start").and_then(integer);
    let next = start.unwrap_or_else(|| i64::try_from(first()).unwrap_or(1));
    let is_counted = !numbers_itself(list) && !lists_articles(list);
    let style = sheet.style_of(list, items(list).next()).filter(|_| is_counted);
    OpenList { style, next, step: if is_reversed { -1 } else { 1 } }
}

/// The number of an item, as it is shown.
fn next_number(list: &mut OpenList, item: NodeRef<'_, Node>, element: &Element) -> Option<String> {
    let style = list.style.as_ref()?;
    // What is not laid out is not counted.
    if is_hidden(item, element) {
        return None;
    }
    let number = element.attr("value").and_then(integer).unwrap_or(list.next);
    list.next = number.saturating_add(list.step);
    Some(style.written(number))
}

fn integer(value: &str) -> Option<i64> {
    value.trim().parse::<i32>().ok().map(i64::from)
}

fn items(list: NodeRef<'_, Node>) -> impl Iterator<Item = NodeRef<'_, Node>> {
    list.children()
        .filter(|node| node.value().as_element().is_some_and(|element| element.name() == "li"))
}

/// Returns `true` if each item begins with a number of its own: a style sheet takes the list's away then, and what is
/// written is what counts (`(3)` of a law).
fn numbers_itself(list: NodeRef<'_, Node>) -> bool {
    let begins = |item: NodeRef<'_, Node>| {
        let mut texts =
            item.descendants().take(OPENING_NODES).filter_map(|node| node.value().as_text());
        let first = texts.find(|text| !text.trim().is_empty());
        let first = first.and_then(|text| text.split_whitespace().next());
        first.is_some_and(|word| enumerator(word).is_some() || word == "§" || is_decimal(word))
    };
    let mut items = items(list).peekable();
    items.peek().is_some() && items.all(begins)
}

/// Returns `true` for a list of articles, as the pages of a weblog have it: no theme shows numbers in front of those.
fn lists_articles(list: NodeRef<'_, Node>) -> bool {
    let first = items(list).next().and_then(|item| {
        item.children()
            .find(|child| child.value().is_element())
            .and_then(|child| child.value().as_element())
    });
    first.is_some_and(|element| element.name() == "article")
}

/// `2.1`, `2.1.`
fn is_decimal(word: &str) -> bool {
    let parts: Vec<&str> = word.trim_end_matches('.').split('.').collect();
    parts.len() > 1
        && parts.iter().all(|part| {
            (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Writes the numbers in front of the first words of their items.
pub(crate) fn write_numbers(page: &mut Html, numbers: ListNumbers, layout: Layout) {
    // An item may begin with a list: the numbers of both stand in one line (`6. a.`), the outer one first.
    let mut by_place: BTreeMap<NodeId, String> = BTreeMap::new();
    for (item, number) in numbers.0 {
        let place = page.tree.get(item).and_then(|item| opening(item, layout));
        if let Some(place) = place {
            by_place.entry(place).or_default().extend([number.as_str(), " "]);
        }
    }
    for (place, text) in by_place {
        if let Some(mut place) = page.tree.get_mut(place) {
            place.prepend(Node::Text(Text { text: text.as_str().into() }));
        }
    }
}

/// The element that an item's first words stand in; `None` for an item that shows none, and for a heading to which the
/// page's generator makes an anchor of its words.
fn opening(item: NodeRef<'_, Node>, layout: Layout) -> Option<NodeId> {
    let mut place = item;
    loop {
        let first = place.children().take(OPENING_NODES).find(|child| says_something(*child))?;
        let name = first.value().as_element().map_or("", Element::name);
        if heading_level(name).is_some() && layout == Layout::Text {
            return None;
        }
        if !is_block(name) || matches!(name, "table" | "pre") {
            return Some(place.id());
        }
        place = first;
    }
}

fn says_something(node: NodeRef<'_, Node>) -> bool {
    if node.value().as_element().is_some_and(|element| is_hidden(node, element)) {
        return false;
    }
    let mut texts =
        node.descendants().take(OPENING_NODES).filter_map(|node| node.value().as_text());
    texts.any(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    fn text(path: &str, source: &str) -> String {
        let reading = read_bytes(path, source.as_bytes(), &Default::default());
        reading
            .ok()
            .and_then(|reading| reading.documents.into_iter().next())
            .unwrap_or_default()
            .text
    }

    /// Cases: what each shows, the page, its text.
    const CASES: &[(&str, &str, &str)] = &[
        ("plain", "<ol><li>Book a lamp<li>Return it</ol>", "1. Book a lamp\n2. Return it"),
        ("start", "<ol start=4><li>Book<li><p>Return</p></ol>", "4. Book\n5. Return"),
        ("a value of one", "<ol><li>A<li value=7>B<li>C</ol>", "1. A\n7. B\n8. C"),
        ("reversed", "<ol reversed><li>A<li>B<li>C</ol>", "3. A\n2. B\n1. C"),
        ("reversed from", "<ol reversed start=9><li>A<li>B</ol>", "9. A\n8. B"),
        ("letters", "<ol type=a><li>A<li>B</ol>", "a. A\nb. B"),
        ("capital numerals", "<ol type=I start=3><li>A<li>B</ol>", "III. A\nIV. B"),
        ("no number there", "<ol start=-1><li>A<li>B<li>C</ol>", "-1. A\n0. B\n1. C"),
        ("after the alphabet", "<ol type=a start=26><li>A<li>B<li>C</ol>", "z. A\naa. B\nab. C"),
        (
            "a list in a list",
            "<ol><li>Visitors:<ol type=a><li>sign<li>leave</ol>all of them<li>Staff</ol>",
            "1. Visitors:\na. sign\nb. leave\nall of them\n2. Staff",
        ),
        ("a list that begins an item", "<ol><li><ol type=i><li>A<li>B</ol></ol>", "1. i. A\nii. B"),
        ("signs between", "<ol><li>A<ul><li>x<li>y</ul><li>B</ol>", "1. A\nx\ny\n2. B"),
        ("a link", "<ol><li><a href=x>Book</a> it</ol>", "1. Book it"),
        ("hidden", "<ol><li>A<li hidden>B<li>C</ol>", "1. A\n2. C"),
        ("nothing to read", "<ol><li>A<li><img src=x><li>C</ol>", "1. A\n3. C"),
        (
            "styles of their own",
            "<ol style='list-style-type: lower-roman'><li>A</ol><ol style='list-style:upper-alpha inside'><li>B</ol>",
            "i. A\nA. B",
        ),
        (
            "a style sheet",
            "<style>/* x */ .par > li { list-style: lower-alpha } @media print { ol { list-style: none } }\
             ol ol { list-style-type: upper-roman }</style>\
             <ol class=par><li>A</ol><ol><li>B<ol><li>C</ol></ol>",
            "a. A\n1. B\nI. C",
        ),
        (
            "a counter that is told",
            "<style>.law { list-style: none; counter-reset: p } .law li { counter-increment: p }\
             .law > li::before { content: \"(\" counter(p, lower-alpha) \") \"; }</style>\
             <ol class=law><li>A<li>B</ol>",
            "(a) A\n(b) B",
        ),
        (
            "a counter that is not",
            "<style>ol { list-style: none } ol li::before { content: counters(p, '.') }</style>\
             <ol><li>A<li>B</ol>",
            "1. A\n2. B",
        ),
        ("none", "<style>.x { list-style: none }</style><ol class=x><li>A<li>B</ol>", "A\nB"),
        ("a class of a framework", "<ol class='loweralpha simple'><li>A<li>B</ol>", "a. A\nb. B"),
        ("written already", "<ol><li>(1) A<li>(2) B</ol><ol><li>2.1 C</ol>", "(1) A\n(2) B\n2.1 C"),
        ("a heading", "<ol><li><h3 id=b>Book</h3><p>At the desk.</ol>", "1. Book\n\nAt the desk."),
        (
            "articles of a weblog",
            "<ol><li><article><h2>Keys</h2><p>At the desk.</article><li><article><h2>Lamps</h2><p>Here.</article></ol>",
            "Keys\n\nAt the desk.\n\nLamps\n\nHere.",
        ),
        (
            "a cell",
            "<table><tr><th>Room<th>Rules<tr><td>2<td><ol><li>Quiet<li>Clean</ol></table>",
            "Room: 2; Rules: 1. Quiet, 2. Clean",
        ),
    ];

    #[test]
    fn items_have_the_numbers_that_a_browser_shows() {
        for (name, source, expected) in CASES {
            assert_eq!(text("a.html", source), *expected, "{name}");
        }
    }

    #[test]
    fn notes_that_were_moved_leave_the_numbers_of_others_alone() {
        let source = "<p>A fee<sup id=r1><a href='#n1'>1</a></sup>.</p>\
                      <ol><li id=n1 role=doc-footnote>For two. <a href='#r1'>↩</a><li>Never moved.</ol>";
        assert_eq!(text("a.html", source), "A fee.\n\nFor two.\n\n2. Never moved.");
    }
}
