//! From lines to headings, paragraphs, lists, tables, quotes and code, written as HTML.

use super::inline::{Inlines, escaped};
use super::tables;
use crate::report::Report;

/// Lists are nested no deeper than this: nobody draws more, and a hostile page would.
const DEEPEST_LIST: usize = 20;

/// Elements of plugins that draw a frame, fold or set in columns what they hold.
const FRAMES: &[&str] = &[
    "accordion", "alert", "block", "box", "callout", "center", "col", "columns", "container",
    "div", "grid", "hidden", "inline", "jumbotron", "note", "pane", "panel", "row", "sortable",
    "span", "spoiler", "tab", "tabbox", "tabs", "well", "wrap",
];

/// The page as HTML.
pub(super) fn rendered(source: &str, report: &mut Report) -> String {
    let source = without_comments(source, report);
    let out = String::with_capacity(source.len() * 3 / 2);
    let mut page = Page { out, paragraph: Vec::new(), inlines: Inlines::new(report) };
    let lines: Vec<&str> = source.lines().collect();
    let mut at = 0;
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        at += page.block(rest).max(1);
    }
    page.end_block();
    page.out.push_str(&page.inlines.notes());
    page.out
}

/// The page without the comments that a plugin takes out. Of what is set in slanted letters (`//*a*//`) nothing is one.
fn without_comments(source: &str, report: &mut Report) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, behind)) = rest.split_once("/*") {
        let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        match behind.split_once("*/").filter(|_| is_apart) {
            Some((_, after)) => {
                out.push_str(before);
                report.comments += 1;
                rest = after;
            }
            // Nothing closes any of the further ones.
            None if is_apart => break,
            None => {
                out.extend([before, "/*"]);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The level and the words of `====== Fees ======`, which is of the first level, to `== Fees ==` of the fifth.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim();
    let words = line.trim_start_matches('=');
    let signs = line.len() - words.len();
    let words = words.trim_end_matches('=');
    let closing = line.len() - signs - words.len();
    let words = words.trim();
    let is_heading = signs >= 2 && closing >= 2 && words.contains(char::is_alphanumeric);
    is_heading.then(|| (7_usize.saturating_sub(signs).max(1), words))
}

/// The columns, the sign and the words of an item: set in by two columns at least.
pub(super) fn item(line: &str) -> Option<(usize, char, &str)> {
    let text = line.trim_start_matches([' ', '\t']);
    let margin = line.get(..line.len() - text.len())?;
    let columns = margin.chars().map(|space| if space == '\t' { 2 } else { 1 }).sum();
    let sign = text.chars().next().filter(|sign| matches!(sign, '*' | '-'))?;
    let words = text.get(1..)?;
    // `  ** bold **` and `  --- ` are no items.
    (columns >= 2 && !words.starts_with(sign) && !words.trim().is_empty()).then_some((
        columns,
        sign,
        words.trim(),
    ))
}

struct Page<'r> {
    out: String,
    /// Lines of the paragraph that is being read.
    paragraph: Vec<String>,
    inlines: Inlines<'r>,
}

impl Page<'_> {
    fn block(&mut self, lines: &[&str]) -> usize {
        let Some(line) = lines.first() else { return 0 };
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.end_block();
            return 1;
        }
        if let Some((level, words)) = heading(line) {
            return self.heading(level, words);
        }
        if let Some(count) = self.code(lines) {
            return count;
        }
        if let Some(tag) = Tag::of(trimmed) {
            return self.frame(&tag);
        }
        if item(line).is_some() {
            return self.list(lines);
        }
        if line.starts_with(['^', '|']) {
            self.end_block();
            let count = lines.iter().take_while(|line| line.starts_with(['^', '|'])).count();
            let table = tables::rendered(lines.get(..count).unwrap_or_default(), &mut self.inlines);
            self.out.push_str(&table);
            return count;
        }
        if line.starts_with('>') {
            return self.quote(lines);
        }
        // A line across the page, or the name of a plugin's block of fields.
        if trimmed.starts_with("----") && trimmed.ends_with("----") {
            self.end_block();
            return 1;
        }
        let is_set_in = line.starts_with("  ") || line.starts_with('\t');
        if is_set_in && self.paragraph.is_empty() {
            return self.set_in(lines);
        }
        self.paragraph.push(trimmed.to_owned());
        1
    }

    fn heading(&mut self, level: usize, words: &str) -> usize {
        self.end_block();
        let id = anchor(words).map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
        let words = self.inlines.rendered(words);
        self.out.push_str(&format!("<h{level}{id}>{words}</h{level}>\n"));
        1
    }

    /// Ends the paragraph that is being read.
    fn end_block(&mut self) {
        let lines = std::mem::take(&mut self.paragraph);
        if !lines.is_empty() {
            let text = self.inlines.rendered(&lines.join("\n"));
            self.out.extend(["<p>", text.as_str(), "</p>\n"]);
        }
    }

    /// Reads `<code>`, `<file>` and what is between, and returns how many lines that takes.
    fn code(&mut self, lines: &[&str]) -> Option<usize> {
        let first = lines.first()?;
        let (at, name) = ["code", "file"].iter().find_map(|name| {
            let at = first.find(&format!("<{name}"))?;
            let behind = first.get(at + 1 + name.len()..)?;
            behind.starts_with(['>', ' ']).then_some((at, *name))
        })?;
        let (before, rest) = first.split_at_checked(at)?;
        let (_, rest) = rest.split_once('>')?;
        let close = format!("</{name}>");
        let end = std::iter::once(rest)
            .chain(lines.iter().skip(1).copied())
            .position(|line| line.contains(&close));
        let end = end.unwrap_or(lines.len() - 1);
        let mut inner: Vec<&str> =
            std::iter::once(rest).chain(lines.iter().skip(1).copied()).take(end + 1).collect();
        let last = inner.pop().unwrap_or_default();
        let (last, behind) = last.split_once(&close).unwrap_or((last, ""));
        inner.push(last);
        if !before.trim().is_empty() {
            self.paragraph.push(before.trim().to_owned());
        }
        self.preformatted(&inner);
        if !behind.trim().is_empty() {
            self.paragraph.push(behind.trim().to_owned());
        }
        Some(end + 1)
    }

    fn preformatted(&mut self, lines: &[&str]) {
        self.end_block();
        self.out.extend(["<pre>", escaped(&lines.join("\n")).as_str(), "</pre>\n"]);
    }

    /// Lines that are set in and no items: code.
    fn set_in(&mut self, lines: &[&str]) -> usize {
        let is_code = |line: &&&str| {
            (line.starts_with("  ") || line.starts_with('\t')) && item(line).is_none()
        };
        let count = lines.iter().take_while(is_code).count();
        let own: Vec<&str> =
            lines.iter().take(count).map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
        self.preformatted(&own);
        count
    }

    /// The beginning or the end of a frame, with what stands beside it in its line.
    fn frame(&mut self, tag: &Tag<'_>) -> usize {
        self.end_block();
        if tag.is_end {
            self.out.push_str("</div>\n");
        } else {
            // The plugin hides what has this class.
            let is_hidden = tag.rest.split(['|', ' ']).any(|class| class == "hide");
            self.out.push_str(if is_hidden { "<div hidden>" } else { "<div>" });
            if let Some(title) = tag.title() {
                let title = self.inlines.rendered(title);
                self.out.extend(["<p><strong>", title.as_str(), "</strong></p>\n"]);
            }
        }
        if !tag.behind.trim().is_empty() {
            self.block(&[tag.behind.trim()]);
        }
        1
    }

    fn list(&mut self, lines: &[&str]) -> usize {
        self.end_block();
        let mut open: Vec<(usize, &str)> = Vec::new();
        let items: Vec<(usize, char, &str)> = lines.iter().map_while(|line| item(line)).collect();
        for (columns, sign, words) in &items {
            let name = if *sign == '-' { "ol" } else { "ul" };
            while open.last().is_some_and(|(own, _)| own > columns) && open.len() > 1 {
                self.end_list(&mut open);
            }
            let is_deeper = open.last().is_none_or(|(own, _)| own < columns);
            if is_deeper && open.len() < DEEPEST_LIST {
                self.out.push_str(&format!("<{name}>\n"));
                open.push((*columns, name));
            } else if open.last().is_some_and(|(_, own)| *own != name) {
                self.end_list(&mut open);
                self.out.push_str(&format!("<{name}>\n"));
                open.push((*columns, name));
            }
            let words = self.inlines.rendered(words);
            self.out.extend(["<li>", words.as_str(), "\n"]);
        }
        while !open.is_empty() {
            self.end_list(&mut open);
        }
        items.len()
    }

    fn end_list(&mut self, open: &mut Vec<(usize, &str)>) {
        if let Some((_, name)) = open.pop() {
            self.out.push_str(&format!("</{name}>\n"));
        }
    }

    fn quote(&mut self, lines: &[&str]) -> usize {
        self.end_block();
        let count = lines.iter().take_while(|line| line.starts_with('>')).count();
        let words: Vec<&str> =
            lines.iter().take(count).map(|line| line.trim_start_matches('>').trim()).collect();
        let text = self.inlines.rendered(&words.join("\n"));
        self.out.extend(["<blockquote><p>", text.as_str(), "</p></blockquote>\n"]);
        count
    }
}

