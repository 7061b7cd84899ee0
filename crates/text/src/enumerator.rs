//! Marks that count the items of a list: `5.`, `(b)`, `iv)`.

/// The number within a mark that counts an item: `5` of `5.`, `5)` and `(5)`, `iv` of `(iv)`, `b` of `b.`. `None` for a
/// word that is no such mark.
///
/// ```
/// use campanile_text::enumerator;
///
/// assert_eq!([enumerator("5."), enumerator("(iv)"), enumerator("b)")], [Some("5"), Some("iv"), Some("b")]);
/// assert_eq!([enumerator("2026."), enumerator("Nr."), enumerator("5")], [None, None, None]);
/// ```
pub fn enumerator(mark: &str) -> Option<&str> {
    let inner = match mark.strip_suffix(')') {
        Some(inner) => inner.strip_prefix('(').unwrap_or(inner),
        None => mark.strip_suffix('.')?,
    };
    (is_number(inner) || is_letter(inner) || is_roman(inner)).then_some(inner)
}

/// A year is no number of an item.
fn is_number(inner: &str) -> bool {
    (1..=3).contains(&inner.len()) && inner.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_letter(inner: &str) -> bool {
    inner.len() == 1 && inner.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Numerals of these letters alone: with C, D, L and M there are words among them, and lists do not get so far.
fn is_roman(inner: &str) -> bool {
    let is_one_of = |letters: &[u8]| inner.bytes().all(|byte| letters.contains(&byte));
    (1..=5).contains(&inner.len()) && (is_one_of(b"ivx") || is_one_of(b"IVX"))
}

/// Returns `true` if the second number is the one behind the first, in figures, letters or Roman numerals.
///
/// ```
/// use campanile_text::is_next_number;
///
/// assert!(is_next_number("9", "10") && is_next_number("h", "i") && is_next_number("iii", "iv"));
/// assert!(!is_next_number("1", "3") && !is_next_number("z", "a"));
/// ```
pub fn is_next_number(first: &str, second: &str) -> bool {
    const ROMAN: [&str; 21] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv",
        "xv", "xvi", "xvii", "xviii", "xix", "xx", "xxi",
    ];
    let figures = |number: &str| number.parse::<u32>().ok();
    let letter = |number: &str| match number.as_bytes() {
        [letter] => Some(letter.to_ascii_lowercase()),
        _ => None,
    };
    let roman = |number: &str| ROMAN.iter().position(|one| one.eq_ignore_ascii_case(number));
    figures(first).zip(figures(second)).is_some_and(|(first, second)| first + 1 == second)
        || letter(first).zip(letter(second)).is_some_and(|(first, second)| first + 1 == second)
        || roman(first).zip(roman(second)).is_some_and(|(first, second)| first + 1 == second)
}
