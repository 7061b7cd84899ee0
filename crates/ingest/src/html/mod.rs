//! HTML pages.

#[cfg(test)]
mod cms;
mod colour;
mod content;
mod counts;
mod density;
mod depth;
mod head;
mod hiding;
mod marks;
mod tables;
#[cfg(test)]
mod tests;
mod walk;

use std::borrow::Cow;

use campanile_corpus::Document;
use scraper::Html;

use crate::IngestError;
use crate::assemble::Assembler;
use crate::front_matter::{self, FrontMatter};
use crate::markdown::without_templates;
use crate::name::readable;
use crate::report::Report;
use crate::sanitize::clean_line;

/// The surroundings of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A page of a site: menus, banners and footers around the content.
    Page,
    /// Nothing but the text itself.
    Text,
}

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), IngestError> {
    let mut report = Report::default();
    let (front_matter, source) = with_front_matter(source, &mut report);
    let mut page = parse(path, &source)?;
    let head = head::read(&page, &mut report);
    for part in density::furniture(&page) {
        if let Some(mut part) = page.tree.get_mut(part) {
            part.detach();
        }
    }

    let mut assembler = Assembler::default();
    read_into(&mut assembler, &page, Layout::Page);
    if !assembler.has_text() {
        // Some pages keep everything where others keep their menus.
        assembler = Assembler::default();
        read_into(&mut assembler, &parse(path, &source)?, Layout::Text);
    }
    report.absorb(std::mem::take(&mut assembler.report));

    let heading = assembler.first_title().map(str::to_owned);
    let title = front_matter
        .title
        .map(|title| without_tags(&title))
        .or_else(|| head::title(head.title.as_deref(), heading.as_deref()))
        .map(|title| clean_line(&title, &mut report))
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| readable(path));
    let mut metadata = head.metadata;
    metadata.extend(front_matter.metadata);
    let link = front_matter.link.or(head.link);
    let (document, _) = assembler.finish(path, title, link, metadata);
    Ok((document, report))
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

/// Parses a page, unless it is nested so deep that this would take forever.
pub(crate) fn parse(path: &str, source: &str) -> Result<Html, IngestError> {
    let depth = depth::depth(source);
    if depth > depth::DEEPEST {
        return Err(IngestError::TooDeep { path: path.to_owned(), depth, limit: depth::DEEPEST });
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
