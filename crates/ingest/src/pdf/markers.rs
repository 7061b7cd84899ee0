//! Marks that items of lists, numbered paragraphs and headings begin with, and the lists that they make.

use campanile_corpus::BlockKind;
use campanile_language::{calendar, month_in_full};

use super::headings::Levels;
use super::paragraphs::Paragraph;
use super::text::Part;
use crate::inline::InlineText;
use crate::numbers::read_roman;

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
        is_digits(inner) || read_roman(inner).is_some_and(|_| inner.len() > 1)
    };
    is_item.then_some(Marker::Item)
}

fn is_digits(text: &str) -> bool {
    // `2011. Der` begins with a year.
    (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `a`, `aa`, `iv`
fn is_letters(text: &str) -> bool {
    let is_double = matches!(text.as_bytes(), [a, b] if a == b && a.is_ascii_alphabetic());
    let is_single = matches!(text.as_bytes(), [a] if a.is_ascii_alphabetic());
    is_single || is_double || read_roman(text).is_some()
}

/// `24. Juni 2011` begins with a day.
fn is_date(word: &str, rest: &str) -> bool {
    let next = rest.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.']);
    let is_counted = || calendar::COUNTED_TIMES.contains(&next.to_lowercase());
    word.ends_with('.') && (month_in_full(next).is_some() || is_counted())
}

/// The rank of a heading among the others, by how it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// `Teil A`, `Part II`, `Anhang 1`, `Kapitel 3`
    Division,
    /// `II.`, `I. Abschnitt`
    Roman,
    /// `§ 5`, `Art. 3`
    Paragraph,
    /// `1.2`: with so many numbers.
    Decimal(u8),
}

/// The rank of a heading, and whether it is nothing but its number.
pub(super) fn rank(text: &str) -> Option<(Rank, bool)> {
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let second = words.next();
    if let Some(number) = first.strip_prefix('§') {
        let number = if number.is_empty() { second? } else { number };
        let taken = if first.len() > '§'.len_utf8() { 1 } else { 2 };
        let ends = text.split_whitespace().nth(taken).is_none();
        return is_number(number).then_some((Rank::Paragraph, ends));
    }
    let lower = first.to_lowercase();
    let named = match lower.trim_end_matches(['.', ':']) {
        "art" | "artikel" | "article" | "section" | "paragraph" => Some(Rank::Paragraph),
        "teil" | "part" | "kapitel" | "chapter" | "anhang" | "anlage" | "annex" | "appendix"
        | "abschnitt" | "titel" => Some(Rank::Division),
        _ => None,
    };
    if let Some(rank) = named {
        let bare = |number: &str| number.trim_end_matches([':', '.', ')']).to_owned();
        let Some(number) = second.map(bare) else {
            return (rank == Rank::Division && text.ends_with(':')).then_some((rank, false));
        };
        let is_counted = is_number(&number)
            || read_roman(&number).is_some()
            || matches!(number.as_bytes(), [letter] if letter.is_ascii_uppercase());
        return is_counted.then(|| (rank, words.next().is_none()));
    }
    let (number, dotted) = match first.strip_suffix(['.', ')']) {
        Some(number) => (number, true),
        None => (first, false),
    };
    let parts: Vec<&str> = number.split('.').collect();
    let is_decimal = parts.iter().all(|part| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    let depth = u8::try_from(parts.len()).ok()?;
    if is_decimal && second.is_some() {
        return Some((Rank::Decimal(depth), false));
    }
    let is_lettered = parts.len() > 1
        && parts.iter().all(|part| !part.is_empty() && part.len() <= 2)
        && matches!(parts.first().map(|part| part.as_bytes()), Some([b'A'..=b'Z']))
        && parts.iter().skip(1).all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    if is_lettered && second.is_some() {
        return Some((Rank::Decimal(depth), false));
    }
    let has_words = words.chain(second).any(|word| word.chars().count() > 2);
    (dotted
        && has_words
        && read_roman(number).is_some()
        && number.starts_with(|c: char| c.is_uppercase()))
    .then_some((Rank::Roman, second.is_none()))
}

/// Returns `true` if a line begins a section of a law: no sentence goes on like that.
pub(super) fn begins_section(text: &str) -> bool {
    // A sentence may begin with `§ 5` as well, but goes on.
    let is_short = text.chars().count() < 80;
    is_short && !text.ends_with([',', ';']) && matches!(rank(text), Some((Rank::Paragraph, _)))
}

/// `5`, `12a`
fn is_number(text: &str) -> bool {
    let text = text.trim_end_matches('.');
    let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (1..=3).contains(&digits.len())
        && text.len() - digits.len() <= 1
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Fewest short lines in a row that are a list though nothing marks them.
const FEWEST_SHORT_LINES: usize = 3;

/// The kind of each part; that of headings and tables means nothing.
pub(super) fn block_kinds(parts: &[Part], levels: &Levels) -> Vec<BlockKind> {
    let mut kinds = vec![BlockKind::Paragraph; parts.len()];
    for (kind, part) in kinds.iter_mut().zip(parts) {
        if let Part::Paragraph(paragraph) = part
            && matches!(marker(&paragraph.text.text), Some((Marker::Bullet | Marker::Item, _)))
        {
            *kind = BlockKind::ListItem;
        }
    }
    let mut start = 0;
    while start < parts.len() {
        let end = list_end(parts, levels, start);
        let short = &parts[start..end];
        if short.iter().filter(|part| is_short(part)).count() >= FEWEST_SHORT_LINES {
            kinds[start..end].fill(BlockKind::ListItem);
        }
        start = end.max(start + 1);
    }
    kinds
}

fn is_short(part: &Part) -> bool {
    matches!(part, Part::Paragraph(paragraph) if paragraph.is_short_line)
}

/// Finds the end of the list without marks that begins at `start`.
fn list_end(parts: &[Part], levels: &Levels, start: usize) -> usize {
    let mut end = start;
    while let Some(Part::Paragraph(paragraph)) = parts.get(end) {
        let is_item = levels[end].is_none() && may_be_item(paragraph);
        let follows = match parts.get(end.wrapping_sub(1)) {
            Some(Part::Paragraph(last)) if end > start => is_next(last, paragraph),
            _ => true,
        };
        if !is_item || !follows {
            break;
        }
        end += 1;
    }
    end
}

fn may_be_item(paragraph: &Paragraph) -> bool {
    let text = paragraph.text.text.trim_end();
    paragraph.lines <= 3
        && !paragraph.is_centred
        && marker(text).is_none()
        && !text.ends_with(['.', ':', '?', '!', ','])
}

fn is_next(last: &Paragraph, next: &Paragraph) -> bool {
    let gap = (next.top - last.bottom) / last.size.max(1.0);
    let is_below = last.page == next.page && (-0.5..1.3).contains(&gap);
    // A list goes on over the page, whatever its distance from there.
    let is_over_page = last.page + 1 == next.page;
    (is_below || is_over_page)
        && (last.left - next.left).abs() < last.size
        && (last.size - next.size).abs() < 0.5
}

/// The text of an item begins behind its bullet; a number or letter is part of it.
pub(super) fn without_bullet(text: InlineText) -> InlineText {
    match marker(&text.text) {
        Some((Marker::Bullet, length)) => text.without(std::slice::from_ref(&(0..length))),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Marker, Rank, marker, rank};

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

    #[test]
    fn ranks_of_headings() {
        let cases = [
            ("§ 5", Some((Rank::Paragraph, true))),
            ("§5 Umfang", Some((Rank::Paragraph, false))),
            ("§ 12a Fristen", Some((Rank::Paragraph, false))),
            ("Artikel 3", Some((Rank::Paragraph, true))),
            ("Article 12 Appeals", Some((Rank::Paragraph, false))),
            ("Anhang 1: Studiengänge", Some((Rank::Division, false))),
            ("Anhang:", Some((Rank::Division, false))),
            ("Teil B Prüfungen", Some((Rank::Division, false))),
            ("Teil der Prüfung", None),
            ("II. Prüfungen", Some((Rank::Roman, false))),
            ("I. V.", None),
            ("1 Einleitung", Some((Rank::Decimal(1), false))),
            ("1.2 Verfahren", Some((Rank::Decimal(2), false))),
            ("1.2.3. Verfahren", Some((Rank::Decimal(3), false))),
            ("A.1 Proofs", Some((Rank::Decimal(2), false))),
            ("2024", None),
            ("1.", None),
            ("Ordnung", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(rank(text), expected, "{text}");
        }
    }
}
