//! Marks within a line: letters in bold and slanted, links, pictures, notes, and what is to be read as it stands.

use super::blocks;
use crate::report::Report;

/// Marks around words, and the element that they become. `''` is code, where a line is not broken.
const AROUND: &[(&str, &str)] = &[("**", "strong"), ("//", "em"), ("__", "u"), ("''", "code")];
/// Elements that DokuWiki itself knows.
const ELEMENTS: &[&str] = &["sub", "sup", "del"];
/// Marks within marks, no deeper than anybody writes.
const DEEPEST: usize = 8;
/// The longest link and the longest note, in bytes: what opens further away was no mark.
const LINK_BYTES: usize = 2_000;
const NOTE_BYTES: usize = 5_000;
/// Ends of the names of pictures.
const PICTURES: &[&str] = &[".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"];

/// Writes the text of lines as HTML, and keeps the notes in it for the end of the page.
pub(super) struct Inlines<'r> {
    notes: Vec<String>,
    report: &'r mut Report,
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl<'r> Inlines<'r> {
    pub(super) fn new(report: &'r mut Report) -> Self {
        Self { notes: Vec::new(), report }
    }

    /// The notes of the page, as generators print them: the reader of HTML puts each behind what refers to it.
    pub(super) fn notes(&self) -> String {
        let note = |(number, text): (usize, &String)| {
            format!("<div class=\"footnote-definition\" id=\"note-{number}\"><p>{text}</p></div>\n")
        };
        self.notes.iter().enumerate().map(note).collect()
    }

    pub(super) fn rendered(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 16);
        self.push(&mut out, text, 0);
        out
    }

    fn push(&mut self, out: &mut String, text: &str, depth: usize) {
        let mut at = 0;
        // Marks that nothing closes any more: looked for once.
        let mut unclosed: Vec<&str> = Vec::new();
        let ends = [(b'[', "]]"), (b'{', "}}"), (b'(', "))"), (b'~', "~~")]
            .map(|(first, close)| (first, text.rfind(close).unwrap_or(0)));
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let before = text.get(..at).unwrap_or_default();
            let is_open = ends
                .iter()
                .any(|(first, end)| at >= *end && rest.as_bytes().first() == Some(first));
            let whole = if is_open { None } else { self.whole(out, rest) };
            let taken = whole.or_else(|| {
                let (mark, name) = AROUND.iter().find(|(mark, _)| rest.starts_with(mark))?;
                // `https://` is no beginning of slanted letters.
                let is_address = *mark == "//" && before.ends_with(':');
                if is_address || depth >= DEEPEST || unclosed.contains(mark) {
                    return None;
                }
                let Some(end) = closing(rest, mark) else {
                    unclosed.push(mark);
                    return None;
                };
                out.extend(["<", name, ">"]);
                self.push(out, rest.get(2..end).unwrap_or_default(), depth + 1);
                out.extend(["</", name, ">"]);
                Some(end + 2)
            });
            at += taken.unwrap_or_else(|| {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                out.push_str(&escaped(rest.get(..length).unwrap_or_default()));
                length
            });
        }
    }

    /// Writes what a mark with an end of its own stands for, and returns how many bytes it takes.
    fn whole(&mut self, out: &mut String, rest: &str) -> Option<usize> {
        match rest.as_bytes().first()? {
            b'%' => literal(out, rest, "%%", "%%"),
            b'<' => literal(out, rest, "<nowiki>", "</nowiki>").or_else(|| element(out, rest)),
            b'[' => self.link(out, rest),
            b'{' => self.media(out, rest),
            b'(' => self.note(out, rest),
            b'~' => macro_length(rest),
            b'\\' => {
                let behind = rest.strip_prefix("\\\\")?;
                (behind.is_empty() || behind.starts_with(char::is_whitespace)).then(|| {
                    out.push_str("<br>");
                    2
                })
            }
            _ => None,
        }
    }

    fn link(&mut self, out: &mut String, rest: &str) -> Option<usize> {
        let (inner, length) = enclosed(rest, "[[", "]]", LINK_BYTES)?;
        let (target, name) = inner.split_once('|').unwrap_or((inner, ""));
        let (target, name) = (target.trim(), name.trim());
        let is_address = target.contains("://") || target.starts_with("mailto:");
        let is_mail = !is_address && target.contains('@') && !target.contains([' ', ':']);
        let shown = match name {
            // A picture is what the link shows.
            _ if name.starts_with("{{") => self.rendered(name),
            "" if is_address || is_mail => escaped(target),
            "" => escaped(page_name(target)),
            _ => escaped(name),
        };
        // The address of another page of the wiki depends on how it is served.
        if is_address || is_mail {
            let scheme = if is_mail { "mailto:" } else { "" };
            let target = escaped(target);
            out.extend(["<a href=\"", scheme, &target, "\">", &shown, "</a>"]);
        } else {
            out.push_str(&shown);
        }
        Some(length)
    }

    /// A picture or a file, or what a plugin puts in, which is not known here.
    fn media(&mut self, out: &mut String, rest: &str) -> Option<usize> {
        let (inner, length) = enclosed(rest, "{{", "}}", LINK_BYTES)?;
        let (target, name) = inner.split_once('|').unwrap_or((inner, ""));
        let (target, name) = (target.trim(), name.trim());
        if target.contains('>') {
            self.report.template_tags += 1;
            return Some(length);
        }
        let file = target.split('?').next().unwrap_or(target);
        let lower = file.to_ascii_lowercase();
        if PICTURES.iter().any(|end| lower.ends_with(end)) {
            out.extend(["<img alt=\"", escaped(name).as_str(), "\">"]);
        } else {
            let shown = if name.is_empty() { page_name(file) } else { name };
            out.push_str(&escaped(shown));
        }
        Some(length)
    }

    fn note(&mut self, out: &mut String, rest: &str) -> Option<usize> {
        let (inner, mut length) = enclosed(rest, "((", "))", NOTE_BYTES)?;
        // `((see (a)))` ends with its own bracket.
        let is_longer = rest.get(length..).is_some_and(|behind| behind.starts_with(')'));
        length += usize::from(is_longer);
        let inner = if is_longer { rest.get(2..length - 2)? } else { inner };
        // A note in a note is none.
        let mut text = String::new();
        self.push(&mut text, inner.trim(), DEEPEST - 1);
        let number = self.notes.len();
        self.notes.push(text);
        out.push_str(&format!(
            "<sup class=\"footnote-reference\"><a href=\"#note-{number}\">{}</a></sup>",
            number + 1
        ));
        Some(length)
    }
}

