//! Markdown, by way of HTML.
//!
//! A page is rendered as a site generator would render it, and the HTML is read like any other:
//! tables, hidden elements and HTML inside Markdown then have one reader and one set of rules.

mod conventions;
mod directives;
mod indented;
mod jsx;
mod placeholders;
mod raw;
mod shortcodes;
mod tags;
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
    let page = rendered(body, &front_matter, &mut assembler.report);
    html::read_into(&mut assembler, &html::parse(path, &page)?, Layout::Text);
    Ok(finish(path, assembler, front_matter))
}

/// The page as HTML.
fn rendered(body: &str, front_matter: &FrontMatter, report: &mut Report) -> String {
    let plain = conventions::applied(body, report);
    let plain = without_templates(&plain, front_matter, report);
    let plain = jsx::without_components(&plain, report);
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

fn finish(
    path: &str,
    mut assembler: Assembler,
    mut front_matter: FrontMatter,
) -> (Document, Report) {
    let post = dated(path);
    if let Some((date, _)) = post {
        let date = || serde_json::Value::String(date.to_owned());
        front_matter.metadata.entry("date".to_owned()).or_insert_with(date);
    }
    let title = front_matter
        .title
        .map(|title| html::without_tags(&title))
        .or_else(|| assembler.first_title().map(str::to_owned))
        .map(|title| clean_line(&title, &mut assembler.report))
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| readable(post.map_or(path, |(_, name)| name)));
    assembler.finish(path, title, front_matter.link, front_matter.metadata)
}

/// The date and the rest of a name such as `2024-01-15-title.md`, as Jekyll names its posts.
fn dated(path: &str) -> Option<(&str, &str)> {
    let name = path.rsplit('/').next()?;
    let (date, rest) = name.split_at_checked("2024-01-15".len())?;
    let rest = rest.strip_prefix('-').filter(|rest| !rest.starts_with('.') && !rest.is_empty())?;
    let fits = |(at, byte): (usize, u8)| {
        if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() }
    };
    date.bytes().enumerate().all(fits).then_some((date, rest))
}
