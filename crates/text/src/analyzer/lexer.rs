//! The words of a text, before anything is done to them.

use campanile_unicode::is_combining_mark;

use crate::Span;

// Bounds on how far a guess looks ahead, so that no text takes more than linear time.
const MOST_PIECES: usize = 8;
const LONGEST_NUMBER: usize = 64;

/// The look of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, with apostrophes inside.
    Word,
    /// Letters and digits mixed.
    Alphanumeric,
    /// Words with hyphens between.
    Hyphenated,
    /// Digits, with grouping commas and a decimal point inside.
    Number,
    /// Short pieces with full stops between: `Ph.D.`, `U.S.`, `a.m.`.
    Dotted,
    /// A letter with a sign: `C++`, `C#`, `A+`.
    Symbol,
    /// An e-mail address.
    Email,
    /// A web address.
    Url,
}

/// One word as it stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// The lexemes of a text, in order; they do not overlap.
pub(super) fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let solid = piece.trim_end_matches(char::is_whitespace);
        split_piece(solid, start, &mut found);
        start += piece.len();
    }
    found
}

/// Splits a run without white space that begins at byte `offset`.
fn split_piece(piece: &str, offset: usize, found: &mut Vec<Lexeme>) {
    let mut position = 0;
    while let Some(rest) = piece.get(position..) {
        let Some(first) = rest.chars().next() else {
            return;
        };
        if !is_word_character(first) {
            position += first.len_utf8();
            continue;
        }
        let (kind, length) = lexeme_at(rest);
        found.push(Lexeme {
            kind,
            span: Span::from_range(offset + position..offset + position + length),
        });
        position += length;
    }
}

/// The lexeme that begins `rest`, whose first character is a letter or a digit.
fn lexeme_at(rest: &str) -> (Kind, usize) {
    // From the most particular to the most general: an address has dots, numbers and words in it.
    url(rest)
        .map(|length| (Kind::Url, length))
        .or_else(|| email(rest).map(|length| (Kind::Email, length)))
        .or_else(|| dotted(rest).map(|length| (Kind::Dotted, length)))
        .or_else(|| symbol(rest).map(|length| (Kind::Symbol, length)))
        .or_else(|| number(rest).map(|length| (Kind::Number, length)))
        .unwrap_or_else(|| word(rest))
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric()
        || is_combining_mark(character)
        || matches!(character, '\u{ad}' | '\u{200c}' | '\u{200d}')
}

/// Scripts written without spaces: each character stands for itself.
fn is_ideograph(character: char) -> bool {
    matches!(
        u32::from(character),
        0x2E80..=0x2FDF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF | 0x20000..=0x3FFFF
    )
}

fn url(rest: &str) -> Option<usize> {
    let starts = ["http://", "https://", "www."];
    let prefix = starts.iter().find(|prefix| {
        rest.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    })?;
    let end = rest.find(['<', '>', '"', '“', '”', '|', '`']).unwrap_or(rest.len());
    let trimmed = rest
        .get(..end)?
        .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '’', '*']);
    (trimmed.len() > prefix.len()).then_some(trimmed.len())
}

fn email(rest: &str) -> Option<usize> {
    let is_local = |c: char| c.is_ascii_alphanumeric() || "._%+-".contains(c);
    let is_host = |c: char| c.is_alphanumeric() || ".-".contains(c);
    // RFC 5321 limits the local part to 64 bytes; looking no further keeps a long run linear.
    let at = rest.bytes().take(65).position(|byte| byte == b'@')?;
    if !rest.get(..at)?.chars().all(is_local) {
        return None;
    }
    let host = rest.get(at + 1..)?;
    let end = host.find(|c| !is_host(c)).unwrap_or(host.len());
    let host = host.get(..end)?.trim_end_matches(['.', '-']);
    let has_dot = host.split('.').all(|part| !part.is_empty()) && host.contains('.');
    has_dot.then_some(at + 1 + host.len())
}

/// `Ph.D.`, `U.S.A.`, `e.g.`, `a.m`: at least two pieces of one to three letters, the last of one
/// or two unless a full stop closes it. `gsa.gov` is none: it has a piece too long to be initials.
fn dotted(rest: &str) -> Option<usize> {
    let mut length = 0;
    let mut pieces = 0;
    let mut shortest = usize::MAX;
    loop {
        let tail = rest.get(length..)?;
        let letters = tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len());
        let count = tail.get(..letters)?.chars().take(4).count();
        if count == 0 {
            break;
        }
        // Four letters are a word: `end.Next` is a full stop without its space.
        if count > 3 || pieces == MOST_PIECES {
            return None;
        }
        shortest = shortest.min(count);
        pieces += 1;
        length += letters;
        if rest.as_bytes().get(length) != Some(&b'.') {
            break;
        }
        length += 1;
    }
    let ends_cleanly =
        rest.get(length..)?.chars().next().is_none_or(|next| !is_word_character(next));
    (pieces >= 2 && shortest == 1 && ends_cleanly).then_some(length)
}

/// One letter and a sign: `C++`, `C#`, `F#`, `A+`.
fn symbol(rest: &str) -> Option<usize> {
    let mut characters = rest.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    let tail = characters.as_str();
    let length = ["++", "#", "+"].iter().find(|sign| tail.starts_with(**sign))?.len();
    let after = tail.get(length..)?.chars().next();
    let is_alone = after.is_none_or(|next| !is_word_character(next));
    (letter.is_ascii_alphabetic() && is_alone).then_some(1 + length)
}

/// Digits with `,` and `.` between digits; a letter behind them makes it no number.
fn number(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = 0;
    while is_digit(length)
        || (length > 0 && matches!(bytes.get(length), Some(b',' | b'.')) && is_digit(length + 1))
    {
        length += 1;
        if length > LONGEST_NUMBER {
            return None;
        }
    }
    let next = rest.get(length..)?.chars().next();
    let ends = next.is_none_or(|next| !is_word_character(next) || is_ideograph(next));
    (length > 0 && ends).then_some(length)
}

/// A word, with apostrophes and hyphens inside.
fn word(rest: &str) -> (Kind, usize) {
    let mut length = 0;
    let (mut letters, mut digits, mut hyphens) = (false, false, false);
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        let next_is_letter = characters.peek().copied().is_some_and(char::is_alphabetic);
        // There are no spaces to tell words by, and a search for one finds any text with it.
        if is_ideograph(character) {
            if length == 0 {
                return (Kind::Word, character.len_utf8());
            }
            break;
        }
        match character {
            '\'' | '’' | 'ʼ' if letters && next_is_letter => {}
            '-' | '\u{2010}' | '\u{2011}' if letters && !digits && next_is_letter => hyphens = true,
            _ if is_word_character(character) => {
                digits |= character.is_numeric();
                letters |= character.is_alphabetic();
            }
            _ => break,
        }
        length += character.len_utf8();
    }
    let kind = match (letters, digits, hyphens) {
        (_, _, true) => Kind::Hyphenated,
        (_, true, _) => Kind::Alphanumeric,
        _ => Kind::Word,
    };
    (kind, length)
}
