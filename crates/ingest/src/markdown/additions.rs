//! What Markdown's extensions write within a line: edits that were suggested (`{--old--}`), icons by their names
//! (`:material-check:`), notes in place (`^[…]`), raised and lowered digits (`m^2^`, `H~2~O`).

use std::borrow::Cow;
use std::fmt::Write;

use super::directives::Fence;
use super::formulas::code_span;
use crate::report::Report;

/// Marks of which one is in every page that this module changes.
const MARKS: &[&str] = &["{++", "{--", "{~~", "{==", "{>>", "^[", "^", "~", ":"];
/// The longest reach of a mark, in bytes. A mark without its partner is text.
// From each mark of a page full of them the rest of the page would be searched for the other.
const LONGEST: usize = 2_000;
/// The longest name of an icon, in bytes.
const LONGEST_NAME: usize = 60;
/// Raised and lowered signs are few: `10^-12^`, `1^st^`.
const LONGEST_RAISED: usize = 4;

/// The page with such marks written as HTML and Markdown have them. Code is left as it is.
pub(super) fn applied<'a>(source: &'a str, report: &mut Report) -> Cow<'a, str> {
    if !MARKS.iter().any(|mark| source.contains(mark)) {
        return Cow::Borrowed(source);
    }
    let mut page =
        Page { out: String::with_capacity(source.len() + 64), notes: String::new(), count: 0 };
    let mut fence: Option<(char, usize)> = None;
    let mut text_start = 0;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let mark = Fence::of_code(line.trim_start_matches([' ', '\t', '>']).trim_end());
        match (fence, mark) {
            (None, Some(mark)) => {
                page.text(&source[text_start..at], report);
                fence = Some((mark.character, mark.length));
                text_start = at;
            }
            (Some(open), Some(mark)) if mark.closes(open) => {
                fence = None;
                page.out.push_str(&source[text_start..at + line.len()]);
                text_start = at + line.len();
            }
            _ => {}
        }
        at += line.len();
    }
    match fence {
        Some(_) => page.out.push_str(&source[text_start..]),
        None => page.text(&source[text_start..], report),
    }
    page.out.push_str(&page.notes);
    Cow::Owned(page.out)
}

struct Page {
    out: String,
    /// The notes that stood in place, as those at the end of a page.
    notes: String,
    count: usize,
}

impl Page {
    /// Adds a text without blocks of code.
    fn text(&mut self, text: &str, report: &mut Report) {
        let mut rest = text;
        while let Some(at) = rest.find(['{', '^', '~', ':', '`', '\\']) {
            let (before, here) = rest.split_at(at);
            self.out.push_str(before);
            let taken = match here.as_bytes() {
                [b'`', ..] => {
                    let code = code_span(here, LONGEST);
                    self.out.push_str(code);
                    Some(code.len())
                }
                [b'{', ..] => self.edit(here, report),
                [b':', ..] => self.icon(here),
                [b'^', b'[', ..] => self.note(here),
                [b'^' | b'~', ..] => self.raised(here),
                _ => None,
            };
            let taken = taken.unwrap_or_else(|| {
                // A sign that is masked, or is alone.
                let signs = if here.starts_with('\\') { 2 } else { 1 };
                let length = here.chars().take(signs).map(char::len_utf8).sum();
                self.out.push_str(here.get(..length).unwrap_or(here));
                length
            });
            rest = here.get(taken..).unwrap_or_default();
        }
        self.out.push_str(rest);
    }

    /// `{++new++}`, `{--old--}`, `{~~old~>new~~}`, `{==words==}`, `{>>remark<<}` of CriticMarkup.
    fn edit(&mut self, here: &str, report: &mut Report) -> Option<usize> {
        let (mark, close) = match here.get(..3)? {
            "{++" => ('+', "++}"),
            "{--" => ('-', "--}"),
            "{~~" => ('~', "~~}"),
            "{==" => ('=', "==}"),
            "{>>" => ('>', "<<}"),
            _ => return None,
        };
        let inner = here.get(3..)?;
        let window = inner.get(..inner.floor_char_boundary(LONGEST))?;
        let inner = inner.get(..window.find(close)?)?;
        // An edit is of some words of a paragraph; a page that shows the marks themselves has none between them.
        if inner.trim().is_empty() || inner.contains("\n\n") {
            return None;
        }
        let (old, new) = match mark {
            '-' => (inner, ""),
            '~' => inner.split_once("~>")?,
            '>' => {
                report.comments += 1;
                ("", "")
            }
            _ => ("", inner),
        };
        if !old.is_empty() {
            self.out.extend(["<del>", old, "</del>"]);
        }
        self.out.push_str(new);
        Some(inner.len() + 6)
    }

