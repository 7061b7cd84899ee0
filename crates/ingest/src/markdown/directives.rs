//! Blocks that other dialects of Markdown add: MyST's and Pandoc's `:::`, and HTML blocks that ask
//! for Markdown inside.

use std::borrow::Cow;

use super::tags::{parameter, quoted};
use crate::rst::{Listed, listed_cells};

/// Directives whose content is Markdown to be shown. All others in code fences stay code.
const PROSE: &[&str] = &[
    "admonition", "attention", "caution", "danger", "details", "dropdown", "error", "glossary",
    "hint", "important", "note", "seealso", "table", "tip", "topic", "versionadded",
    "versionchanged", "warning",
];

/// Directives that show nothing of their own, or lists that a build makes.
const SILENT: &[&str] = &["contents", "eval-rst", "index", "tableofcontents", "toctree"];

/// Directives that show a picture.
const PICTURES: &[&str] = &["figure", "image"];

/// Tables whose cells are given as values or as a list.
const TABLES: &[&str] = &["csv-table", "list-table"];

/// The effect of an open fence on the lines inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Prose,
    /// Tabs, each below a line with its label (`== Students`).
    Tabs,
    /// Terms, each with its definition indented below it.
    Terms,
    Picture,
    /// The cells of a table.
    Cells,
    Silent,
    Code,
}

/// The page with the marks of such blocks taken away and what they hold left in place.
pub(super) fn unwrapped(source: &str) -> Cow<'_, str> {
    if !source.contains(":::")
        && !source.contains("```{")
        && !source.contains("}`")
        && !source.contains("markdown=")
        && !source.contains(")=")
        && !source.contains("title=")
        && !source.contains("admonish")
        && !source.contains("filename=")
    {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len() + 64);
    let mut open: Vec<(char, usize, Inside)> = Vec::new();
    let mut takes_options = false;
    let mut follows_term = false;
    let mut cells = Cells::default();
    for line in source.split_inclusive('\n') {
        let fence = Fence::of(line.trim());
        let inside = open.last().map(|(_, _, inside)| *inside);
        let closes = |fence: &Fence<'_>| {
            open.last().is_some_and(|(character, length, _)| fence.closes((*character, *length)))
        };
        match fence {
            Some(fence) if closes(&fence) => match open.pop() {
                Some((_, _, Inside::Code)) => out.push_str(line),
                Some((_, _, Inside::Cells)) => std::mem::take(&mut cells).write(&mut out),
                _ => out.push('\n'),
            },
            Some(fence)
                if !matches!(
                    inside,
                    Some(Inside::Code | Inside::Cells | Inside::Picture | Inside::Silent)
                ) =>
            {
                let (inside, title) = fence.opens();
                // A bare `:::` that closes nothing opens nothing either.
                if fence.character != ':' || !fence.rest.is_empty() {
                    open.push((fence.character, fence.length, inside));
                }
                takes_options = matches!(inside, Inside::Prose | Inside::Terms | Inside::Tabs);
                follows_term = false;
                match inside {
                    Inside::Code => {
                        if let Some(name) = fence.name_of_code() {
                            out.extend(["\n", name, "\n\n"]);
                        }
                        out.push_str(line);
                    }
                    Inside::Prose | Inside::Terms | Inside::Tabs => {
                        out.extend(["\n", title, "\n\n"]);
                    }
                    Inside::Cells => {
                        cells = Cells { title, name: fence.directive(), lines: Vec::new() }
                    }
                    Inside::Picture | Inside::Silent => out.push('\n'),
                }
                continue;
            }
            _ if matches!(inside, Some(Inside::Picture | Inside::Silent)) => {}
            _ if inside == Some(Inside::Cells) => cells.lines.push(line.trim_end()),
            _ if takes_options && is_option(line) => continue,
            _ if inside == Some(Inside::Code) => out.push_str(line),
            _ if inside == Some(Inside::Terms) => {
                let is_indented = line.starts_with([' ', '\t']);
                if is_indented && follows_term {
                    out.push_str(": ");
                }
                follows_term = !is_indented && !line.trim().is_empty();
                if follows_term {
                    out.push('\n'); // Or the term would go on with the definition above it.
                }
                push_without_roles(&mut out, line.trim_start());
            }
            _ if is_mark(line) => {
                if let Some(label) = label(line) {
                    out.extend(["<a id=\"", label, "\"></a>\n\n"]);
                }
            }
            // A heading in a block is its title, and no section of the page.
            _ if inside == Some(Inside::Prose) && is_title(line)
                || inside == Some(Inside::Tabs) && is_label(line) =>
            {
                let title = line.trim().trim_start_matches(['#', '=']);
                let title = title.split(" {").next().unwrap_or(title).trim();
                out.extend(["\n", title, "\n\n"]);
            }
            _ => {
                push_without_roles(&mut out, line);
                if asks_for_markdown(line) {
                    out.push('\n');
                }
            }
        }
        takes_options = false;
    }
    Cow::Owned(out)
}

