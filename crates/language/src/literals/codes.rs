//! Course codes, and other words with digits in them.

use std::ops::RangeInclusive;

use campanile_unicode::fold;

use super::numbers::ordinal;
use super::pieces::{Kind, Piece, is_digits};

/// The code with which the pieces begin, in one spelling, and how many of them it takes.
///
/// `CS101`, `B2`, `COMP-1234` and `CS 101A`; and digits that hyphens make one: `15-213`,
/// `412-268-2000`.
pub fn code(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let first = pieces.first()?;
    match first.kind {
        Kind::Word if is_mixed(first) => Some((fold(first.text), 1)),
        Kind::Word => hyphenated(pieces).or_else(|| spaced(pieces)),
        Kind::Number => digits(pieces),
        Kind::Mark => None,
    }
}

/// Letters before a number, in any case and of any length: what a source may mean as a code.
pub fn code_in_any_case(pieces: &[Piece<'_>]) -> Option<String> {
    let [name, rest @ ..] = pieces else { return None };
    let has_mark = rest.first().is_some_and(is_hyphen);
    let number = rest.get(usize::from(has_mark))?;
    let is_code = name.kind == Kind::Word
        && name.text.chars().all(char::is_alphabetic)
        && name.text.chars().count() <= 6
        && begins_with_digits(number, 1..=5);
    is_code.then(|| fold(name.text) + &fold(number.text))
}

/// Returns `true` if a word is made of digits and something else, or of digits that are not ours.
fn is_mixed(piece: &Piece<'_>) -> bool {
    let is_plain = is_digits(piece.text) || ordinal(piece.text).is_some();
    piece.text.contains(char::is_numeric) && !is_plain
}

/// `COMP-1234`
fn hyphenated(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let [name, mark, number, ..] = pieces else { return None };
    let is_code = is_capitals(name, 6)
        && is_hyphen(mark)
        && name.touches(mark)
        && mark.touches(number)
        && begins_with_digits(number, 1..=5);
    is_code.then(|| (fold(name.text) + &fold(number.text), 3))
}

/// `CS 101`; fewer digits are rather a number: `ECTS 30`.
fn spaced(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let [name, number, ..] = pieces else { return None };
    let is_code = is_capitals(name, 5)
        && name.text.chars().count() > 1
        // One space at the most, also one that does not break.
        && number.start <= name.end + '\u{a0}'.len_utf8()
        && begins_with_digits(number, 3..=4);
    is_code.then(|| (fold(name.text) + &fold(number.text), 2))
}

/// Three groups and more, or two and three digits; two groups else are a range.
fn digits(pieces: &[Piece<'_>]) -> Option<(String, usize)> {
    let mut groups = vec![pieces.first().filter(|piece| piece.is_plain_number())?.text];
    while let [last, mark, group, ..] = &pieces[groups.len() * 2 - 2..]
        && mark.is_mark('-')
        && last.touches(mark)
        && mark.touches(group)
        && group.is_plain_number()
    {
        groups.push(group.text);
    }
    let is_code = groups.len() > 2
        || matches!(groups[..], [two, three] if (two.len(), three.len()) == (2, 3));
    is_code.then(|| (groups.join("-"), groups.len() * 2 - 1))
}

fn is_capitals(piece: &Piece<'_>, most: usize) -> bool {
    piece.kind == Kind::Word
        && piece.text.chars().all(char::is_uppercase)
        && piece.text.chars().count() <= most
}

fn is_hyphen(piece: &Piece<'_>) -> bool {
    piece.is_mark('-') || piece.is_mark('–') || piece.is_mark('\u{2011}')
}

/// `101`, `101A`
fn begins_with_digits(piece: &Piece<'_>, count: RangeInclusive<usize>) -> bool {
    let digits = piece.text.bytes().take_while(u8::is_ascii_digit).count();
    let letters = &piece.text[digits..];
    count.contains(&digits)
        && letters.len() <= 2
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
}
