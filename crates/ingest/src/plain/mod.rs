//! Plain text: what little structure it shows.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use campanile_corpus::{BlockKind, Document};
use campanile_text::enumerator;

use crate::assemble::{Assembler, title_from_path};
use crate::inline::{InlineText, single_spaced};
use crate::report::Report;

pub(crate) fn read(path: &str, source: &str) -> (Document, Report) {
    let mut assembler = Assembler::default();
    read_into(&mut assembler, source);
    // Headings are guesses here: only one that the text opens with may name it.
    let title = assembler.opening_heading().map(str::to_owned);
    let title = title.unwrap_or_else(|| title_from_path(path));
    assembler.finish(path, title, None, BTreeMap::new())
}

/// Adds the content of a text to a document.
pub(crate) fn read_into(assembler: &mut Assembler, source: &str) {
    // A form feed is a page break of a printed text.
    let source = source
        .replace("\r\n", "\n")
        .replace(['\r', '\u{2028}'], "\n")
        .replace(['\u{c}', '\u{2029}'], "\n\n");
    let headings = Headings::of(&source);
    let lines: Vec<&str> = source.lines().map(str::trim_end).collect();
    for group in lines.split(|line| line.trim().is_empty()) {
        read_group(assembler, &headings, group);
    }
}

/// A paragraph whose lines were wrapped, in as few lines as its writer meant.
pub(crate) fn flowing(paragraph: &str) -> String {
    let lines: Vec<&str> = paragraph.lines().filter(|line| !line.trim().is_empty()).collect();
    unwrapped(&lines)
}

/// Reads lines that no blank line parts: headings, and what stands below each.
fn read_group(assembler: &mut Assembler, headings: &Headings, mut group: &[&str]) {
    while let [first, rest @ ..] = group {
        group = match heading(headings, group) {
            Some((level, lines)) => {
                assembler.heading(level, InlineText::plain(first.trim()), None);
                &group[lines..]
            }
            None if is_rule(first) => rest,
            None => {
                let next = (1..group.len()).find(|start| {
                    let tail = &group[*start..];
                    heading(headings, tail).is_some()
                        || tail.first().is_some_and(|line| is_rule(line))
                });
                let (body, rest) = group.split_at(next.unwrap_or(group.len()));
                read_body(assembler, body);
                rest
            }
        };
    }
}

/// The level of the heading that these lines begin with, and how many of them it takes.
fn heading(headings: &Headings, lines: &[&str]) -> Option<(u8, usize)> {
    let [first, rest @ ..] = lines else {
        return None;
    };
    if is_rule(first) {
        return None;
    }
    let underlined = rest.first().and_then(|second| underline(second));
    match underlined.filter(|_| !is_item(first)) {
        Some(level) => Some((level, 2)),
        None => headings.level(first, rest.is_empty()).map(|level| (level, 1)),
    }
}

fn read_body(assembler: &mut Assembler, lines: &[&str]) {
    let mut start = 0;
    for index in 1..=lines.len() {
        let ends = lines.get(index).is_none_or(|line| is_item(line));
        if !ends {
            continue;
        }
        let block = &lines[start..index];
        let kind = match block.first() {
            Some(first) if is_item(first) => BlockKind::ListItem,
            _ => BlockKind::Paragraph,
        };
        let text = unwrapped(block);
        assembler.block(kind, InlineText::plain(text));
        start = index;
    }
}

/// Longest heading, in characters.
// A sentence over a line and more that begins with a number is a clause, not a heading.
const LONGEST_CHARS: usize = 90;
/// Numbered lines are taken for headings only where there are this many of them.
// One line may begin with a version or a time of day.
const FEWEST_NUMBERED: usize = 3;

/// The level of a heading whose next line is `line`: 1 for `====`, 2 for `----`.
fn underline(line: &str) -> Option<u8> {
    let line = line.trim();
    let is_all = |mark: char| line.len() >= 3 && line.chars().all(|c| c == mark);
    if is_all('=') {
        Some(1)
    } else if is_all('-') || is_all('~') {
        Some(2)
    } else {
        None
    }
}

/// The styles of heading that a text uses.
#[derive(Debug)]
struct Headings {
    numbered: bool,
    capitals: bool,
}

impl Headings {
    pub(super) fn of(source: &str) -> Self {
        let numbered = source.lines().filter(|line| number_level(line).is_some()).count();
        Self {
            numbered: numbered >= FEWEST_NUMBERED,
            // In a text that is all capitals they mark nothing.
            capitals: source.contains(char::is_lowercase),
        }
    }

