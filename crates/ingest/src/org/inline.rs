//! The marks within a line: bold words, links, notes, formulas.

use std::collections::BTreeMap;

use super::{Reader, stars};
use crate::html::escaped;
use crate::marked::{address_length, anchor, attribute, formula, link, raw};

/// Marks within marks.
const DEEPEST: usize = 12;
/// Bytes that macros put into one page.
const MOST_EXPANDED: usize = 1_000_000;
/// Lines that a mark may go over, in bytes: Org itself looks no further than two lines.
const MARK_BYTES: usize = 4_000;

/// Signs with a name: `\alpha` is one of a formula, these stand in text.
const ENTITIES: &[(&str, &str)] = &[
    ("amp", "&"),
    ("deg", "°"),
    ("dots", "…"),
    ("euro", "€"),
    ("EUR", "€"),
    ("ge", "≥"),
    ("gt", ">"),
    ("hellip", "…"),
    ("laquo", "«"),
    ("larr", "←"),
    ("le", "≤"),
    ("leftarrow", "←"),
    ("lt", "<"),
    ("mdash", "—"),
    ("micro", "µ"),
    ("middot", "·"),
    ("nbsp", "\u{a0}"),
    ("ndash", "–"),
    ("ne", "≠"),
    ("para", "¶"),
    ("plusmn", "±"),
    ("pm", "±"),
    ("raquo", "»"),
    ("rarr", "→"),
    ("rightarrow", "→"),
    ("S", "§"),
    ("sect", "§"),
    ("times", "×"),
    ("to", "→"),
    ("vert", "|"),
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("pi", "π"),
    ("sigma", "σ"),
    ("omega", "ω"),
];

/// The notes of a page by their names.
#[derive(Debug, Default)]
pub(super) struct Notes(BTreeMap<String, String>);

impl Notes {
    pub(super) fn of(lines: &[&str]) -> Self {
        let mut found = BTreeMap::new();
        let mut at = 0;
        while at < lines.len() {
            let rest = lines.get(at..).unwrap_or_default();
            let Some(length) = definition(rest) else {
                at += 1;
                continue;
            };
            let text = rest.get(..length).unwrap_or_default().join(" ");
            if let Some((name, text)) =
                text.strip_prefix("[fn:").and_then(|text| text.split_once(']'))
            {
                found.insert(name.to_owned(), text.trim().to_owned());
            }
            at += length;
        }
        Self(found)
    }
}

/// The lines of the note that begins here (`[fn:1] text`), if one does.
pub(super) fn definition(lines: &[&str]) -> Option<usize> {
    let name = lines.first()?.strip_prefix("[fn:")?.split_once(']')?.0;
    let is_name = !name.is_empty() && !name.contains([':', ' ']);
    let goes_on =
        |line: &&&str| !line.is_empty() && !line.starts_with("[fn:") && stars(line).is_none();
    is_name.then(|| 1 + lines.iter().skip(1).take_while(goes_on).count())
}

impl Reader {
    /// The HTML of a text.
    pub(super) fn inline(&mut self, text: &str) -> String {
        let text = self.with_macros(text);
        self.marks(&text, 0)
    }

    /// The text with `{{{fee(120)}}}` written out.
    fn with_macros(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("{{{") {
            out.push_str(before);
            let Some((call, behind)) = behind.split_once("}}}") else {
                rest = rest.get(before.len()..).unwrap_or_default();
                out.push_str(rest);
                return out;
            };
            let (name, values) = call.split_once('(').unwrap_or((call, ""));
            let values: Vec<&str> = values.trim_end_matches(')').split(',').collect();
            match self.macros.get(&name.to_lowercase()) {
                Some(found) if self.expanded <= MOST_EXPANDED => {
                    let mut found = found.clone();
                    for (number, value) in values.iter().enumerate().take(9) {
                        found = found.replace(&format!("${}", number + 1), value.trim());
                    }
                    self.expanded += found.len();
                    out.push_str(&found);
                }
                // What a program would put in is unknown here.
                _ => self.report.template_tags += 1,
            }
            rest = behind;
        }
        out.push_str(rest);
        out
    }

