//! Lists: bullets, numbers, terms with what they mean, and the notes of a listing.

use super::blocks::{BlockAttributes, fence};
use super::{DEEPEST, Place, Reader};

/// The mark of an item, by which the items of one list are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Bullet(String),
    /// The dots in front, or the kind of number that is written out.
    Number(String),
    /// The signs behind the term.
    Term(String),
    Callout,
}

/// The first line of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item<'t> {
    pub(super) mark: Mark,
    /// The term that is explained.
    term: &'t str,
    text: &'t str,
    /// The number that is written out.
    number: Option<u32>,
}

/// The item that a line begins, if it does.
pub(super) fn item(line: &str) -> Option<Item<'_>> {
    let line = line.trim_start();
    let (first, text) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let new = |mark: Mark, number| Some(Item { mark, term: "", text: text.trim(), number });
    let all = |sign: char| !first.is_empty() && first.chars().all(|own| own == sign);
    if !text.trim().is_empty() {
        if (all('*') && first.len() <= 6) || first == "-" || first == "•" {
            return new(Mark::Bullet(first.to_owned()), None);
        }
        if all('.') && first.len() <= 6 {
            return new(Mark::Number(first.to_owned()), None);
        }
        if let Some(number) = first.strip_prefix('<').and_then(|first| first.strip_suffix('>'))
            && (number == "." || number.parse::<u32>().is_ok())
        {
            return new(Mark::Callout, None);
        }
        if let Some(number) = first.strip_suffix('.') {
            if let Ok(number) = number.parse::<u32>() {
                return new(Mark::Number("1".to_owned()), Some(number));
            }
            if number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                let kind = if number.contains(char::is_lowercase) { "a" } else { "A" };
                return new(Mark::Number(kind.to_owned()), None);
            }
        }
    }
    term(line)
}

/// `Term:: what it means`
fn term(line: &str) -> Option<Item<'_>> {
    let found = ["::", ";;"].iter().find_map(|sign| {
        line.match_indices(sign).find_map(|(at, _)| {
            let mark = sign.chars().next()?;
            let rest = line.get(at..)?;
            let length = rest.len() - rest.trim_start_matches(mark).len();
            let text = rest.get(length..)?;
            let is_end = text.is_empty() || text.starts_with([' ', '\t']);
            let is_first = !line.get(..at)?.ends_with(mark);
            (is_end && is_first && (2..=4).contains(&length)).then_some((at, length))
        })
    });
    let (at, length) = found?;
    let term = line.get(..at)?.trim();
    let mark = Mark::Term(line.get(at..at + length)?.to_owned());
    (!term.is_empty()).then(|| Item {
        mark,
        term,
        text: line.get(at + length..).unwrap_or_default().trim(),
        number: None,
    })
}

impl Reader {
    /// Reads a list and all lists in it; the place behind it. `around` are the marks of the lists that it lies in.
    pub(super) fn list(
        &mut self,
        lines: &[&str],
        start: usize,
        around: &mut Vec<Mark>,
        own: &BlockAttributes,
        place: Place,
    ) -> (String, usize) {
        let Some(first) = lines.get(start).and_then(|line| item(line)) else {
            return (String::new(), start + 1);
        };
        let mark = first.mark.clone();
        let mut out = opening(&first, own, around);
        let mut at = start;
        around.push(mark.clone());
        while let Some(found) =
            lines.get(at).and_then(|line| item(line)).filter(|found| found.mark == mark)
        {
            let (content, next) = self.item(lines, at, &found, around, place);
            let text = self.inline(&checked(found.text));
            match &mark {
                Mark::Term(_) => {
                    let term = self.inline(found.term);
                    out.push_str(&format!("<dt>{term}</dt>"));
                    if !text.is_empty() || !content.is_empty() {
                        out.push_str(&format!("<dd>{text}{content}</dd>\n"));
                    }
                }
                _ => out.push_str(&format!("<li>{text}{content}</li>\n")),
            }
            at = next;
        }
        around.pop();
        out.push_str(match mark {
            Mark::Bullet(_) => "</ul>\n",
            Mark::Number(_) | Mark::Callout => "</ol>\n",
            Mark::Term(_) => "</dl>\n",
        });
        (out, at)
    }

