//! What stands below a heading: paragraphs, lists, tables, blocks and drawers.

use super::{DEEPEST, Reader, inline, is_planning, keyword};
use crate::html::escaped;
use crate::marked::raw;

/// What an item of a list begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item<'t> {
    indent: usize,
    is_number: bool,
    /// The number, or the letter, that is written out.
    number: &'t str,
    text: &'t str,
}

/// The item that a line begins, if it does.
fn item(line: &str) -> Option<Item<'_>> {
    let rest = line.trim_start();
    let indent = line.len() - rest.len();
    let (mark, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let number = mark.strip_suffix(['.', ')']).filter(|number| {
        let is_letter = number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_alphabetic());
        !number.is_empty()
            && number.len() < 9
            && (is_letter || number.bytes().all(|byte| byte.is_ascii_digit()))
    });
    // A star in the first column is a heading.
    let is_bullet = matches!(mark, "-" | "+") || mark == "*" && indent > 0;
    (is_bullet || number.is_some() && !text.is_empty()).then(|| Item {
        indent,
        is_number: number.is_some(),
        number: number.unwrap_or_default(),
        text: text.trim(),
    })
}

impl Reader {
    /// Reads a run of lines.
    pub(super) fn blocks(&mut self, lines: &[&str], depth: usize) -> String {
        let mut out = String::new();
        if depth > DEEPEST {
            return format!("<p>{}</p>", escaped(&lines.join(" ")));
        }
        let mut caption: Option<String> = None;
        let mut at = 0;
        while let Some(line) = lines.get(at).copied() {
            let inner = line.trim_start();
            let rest = lines.get(at..).unwrap_or_default();
            if let Some((block, length)) = self.block(rest, depth) {
                out.extend(caption.take().map(|caption| format!("<p>{caption}</p>\n")));
                out.push_str(&block);
                at += length;
            } else if inner == "#" || inner.starts_with("# ") {
                self.report.comments += 1;
                at += 1;
            } else if let Some((name, value)) = keyword(inner) {
                if name.eq_ignore_ascii_case("caption") {
                    caption = Some(self.inline(value));
                } else if name.eq_ignore_ascii_case("html") {
                    out.push_str(&raw(&[value]));
                } else if name.eq_ignore_ascii_case("include") {
                    self.report.template_tags += 1;
                }
                at += 1;
            } else if inner.starts_with('|') {
                let length = rest.iter().take_while(|line| is_of_table(line)).count();
                let rows = rest.get(..length).unwrap_or_default();
                out.push_str(&self.table(rows, caption.take()));
                at += length;
            } else if is_drawer(inner)
                && let Some(length) = drawer(rest)
            {
                // Notes of the program and of its writer; Org does not publish these two.
                at += length;
                let name = inner.trim_matches(':').to_ascii_lowercase();
                if !matches!(name.as_str(), "properties" | "logbook") {
                    let inner = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
                    out.push_str(&self.blocks(inner, depth + 1));
                }
            } else if inner.is_empty()
                || is_planning(inner)
                || inner.len() > 4 && inner.bytes().all(|byte| byte == b'-')
            {
                at += 1;
            } else if inner.starts_with(": ") || inner == ":" {
                let length = rest.iter().take_while(|line| is_fixed(line)).count();
                let fixed = rest.iter().take(length).map(|line| {
                    let line = line.trim_start().trim_start_matches(':');
                    escaped(line.strip_prefix(' ').unwrap_or(line))
                });
                out.push_str(&format!("<pre>{}</pre>\n", fixed.collect::<Vec<_>>().join("\n")));
                at += length;
            } else if let Some(first) = item(line) {
                let (list, length) = self.list(rest, &first, depth);
                out.push_str(&list);
                at += length;
            } else if let Some(length) = inline::definition(rest) {
                // Notes were taken beforehand.
                at += length;
            } else {
                let length =
                    1 + rest.iter().skip(1).take_while(|line| !ends_paragraph(line)).count();
                let text = rest.get(..length).unwrap_or_default().join("\n");
                out.push_str(&format!("<p>{}</p>\n", self.inline(&text)));
                at += length;
            }
        }
        out
    }

