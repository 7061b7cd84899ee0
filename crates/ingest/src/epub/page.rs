//! A page of a book as a part of one long page of HTML.
//!
//! Pages are XHTML: `<a id="p3"/>` is whole there, and begins a link for a parser of HTML. Names and links get the number of
//! their file in front, so that links between files are links within the page.

use std::collections::BTreeMap;

use scraper::Html;

use super::contents::Entry;
use super::package::{Book, in_archive};
use crate::Trouble;
use crate::assemble::DEEPEST_HEADING;
use crate::html::{self, escaped};
use crate::report::{LineSign, Report};

/// Elements of HTML that are never closed.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
/// The number of a printed page is no longer than this: `xxxviii`, `A-12`.
const PAGE_NUMBER_BYTES: usize = 12;

/// The files of a book by their names in the archive, each with its number.
pub(super) struct Files(BTreeMap<String, usize>);

impl Files {
    pub(super) fn of(book: &Book<'_>) -> Self {
        Self(book.spine.iter().enumerate().map(|(number, file)| (file.clone(), number)).collect())
    }

    /// The content of a file's page. `place` is where the navigation has it.
    pub(super) fn page(
        &self,
        number: usize,
        file: &str,
        source: &str,
        place: Option<&Entry>,
        report: &mut Report,
    ) -> Result<String, Trouble> {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let body = body(source);
        let first = first_heading(body);
        let depth = place.map_or(1, |place| place.depth).min(DEEPEST_HEADING);
        let deeper = first.map_or(0, |level| depth.saturating_sub(level));
        let mut writer =
            PageWriter { files: self, number, folder, deeper, report, out: String::new() };
        writer.write(body);
        let out = writer.out;
        let depth_found = html::depth(&out);
        if depth_found > html::DEEPEST {
            return Err(Trouble::TooDeep { depth: depth_found, limit: html::DEEPEST });
        }
        // What one file leaves open must not reach into the next.
        let closed = Html::parse_fragment(&out).root_element().inner_html();
        let heading = place.filter(|_| first.is_none()).filter(|place| {
            let text = html::lines(&closed);
            text.contains(char::is_alphanumeric) && text.trim() != place.label
        });
        let heading =
            heading.map(|place| format!("<h{depth}>{}</h{depth}>", escaped(&place.label)));
        Ok(format!("{}<div>{closed}</div>", heading.unwrap_or_default()))
    }
}

/// The page as a parser of HTML understands it.
pub(super) fn as_html(source: &str) -> String {
    let files = Files(BTreeMap::new());
    let mut report = Report::default();
    let mut writer = PageWriter {
        files: &files,
        number: 0,
        folder: "",
        deeper: 0,
        report: &mut report,
        out: String::new(),
    };
    writer.keeps_links(source);
    writer.out
}

/// What stands between `<body>` and `</body>`.
fn body(source: &str) -> &str {
    let lower = source.to_ascii_lowercase();
    let start =
        lower.find("<body").and_then(|start| Some(start + lower.get(start..)?.find('>')? + 1));
    let start = start.unwrap_or(0);
    let end = lower.rfind("</body").filter(|end| *end >= start).unwrap_or(source.len());
    source.get(start..end).unwrap_or_default()
}

/// The level of the first heading.
fn first_heading(body: &str) -> Option<u8> {
    body.match_indices('<').find_map(|(place, _)| {
        let name = body.get(place + 1..)?.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        heading_level(name)
    })
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h' | b'H', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

struct PageWriter<'f> {
    files: &'f Files,
    number: usize,
    folder: &'f str,
    /// Levels that are added to headings.
    deeper: u8,
    report: &'f mut Report,
    out: String,
}

/// A tag with its attributes.
struct Tag<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, &'t str)>,
    is_end: bool,
    is_empty: bool,
}

impl Tag<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    fn is_page_break(&self) -> bool {
        let is = |name: &str, value: &str| {
            self.attribute(name)
                .is_some_and(|kinds| kinds.split_whitespace().any(|own| own == value))
        };
        is("epub:type", "pagebreak") || is("role", "doc-pagebreak")
    }
}

