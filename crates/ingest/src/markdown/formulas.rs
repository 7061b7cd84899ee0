//! Formulas in Markdown: `\( … \)` and `\[ … \]`, also with two backslashes, `$ … $`, `$$ … $$`,
//! and blocks of code that are called `math`.
//!
//! A Markdown reader would eat the backslashes of the marks and keep those of the commands. Here
//! they become what a site's program makes of them, an element of the class `math`, which the
//! reader of HTML reads as one line.

use std::borrow::Cow;

use super::directives::Fence;
use crate::tex::{self, LONGEST_MARKED};

/// The page with its formulas as elements.
pub(super) fn marked(source: &str) -> Cow<'_, str> {
    if !source.contains("\\(")
        && !source.contains("\\[")
        && !source.contains('$')
        && !source.contains("math")
    {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len() + 64);
    let mut fence: Option<(char, usize, bool)> = None;
    let mut text = String::new();
    let mut formula = String::new();
    for line in source.split_inclusive('\n') {
        let mark = Fence::of_code(line.trim_start_matches([' ', '\t', '>']).trim_end());
        match (fence, mark) {
            (None, Some(mark)) => {
                out.push_str(&in_text(&std::mem::take(&mut text)));
                let is_math = matches!(mark.name(), "math" | "{math}");
                fence = Some((mark.character, mark.length, is_math));
                out.push_str(if is_math { "\n" } else { line });
            }
            (Some((character, length, is_math)), mark) => {
                let closes = mark.is_some_and(|mark| mark.closes((character, length)));
                match (is_math, closes) {
                    (true, true) => {
                        element(&mut out, &std::mem::take(&mut formula));
                        out.push_str("\n\n");
                    }
                    (true, false) => formula.push_str(line),
                    (false, _) => out.push_str(line),
                }
                if closes {
                    fence = None;
                }
            }
            (None, None) => text.push_str(line),
        }
    }
    out.push_str(&in_text(&text));
    if !formula.is_empty() {
        element(&mut out, &formula);
    }
    Cow::Owned(out)
}

/// A text without blocks of code.
fn in_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '$', '`']) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        let taken = if here.starts_with('`') {
            let code = code_span(here, LONGEST_MARKED);
            out.push_str(code);
            code.len()
        } else if let Some((formula, length)) = tex::marked(here, before.chars().next_back()) {
            element(&mut out, formula);
            length
        } else {
            // A sign that is masked, or is alone.
            let length = here
                .chars()
                .take(if here.starts_with('\\') { 2 } else { 1 })
                .map(char::len_utf8)
                .sum();
            out.push_str(here.get(..length).unwrap_or(here));
            length
        };
        rest = here.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The code that a text begins with, of so many bytes at most, or its backticks alone.
pub(super) fn code_span(text: &str, longest: usize) -> &str {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let (mark, rest) = text.split_at(ticks);
    let window = rest.get(..rest.floor_char_boundary(longest)).unwrap_or(rest);
    match window.find(mark) {
        Some(end) => text.get(..ticks + end + ticks).unwrap_or(text),
        None => mark,
    }
}

/// Adds a formula with every sign masked that Markdown or a template would take for its own.
fn element(out: &mut String, formula: &str) {
    use std::fmt::Write;
    out.push_str("<span class=\"math\">&#92;(");
    for character in formula.trim().chars() {
        if character.is_alphanumeric() || character == ' ' {
            out.push(character);
        } else if character.is_whitespace() {
            out.push(' ');
        } else {
            let _ = write!(out, "&#{};", u32::from(character));
        }
    }
    out.push_str("&#92;)</span>");
}
