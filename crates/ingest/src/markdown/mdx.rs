//! Components in MDX pages: `<Tabs>`, `<TabItem label="Winter">`.
//!
//! Their names begin with a capital letter, which no element of HTML needs. The tags are taken away
//! here, since an HTML parser takes `<Icon />` for an element that is never closed.

use std::borrow::Cow;

use super::conventions::shown_attribute;
use crate::report::Report;

/// The longest reach of a tag, in bytes.
// Attributes may hold whole objects; and from each `<` of a hostile page that far is looked.
const LONGEST_TAG: usize = 2_000;

/// The page without the tags of components and without comments in braces; code is left as it is.
pub(super) fn without_components<'a>(source: &'a str, report: &mut Report) -> Cow<'a, str> {
    let is_component = |(at, _): (usize, &str)| name(&source[at..]).is_some();
    if !source.contains("{/*") && !source.match_indices('<').any(is_component) {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut is_code = false;
    let mut at = 0;
    let mut line_start = 0;
    // One pass, whatever is left open: each sign takes or leaves what is at its place.
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        if at == line_start {
            let line = rest.split_inclusive('\n').next().unwrap_or_default();
            let is_fence =
                line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            if is_fence || is_code {
                is_code ^= is_fence;
                out.push_str(line);
                at += line.len();
                line_start = at;
                continue;
            }
        }
        let step = rest.find(['<', '{', '`', '\n']).unwrap_or(rest.len());
        out.push_str(&rest[..step]);
        at += step;
        let rest = &rest[step..];
        let taken = match rest.as_bytes() {
            [] => break,
            [b'\n', ..] => {
                line_start = at + 1;
                None
            }
            [b'`', ..] => code_span(rest),
            [b'{', ..] => comment(rest).inspect(|_| report.comments += 1),
            _ => tag(rest).inspect(|tag| push_words(&mut out, &rest[..*tag])),
        };
        match taken {
            Some(length) if rest.starts_with('`') => {
                out.push_str(&rest[..length]);
                at += length;
            }
            Some(length) => at += length,
            None => {
                out.push_str(&rest[..1]);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

/// A component's own words stand apart from what it holds.
fn push_words(out: &mut String, tag: &str) {
    let is_alone = out.is_empty() || out.ends_with('\n');
    match shown_attribute(tag) {
        Some(words) if is_alone => out.extend(["\n", words, "\n\n"]),
        Some(words) => out.extend([" ", words, " "]),
        None => {}
    }
}

/// The name of the component that a text begins with a tag of.
fn name(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(inner.len());
    let name = inner.get(..end)?;
    // Not an address, as in `<Office@x.edu>`; and old pages write `<TABLE>`.
    let ends = inner.get(end..).is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '/', '>']));
    let is_component = ends
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase());
    is_component.then_some(name)
}

/// The length of the tag of a component: its `>` stands outside of quotes and braces.
fn tag(rest: &str) -> Option<usize> {
    name(rest)?;
    let mut quote = None;
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().enumerate().take(LONGEST_TAG) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') => depth = depth.saturating_sub(1),
            (None, b'>') if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of `{/* … */}`.
fn comment(rest: &str) -> Option<usize> {
    rest.strip_prefix("{/*")?;
    let window = rest.get(..rest.floor_char_boundary(LONGEST_TAG))?;
    window.find("*/}").map(|end| end + 3)
}

/// The length of code between backticks within a line.
fn code_span(rest: &str) -> Option<usize> {
    let line = rest.lines().next()?;
    let line = line.get(..line.floor_char_boundary(LONGEST_TAG))?;
    let ticks = line.len() - line.trim_start_matches('`').len();
    let inner = line.get(ticks..)?;
    let close = inner.find(line.get(..ticks)?)?;
    Some(ticks + close + ticks)
}
