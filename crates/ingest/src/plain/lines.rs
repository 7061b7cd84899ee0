//! Lines of plain text: which begin a list item, which only go on.

/// Narrower than this, lines are short because they are a list, not because they were wrapped.
const NARROWEST_WRAP_CHARS: usize = 60;
/// Wider than this, lines are whole paragraphs.
const WIDEST_WRAP_CHARS: usize = 160;

/// Returns `true` if a line is only drawn: `-----`, `* * *`.
pub(super) fn is_rule(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}

/// Marks that say no more than that an item begins.
const BULLETS: &[&str] = &["-", "*", "+", "•", "–", "—", "·", "▪", "◦", "○", "‣", "\u{f0b7}"];

/// Returns `true` if a line begins a list item: `- x`, `• x`, `1. x`, `2) x`, `(a) x`, `(iv) x`.
pub(super) fn is_item(line: &str) -> bool {
    let Some((mark, rest)) = line.trim_start().split_once([' ', '\t']) else {
        return false;
    };
    !rest.trim().is_empty() && (BULLETS.contains(&mark) || counts(mark))
}

/// A line without the bullet in front of it. Numbers and letters stay: texts refer to them.
fn without_bullet(line: &str) -> &str {
    match line.trim_start().split_once([' ', '\t']) {
        Some((mark, rest)) if BULLETS.contains(&mark) => rest,
        _ => line,
    }
}

/// `1.`, `2)`, `(a)`, `(iv)`
fn counts(mark: &str) -> bool {
    let is_number = |inner: &str| {
        (1..=3).contains(&inner.len()) && inner.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_letter = |inner: &str| {
        let is_roman = inner.len() <= 4 && inner.bytes().all(|byte| b"ivx".contains(&byte));
        !inner.is_empty() && (is_roman || (inner.len() == 1 && inner.is_ascii()))
    };
    match mark.strip_suffix(')') {
        Some(inner) => {
            let inner = inner.strip_prefix('(').unwrap_or(inner);
            is_number(inner) || is_letter(inner)
        }
        None => mark.strip_suffix('.').is_some_and(is_number),
    }
}

/// A block's lines as text: wrapped lines are joined, lines that end where they were meant to end
/// are kept apart.
pub(super) fn unwrapped(lines: &[&str]) -> String {
    let length = |line: &str| line.chars().count();
    let width = lines.iter().map(|line| length(line)).max().unwrap_or(0);
    let is_wrapped = (NARROWEST_WRAP_CHARS..=WIDEST_WRAP_CHARS).contains(&width);
    let mut text = String::new();
    let mut before = 0;
    for &line in lines {
        let width_of_line = length(line);
        let first_word = line.split_whitespace().next().unwrap_or_default();
        let had_no_room = before + 1 + length(first_word) > width;
        let goes_on = is_wrapped && (had_no_room || first_word.starts_with(char::is_lowercase));
        if !text.is_empty() {
            text.push(if goes_on { ' ' } else { '\n' });
        }
        let line = if text.is_empty() { without_bullet(line) } else { line };
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&words);
        before = width_of_line;
    }
    text
}
