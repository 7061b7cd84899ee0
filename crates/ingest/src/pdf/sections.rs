//! Numbers and words that headings begin with.

use super::numbers::roman;

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
            || roman(&number).is_some()
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
        && roman(number).is_some()
        && number.starts_with(|c: char| c.is_uppercase()))
    .then_some((Rank::Roman, second.is_none()))
}

/// Returns `true` if a line begins a section of a law: no sentence goes on like that.
pub(super) fn begins_section(text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::{Rank, rank};

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