    /// The level of a line that is a heading by itself. `is_alone`: blank lines around it.
    pub(super) fn level(&self, line: &str, is_alone: bool) -> Option<u8> {
        if self.numbered
            && let Some(level) = number_level(line)
        {
            return Some(level);
        }
        (self.capitals && is_alone && is_capitals(line)).then_some(1)
    }
}

/// `1.2 The degree` is of level 2. One number alone (`1 Welcome`) may as well count a list, and a
/// line with dots to a page number belongs to a table of contents, one full of digits or with a
/// `9.0` in front to a timetable.
fn number_level(line: &str) -> Option<u8> {
    let line = line.trim();
    let (number, title) = line.split_once(char::is_whitespace)?;
    let title = title.trim();
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let is_number = |part: &&str| {
        (1..=2).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && *part != "0"
    };
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let digits = title.chars().filter(char::is_ascii_digit).count();
    let is_title = title.starts_with(char::is_uppercase)
        && letters >= 3
        && digits <= 4
        && line.chars().count() <= LONGEST_CHARS
        && !title.contains("..")
        && !title.contains('\t')
        && !title.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ';' | ':'));
    let level = u8::try_from(parts.len()).ok().filter(|level| (2..=6).contains(level))?;
    (is_title && parts.iter().all(is_number)).then_some(level)
}

fn is_capitals(line: &str) -> bool {
    let line = line.trim();
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 4
        && letters * 2 > line.chars().count()
        && line.chars().count() <= LONGEST_CHARS
        && !line.contains(char::is_lowercase)
        && !line.starts_with('(')
        && !line.ends_with(['.', ',', ';', ':'])
}

/// Narrower than this, lines are short because they are a list, not because they were wrapped.
// Editors and mail programs wrap at 65 to 80 columns. At 75 a handbook wrapped at 66 fell into lines
// of its own.
const NARROWEST_WRAP_CHARS: usize = 60;
/// Wider than this, lines are whole paragraphs.
const WIDEST_WRAP_CHARS: usize = 160;

/// Returns `true` if a line is only drawn: `-----`, `* * *`.
fn is_rule(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}

/// Marks that say no more than that an item begins.
const BULLETS: &[&str] = &["-", "*", "+", "•", "–", "—", "·", "▪", "◦", "○", "‣", "\u{f0b7}"];

/// Returns `true` if a line begins a list item: `- x`, `• x`, `1. x`, `2) x`, `(a) x`, `(iv) x`.
fn is_item(line: &str) -> bool {
    let Some((mark, rest)) = line.trim_start().split_once([' ', '\t']) else {
        return false;
    };
    !rest.trim().is_empty() && (BULLETS.contains(&mark) || is_enumerator(mark))
}

/// `1.`, `2)`, `(a)`, `(iv)`. A letter with a full stop may as well begin a name or `i. d. R.` where a line was wrapped.
fn is_enumerator(mark: &str) -> bool {
    enumerator(mark)
        .is_some_and(|inner| mark.ends_with(')') || inner.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A line without the bullet in front of it. Numbers and letters stay: texts refer to them.
fn without_bullet(line: &str) -> &str {
    match line.trim_start().split_once([' ', '\t']) {
        Some((mark, rest)) if BULLETS.contains(&mark) => rest,
        _ => line,
    }
}

/// A block's lines as text: wrapped lines are joined, lines that end where they were meant to end
/// are kept apart.
fn unwrapped(lines: &[&str]) -> String {
    let length = |line: &str| line.chars().count();
    let width = lines.iter().map(|line| length(line)).max().unwrap_or(0);
    // By the longest line of the block: wrapped text fills at least one.
    let is_wrapped = (NARROWEST_WRAP_CHARS..=WIDEST_WRAP_CHARS).contains(&width);
    let mut text = String::new();
    let mut before = 0;
    for &line in lines {
        let width_of_line = length(line);
        let first_word = line.split_whitespace().next().unwrap_or_default();
        let had_no_room = before + 1 + length(first_word) > width;
        // A line with room for the next word was ended by its writer.
        let goes_on = is_wrapped && (had_no_room || first_word.starts_with(char::is_lowercase));
        if !text.is_empty() {
            text.push(if goes_on { ' ' } else { '\n' });
        }
        let line = if text.is_empty() { without_bullet(line) } else { line };
        text.push_str(&single_spaced(line));
        before = width_of_line;
    }
    text
}
