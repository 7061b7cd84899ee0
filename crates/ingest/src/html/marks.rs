//! Elements within a line: links, breaks, and what an element means besides what it shows.

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

use crate::address::safe;
use crate::inline::Inline;
use crate::report::Report;

/// Elements within a line.
pub(super) fn open_inline(
    inline: &mut Inline,
    node: NodeRef<'_, Node>,
    element: &Element,
    report: &mut Report,
) {
    match element.name() {
        "br" => inline.break_line(),
        "a" => {
            let Some(target) = element.attr("href").filter(|target| !target.trim().is_empty())
            else {
                return;
            };
            match safe(target) {
                Some(target) => inline.open_link(target.to_owned()),
                None => report.dropped_links.push(target.to_owned()),
            }
        }
        // 10<sup>6</sup> is not 106.
        "sup" => {
            let follows_digit = inline.last_character().is_some_and(|last| last.is_ascii_digit());
            if follows_digit && begins_with_digit(node) {
                inline.push_text("^");
            }
        }
        _ => {}
    }
}

/// Adds what an element means behind what it shows: the day with its year, and what is short for
/// what, once on a page.
pub(super) fn push_note(inline: &mut Inline, node: NodeRef<'_, Node>, report: &mut Report) {
    let Some(element) = node.value().as_element() else {
        return;
    };
    let shown: String = node
        .descendants()
        .filter_map(|below| below.value().as_text())
        .flat_map(|text| text.chars())
        .take(200)
        .collect();
    let shown = shown.trim();
    let note = match element.name() {
        "time" => element.attr("datetime").and_then(|stated| day_with_year(stated, shown)),
        _ => element.attr("title").map(str::trim).filter(|title| {
            title.len() > shown.len()
                && !shown.is_empty()
                && report.written_out.insert(shown.to_owned())
        }),
    };
    match note {
        Some(note) if shown.is_empty() => inline.push_text(note),
        Some(note) => inline.push_text(&format!(" ({note})")),
        None => {}
    }
}

/// The day of `2026-10-12T09:00`, if its year is not shown.
fn day_with_year<'a>(stated: &'a str, shown: &str) -> Option<&'a str> {
    let day = stated.trim().get(.."2026-10-12".len())?;
    let fits = |(at, byte): (usize, u8)| {
        if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    };
    let year = day.get(..4)?;
    (day.bytes().enumerate().all(fits) && !shown.contains(year)).then_some(day)
}

fn begins_with_digit(node: NodeRef<'_, Node>) -> bool {
    let mut texts = node.descendants().filter_map(|below| below.value().as_text());
    texts.next().is_some_and(|text| text.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}