    fn marks(&mut self, text: &str, depth: usize) -> String {
        if depth > DEEPEST {
            return escaped(text);
        }
        let mut out = String::with_capacity(text.len() * 5 / 4);
        let mut searched = Searched::default();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            if let Some((html, length)) = self.mark(rest, at, before, &mut searched, depth) {
                out.push_str(&html);
                at += length;
                continue;
            }
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let word = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric()).len();
            let length = word.max(first);
            out.push_str(&escaped(rest.get(..length).unwrap_or_default()));
            at += length;
        }
        out
    }

    /// The mark that a text begins with, as HTML, and its length.
    fn mark(
        &mut self,
        rest: &str,
        at: usize,
        before: Option<char>,
        searched: &mut Searched,
        depth: usize,
    ) -> Option<(String, usize)> {
        let first = rest.chars().next()?;
        let near = rest.get(..rest.floor_char_boundary(MARK_BYTES))?;
        match first {
            '[' if at < searched.bracket => None,
            '[' if !near.contains(']') => {
                searched.bracket = at + near.len();
                None
            }
            '[' => self.bracket(near, depth),
            '_' if near.starts_with("_{") => {
                let inner = near.strip_prefix("_{")?.split_once('}')?.0;
                Some((format!("<sub>{}</sub>", escaped(inner)), inner.len() + 3))
            }
            '*' | '/' | '_' | '=' | '~' | '+' => {
                let inner = searched.quoted(near, at, first, before)?;
                let html = match first {
                    '=' | '~' => format!("<code>{}</code>", escaped(inner)),
                    sign => {
                        let name = match sign {
                            '*' => "strong",
                            '/' => "em",
                            '_' => "u",
                            _ => "s",
                        };
                        format!("<{name}>{}</{name}>", self.marks(inner, depth + 1))
                    }
                };
                Some((html, inner.len() + 2))
            }
            '\\' => backslash(near),
            '$' => {
                let (inner, length) = dollars(near, before)?;
                Some((formula(inner), length))
            }
            '^' => {
                let inner = near.strip_prefix("^{")?.split_once('}')?.0;
                Some((format!("<sup>{}</sup>", escaped(inner)), inner.len() + 3))
            }
            '<' => angle(near),
            '@' => {
                let inner = near.strip_prefix("@@html:")?.split_once("@@")?.0;
                Some((raw(&[inner]), inner.len() + "@@html:@@".len()))
            }
            '-' if near.starts_with("---") => Some(("—".to_owned(), 3)),
            '-' if near.starts_with("--") => Some(("–".to_owned(), 2)),
            'h' if before.is_none_or(|before| !before.is_alphanumeric()) => address(near),
            _ => None,
        }
    }

    /// Links, notes, and the numbers of what is done.
    fn bracket(&mut self, rest: &str, depth: usize) -> Option<(String, usize)> {
        if let Some(inner) = rest.strip_prefix("[[") {
            let end = inner.find("]]")?;
            let inner = inner.get(..end)?;
            let (target, words) = inner.split_once("][").unwrap_or((inner, ""));
            return Some((self.link(target, words, depth), end + 4));
        }
        let inner = rest.strip_prefix("[fn:")?;
        let end = closing(rest)?;
        let inner = inner.get(..end.checked_sub("[fn:".len())?)?;
        let html = match inner.split_once(':') {
            // `[fn:name:text]`, `[fn::text]`
            Some((name, text)) => {
                let text = self.marks(text, depth + 1);
                self.notes.add(Some(name).filter(|name| !name.is_empty()), text)
            }
            None => match self.notes.again(inner) {
                Some(mark) => mark,
                None => {
                    let text = self.own_notes.0.remove(inner)?;
                    let text = self.marks(&text, depth + 1);
                    self.notes.add(Some(inner), text)
                }
            },
        };
        Some((html, end + 1))
    }

    fn link(&mut self, target: &str, words: &str, depth: usize) -> String {
        let target = target.trim();
        let short = target.split_once(':').and_then(|(name, rest)| {
            let whole = self.links.get(name)?;
            Some(if whole.contains("%s") {
                whole.replace("%s", rest)
            } else {
                format!("{whole}{rest}")
            })
        });
        let target = short.as_deref().unwrap_or(target);
        let is_picture = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"]
            .iter()
            .any(|ending| target.to_ascii_lowercase().ends_with(ending));
        if words.is_empty() && is_picture {
            return String::new();
        }
        let file = target.strip_prefix("file:").unwrap_or(target);
        // `file.org::*Heading`
        let (file, place) = file.split_once("::").map_or((file, ""), |(file, place)| (file, place));
        let shown = if words.is_empty() {
            escaped(file.trim_start_matches(['*', '#']).trim_start_matches("mailto:"))
        } else {
            self.marks(words, depth + 1)
        };
        let is_address = target.contains("://") || target.starts_with("mailto:");
        let is_file =
            target.starts_with("file:") || target.starts_with("./") || target.starts_with("../");
        let href = if is_address {
            Some(target.to_owned())
        } else if is_file || file.ends_with(".org") || file.ends_with(".html") {
            Some(match place.strip_prefix('#') {
                Some(place) => format!("{file}#{place}"),
                None => file.to_owned(),
            })
        } else {
            let own = self.places.get(target.trim_start_matches('*'));
            own.map(|id| format!("#{id}")).or_else(|| {
                // Such as `javascript:`: the reader of HTML leaves it out and says so.
                target.split_once(':').filter(|(name, _)| *name != "id").map(|_| target.to_owned())
            })
        };
        match href {
            Some(href) => link(&href, &shown),
            None => shown,
        }
    }
}

/// The place of the bracket that closes the one which a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    text.char_indices().find_map(|(at, character)| {
        match character {
            '[' => open += 1,
            ']' => open -= 1,
            _ => {}
        }
        (open == 0).then_some(at)
    })
}

/// The marks of words that stand out, and how far each was looked for in vain.
const MARKS: &str = "*/_=~+";

/// For each of the [`MARKS`] the place before which no further one closes anything.
// Without it a line full of marks would be searched to its end from each of them.
#[derive(Default)]
struct Searched {
    marks: [usize; MARKS.len()],
    /// The same for the bracket that ends a note.
    bracket: usize,
}