impl PageWriter<'_> {
    fn write(&mut self, source: &str) {
        self.walk(source, true);
    }

    fn keeps_links(&mut self, source: &str) {
        self.walk(source, false);
    }

    fn walk(&mut self, source: &str, is_part: bool) {
        let mut rest = source;
        while let Some((text, tail)) = rest.split_once('<') {
            self.out.push_str(text);
            rest = self.markup(tail, is_part);
        }
        self.out.push_str(rest);
    }

    /// Writes what begins with `<`; what stands behind it.
    fn markup<'t>(&mut self, tail: &'t str, is_part: bool) -> &'t str {
        let behind = |mark: &str| tail.split_once(mark).map_or("", |(_, behind)| behind);
        if tail.starts_with("!--") {
            return behind("-->");
        }
        if let Some(data) = tail.strip_prefix("![CDATA[") {
            let (text, rest) = data.split_once("]]>").unwrap_or((data, ""));
            self.out.push_str(&escaped(text));
            return rest;
        }
        if tail.starts_with(['!', '?']) {
            return behind(">");
        }
        let Some((tag, rest)) = tag(tail) else {
            self.out.push_str("&lt;");
            return tail;
        };
        if is_part && !tag.is_end {
            let is_silent = matches!(tag.name, "script" | "style") && !tag.is_empty;
            if is_silent || tag.name == "nav" {
                let (inner, rest) = element(rest, tag.name);
                // A list of the book's parts repeats the headings, as on a page of its own.
                self.report.contents_lines += inner.matches("<li").count();
                return rest;
            }
            if tag.is_page_break() {
                return self.page_break(&tag, rest);
            }
        }
        self.tag(&tag, is_part);
        rest
    }

    /// Leaves out the number of a printed page, which would stand within a sentence.
    fn page_break<'t>(&mut self, tag: &Tag<'_>, rest: &'t str) -> &'t str {
        if tag.is_empty {
            return rest;
        }
        let (inner, behind) = element(rest, tag.name);
        if inner.len() > PAGE_NUMBER_BYTES || inner.contains('<') {
            return rest;
        }
        if !inner.trim().is_empty() {
            self.report.line_left_out(LineSign::PageNumber, inner.trim());
        }
        behind
    }

    fn tag(&mut self, tag: &Tag<'_>, is_part: bool) {
        let level = heading_level(tag.name).filter(|_| is_part);
        let name = match level {
            Some(level) => format!("h{}", level.saturating_add(self.deeper).min(DEEPEST_HEADING)),
            None => tag.name.to_owned(),
        };
        self.out.push_str(if tag.is_end { "</" } else { "<" });
        self.out.push_str(&name);
        for (attribute, value) in &tag.attributes {
            let value = match *attribute {
                "id" | "name" if is_part => Some(format!("c{}-{value}", self.number)),
                "href" if is_part => self.target(value),
                _ => Some((*value).to_owned()),
            };
            if let Some(value) = value {
                self.out.extend([" ", attribute, "=\"", &value.replace('"', "&quot;"), "\""]);
            }
        }
        self.out.push('>');
        let is_void = VOID.contains(&tag.name);
        if tag.is_empty && !is_void && !tag.is_end {
            self.out.extend(["</", &name, ">"]);
        }
    }

    /// The target of a link; `None` for one to another file as a whole, which no reader of an answer can open.
    fn target(&self, target: &str) -> Option<String> {
        let scheme = target.split(['/', '#', '?']).next().is_some_and(|start| start.contains(':'));
        if scheme {
            return Some(target.to_owned());
        }
        let (file, fragment) = target.split_once('#')?;
        let number = match file {
            "" => self.number,
            file => *self.files.0.get(&in_archive(self.folder, file))?,
        };
        Some(format!("#c{number}-{fragment}"))
    }
}

/// The tag that a text behind `<` begins with, and what stands behind it.
fn tag(tail: &str) -> Option<(Tag<'_>, &str)> {
    let (is_end, text) = tail.strip_prefix('/').map_or((false, tail), |text| (true, text));
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '<');
    let (name, mut rest) = text.split_at(text.find(ends)?);
    let mut found = Tag { name, attributes: Vec::new(), is_end, is_empty: false };
    loop {
        rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix('>') {
            return Some((found, behind));
        }
        if let Some(behind) = rest.strip_prefix("/>") {
            found.is_empty = true;
            return Some((found, behind));
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/'));
        let (name, behind) = rest.split_at(end?);
        if name.is_empty() {
            // A sign that is out of place.
            rest = rest.get(rest.chars().next()?.len_utf8()..)?;
            continue;
        }
        let Some(value) = behind.trim_start().strip_prefix('=') else {
            found.attributes.push((name, ""));
            rest = behind;
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''));
        (rest, _) = match quote {
            Some(quote) => {
                let (value, behind) = value.get(1..)?.split_once(quote)?;
                found.attributes.push((name, value));
                (behind, ())
            }
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>')?;
                let (value, behind) = value.split_at(end);
                found.attributes.push((name, value));
                (behind, ())
            }
        };
    }
}

/// The content of an element up to its first end tag, and what stands behind that.
fn element<'t>(rest: &'t str, name: &str) -> (&'t str, &'t str) {
    let end = format!("</{name}");
    match rest.split_once(end.as_str()) {
        Some((inner, behind)) => (inner, behind.split_once('>').map_or("", |(_, behind)| behind)),
        None => (rest, ""),
    }
}