/// A table that a directive lists, up to the end of its block.
#[derive(Default)]
struct Cells<'a> {
    name: &'a str,
    title: &'a str,
    lines: Vec<&'a str>,
}

impl Cells<'_> {
    /// Writes it as HTML, whose cells hold Markdown.
    fn write(self, out: &mut String) {
        let Some(Listed { rows, heads, stubs }) = listed_cells(self.name, &self.lines) else {
            // Its cells stand in another file.
            return out.extend(["\n", self.title, "\n\n"]);
        };
        out.push_str("\n<table>\n");
        if !self.title.is_empty() {
            out.extend(["<caption>\n\n", self.title, "\n\n</caption>\n"]);
        }
        for (index, row) in rows.iter().enumerate() {
            out.push_str("<tr>\n");
            for (column, cell) in row.iter().enumerate() {
                let name = if index < heads || column < stubs { "th" } else { "td" };
                out.extend(["<", name, ">\n\n", cell.as_str(), "\n\n</", name, ">\n"]);
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table>\n\n");
    }
}

/// A line that opens or closes a block: three or more of one mark.
pub(super) struct Fence<'a> {
    pub(super) character: char,
    pub(super) length: usize,
    /// The text behind the marks, trimmed.
    rest: &'a str,
}

impl<'a> Fence<'a> {
    /// The fence that a line begins with.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let character = line.chars().next().filter(|first| matches!(first, ':' | '`' | '~'))?;
        let rest = line.trim_start_matches(character);
        let length = line.len() - rest.len();
        // Three backticks, words and more backticks are code within a line.
        let is_inline = character == '`' && rest.contains('`');
        (length >= 3 && !is_inline).then_some(Self { character, length, rest: rest.trim() })
    }

    /// The fence of a block of code that a line begins with.
    pub(super) fn of_code(line: &'a str) -> Option<Self> {
        Self::of(line).filter(|fence| fence.character != ':')
    }

    /// Returns `true` if it closes the fence of this character and length.
    pub(super) fn closes(&self, (character, length): (char, usize)) -> bool {
        self.character == character && self.length >= length && self.rest.is_empty()
    }

    /// The name in `{name}`.
    fn directive(&self) -> &'a str {
        let named = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        named.map_or("", |(name, _)| name)
    }

    /// The language of a block of code, or the name of a directive.
    pub(super) fn name(&self) -> &'a str {
        self.rest.split_whitespace().next().unwrap_or_default()
    }

    /// The name that a page shows above a block of code: `sh [Linux]`, `py title="fees.py"`.
    fn name_of_code(&self) -> Option<&'a str> {
        let bracketed = || {
            let (_, behind) = self.rest.split_once(" [")?;
            behind.split_once(']').map(|(name, _)| name)
        };
        let stated = |key: &str| {
            let (_, behind) = self.rest.split_once(key)?;
            let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            behind.get(1..)?.split(quote).next()
        };
        let name = bracketed().or_else(|| stated("title=")).or_else(|| stated("filename="));
        name.filter(|name| !name.trim().is_empty() && !name.contains(['{', '`']))
    }

    /// Returns what the fence opens, and the title it gives to it.
    fn opens(&self) -> (Inside, &'a str) {
        let named = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        match named {
            Some(("glossary", _)) => (Inside::Terms, ""),
            Some((attributes, title)) if self.character == ':' && attributes.contains('=') => {
                let stated = parameter(attributes, "title").or(parameter(attributes, "summary"));
                (Inside::Prose, stated.unwrap_or(title.trim()))
            }
            Some((name, _)) if PICTURES.contains(&name) => (Inside::Picture, ""),
            Some((name, _)) if SILENT.contains(&name) => (Inside::Silent, ""),
            Some((name, title)) if TABLES.contains(&name) => (Inside::Cells, title.trim()),
            Some((name, title)) if self.character == ':' || PROSE.contains(&name) => {
                (Inside::Prose, title.trim())
            }
            None if self.character == ':' && self.name() == "tabs" => (Inside::Tabs, ""),
            None if self.name() == "admonish" => {
                let title = parameter(self.rest, "title").or_else(|| quoted(self.rest));
                (Inside::Prose, title.unwrap_or_default())
            }
            None if self.character == ':' => (Inside::Prose, title_behind_type(self.rest)),
            _ => (Inside::Code, ""),
        }
    }
}

