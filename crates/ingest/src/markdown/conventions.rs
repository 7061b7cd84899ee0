//! Lines that generators read before Markdown is: MkDocs' admonitions, tabs and snippets, tables of
//! contents, abbreviations, and the programs at the top of MDX pages.

use std::borrow::Cow;

use super::directives::Fence;
use super::tags::{parameter, quoted};
use crate::report::Report;

/// Columns that the content of an admonition or a tab is set in by.
const STEP: usize = 4;
/// Marks of which one is in every page that this module changes.
const MARKS: &[&str] = &[
    "!!! ", "??? ", "???+ ", "=== \"", "===! \"", "===+ \"", "=== '", "/// ", "--8<--", "TOC",
    "*[", "import ", "export ",
];

/// The page with the marks of such lines taken away and what they hold left in place.
pub(super) fn applied<'a>(source: &'a str, report: &mut Report) -> Cow<'a, str> {
    // Most pages have none of them and are handed on without a copy.
    if !MARKS.iter().any(|mark| source.contains(mark)) {
        return Cow::Borrowed(source);
    }
    let mut page = Page { out: String::with_capacity(source.len()), ..Page::default() };
    let mut lines = source.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        page.line(line, lines.peek().copied().unwrap_or_default());
    }
    report.template_tags += page.snippets;
    Cow::Owned(page.out)
}

#[derive(Default)]
struct Page {
    out: String,
    /// The columns that the open admonitions and tabs are set in by, innermost last.
    open: Vec<usize>,
    /// The character and length of the code fence that is open.
    fence: Option<(char, usize)>,
    /// The number of snippets that were left out.
    snippets: usize,
    /// `true` if the lines name files, up to a second mark.
    in_snippets: bool,
    /// `true` if the lines are a program, up to a blank one.
    in_program: bool,
}

impl Page {
    fn line(&mut self, line: &str, next: &str) {
        let inner = line.trim();
        let columns = columns(line);
        if inner.is_empty() {
            self.in_program = false;
            return self.out.push_str(line);
        }
        // Whatever is set in less than its content ends an admonition, as in MkDocs.
        while self.open.last().is_some_and(|own| columns < *own) {
            self.open.pop();
            // What follows is no part of it, whatever it left open.
            self.fence = None;
        }
        let line = without_columns(line, self.open.len() * STEP);
        if self.snippet(inner) || self.in_program {
            return self.out.push('\n');
        }
        // Before all marks: within code they are examples of themselves.
        let is_code = self.fence.is_some();
        self.follow_fence(inner);
        if is_code || self.fence.is_some() {
            return self.out.push_str(&line);
        }
        if let Some(title) = opened(inner) {
            self.open.push(columns + STEP);
            let own = line.len() - line.trim_start().len();
            let margin = line[..own].to_owned();
            return self.out.extend(["\n", margin.as_str(), title, "\n\n"]);
        }
        if let Some(title) = slashed(inner) {
            return self.out.extend(["\n", title, "\n\n"]);
        }
        if is_contents(inner, next) {
            return self.out.push('\n');
        }
        if let Some((short, long)) = abbreviation(&line) {
            return self.out.extend(["\n- ", short, ": ", long, "\n"]);
        }
        if is_program(&line) {
            self.in_program = !inner.ends_with(';') && !inner.ends_with(['\'', '"']);
            return self.out.push('\n');
        }
        self.out.push_str(&line);
    }

    /// `--8<-- "file.md"`, or a mark above and below lines that name files.
    fn snippet(&mut self, inner: &str) -> bool {
        let Some(rest) =
            inner.trim_start_matches('-').strip_prefix("8<--").filter(|_| inner.starts_with("--"))
        else {
            self.snippets += usize::from(self.in_snippets);
            return self.in_snippets;
        };
        match rest.trim_start_matches('-').trim() {
            "" => self.in_snippets = !self.in_snippets,
            // `--8<-- [start:name]` marks a part for others.
            rest => self.snippets += usize::from(!rest.starts_with('[')),
        }
        true
    }

