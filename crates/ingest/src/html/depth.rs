//! The depth to which a page is nested.
//!
//! The time that an HTML parser takes grows with the depth of the page at each element, so a few
//! megabytes of `<div>` would keep a build busy for hours.

/// Deeper than this no page is read; browsers stop at 512.
pub(crate) const DEEPEST: usize = 2_000;

/// Elements that end by themselves or hold nothing, so that no closing tag is needed.
const ENDING_THEMSELVES: &[&str] = &[
    "area", "base", "body", "br", "col", "colgroup", "dd", "dt", "embed", "head", "hr", "html",
    "img", "input", "li", "link", "meta", "option", "p", "param", "rp", "rt", "source", "tbody",
    "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// Elements whose content is no markup.
const OPAQUE: &[&str] = &["script", "style", "textarea", "title"];

/// The greatest number of elements that are open at once, judged by the tags alone.
pub(crate) fn depth(source: &str) -> usize {
    let (mut open, mut deepest, mut drawings) = (0_usize, 0_usize, 0_usize);
    let mut rest = source;
    while let Some((_, tail)) = rest.split_once('<') {
        rest = tail;
        let name = name(tail.strip_prefix('/').unwrap_or(tail));
        let is = |other: &&&str| other.eq_ignore_ascii_case(name);
        if name.is_empty() || ENDING_THEMSELVES.iter().any(|own| is(&own)) {
            continue;
        }
        let is_drawing = ["svg", "math"].iter().any(|own| is(&own));
        if tail.starts_with('/') {
            open = open.saturating_sub(1);
            drawings = drawings.saturating_sub(usize::from(is_drawing));
            continue;
        }
        // Only drawings have elements that are closed by a slash: `<path/>`.
        let tag = tail.split('>').next().unwrap_or_default();
        if drawings > 0 && tag.ends_with('/') {
            continue;
        }
        open += 1;
        deepest = deepest.max(open);
        drawings += usize::from(is_drawing);
        if let Some(opaque) = OPAQUE.iter().find(is) {
            rest = behind(tail, opaque);
        }
    }
    deepest
}

/// The name that a tag begins with, or nothing if it is none.
fn name(tag: &str) -> &str {
    if !tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return "";
    }
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<');
    let end = tag.bytes().position(ends).unwrap_or(tag.len());
    tag.get(..end).unwrap_or_default()
}

/// Returns what stands behind the content of an element without markup, from its closing tag on.
fn behind<'a>(text: &'a str, name: &str) -> &'a str {
    let closes = |(place, _): &(usize, &str)| {
        text.get(place + 2..place + 2 + name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    let place = text.match_indices("</").find(closes).map(|(place, _)| place);
    place.and_then(|place| text.get(place..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn only_elements_that_stay_open_count() {
        let cases = [
            ("", 0),
            ("a < b <3 </p>", 0),
            ("<div><p>a<p>b</div><div><br></div>", 1),
            ("<ul><li><b>x</b><li>y</ul>", 2),
            ("<DIV class='a'><sPaN/>x", 2),
            ("<svg><path/><path d=''/><g><path/></g></svg><i></i>", 2),
            ("<script>'<div><div><div>'</SCRIPT><i></i>", 1),
            ("<script>never closed <div><div>", 1),
        ];
        for (source, expected) in cases {
            assert_eq!(depth(source), expected, "{source}");
        }
    }
}