/// The title in Docusaurus' `note Title` and `note[Title]`.
fn title_behind_type(rest: &str) -> &str {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(rest.len());
    let title = rest[end..].trim();
    let bracketed = title.strip_prefix('[').and_then(|title| title.split(']').next());
    bracketed
        .unwrap_or(if title.starts_with('{') { "" } else { title })
        .trim_end_matches(':')
        .trim()
}

/// `## MSc`
fn is_title(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}

/// `== Students`
fn is_label(line: &str) -> bool {
    line.trim_start().strip_prefix("==").is_some_and(|label| label.starts_with(' '))
}

/// A line of MyST that shows nothing: a label, a break between blocks.
fn is_mark(line: &str) -> bool {
    label(line).is_some() || line.trim_end() == "+++" || line.starts_with("+++ ")
}

/// The name in `(name)=`, which stands above a heading.
fn label(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix('(')?.strip_suffix(")=")?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// `:class: tip`
fn is_option(line: &str) -> bool {
    let name = line.trim().strip_prefix(':').and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

/// `<div markdown="1">`: without a blank line behind it, CommonMark would take what follows for
/// HTML.
fn asks_for_markdown(line: &str) -> bool {
    let tag = line.trim();
    tag.starts_with('<') && tag.ends_with('>') && tag.contains("markdown=")
}

/// Adds a line with MyST's roles read as what they show: `` {term}`role <certified role>` `` is
/// `role`.
fn push_without_roles(out: &mut String, line: &str) {
    let mut rest = line;
    while let Some((before, role, shown, after)) = next_role(rest) {
        out.push_str(before);
        if matches!(role, "code" | "command" | "kbd" | "literal" | "math") {
            out.extend(["`", shown, "`"]);
        } else {
            let words = shown.split_once('<').map_or(shown, |(words, _)| words);
            out.push_str(words.trim());
        }
        rest = after;
    }
    out.push_str(rest);
}

/// The text before the next role, its name, what it holds, and the text behind it.
fn next_role(line: &str) -> Option<(&str, &str, &str, &str)> {
    line.match_indices("}`").find_map(|(middle, _)| {
        let (before, name) = line.get(..middle)?.rsplit_once('{')?;
        let (shown, after) = line.get(middle + 2..)?.split_once('`')?;
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || "-:".contains(c));
        // `{name}` in backticks is code.
        (is_name && !before.ends_with('`')).then_some((before, name, shown, after))
    })
}
