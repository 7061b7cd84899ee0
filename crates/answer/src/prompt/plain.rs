//! Foreign text as a part of a prompt: it stays on its line and in its place.

/// A text on one line that can be nothing but text: what it holds of square brackets is round, since sources are
/// numbered in square ones; what could begin a control token of any model, or an element, does not; what nobody
/// sees is gone; and a label of the template (`Question:`) has a semicolon.
pub(super) fn plain(text: &str, labels: &[&str]) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        let mut characters = word.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '[' => line.push('('),
                ']' => line.push(')'),
                '<' if characters.peek().is_some_and(opens) => line.push('('),
                _ if is_unseen(character) => {}
                _ => line.push(character),
            }
        }
    }
    for label in labels {
        line = disarmed(&line, label);
    }
    line
}

/// Returns `true` if a `<` before this character is more than a sign of comparison.
fn opens(next: &char) -> bool {
    !next.is_ascii_digit() && *next != '='
}

/// Controls, direction overrides and isolates, zero widths and tags.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A line in which each `label:` has a semicolon, whatever its case.
fn disarmed(line: &str, label: &str) -> String {
    // Of the same length as the line, byte by byte.
    let lower = line.to_ascii_lowercase();
    let (mut out, mut end) = (String::with_capacity(line.len()), 0);
    for (start, found) in lower.match_indices(&label.to_ascii_lowercase()) {
        let colon = start + found.len() - 1;
        out.push_str(&line[end..colon]);
        out.push(';');
        end = colon + 1;
    }
    out.push_str(&line[end..]);
    out
}