/// A tag that a line begins with or consists of.
struct Tag<'a> {
    is_end: bool,
    /// Classes and titles behind the name.
    rest: &'a str,
    /// The text behind the tag.
    behind: &'a str,
}

/// Returns `true` if a text begins with a tag that draws a frame.
pub(super) fn is_frame(text: &str) -> bool {
    Tag::of(text).is_some()
}

impl<'a> Tag<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let inner = line.strip_prefix('<')?;
        let (inner, is_end) = inner.strip_prefix('/').map_or((inner, false), |inner| (inner, true));
        let (inner, behind) = inner.split_once('>')?;
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
        let (name, rest) = inner.split_at_checked(end)?;
        FRAMES.iter().any(|frame| frame.eq_ignore_ascii_case(name)).then_some(Self {
            is_end,
            rest,
            behind,
        })
    }

    /// `<box 50%|Title>`, `<panel title="Title">`
    fn title(&self) -> Option<&'a str> {
        let stated = || {
            let (_, title) = self.rest.split_once("title=\"")?;
            title.split('"').next()
        };
        let title = self.rest.split_once('|').map(|(_, title)| title).or_else(stated);
        title.map(str::trim).filter(|title| !title.is_empty())
    }
}

/// The anchor that DokuWiki gives to a heading. Letters with marks are written out by its settings, which are not known here.
fn anchor(words: &str) -> Option<String> {
    let mut id = String::new();
    for letter in words.chars() {
        match letter.to_ascii_lowercase() {
            letter if letter.is_ascii_alphanumeric() || letter == '-' => id.push(letter),
            letter if letter.is_ascii() && !id.ends_with('_') => id.push('_'),
            letter if letter.is_ascii() => {}
            _ => return None,
        }
    }
    let id = id.trim_matches(['_', '-']);
    (!id.is_empty()).then(|| id.to_owned())
}