impl Searched {
    /// The text between two marks: `*bold*`, where the signs around them allow it. `rest` begins with the first, at the place `at`.
    fn quoted<'t>(
        &mut self,
        rest: &'t str,
        at: usize,
        mark: char,
        before: Option<char>,
    ) -> Option<&'t str> {
        let place = self.marks.get_mut(MARKS.find(mark)?)?;
        // Org looks no further than to the end of the next line.
        let mut ends = rest.match_indices('\n').map(|(end, _)| end);
        let near = ends.nth(1).and_then(|end| rest.get(..end)).unwrap_or(rest);
        let inner = near.get(mark.len_utf8()..)?;
        let may_open = before.is_none_or(|before| opens(before) || MARKS.contains(before));
        if !may_open || inner.starts_with(|c: char| c.is_whitespace() || c == mark) {
            return None;
        }
        let from = place.saturating_sub(at + mark.len_utf8()).min(inner.len());
        let found = inner.get(from..)?.match_indices(mark).map(|(end, _)| from + end).find(|end| {
            let last = inner.get(..*end).and_then(|content| content.chars().next_back());
            let behind = inner.get(end + 1..).and_then(|behind| behind.chars().next());
            last.is_some_and(|last| !last.is_whitespace())
                && behind.is_none_or(|behind| closes(behind) || MARKS.contains(behind))
        });
        match found {
            Some(end) => inner.get(..end),
            None => {
                *place = at + near.len();
                None
            }
        }
    }
}

/// Returns `true` for a sign behind which a mark may open.
fn opens(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '(' | '{' | '\'' | '"' | '–' | '—' | '„' | '“' | '[')
}

/// Returns `true` for a sign in front of which a mark may close.
fn closes(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '-' | '.'
                | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '\''
                | ')'
                | '}'
                | '"'
                | '\\'
                | '['
                | ']'
                | '–'
                | '—'
                | '“'
                | '”'
        )
}

/// `\(x\)`, `\\` at the end of a line, `\sect{}`.
fn backslash(rest: &str) -> Option<(String, usize)> {
    for (open, close) in [("\\(", "\\)"), ("\\[", "\\]")] {
        if let Some((inner, _)) = rest.strip_prefix(open).and_then(|rest| rest.split_once(close)) {
            let html = formula(inner);
            return Some((html, inner.len() + 4));
        }
    }
    if rest == "\\\\" || rest.starts_with("\\\\\n") {
        return Some(("<br>".to_owned(), 2));
    }
    let name = rest.get(1..)?;
    let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
    let (name, behind) = name.split_at(end);
    let (_, shown) = ENTITIES.iter().find(|(own, _)| *own == name)?;
    let braces = if behind.starts_with("{}") { 2 } else { 0 };
    Some((escaped(shown), 1 + end + braces))
}

/// `$x^2$`: with no blank inside its marks, and no digit behind them, which would be money.
fn dollars(rest: &str, before: Option<char>) -> Option<(&str, usize)> {
    if before == Some('$') {
        return None;
    }
    if let Some(inner) = rest.strip_prefix("$$") {
        let inner = inner.split_once("$$")?.0;
        return Some((inner, inner.len() + 4));
    }
    let (inner, behind) = rest.strip_prefix('$')?.split_once('$')?;
    let fits = !inner.is_empty()
        && !inner.starts_with(char::is_whitespace)
        && !inner.ends_with(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';'))
        && !behind.starts_with(|c: char| c.is_alphanumeric())
        && inner.matches('\n').count() <= 2;
    fits.then_some((inner, inner.len() + 2))
}

/// `<https://www.example.edu>`, `<<place>>`, `<2026-01-07 Wed>`
fn angle(rest: &str) -> Option<(String, usize)> {
    if let Some(inner) = rest.strip_prefix("<<") {
        let id = inner.split_once(">>")?.0.trim_matches('<');
        let is_place = !id.is_empty() && !id.contains(['<', '>', '\n']);
        return is_place.then(|| (anchor(id), rest.find(">>").unwrap_or(0) + 2));
    }
    let inner = rest.strip_prefix('<')?.split_once('>')?.0;
    let is_address =
        ["http://", "https://", "mailto:"].iter().any(|scheme| inner.starts_with(scheme));
    if is_address && !inner.contains(char::is_whitespace) {
        let html = format!(
            "<a href=\"{}\">{}</a>",
            attribute(inner),
            escaped(inner.trim_start_matches("mailto:"))
        );
        return Some((html, inner.len() + 2));
    }
    let is_day = super::day(inner).is_some_and(|day| inner.starts_with(day));
    is_day.then(|| (escaped(inner), inner.len() + 2))
}

/// An address by itself.
fn address(rest: &str) -> Option<(String, usize)> {
    if !rest.starts_with("http://") && !rest.starts_with("https://") {
        return None;
    }
    let target = rest.get(..address_length(rest))?;
    let target = target.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'', '*', '_', '/']);
    Some((format!("<a href=\"{}\">{}</a>", attribute(target), escaped(target)), target.len()))
}