    /// `:material-check:`, `:white_check_mark:`. In a table they are what a cell says; other icons say nothing.
    fn icon(&mut self, here: &str) -> Option<usize> {
        let window = here.get(1..here.floor_char_boundary(LONGEST_NAME))?;
        let name = window.get(..window.find(':')?)?;
        let is_name =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if name.is_empty() || !name.bytes().all(is_name) {
            return None;
        }
        let length = name.len() + 2;
        let sign = sign(name);
        if sign.is_none() && !ICON_SETS.iter().any(|set| name.starts_with(set)) {
            return None;
        }
        self.out.push_str(sign.unwrap_or_default());
        let behind = here.get(length..)?;
        // `{ .lg .middle }` is about the icon.
        let attributes = behind.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let attributes = attributes.map(|(inner, _)| inner).filter(|inner| {
            inner.len() < LONGEST_NAME && inner.trim_start().starts_with(['.', '#', ':'])
        });
        let length = length + attributes.map_or(0, |inner| inner.len() + 2);
        // The space behind an icon that is gone would set in what follows.
        let space = sign.is_none() && here.get(length..).is_some_and(|rest| rest.starts_with(' '));
        Some(length + usize::from(space))
    }

    /// `^[It is short.]`
    fn note(&mut self, here: &str) -> Option<usize> {
        let inner = here.get(2..)?;
        let mut depth = 0_usize;
        let end = inner.bytes().take(LONGEST).position(|byte| {
            match byte {
                b'[' => depth += 1,
                b']' if depth == 0 => return true,
                b']' => depth -= 1,
                _ => {}
            }
            false
        })?;
        let words = inner.get(..end)?;
        if words.trim().is_empty() || words.contains("\n\n") {
            return None;
        }
        self.count += 1;
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(self.out, "[^in-place-{}]", self.count);
        let _ = write!(self.notes, "\n\n[^in-place-{}]: {words}\n", self.count);
        Some(end + 3)
    }

    /// `m^2^`, `1^st^`, `H~2~O`
    fn raised(&mut self, here: &str) -> Option<usize> {
        let mark = here.chars().next()?;
        let window = here.get(1..here.len().min(LONGEST_RAISED + 2))?;
        let inner = window.get(..window.find(mark)?)?;
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+-".contains(&byte);
        let before = self.out.chars().next_back();
        let follows = before.is_some_and(|last| last.is_alphanumeric() || ")]".contains(last));
        // What is lowered with one tilde is a digit; words between two of them are struck out.
        let fits = inner.bytes().all(is_sign)
            && (mark == '^' || inner.bytes().all(|byte| byte.is_ascii_digit()));
        if inner.is_empty() || !fits || !follows {
            return None;
        }
        let name = if mark == '^' { "sup" } else { "sub" };
        let _ = write!(self.out, "<{name}>{inner}</{name}>");
        Some(inner.len() + 2)
    }
}

/// The sets of icons that pages name icons of.
const ICON_SETS: &[&str] = &["fontawesome-", "material-", "octicons-", "simple-"];

/// The sign that an icon is, where it says yes or no.
fn sign(name: &str) -> Option<&'static str> {
    match name {
        "white_check_mark" | "heavy_check_mark" | "ballot_box_with_check" => return Some("✔"),
        "x" | "heavy_multiplication_x" | "negative_squared_cross_mark" => return Some("✗"),
        _ => {}
    }
    let set = ICON_SETS.iter().find(|set| name.starts_with(**set))?;
    let words = || name[set.len()..].split('-');
    if words().any(|word| word == "check") {
        Some("✔")
    } else if words().any(|word| matches!(word, "close" | "x" | "xmark" | "times" | "cancel")) {
        Some("✗")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    /// Cases: what each shows, the page, its text.
    const CASES: &[(&str, &str, &str)] = &[
        (
            "edits",
            "It costs {~~ten~>twelve~~} {++new ++}euros{-- a day--}, {==paid==}{>>ask Jo<<} at once.",
            "It costs twelve new euros, paid at once.",
        ),
        ("an edit over two lines", "A {--b\nc--} d.", "A d."),
        (
            "marks that are none",
            "{++ a, {-- b {--\n\n--} `{--c--}` {a} {==",
            "{++ a, {-- b {--\n\n--} {--c--} {a} {==",
        ),
        (
            "icons in a table",
            "| Boat | Sail | Oars |\n|---|---|---|\n| Gull | :material-check: | :octicons-x-16:{ .red } |\n| Tern | :white_check_mark: | :x: |",
            "Boat: Gull — Sail; Oars: ✗\nBoat: Tern — Sail; Oars: ✗",
        ),
        (
            "icons of no meaning",
            "-   :material-clock:{ .lg .middle } __Hours__\n\n    Nine to five :rocket:, 9:30:15.",
            "Hours\nNine to five :rocket:, 9:30:15.",
        ),
        (
            "notes in place",
            "A fee^[For [crew](x.md) none.].\n\nA boat^[ ] and `^[x]`.",
            "A fee.\n\nFor crew none.\n\nA boat^[ ] and ^[x].",
        ),
        (
            "digits",
            "20 m^2^ of CO~2~, 10^6^, the 1^st^, ^up^, 2^10 and a~b~c.",
            "20 m2 of CO2, 10^6, the 1st, ^up^, 2^10 and a~b~c.",
        ),
        ("code", "```\n{--a--} :x: m^2^\n```\n\n`m^2^` \\:x:", "{--a--} :x: m^2^\n\nm^2^ :x:"),
    ];

    #[test]
    fn additions_are_read_as_they_are_shown() {
        for (name, source, expected) in CASES {
            let reading = read_bytes("a.md", source.as_bytes(), &Default::default());
            let document = reading.ok().and_then(|mut reading| reading.documents.pop());
            assert_eq!(document.unwrap_or_default().text, *expected, "{name}");
        }
    }
}
