//! Markdown, by way of HTML.
//!
//! A page is rendered as a site generator would render it, and the HTML is read like any other:
//! tables, hidden elements and HTML inside Markdown then have one reader and one set of rules.

mod directives;
mod indented;
mod placeholders;
mod templates;
#[cfg(test)]
mod tests;

use campanile_corpus::Document;
use pulldown_cmark::{Options, Parser, html::push_html};

use crate::IngestError;
use crate::assemble::Assembler;
use crate::front_matter::{self, FrontMatter};
use crate::html::{self, Layout};
use crate::name::readable;
use crate::report::Report;
use crate::sanitize::clean_line;

pub(crate) use templates::without_templates;

pub(crate) fn read(path: &str, source: &str) -> Result<(Document, Report), IngestError> {
    let mut assembler = Assembler::with_slugs();
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let (front_matter, body) = front_matter::split(&source, &mut assembler.report);
    let page = rendered(body, &mut assembler.report);
    html::read_into(&mut assembler, &html::parse(path, &page)?, Layout::Text);
    Ok(finish(path, assembler, front_matter))
}

/// The page as HTML.
fn rendered(body: &str, report: &mut Report) -> String {
    let plain = without_templates(body, report);
    let plain = directives::unwrapped(&plain);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM;
    let mut page = String::with_capacity(plain.len() * 3 / 2);
    let events = indented::as_html(Parser::new_ext(&plain, options));
    push_html(&mut page, events);
    placeholders::escaped(page)
}

fn finish(path: &str, mut assembler: Assembler, front_matter: FrontMatter) -> (Document, Report) {
    let title = front_matter
        .title
        .map(|title| html::without_tags(&title))
        .or_else(|| assembler.first_title().map(str::to_owned))
        .map(|title| clean_line(&title, &mut assembler.report))
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| readable(path));
    assembler.finish(path, title, front_matter.link, front_matter.metadata)
}
