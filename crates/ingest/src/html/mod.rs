//! HTML pages.

mod content;
mod contents;
mod furniture;
mod head;
mod headings;
mod hiding;
mod icons;
mod lines;
mod list_style;
mod notes;
mod ordered;
mod panels;
mod pictures;
mod struck;
mod style_sheet;
mod tables;
#[cfg(test)]
mod tests;
mod ticks;
mod typeset;
mod waiting;
mod walk;
mod word;

use std::borrow::Cow;

use campanile_corpus::Document;
use scraper::Html;

pub(crate) use lines::{has_tags, lines};
pub(crate) use notes::move_notes;
pub(crate) use ordered::{list_numbers, write_numbers};
pub(crate) use walk::is_block;

use crate::Trouble;
use crate::assemble::{Assembler, title_from_path};
use crate::front_matter::{self, FrontMatter};
use crate::markdown::without_templates;
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::site::{Shared, chosen};

/// The surroundings of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A page of a site: menus, banners and footers around the content.
    Page,
    /// Nothing but the text itself.
    Text,
}

/// A block with so many words is no menu's and no footer's.
// As `furniture.rs` has it, after the paper named there.
const PROSE_WORDS: usize = 12;

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), Trouble> {
    let mut report = Report::default();
    let (front_matter, source) = with_front_matter(source, &mut report);
    let mut page = prepared(&source, &mut report)?;
    let numbers = list_numbers(&page);
    notes::move_notes(&mut page);
    contents::remove_contents(&mut page);
    let head = head::read(&page, &mut report);
    report.page.leads_on = head.leads_on;
    report.page.has_search_field = headings::has_search_field(&page);
    let headings = headings::of(&page, path);
    for part in furniture::furniture(&page) {
        if let Some(mut part) = page.tree.get_mut(part) {
            part.detach();
        }
    }

    write_numbers(&mut page, numbers, Layout::Page);

    let mut assembler = Assembler::default();
    read_into(&mut assembler, &page, Layout::Page);
    if !assembler.has_text() {
        // Some pages keep everything where others keep their menus.
        let mut whole = prepared(&source, &mut Report::default())?;
        let numbers = list_numbers(&whole);
        notes::move_notes(&mut whole);
        write_numbers(&mut whole, numbers, Layout::Text);
        let mut everything = Assembler::default();
        read_into(&mut everything, &whole, Layout::Text);
        // A heading without text in the marked content is a page that lists nothing yet.
        let is_empty_list = assembler.first_title().is_some() && content::is_marked(&page);
        if !is_empty_list || everything.has_block_of(PROSE_WORDS) {
            assembler = everything;
        }
    }
    report.absorb(std::mem::take(&mut assembler.report));

    let names = headings.names(head.title, head.site_names, &assembler);
    let own = chosen(&names, &Shared::default());
    // What a page's keeper calls it is no matter of its site's other pages.
    report.page.names = Some(names).filter(|_| front_matter.title.is_none());
    let title = front_matter
        .title
        .map(|title| without_tags(&title))
        .or(own)
        .map(|title| clean_line(&title, &mut report))
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| title_from_path(path));
    let mut metadata = head.metadata;
    metadata.extend(front_matter.metadata);
    let link = front_matter.link.or(head.link);
    let (document, _) = assembler.finish(path, title, link, metadata);
    Ok((document, report))
}

/// The tree of a page, with what its scripts and style sheets change of the text.
fn prepared(source: &str, report: &mut Report) -> Result<Html, Trouble> {
    let mut page = parse(source)?;
    waiting::remove_waiting(&mut page);
    struck::remove_struck(&mut page, report);
    typeset::set_formulas(&mut page);
    panels::open_panels(&mut page);
    word::name_paragraphs(&mut page);
    Ok(page)
}

/// A stated title as a generator would show it: it may hold HTML, such as `<em>`.
pub(crate) fn without_tags(title: &str) -> String {
    if !title.contains("</") && !title.contains("<br") {
        return title.to_owned();
    }
    let fragment = Html::parse_fragment(title);
    let texts = fragment.tree.values().filter_map(|node| node.as_text());
    texts.flat_map(|text| text.chars()).collect()
}

/// A text as it stands in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Parses a page, unless it is nested so deep that this would take forever.
pub(crate) fn parse(source: &str) -> Result<Html, Trouble> {
    let depth = depth(source);
    if depth > DEEPEST {
        return Err(Trouble::TooDeep { depth, limit: DEEPEST });
    }
    Ok(Html::parse_document(source))
}

/// Adds the content of a page to a document.
pub(crate) fn read_into(assembler: &mut Assembler, page: &Html, layout: Layout) {
    let root = content::root(page, layout);
    walk::walk(assembler, root, layout);
}

/// A page that a site generator is to fill in has front matter, and tags in its text.
fn with_front_matter<'a>(source: &'a str, report: &mut Report) -> (FrontMatter, Cow<'a, str>) {
    let is_template = ["---", "+++"]
        .iter()
        .any(|mark| source.strip_prefix(mark).is_some_and(|rest| rest.starts_with(['\n', '\r'])));
    if !is_template {
        return (FrontMatter::default(), Cow::Borrowed(source));
    }
    let (front_matter, body) = front_matter::split(source, report);
    let body = without_templates(body, &front_matter, report);
    (front_matter, body)
}

// The time that an HTML parser takes grows with the depth of the page at each element, so a few
// megabytes of `<div>` would keep a build busy for hours.
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
        let name = tag_name(tail.strip_prefix('/').unwrap_or(tail));
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
fn tag_name(tag: &str) -> &str {
    if !tag.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return "";
    }
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<');
    let end = tag.bytes().position(ends).unwrap_or(tag.len());
    &tag[..end]
}

/// Returns what stands behind the content of an element without markup, from its closing tag on.
fn behind<'a>(text: &'a str, name: &str) -> &'a str {
    let closes = |(place, _): &(usize, &str)| {
        text.get(place + 2..place + 2 + name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    text.match_indices("</").find(closes).map_or("", |(place, _)| &text[place..])
}
