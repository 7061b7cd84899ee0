//! Short texts that may hold HTML: fields of calendars, tables and records.

use std::collections::BTreeSet;

use ego_tree::iter::Edge;
use scraper::{Html, Node};

use super::walk::is_block;
use super::{DEEPEST, Layout, depth, list_numbers, write_numbers};
use crate::inline::single_spaced;

/// Elements that such texts have. Others are more likely meant as they stand: `x <y> z`.
const USUAL: &[&str] = &[
    "a", "abbr", "b", "blockquote", "body", "br", "center", "code", "dd", "del", "div", "dl", "dt",
    "em", "figure", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "html", "i", "img", "ins",
    "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td",
    "th", "thead", "tr", "u", "ul",
];

/// Returns `true` if a text holds tags, or characters written as entities.
fn has_markup(text: &str) -> bool {
    has_tags(text) || has_entities(text)
}

/// Elements that have no end.
const VOID: &[&str] = &["br", "hr", "img"];

/// Returns `true` if an element of the usual ones begins and ends. A tag that nothing closes is more likely spoken of: `<table>`
/// begins a table.
pub(crate) fn has_tags(text: &str) -> bool {
    let mut opened = BTreeSet::new();
    for (place, _) in text.match_indices('<') {
        let rest = text.get(place + 1..).unwrap_or_default();
        let (rest, is_end) = rest.strip_prefix('/').map_or((rest, false), |rest| (rest, true));
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let is_tag = behind.starts_with(['>', '/', ' ', '\n', '\t']) && behind.contains('>');
        let Some(name) = USUAL.iter().find(|usual| is_tag && usual.eq_ignore_ascii_case(name))
        else {
            continue;
        };
        if VOID.contains(name) || is_end && opened.contains(name) {
            return true;
        }
        opened.insert(name);
    }
    false
}

/// The longest name of an entity that texts use, such as `thinsp`, is far shorter.
const ENTITY_BYTES: usize = 10;

fn has_entities(text: &str) -> bool {
    text.match_indices('&').any(|(place, _)| {
        let rest = text.get(place + 1..).unwrap_or_default();
        let name = rest.find(';').filter(|end| (2..=ENTITY_BYTES).contains(end));
        name.and_then(|end| rest.get(..end)).is_some_and(|name| {
            let digits = name.strip_prefix('#');
            let body = digits.unwrap_or(name).trim_start_matches(['x', 'X']);
            !body.is_empty() && body.chars().all(|c| c.is_ascii_alphanumeric())
        })
    })
}

/// The text as a browser shows it, a line for each of its lines and blocks; as it is where it holds no HTML. The address of a
/// link stands behind its words.
pub(crate) fn lines(text: &str) -> String {
    if !has_markup(text) {
        return text.to_owned();
    }
    // Programs that show such texts keep their line breaks too.
    let source = if has_tags(text) { text.to_owned() } else { text.replace('<', "&lt;") };
    if depth(&source) > DEEPEST {
        return text.to_owned();
    }
    let mut page = Html::parse_fragment(&source);
    let numbers = list_numbers(&page);
    write_numbers(&mut page, numbers, Layout::Text);
    let mut out = String::with_capacity(text.len());
    for edge in page.tree.root().traverse() {
        let (node, is_open) = match edge {
            Edge::Open(node) => (node, true),
            Edge::Close(node) => (node, false),
        };
        match node.value() {
            Node::Text(words) if is_open => out.push_str(words),
            Node::Element(element) => {
                let name = element.name();
                if is_block(name) || (name == "br" && is_open) {
                    out.push('\n');
                }
                let target = element.attr("href").filter(|_| name == "a" && !is_open);
                if let Some(target) = target.filter(|target| target.starts_with("http"))
                    && !out.ends_with(target)
                {
                    out.extend([" (", target, ")"]);
                }
            }
            _ => {}
        }
    }
    let lines = out.lines().map(single_spaced);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{has_markup, lines};

    #[test]
    fn texts_become_lines() {
        let cases = [
            ("Speaker: Ada<br>Room: B 204<br/>Fee: EUR 5", "Speaker: Ada\nRoom: B 204\nFee: EUR 5"),
            ("<ul><li>a mug</li><li>a card</li></ul>", "a mug\na card"),
            ("<p>See <b>this</b></p><div>And that</div>", "See this\nAnd that"),
            ("Q &amp; A", "Q & A"),
            ("Leave &#8211; absence &nbsp;", "Leave – absence"),
            (
                "Send it to the <a href=\"https://x.edu/d\">dean</a>.",
                "Send it to the dean (https://x.edu/d).",
            ),
            ("<a href='https://x.edu'>https://x.edu</a>", "https://x.edu"),
            ("<table><tr><td>Room</td><td>HS 2</td></tr></table>", "Room\nHS 2"),
            ("first\n<b>second</b>", "first\nsecond"),
            // No HTML.
            ("Fish & chips; a < b > c", "Fish & chips; a < b > c"),
            ("Dear <name>, AT&T; yes", "Dear <name>, AT&T; yes"),
            ("two\nlines", "two\nlines"),
            (
                "A table begins with <table> and has rows.",
                "A table begins with <table> and has rows.",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(lines(text), expected, "{text}");
        }
        assert!(!has_markup("x <y> z") && has_markup("x<br>y") && has_markup("a &uuml; b"));
    }
}
