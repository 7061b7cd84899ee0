//! What programs for notes (Obsidian, Logseq, Dataview) add to Markdown: links in double brackets,
//! callouts with a title, marks of blocks, comments, highlighted words and fields.

use std::borrow::Cow;

use super::directives::Fence;
use super::formulas::code_span;
use crate::report::Report;

/// Marks of which one is in every page that this module changes.
const MARKS: &[&str] = &["[[", "[!", " ^", "\n^", "%%", "==", "::"];

/// Fields that a program keeps for itself.
const OWN_FIELDS: &[&str] = &["collapsed", "id", "background-color", "icon", "public"];

/// The page as such a program shows it. Code is left as it is.
pub(super) fn read<'a>(source: &'a str, report: &mut Report) -> Cow<'a, str> {
    if !MARKS.iter().any(|mark| source.contains(mark)) {
        return Cow::Borrowed(source);
    }
    let source = without_comments(source, report);
    let mut out = String::with_capacity(source.len());
    let mut fence: Option<(char, usize)> = None;
    for line in source.split_inclusive('\n') {
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let mark = Fence::of_code(inner.trim_end());
        match (fence, mark) {
            (None, Some(mark)) => fence = Some((mark.character, mark.length)),
            (Some(open), Some(mark)) if mark.closes(open) => fence = None,
            (None, None) => {
                push_line(&mut out, line, report);
                continue;
            }
            (Some(_), _) => {}
        }
        out.push_str(line);
    }
    Cow::Owned(out)
}

/// The page without what is between two `%%`. A single one is a sign.
fn without_comments<'a>(source: &'a str, report: &mut Report) -> Cow<'a, str> {
    let mut parts = source.split("%%");
    let count = parts.clone().count();
    // Within code they may be anything.
    if count < 3 || source.contains("```") {
        return Cow::Borrowed(source);
    }
    let mut out = parts.next().unwrap_or_default().to_owned();
    while let Some(comment) = parts.next() {
        match parts.next() {
            Some(text) => {
                report.comments += 1;
                out.push_str(text);
            }
            None => out.extend(["%%", comment]),
        }
    }
    Cow::Owned(out)
}

fn push_line(out: &mut String, line: &str, report: &mut Report) {
    let own = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
    let (margin, inner) = line.split_at(own);
    let text = inner.trim_end();
    let newline = inner.get(text.len()..).unwrap_or_default();
    if let Some(title) = callout(text).filter(|_| margin.contains('>')) {
        if title.is_empty() {
            return out.extend([margin, newline]);
        }
        // A paragraph of its own, or it would run into what follows.
        out.push_str(margin);
        push_text(out, title, report);
        return out.extend([newline, margin.trim_end(), newline]);
    }
    if is_block_mark(text) {
        return out.push_str(newline);
    }
    if let Some((name, value)) = field(text) {
        if !OWN_FIELDS.contains(&name) {
            out.extend([margin, name, ": "]);
            push_text(out, value, report);
        }
        return out.push_str(newline);
    }
    out.push_str(margin);
    push_text(out, without_block_mark(text), report);
    out.push_str(newline);
}

/// The title of `[!warning]- Title`; empty where it states none.
fn callout(text: &str) -> Option<&str> {
    let (kind, rest) = text.strip_prefix("[!")?.split_once(']')?;
    let kind = kind.split('|').next().unwrap_or(kind);
    let is_kind = !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    is_kind.then(|| rest.trim_start_matches(['+', '-']).trim())
}

/// `^rule1` on a line of its own.
fn is_block_mark(text: &str) -> bool {
    text.strip_prefix('^').is_some_and(is_id)
}

/// A line without the mark at its end by which others refer to it.
fn without_block_mark(text: &str) -> &str {
    // A power may be a number; the ids that Obsidian makes are six digits and letters.
    let is_mark = |id: &str| {
        is_id(id)
            && (id.len() == 6 || id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.len() > 1)
    };
    match text.rsplit_once(" ^") {
        Some((before, id)) if is_mark(id) => before.trim_end(),
        _ => text,
    }
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// `deadline:: 2027-01-14`, with a mark of an item before it.
fn field(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once("::")?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || "-_ ".contains(c))
        && name.split(' ').count() <= 3;
    let is_value = value.is_empty() || value.starts_with(' ');
    (is_name && is_value).then(|| (name.trim(), value.trim()))
}

/// Adds a text with its links as their words.
fn push_text(out: &mut String, text: &str, report: &mut Report) {
    let mut rest = text;
    while let Some(at) = rest.find(['[', '!', '=', '`']) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        let taken = if here.starts_with('`') {
            let code = code_span(here, here.len());
            out.push_str(code);
            code.len()
        } else if let Some((_, length)) = here.strip_prefix('!').and_then(link) {
            // Another file, shown in place.
            report.template_tags += 1;
            length + 1
        } else if let Some((words, length)) = link(here) {
            out.push_str(&words);
            length
        } else if let Some((words, length)) = highlighted(here) {
            push_text(out, words, report);
            length
        } else {
            let length = here.chars().next().map_or(1, char::len_utf8);
            out.push_str(here.get(..length).unwrap_or(here));
            length
        };
        rest = here.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// The words of `[[file#Heading|words]]` at the beginning of a text, and its length.
fn link(text: &str) -> Option<(String, usize)> {
    let (inner, behind) = text.strip_prefix("[[")?.split_once("]]")?;
    // `[[1]](#note)` is a link whose words stand in brackets; lists of contents have marks of their own.
    let is_link = !inner.trim().is_empty()
        && !inner.contains(['[', ']', '\n'])
        && !behind.starts_with(['(', '['])
        && !matches!(inner, "TOC" | "_TOC_");
    let words = match inner.split_once('|') {
        Some((_, words)) => words.trim_end_matches('\\').trim().to_owned(),
        None => {
            let parts = inner.split('#').map(|part| part.trim_start_matches('^').trim());
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        }
    };
    is_link.then(|| (words, inner.len() + 4))
}

/// The words of `==words==`, and the length with the marks.
fn highlighted(text: &str) -> Option<(&str, usize)> {
    let (words, _) = text.strip_prefix("==")?.split_once("==")?;
    let is_close = |c: char| c.is_whitespace() || c == '=';
    let fits = !words.is_empty() && !words.starts_with(is_close) && !words.ends_with(is_close);
    fits.then(|| (words, words.len() + 4))
}