/// The name that a wiki shows of a page: `hours` of `office:hours#friday`.
fn page_name(target: &str) -> &str {
    let page = target.rsplit('>').next().unwrap_or(target);
    let page =
        page.split_once('#').map_or(page, |(page, part)| if page.is_empty() { part } else { page });
    let name = page.trim_end_matches(':').rsplit([':', '/']).next().unwrap_or(page);
    if name.is_empty() { page } else { name }
}

/// What stands between two marks, and the bytes of all of it.
fn enclosed<'a>(rest: &'a str, open: &str, close: &str, most: usize) -> Option<(&'a str, usize)> {
    let inner = rest.strip_prefix(open)?;
    let near = inner.get(..inner.floor_char_boundary(most)).unwrap_or(inner);
    let end = near.find(close).filter(|end| *end > 0)?;
    Some((inner.get(..end)?, open.len() + end + close.len()))
}

/// The bytes of a link, a picture, a note or a text as it stands that `rest` begins with.
pub(super) fn bracketed(rest: &str) -> Option<usize> {
    let marks = [("[[", "]]"), ("{{", "}}"), ("((", "))"), ("%%", "%%"), ("<nowiki>", "</nowiki>")];
    marks.iter().find_map(|(open, close)| Some(enclosed(rest, open, close, LINK_BYTES)?.1))
}

fn literal(out: &mut String, rest: &str, open: &str, close: &str) -> Option<usize> {
    let (inner, length) = enclosed(rest, open, close, NOTE_BYTES)?;
    out.push_str(&escaped(inner));
    Some(length)
}

/// `~~NOTOC~~`, `~~DISCUSSION:closed~~`: words to the program.
pub(super) fn macro_length(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("~~")?;
    let end = inner.find("~~")?;
    let name = inner.get(..end)?.split([':', ' ', '|']).next()?;
    let is_name =
        name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_name.then_some(end + 4)
}

/// An element that DokuWiki knows, or a frame of a plugin, of which the words stay; `<jo@example.edu>`.
fn element(out: &mut String, rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.get(..inner.len().min(200)).unwrap_or(inner).find('>')?;
    let inner = inner.get(..end)?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    if ELEMENTS.contains(&name) {
        out.extend(["<", inner, ">"]);
    } else if inner.contains('@') && !inner.contains([' ', '/']) {
        let address = escaped(inner);
        out.extend(["<a href=\"mailto:", &address, "\">", &address, "</a>"]);
    } else if !blocks::is_frame(rest) {
        return None;
    }
    Some(end + 2)
}

/// The place of the mark that closes the one that `rest` begins with.
fn closing(rest: &str, mark: &str) -> Option<usize> {
    let inner = rest.get(2..)?;
    let mut from = 0;
    loop {
        let end = from + inner.get(from..)?.find(mark)?;
        // An address within slanted letters.
        if mark != "//" || !inner.get(..end)?.ends_with(':') {
            return (end > 0).then_some(end + 2);
        }
        from = end + 2;
    }
}
