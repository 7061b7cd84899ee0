//! Markdown, by way of HTML.
//!
//! A page is rendered as a site generator would render it, and the HTML is read like any other:
//! tables, hidden elements and HTML inside Markdown then have one reader and one set of rules.

mod additions;
mod captions;
mod conventions;
mod directives;
mod formulas;
mod lettered;
mod mdx;
mod notes;
mod tags;
mod templates;
#[cfg(test)]
mod tests;

use campanile_corpus::Document;
use pulldown_cmark::html::push_html;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::Trouble;
use crate::anchors::AnchorRule;
use crate::assemble::{Assembler, title_from_path};
use crate::front_matter::{self, FrontMatter};
use crate::html::{self, Layout};
use crate::report::Report;
use crate::sanitize::clean_line;

pub(crate) use templates::without_templates;

pub(crate) fn read(
    path: &str,
    source: &str,
    anchors: AnchorRule,
) -> Result<(Document, Report), Trouble> {
    let mut assembler = Assembler::with_anchors(anchors);
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let (front_matter, body) = front_matter::split(&source, &mut assembler.report);
    let page = rendered(body, &front_matter, &mut assembler.report);
    let mut page = html::parse(&page)?;
    let numbers = html::list_numbers(&page);
    html::move_notes(&mut page);
    html::write_numbers(&mut page, numbers, Layout::Text);
    html::read_into(&mut assembler, &page, Layout::Text);
    Ok(finish(path, assembler, front_matter))
}

/// The page as HTML.
fn rendered(body: &str, front_matter: &FrontMatter, report: &mut Report) -> String {
    let plain = formulas::marked(body);
    let plain = additions::applied(&plain, report);
    let plain = notes::read(&plain, report);
    let plain = conventions::applied(&plain, report);
    let plain = without_templates(&plain, front_matter, report);
    let plain = mdx::without_components(&plain, report);
    let plain = directives::unwrapped(&plain);
    let plain = lettered::as_items(&plain);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM;
    let mut page = String::with_capacity(plain.len() * 3 / 2);
    let events = with_indented_html(Parser::new_ext(&plain, options));
    push_html(&mut page, events);
    // In the HTML rather than in the Markdown: there `<title>` in code is written `&lt;title&gt;` already.
    captions::within_tables(with_placeholders(page))
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
        .unwrap_or_else(|| title_from_path(post.map_or(path, |(_, name)| name)));
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

// Four spaces behind a blank line make code, also of the inside of an HTML block that an editor
// has indented neatly.
/// The events with indented code that is plainly a part of an HTML block turned back into HTML:
/// code that holds nothing but tags, or closes more elements than it opens.
fn with_indented_html<'a>(
    mut events: impl Iterator<Item = Event<'a>>,
) -> impl Iterator<Item = Event<'a>> {
    let mut waiting = Vec::new().into_iter();
    std::iter::from_fn(move || {
        loop {
            if let Some(event) = waiting.next() {
                return Some(event);
            }
            let event = events.next()?;
            if !matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Indented))) {
                return Some(event);
            }
            let mut block = vec![event];
            for event in events.by_ref() {
                let ends = matches!(event, Event::End(TagEnd::CodeBlock));
                block.push(event);
                if ends {
                    break;
                }
            }
            let code: String = block.iter().filter_map(code_text).collect();
            if is_html(&code) {
                return Some(Event::Html(CowStr::from(code)));
            }
            waiting = block.into_iter();
        }
    })
}

fn code_text<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    match event {
        Event::Text(text) => Some(text),
        _ => None,
    }
}

fn is_html(code: &str) -> bool {
    let opened = code
        .match_indices('<')
        .filter(|(place, _)| code.as_bytes().get(place + 1).is_some_and(u8::is_ascii_alphabetic));
    let closed = code.matches("</").count();
    closed > opened.count()
        || code.lines().map(str::trim).all(|line| line.is_empty() || is_tag(line))
}

fn is_tag(line: &str) -> bool {
    let inner = line.strip_prefix('<').and_then(|line| line.strip_suffix('>'));
    inner.is_some_and(|inner| {
        inner.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic())
            && !inner.contains(['<', '>'])
    })
}

// `Dear <title> <name>,` is a letter with blanks to fill in, but to an HTML parser everything
// behind `<title>` is the page's title, and the rest of the page is lost.
/// Elements that take in what follows them, and of which no text is read.
const SWALLOWING: &[&str] = &[
    "applet", "audio", "canvas", "iframe", "noembed", "noframes", "noscript", "object", "select",
    "svg", "template", "textarea", "title", "video", "xmp",
];
/// All that follows it is text, its own closing tag included.
const PLAIN_TEXT: &str = "plaintext";

/// The page with the opening tags of such elements written as text where nothing closes them.
fn with_placeholders(page: String) -> String {
    let mut opened: Vec<(usize, &str)> = Vec::new();
    let mut last_closed: Vec<(&str, usize)> = Vec::new();
    for (place, _) in page.match_indices('<') {
        let inner = &page[place + 1..];
        let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
        let Some(name) = swallowing(inner) else { continue };
        match last_closed.iter_mut().find(|(closed, _)| *closed == name) {
            _ if !closes => opened.push((place, name)),
            Some((_, last)) => *last = place,
            None => last_closed.push((name, place)),
        }
    }
    let is_closed = |place: usize, name: &str| {
        last_closed.iter().any(|(closed, last)| *closed == name && place < *last)
    };
    opened.retain(|(place, name)| !is_closed(*place, name) || *name == PLAIN_TEXT);
    if opened.is_empty() {
        return page;
    }
    let mut out = String::with_capacity(page.len() + opened.len() * 4);
    let mut position = 0;
    for (place, _) in opened {
        out.push_str(&page[position..place]);
        out.push_str("&lt;");
        position = place + 1;
    }
    out.push_str(&page[position..]);
    out
}

/// The name of the swallowing element whose tag has this text after its bracket.
fn swallowing(inner: &str) -> Option<&'static str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let name = &inner[..inner.find(|c| !is_of_name(c)).unwrap_or(inner.len())];
    let mut known = SWALLOWING.iter().copied().chain([PLAIN_TEXT]);
    known.find(|known| known.eq_ignore_ascii_case(name))
}