    /// Reads what belongs to an item behind its first line; the place behind it.
    fn item(
        &mut self,
        lines: &[&str],
        start: usize,
        found: &Item<'_>,
        around: &mut Vec<Mark>,
        place: Place,
    ) -> (String, usize) {
        let inside = Place { depth: place.depth + around.len(), is_in_list: true };
        let mut at = start + 1;
        let mut out = String::new();
        let mut more: Vec<&str> = Vec::new();
        // The lines of its first paragraph.
        while let Some(line) = lines.get(at).copied() {
            if line.is_empty() || line == "+" || ends_text(line) {
                break;
            }
            more.push(line.trim());
            at += 1;
        }
        if !more.is_empty() {
            let space = if found.text.is_empty() { "" } else { "\n" };
            out.push_str(&format!("{space}{}", self.inline(&more.join("\n"))));
        }
        loop {
            let blank = lines.iter().skip(at).take_while(|line| line.is_empty()).count();
            let Some(line) = lines.get(at + blank).copied() else { return (out, at + blank) };
            if line == "+" {
                let (block, next) = self.block(lines, at + blank + 1, inside);
                out.push_str(&block);
                at = next;
            } else if let Some(next) = item(line) {
                if around.contains(&next.mark) || around.len() + place.depth >= DEEPEST {
                    return (out, at + blank);
                }
                let (list, next) =
                    self.list(lines, at + blank, around, &BlockAttributes::default(), place);
                out.push_str(&list);
                at = next;
            } else if blank > 0 && line.starts_with([' ', '\t'])
                || is_meaning(found, more.is_empty() && out.is_empty(), line)
            {
                // An indented paragraph belongs to the item, and so does the meaning of a term below an empty line.
                let end = lines
                    .iter()
                    .skip(at + blank)
                    .take_while(|line| !line.is_empty() && **line != "+" && item(line).is_none());
                let length = end.count().max(1);
                let text: Vec<&str> =
                    lines.iter().skip(at + blank).take(length).map(|line| line.trim()).collect();
                out.push_str(&format!("<p>{}</p>", self.inline(&text.join("\n"))));
                at += blank + length;
            } else {
                return (out, at + blank);
            }
        }
    }
}

/// Returns `true` for a line of text that explains a term without words of its own yet.
fn is_meaning(found: &Item<'_>, is_empty: bool, line: &str) -> bool {
    matches!(found.mark, Mark::Term(_))
        && found.text.is_empty()
        && is_empty
        && !ends_text(line)
        && !line.starts_with('=')
}

/// Returns `true` for a line that is no part of an item's first paragraph.
fn ends_text(line: &str) -> bool {
    item(line).is_some()
        || fence(line).is_some()
        || line.starts_with("//")
        || line.starts_with('[') && line.ends_with(']')
        || line.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// The tag of a list. The numbers of a list go by its depth, as Asciidoctor shows them.
fn opening(first: &Item<'_>, own: &BlockAttributes, around: &[Mark]) -> String {
    let Mark::Number(written) = &first.mark else {
        return match first.mark {
            Mark::Bullet(_) => "<ul>".to_owned(),
            Mark::Term(_) => "<dl>".to_owned(),
            _ => "<ol>".to_owned(),
        };
    };
    let depth = around.iter().filter(|mark| matches!(mark, Mark::Number(_))).count();
    let kind = match (own.style.as_str(), written.as_str()) {
        ("loweralpha", _) | (_, "a") => "a",
        ("upperalpha", _) | (_, "A") => "A",
        ("lowerroman", _) => "i",
        ("upperroman", _) => "I",
        ("arabic" | "decimal", _) | (_, "1") => "1",
        _ => ["1", "a", "i", "A"].get(depth).copied().unwrap_or("1"),
    };
    let start = own.named("start").and_then(|start| start.parse().ok()).or(first.number);
    let start = start.filter(|start| *start != 1).map(|start| format!(" start=\"{start}\""));
    let reversed = if own.has_option("reversed") { " reversed" } else { "" };
    format!("<ol type=\"{kind}\"{}{reversed}>", start.unwrap_or_default())
}

/// `[x] done` as it is shown, with a box.
fn checked(text: &str) -> String {
    let boxes = [("[ ] ", '☐'), ("[x] ", '☑'), ("[*] ", '☑')];
    let found =
        boxes.iter().find_map(|(mark, sign)| Some(format!("{sign} {}", text.strip_prefix(mark)?)));
    found.unwrap_or_else(|| text.to_owned())
}