    /// Reads `#+BEGIN_QUOTE` up to its end; the lines that it takes.
    fn block(&mut self, lines: &[&str], depth: usize) -> Option<(String, usize)> {
        let first = lines.first()?.trim_start();
        let name = begin(first)?;
        let is_end = |line: &&str| {
            let line = line.trim();
            line.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("#+end_"))
                && line.get(6..).is_some_and(|end| end.eq_ignore_ascii_case(&name))
        };
        let length = lines.iter().skip(1).position(is_end)?;
        let inner = lines.get(1..=length).unwrap_or_default();
        let block = match name.as_str() {
            "comment" => {
                self.report.comments += 1;
                String::new()
            }
            "src" | "example" => {
                let margin = inner.iter().filter(|line| !line.is_empty());
                let margin =
                    margin.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
                let lines: Vec<String> = inner
                    .iter()
                    // A comma keeps a star in the first column from being a heading.
                    .map(|line| line.get(margin..).unwrap_or_default())
                    .map(|line| escaped(line.strip_prefix(",*").map_or(line, |_| &line[1..])))
                    .collect();
                format!("<pre>{}</pre>\n", lines.join("\n"))
            }
            "export" if first.to_ascii_lowercase().contains("html") => raw(inner),
            "export" => {
                self.report.template_tags += 1;
                String::new()
            }
            "verse" => {
                let lines: Vec<String> = inner.iter().map(|line| self.inline(line)).collect();
                format!("<blockquote><p>{}</p></blockquote>\n", lines.join("<br>"))
            }
            "quote" => format!("<blockquote>{}</blockquote>\n", self.blocks(inner, depth + 1)),
            _ => format!("<div>{}</div>\n", self.blocks(inner, depth + 1)),
        };
        Some((block, length + 2))
    }

    /// Reads the items that begin in one column; the lines that they take.
    fn list(&mut self, lines: &[&str], first: &Item<'_>, depth: usize) -> (String, usize) {
        let is_terms = !first.is_number && first.text.contains(" :: ");
        let (open, close) = match (is_terms, first.is_number) {
            (true, _) => ("<dl>".to_owned(), "</dl>\n"),
            (_, true) => (numbered(first), "</ol>\n"),
            _ => ("<ul>".to_owned(), "</ul>\n"),
        };
        let mut out = open;
        let mut at = 0;
        while let Some(own) = lines.get(at).and_then(|line| item(line)) {
            if own.indent != first.indent || own.is_number != first.is_number {
                break;
            }
            let length = item_length(lines.get(at + 1..).unwrap_or_default(), own.indent);
            let below = lines.get(at + 1..at + 1 + length).unwrap_or_default();
            at += 1 + length;
            out.push_str(&self.item(&own, below, is_terms, depth));
            at += lines.iter().skip(at).take_while(|line| line.is_empty()).count();
        }
        out.push_str(close);
        (out, at.max(1))
    }

    fn item(&mut self, own: &Item<'_>, below: &[&str], is_terms: bool, depth: usize) -> String {
        let boxes = [("[ ] ", '☐'), ("[X] ", '☑'), ("[-] ", '☐')];
        // `[@4]` sets the number.
        let text = match own.text.strip_prefix("[@").and_then(|text| text.split_once("] ")) {
            Some((_, text)) => text,
            None => own.text,
        };
        let checked = boxes
            .iter()
            .find_map(|(mark, sign)| Some(format!("{sign} {}", text.strip_prefix(mark)?)));
        let text = checked.unwrap_or_else(|| text.to_owned());
        // The lines of its first paragraph go on where the first line ended.
        let goes_on =
            below.iter().take_while(|line| !ends_paragraph(line) && item(line).is_none()).count();
        let (term, text) = match text.split_once(" :: ").filter(|_| is_terms) {
            Some((term, text)) => (Some(term.to_owned()), text.to_owned()),
            None => (None, text),
        };
        let mut whole = text;
        for line in below.iter().take(goes_on) {
            whole.push('\n');
            whole.push_str(line.trim());
        }
        let words = self.inline(&whole);
        let rest = self.blocks(below.get(goes_on..).unwrap_or_default(), depth + 1);
        match term {
            Some(term) => format!("<dt>{}</dt><dd>{words}{rest}</dd>\n", self.inline(&term)),
            None if is_terms => format!("<dd>{words}{rest}</dd>\n"),
            None => format!("<li>{words}{rest}</li>\n"),
        }
    }
}

/// The lines that belong to an item: those further in, and empty ones between them.
fn item_length(lines: &[&str], indent: usize) -> usize {
    let mut length = 0;
    let mut blank = 0;
    for line in lines {
        let own = line.len() - line.trim_start().len();
        if line.is_empty() {
            blank += 1;
            // Two empty lines end a list.
            if blank > 1 {
                break;
            }
        } else if own > indent {
            length += blank + 1;
            blank = 0;
        } else {
            break;
        }
    }
    length
}

/// The tag of a list of numbers, which begins with the number that is written out.
fn numbered(first: &Item<'_>) -> String {
    let set = first
        .text
        .strip_prefix("[@")
        .and_then(|text| text.split_once(']'))
        .map(|(number, _)| number);
    let number = set.unwrap_or(first.number);
    if let Ok(start) = number.parse::<u32>() {
        return if start == 1 { "<ol>".to_owned() } else { format!("<ol start=\"{start}\">") };
    }
    let kind = if number.starts_with(char::is_uppercase) { "A" } else { "a" };
    format!("<ol type=\"{kind}\">")
}

/// The name of a block in `#+BEGIN_SRC python`, in lower case.
fn begin(line: &str) -> Option<String> {
    let start = line.get(..8)?;
    let name = line.get(8..).filter(|_| start.eq_ignore_ascii_case("#+begin_"))?;
    let name = name.split_whitespace().next()?;
    Some(name.to_ascii_lowercase())
}

/// `:NAME:`
fn is_drawer(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|line| line.strip_suffix(':'));
    name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    })
}

/// The lines of the drawer that begins here, with its end.
fn drawer(lines: &[&str]) -> Option<usize> {
    let end = lines.iter().position(|line| line.trim().eq_ignore_ascii_case(":end:"))?;
    Some(end + 1)
}

fn is_of_table(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('|')
        || line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("#+tblfm:"))
}

fn is_fixed(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(": ") || line == ":"
}

/// Returns `true` for a line that begins something else than text.
fn ends_paragraph(line: &str) -> bool {
    let inner = line.trim_start();
    inner.is_empty()
        || inner.starts_with('|')
        || inner.starts_with("#+")
        || inner.starts_with("# ")
        || is_fixed(line)
        || is_drawer(inner)
        || item(line).is_some()
        || inline::definition(&[line]).is_some()
}
