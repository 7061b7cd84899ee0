//! Marks that an item of a list, a numbered paragraph or a numbered heading begins with.

use super::numbers::roman;

/// The sort of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// `•`, `–`
    Bullet,
    /// `1.`, `a)`, `(ii)`
    Item,
    /// `(1)`: a numbered paragraph, as laws have them.
    Clause,
}

const BULLETS: &str = "•▪◦‣⁃∙·●○■□➢➤►→✓✗*";
const DASHES: &str = "–-—−";

/// The marker that a text begins with, and its length in bytes with the space behind it.
pub(super) fn marker(text: &str) -> Option<(Marker, usize)> {
    let first = text.chars().next()?;
    let after = text.get(first.len_utf8()..)?;
    let with_space = |length: usize| {
        let rest = text.get(length..)?;
        let spaces = rest.len() - rest.trim_start().len();
        (spaces > 0 && !rest.trim_start().is_empty()).then_some(length + spaces)
    };
    if BULLETS.contains(first) || DASHES.contains(first) {
        let quoted = DASHES.contains(first) && after.starts_with(['„', '"', '“']);
        let length = if quoted { Some(first.len_utf8()) } else { with_space(first.len_utf8()) };
        return length.map(|length| (Marker::Bullet, length));
    }
    let (word, _) = text.split_once(char::is_whitespace)?;
    let length = with_space(word.len())?;
    let kind = label(word)?;
    let rest = text.get(length..)?;
    (!is_date(word, rest)).then_some((kind, length))
}

/// Returns `true` if a text is a marker and nothing else.
pub(super) fn is_bare_marker(text: &str) -> bool {
    let text = text.trim();
    let is_mark = |c: char| BULLETS.contains(c) || DASHES.contains(c);
    label(text).is_some() || (!text.is_empty() && text.chars().all(is_mark))
}

/// Returns the marker that a word alone is: `(1)`, `a)`, `12.`, `iv.`
fn label(word: &str) -> Option<Marker> {
    if let Some(inner) = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')) {
        let is_number = is_digits(inner) || is_digits(inner.trim_end_matches(char::is_alphabetic));
        return match is_number {
            true => Some(Marker::Clause),
            false => is_letters(inner).then_some(Marker::Item),
        };
    }
    let (inner, closes) = match word.strip_suffix(')') {
        Some(inner) => (inner.trim_end_matches('.'), true),
        None => (word.strip_suffix('.')?, false),
    };
    let is_item = if closes {
        is_digits(inner) || is_letters(inner)
    } else {
        // A letter and a dot may as well be an initial, so only numbers count.
        is_digits(inner) || roman(inner).is_some_and(|_| inner.len() > 1)
    };
    is_item.then_some(Marker::Item)
}

fn is_digits(text: &str) -> bool {
    (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `a`, `aa`, `iv`
fn is_letters(text: &str) -> bool {
    let is_double = matches!(text.as_bytes(), [a, b] if a == b && a.is_ascii_alphabetic());
    let is_single = matches!(text.as_bytes(), [a] if a.is_ascii_alphabetic());
    is_single || is_double || roman(text).is_some()
}

const MONTHS: [&str; 22] = [
    "januar",
    "jänner",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
    "january",
    "february",
    "march",
    "may",
    "june",
    "july",
    "october",
    "december",
    "jahrhundert",
];

/// `24. Juni 2011` begins with a day.
fn is_date(word: &str, rest: &str) -> bool {
    let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    word.ends_with('.') && MONTHS.contains(&next.trim_end_matches([',', '.']))
}

#[cfg(test)]
mod tests {
    use super::{Marker, marker};

    #[test]
    fn markers_are_told_from_words() {
        let cases = [
            ("• Deutsch", Some((Marker::Bullet, 4))),
            ("- Bachelornebenfach", Some((Marker::Bullet, 2))),
            ("-„Germanistik", Some((Marker::Bullet, 1))),
            ("-weise", None),
            ("a) In der", Some((Marker::Item, 3))),
            ("aa) Nach", Some((Marker::Item, 4))),
            ("1. Der Anhang", Some((Marker::Item, 3))),
            ("12) Zwölf", Some((Marker::Item, 4))),
            ("(1) Diese", Some((Marker::Clause, 4))),
            ("(2a) Diese", Some((Marker::Clause, 5))),
            ("(ii) second", Some((Marker::Item, 5))),
            ("(EES)", None),
            ("(and more)", None),
            ("24. Juni 2011", None),
            ("5. August", None),
            ("A. Miller", None),
            ("II. Abschnitt", Some((Marker::Item, 4))),
            ("z. B. nur", None),
            ("1.", None),
            ("2011. Der", None),
            ("Wort", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(marker(text), expected, "{text}");
        }
    }
}