    fn follow_fence(&mut self, inner: &str) {
        match (self.fence, Fence::of_code(inner)) {
            (None, Some(fence)) => self.fence = Some((fence.character, fence.length)),
            (Some(open), Some(fence)) if fence.closes(open) => self.fence = None,
            _ => {}
        }
    }
}

/// Counts the columns that a line is set in by.
pub(super) fn columns(line: &str) -> usize {
    let margin = line.chars().take_while(|character| matches!(character, ' ' | '\t'));
    margin.fold(
        0,
        |column, character| if character == '\t' { (column / STEP + 1) * STEP } else { column + 1 },
    )
}

fn without_columns(line: &str, count: usize) -> Cow<'_, str> {
    if count == 0 {
        return Cow::Borrowed(line);
    }
    let own = columns(line);
    let text = line.trim_start_matches([' ', '\t']);
    Cow::Owned(" ".repeat(own.saturating_sub(count)) + text)
}

/// The title of the admonition or tab that a line opens; it may be empty.
fn opened(inner: &str) -> Option<&str> {
    let marks = ["!!! ", "???+ ", "??? ", "=== ", "===! ", "===+ "];
    let mark = marks.iter().find(|mark| inner.starts_with(**mark))?;
    let rest = inner.get(mark.len()..)?.trim();
    let (kind, title) = match rest.find(['"', '\'']) {
        Some(quote) => rest.split_at(quote),
        None => (rest, ""),
    };
    let is_tab = mark.starts_with('=');
    let is_kind = kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    let is_titled = title.len() > 1 && title.ends_with(['"', '\'']);
    let fits = if is_tab {
        kind.is_empty() && is_titled
    } else {
        is_kind && !kind.is_empty() && (title.is_empty() || is_titled)
    };
    // A shout is no admonition: its type is one word or a few in lower case.
    let is_quiet = kind.split_whitespace().count() <= 4 && !kind.contains(char::is_uppercase);
    (fits && is_quiet).then(|| quoted(title).unwrap_or_default())
}

/// `/// note | Title`, and the `///` below.
fn slashed(inner: &str) -> Option<&str> {
    let rest = inner.strip_prefix("///")?;
    if rest.is_empty() {
        return Some("");
    }
    let rest = rest.strip_prefix(' ')?;
    let (kind, title) = rest.split_once('|').unwrap_or((rest, ""));
    let is_kind =
        !kind.trim().is_empty() && kind.trim().chars().all(|c| c.is_alphanumeric() || c == '-');
    is_kind.then(|| title.trim())
}

/// A place for a table of contents, or the item that Kramdown replaces by one.
fn is_contents(inner: &str, next: &str) -> bool {
    let is_item = ["* ", "- ", "1. "].iter().any(|mark| inner.starts_with(mark));
    matches!(inner, "[TOC]" | "[[_TOC_]]" | "[[TOC]]" | "[toc]")
        || (is_item && next.trim().starts_with("{:toc"))
}

/// `*[ECTS]: European Credit Transfer System`
fn abbreviation(line: &str) -> Option<(&str, &str)> {
    let (short, long) = line.strip_prefix("*[")?.split_once("]:")?;
    let (short, long) = (short.trim(), long.trim());
    (!short.is_empty() && !long.is_empty() && !short.contains('[')).then_some((short, long))
}

/// A line of an MDX page that is JavaScript.
fn is_program(line: &str) -> bool {
    let is_import = line.strip_prefix("import ").is_some_and(|rest| {
        rest.starts_with(['\'', '"', '{', '*'])
            || rest.contains(" from '")
            || rest.contains(" from \"")
    });
    let is_export = line.strip_prefix("export ").is_some_and(|rest| {
        let first = rest.split_whitespace().next().unwrap_or_default();
        let names = matches!(first, "const" | "let" | "function" | "async" | "class");
        (names && rest.contains(['=', '(']))
            || (first == "default" && rest.contains(['(', '{', '=', ';']))
    });
    is_import || is_export
}

/// The words that a component shows of its attributes.
pub(super) fn shown_attribute(attributes: &str) -> Option<&str> {
    ["label", "title", "summary", "caption", "heading", "text"]
        .iter()
        .find_map(|name| parameter(attributes, name))
}
