//! Lists that Pandoc counts and CommonMark doesn't: `a.`, `(b)`, `iv)`, `#.`
//!
//! Their items become those of a list of signs, with the numbers as their first words, which is what a reader sees of
//! them either way. Without that they run together in one paragraph.

use std::borrow::Cow;
use std::collections::BTreeSet;

use campanile_text::{enumerator, is_next_number};

use super::directives::Fence;

/// Columns that a line is set in by at most, outside of any list: with more it is code.
const MOST_INDENT: usize = 3;

/// A line that may begin an item.
struct Candidate<'a> {
    line: usize,
    indent: usize,
    /// The mark without its number: `.`, `()`.
    signs: String,
    number: &'a str,
}

/// The page with the items of such lists as items that CommonMark knows.
pub(super) fn as_items(source: &str) -> Cow<'_, str> {
    let items = items(source);
    if items.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len() + 2 * items.len());
    for (number, line) in source.split_inclusive('\n').enumerate() {
        let text = line.trim_start();
        let (margin, _) = line.split_at(line.len() - text.len());
        match text.strip_prefix("#.").filter(|_| items.contains(&number)) {
            // Markdown counts on by itself.
            Some(rest) => out.extend([margin, "1.", rest]),
            None if items.contains(&number) => out.extend([margin, "- ", text]),
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// The lines that begin an item: a mark alone may be an initial, or `(c)`, so that one with the number before it or behind
/// it is asked for, set in as far.
fn items(source: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Candidate<'_>> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let (mut is_behind_blank, mut is_in_list) = (true, false);
    for (line, whole) in source.lines().enumerate() {
        let text = whole.trim_start();
        let indent = whole.len() - text.len();
        match (fence, Fence::of_code(text.trim_end())) {
            (None, Some(mark)) => fence = Some((mark.character, mark.length)),
            (Some(own), Some(mark)) if mark.closes(own) => fence = None,
            (None, None) => {}
            (Some(_), _) => continue,
        }
        if text.is_empty() {
            is_behind_blank = true;
            continue;
        }
        let mark = text.split(' ').next().filter(|mark| mark.len() < text.trim_end().len());
        let is_code = indent > MOST_INDENT && !is_in_list;
        if mark == Some("#.") && !is_code {
            found.insert(line);
            is_in_list = true;
        } else if let Some(number) = mark.and_then(enumerator).filter(|_| !is_code) {
            let signs = mark.unwrap_or_default().replacen(number, "", 1);
            let own = Candidate { line, indent, signs, number };
            open.retain(|earlier| earlier.indent <= indent);
            // CommonMark's own marks stay as they are.
            let is_plain =
                !own.signs.contains('(') && number.bytes().all(|byte| byte.is_ascii_digit());
            if let Some(last) = open.last().filter(|last| goes_on(last, &own)) {
                found.extend([last.line, line].into_iter().filter(|_| !is_plain));
            }
            open.retain(|earlier| earlier.indent < indent);
            open.push(own);
            is_in_list = true;
        } else if matches!(mark, Some("-" | "*" | "+")) {
            is_in_list = true;
        } else if is_behind_blank {
            // A paragraph ends the lists that it is set in less than.
            open.retain(|earlier| earlier.indent < indent);
            is_in_list &= indent > 0;
        }
        is_behind_blank = false;
    }
    found
}

fn goes_on(last: &Candidate<'_>, next: &Candidate<'_>) -> bool {
    last.indent == next.indent
        && last.signs == next.signs
        && is_next_number(last.number, next.number)
}
