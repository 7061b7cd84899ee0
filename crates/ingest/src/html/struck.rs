//! Text that a rule of the page's own style sheet strikes out: `.old { text-decoration: line-through }`.

use std::collections::BTreeSet;

use ego_tree::NodeId;
use scraper::{ElementRef, Html, Selector};

use super::hiding::Style;
use super::style_sheet;
use crate::report::Report;

// Each is held against each element of the page.
/// Rules that strike out which are read of one page.
const MOST_RULES: usize = 20;
/// More than a report shows of one text.
const REPORTED_CHARS: usize = 500;

/// Takes such text out of a page, and reports it.
pub(super) fn remove_struck(page: &mut Html, report: &mut Report) {
    let source = style_sheet::source(page);
    if !source.contains("line-through") {
        return;
    }
    let rules = style_sheet::rules(&source).filter(|(_, body)| strikes(body));
    let selectors = rules.flat_map(|(selectors, _)| selectors.split(','));
    let selectors: Vec<Selector> =
        selectors.filter_map(style_sheet::selector).take(MOST_RULES).collect();
    let struck: Vec<(NodeId, bool)> = page
        .tree
        .root()
        .descendants()
        .filter_map(ElementRef::wrap)
        .filter(|element| selectors.iter().any(|selector| selector.matches(element)))
        .filter(|element| !matches!(element.value().name(), "html" | "body" | "main"))
        .filter(|element| !takes_the_line_away(*element))
        .map(|element| (element.id(), matches!(element.value().name(), "td" | "th")))
        .collect();
    let all: BTreeSet<NodeId> = struck.iter().map(|(place, _)| *place).collect();
    for (place, is_cell) in struck {
        if let Some(node) = page.tree.get(place)
            && !node.ancestors().any(|above| all.contains(&above.id()))
        {
            let texts = node.descendants().filter_map(|below| below.value().as_text());
            let text: String = texts.flat_map(|text| text.chars()).take(REPORTED_CHARS).collect();
            report.struck(&text);
        }
        let Some(mut node) = page.tree.get_mut(place) else { continue };
        if is_cell {
            // The cells behind it keep their columns.
            while let Some(mut inner) = node.first_child() {
                inner.detach();
            }
        } else {
            node.detach();
        }
    }
}

/// Returns `true` if the declarations of a rule draw a line through the text.
fn strikes(body: &str) -> bool {
    let is_line = |declaration: &str| {
        let (name, value) = declaration.split_once(':')?;
        let name = name.trim();
        let is_named = ["text-decoration", "text-decoration-line"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name));
        is_named.then(|| value.split_whitespace().any(|word| word == "line-through"))
    };
    // The last of them wins.
    body.split(';').filter_map(is_line).next_back() == Some(true)
}

/// The element's own style goes before a rule.
fn takes_the_line_away(element: ElementRef<'_>) -> bool {
    let style = Style::of(element.value());
    let own = style.get("text-decoration");
    !own.is_empty() && !own.contains("line-through")
}

#[cfg(test)]
mod tests {
    use crate::{Noticed, read_bytes};

    fn read(style: &str, body: &str) -> (String, usize) {
        let page = format!(
            "<html><head><title>T</title><style>{style}</style></head><body><main>{body}</main>"
        );
        let Ok(mut reading) = read_bytes("a.html", page.as_bytes(), &Default::default()) else {
            return Default::default();
        };
        let text = reading.documents.pop().unwrap_or_default().text;
        let pieces = reading.findings.iter().find_map(|finding| match &finding.noticed {
            Noticed::StruckOut { pieces, .. } => Some(*pieces),
            _ => None,
        });
        (text, pieces.unwrap_or_default())
    }

    #[test]
    fn what_a_rule_of_the_page_strikes_out_is_left_out_and_reported() {
        let old = "color: red; text-decoration: line-through";
        for (name, style, body, expected, pieces) in [
            (
                "a class",
                format!(".old {{ {old} }}"),
                "<p>It costs <span class=old>ten</span> six.",
                "It costs six.",
                1,
            ),
            (
                "an element in a class",
                "p.price em{text-decoration-line:line-through}".into(),
                "<p class=price><em>Ten</em> six <p><em>new</em>",
                "six\n\nnew",
                1,
            ),
            (
                "an item",
                format!("li.gone, .x {{ {old} }}"),
                "<ul><li class=gone>Old<li>New</ul>",
                "New",
                1,
            ),
            (
                "a row",
                format!(".gone {{ {old} }}"),
                "<table><tr><th>A<th>B<tr class=gone><td>1<td>2<tr><td>3<td>4</table>",
                "A: 3; B: 4",
                1,
            ),
            (
                "a cell",
                format!("td.gone {{ {old} }}"),
                "<table><tr><th>A<th>B<th>C<tr><td>1<td class=gone>2<td>3</table>",
                "A: 1; C: 3",
                1,
            ),
            (
                "one in another",
                format!(".a {{ {old} }}"),
                "<p>x <span class=a>y <b class=a>z</b></span> w",
                "x w",
                1,
            ),
            (
                "underlined",
                ".a { text-decoration: underline }".into(),
                "<p>x <span class=a>y</span>",
                "x y",
                0,
            ),
            (
                "taken back",
                ".a { text-decoration: line-through; text-decoration: none }".into(),
                "<p>x <span class=a>y</span>",
                "x y",
                0,
            ),
            (
                "its own style",
                format!(".a {{ {old} }}"),
                "<p>x <span class=a style='text-decoration: none'>y</span>",
                "x y",
                0,
            ),
            ("a state", format!(".a:hover {{ {old} }}"), "<p>x <span class=a>y</span>", "x y", 0),
            (
                "on paper",
                format!("@media print {{ .a {{ {old} }} }}"),
                "<p>x <span class=a>y</span>",
                "x y",
                0,
            ),
        ] {
            assert_eq!(read(&style, body), (expected.to_owned(), pieces), "{name}");
        }
    }
}
