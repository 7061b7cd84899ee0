//! Text between `{% raw %}` and `{% endraw %}`, in which braces are only braces.

use super::templates::Tag;

/// Stand-ins for the braces of raw text while tags are cut. Noncharacters, so in no real text.
const RAW_OPEN: char = '\u{fdd0}';
const RAW_CLOSE: char = '\u{fdd1}';

/// Hides the braces between `{% raw %}` and `{% endraw %}` and drops the two marks.
pub(super) fn shield_raw(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut is_raw = false;
    while let Some(start) = rest.find("{%") {
        let (before, tail) = rest.split_at(start);
        push_shielded(&mut out, before, is_raw);
        let tag = Tag::at(tail);
        let wanted = if is_raw { "endraw" } else { "raw" };
        match tag.filter(|tag| tag.name == wanted) {
            Some(tag) => {
                is_raw = !is_raw;
                rest = tail.get(tag.length..).unwrap_or_default();
            }
            None => {
                push_shielded(&mut out, "{%", is_raw);
                rest = tail.get(2..).unwrap_or_default();
            }
        }
    }
    push_shielded(&mut out, rest, is_raw);
    out
}

fn push_shielded(out: &mut String, text: &str, is_raw: bool) {
    if !is_raw {
        out.push_str(text);
        return;
    }
    out.extend(text.chars().map(|character| match character {
        '{' => RAW_OPEN,
        '}' => RAW_CLOSE,
        other => other,
    }));
}

/// The text with its braces back in place.
pub(super) fn with_raw(text: &str) -> String {
    text.replace(RAW_OPEN, "{").replace(RAW_CLOSE, "}")
}
