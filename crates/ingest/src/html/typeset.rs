//! Formulas that a script of the page sets once it is open: `\\( … \\)`, `\\[ … \\]`, `$$ … $$`, `$ … $` where the page asks for it, and
//! `<script type="math/tex">`.
//!
//! The page holds TeX, and its reader sees `v_max = 62 m/s`. Two signs are needed: the marks, and a script that sets what
//! is between them. Without the script a reader sees the marks as they are.

use ego_tree::{NodeId, NodeRef};
use scraper::node::{Element, Text};
use scraper::{Html, Node};

use super::pictures::is_tex;
use crate::tex;

/// Names of the scripts that set formulas, in their addresses: KaTeX itself sets nothing without its second script.
const SETTERS: &[&str] = &["mathjax", "auto-render"];
/// Elements whose text such a script leaves alone.
const LEFT_ALONE: &[&str] = &[
    "annotation", "code", "math", "noscript", "option", "pre", "script", "style", "textarea",
    "title",
];

/// Writes the formulas that a script would set as the lines that a reader sees.
pub(super) fn set_formulas(page: &mut Html) {
    let Some(with_dollars) = setter(page) else { return };
    let texts: Vec<(NodeId, String)> = page
        .tree
        .nodes()
        .filter_map(|node| Some((node, node.value().as_text()?)))
        .filter(|(_, text)| text.contains(['\\', '$']))
        .filter(|(node, _)| !node.ancestors().any(is_left_alone))
        .filter_map(|(node, text)| Some((node.id(), set(text, with_dollars)?)))
        .collect();
    let scripts: Vec<(NodeId, String)> = page.tree.nodes().filter_map(of_script).collect();
    for (place, text) in texts.into_iter().chain(scripts) {
        if let Some(mut node) = page.tree.get_mut(place) {
            *node.value() = Node::Text(Text { text: text.as_str().into() });
            while let Some(mut inner) = node.first_child() {
                inner.detach();
            }
        }
    }
}

/// The formula of a `<script type="math/tex; mode=display">`, unless the page was saved with the formula set in front of it.
fn of_script(node: NodeRef<'_, Node>) -> Option<(NodeId, String)> {
    let element = node.value().as_element().filter(|element| element.name() == "script")?;
    element.attr("type").filter(|kind| kind.trim().to_ascii_lowercase().starts_with("math/tex"))?;
    let before = node.prev_siblings().find(|sibling| sibling.value().is_element());
    let is_set = before.is_some_and(|sibling| {
        let classes = sibling.value().as_element().and_then(|it| it.attr("class"));
        let is_made = classes.is_some_and(|it| it.contains("MathJax"));
        is_made && sibling.descendants().any(|it| it.value().is_text())
    });
    let inner = node.first_child()?.value().as_text()?;
    let line = tex::line(inner.trim())?;
    (!is_set).then(|| (node.id(), line))
}

/// Whether a script of the page sets formulas, and those between single dollars too.
fn setter(page: &Html) -> Option<bool> {
    let scripts = || {
        let elements =
            page.tree.nodes().filter_map(|node| Some((node, node.value().as_element()?)));
        elements.filter(|(_, element)| element.name() == "script")
    };
    let names_setter = |element: &Element| {
        let source = element.attr("src").unwrap_or_default().to_ascii_lowercase();
        SETTERS.iter().any(|name| source.contains(name))
    };
    let asks_for_dollars = |(node, _): (NodeRef<'_, Node>, &Element)| {
        let mut texts = node.children().filter_map(|child| child.value().as_text());
        texts.any(|text| text.contains("'$'") || text.contains("\"$\""))
    };
    scripts().any(|(_, element)| names_setter(element)).then(|| scripts().any(asks_for_dollars))
}

fn is_left_alone(node: NodeRef<'_, Node>) -> bool {
    let element = node.value().as_element();
    element.is_some_and(|element| LEFT_ALONE.contains(&element.name()) || is_tex(element))
}

/// A text with its formulas set; `None` where it has none.
fn set(text: &str, with_dollars: bool) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_changed = false;
    while let Some(at) = rest.find(['\\', '$']) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        let is_asked_for = with_dollars || !here.starts_with('$') || here.starts_with("$$");
        let found = Some(here).filter(|_| is_asked_for);
        let found = found.and_then(|here| tex::marked(here, before.chars().next_back()));
        let length = match found.and_then(|(formula, length)| Some((tex::line(formula)?, length))) {
            Some((line, length)) => {
                out.push_str(&line);
                is_changed = true;
                length
            }
            None => {
                let length = here.chars().next().map_or(0, char::len_utf8);
                out.push_str(here.get(..length).unwrap_or_default());
                length
            }
        };
        rest = here.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    is_changed.then_some(out)
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    const MATHJAX: &str = "<script async src='https://cdn.example/MathJax/tex.js'></script>";
    const DOLLARS: &str = "<script>MathJax = {tex: {inlineMath: [['$', '$']]}}</script>";
    const KATEX: &str = "<script src=katex.min.js></script><script src='/katex/contrib/auto-render.min.js'></script>";

    #[test]
    fn formulas_are_read_as_the_pages_script_sets_them() {
        for (shows, head, body, expected) in [
            (
                "MathJax",
                MATHJAX,
                r"<p>It is \(h_{\min} = 3\ \mathrm{m}\) high.",
                "It is h_min = 3 m high.",
            ),
            ("KaTeX", KATEX, r"<p>Then \[ n^2 \ge 4 \]", "Then n^2 ≥ 4"),
            (
                "dollars that are asked for",
                &format!("{DOLLARS}{MATHJAX}"),
                "<p>At $x_1$ it costs 5 $.",
                "At x_1 it costs 5 $.",
            ),
            (
                "dollars that are not",
                MATHJAX,
                "<p>Between $a_1$ and $b_2$.",
                "Between $a_1$ and $b_2$.",
            ),
            ("two dollars", MATHJAX, "<p>Then $$a = b$$", "Then a = b"),
            (
                "a script of its own",
                MATHJAX,
                r"<p>It is <script type='math/tex'>h_{\min} = 3</script> high.",
                "It is h_min = 3 high.",
            ),
            (
                "a block of its own",
                MATHJAX,
                r"<p>Then</p><script type='math/tex; mode=display'>n^2 \ge 4</script><p>holds.",
                "Then\n\nn^2 ≥ 4\n\nholds.",
            ),
            (
                "set already",
                MATHJAX,
                r"<p>It is <span class='MathJax'>3 m</span><script type='math/tex'>3</script>.",
                "It is 3 m.",
            ),
            (
                "nothing sets it",
                "",
                r"<p>It is<script type='math/tex'>h</script> high.",
                "It is high.",
            ),
            ("code", MATHJAX, r"<p>Write <code>\(x^2\)</code>.", r"Write \(x^2\)."),
            ("no script", "", r"<p>It is \(x^2\).", r"It is \(x^2\)."),
            ("no formula", MATHJAX, r"<p>From C:\(old) on.", r"From C:\(old) on."),
        ] {
            let page =
                format!("<html><head><title>T</title>{head}</head><body><main>{body}</main>");
            let reading = read_bytes("a.html", page.as_bytes(), &Default::default());
            let text = reading
                .ok()
                .and_then(|mut reading| reading.documents.pop())
                .unwrap_or_default()
                .text;
            assert_eq!(text, expected, "{shows}");
        }
    }
}
