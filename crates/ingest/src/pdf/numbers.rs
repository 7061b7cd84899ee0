//! Numbers as documents write them.

/// A Roman numeral below 400 of at most nine letters, in one case throughout: `iv`, `XII`.
pub(super) fn roman(text: &str) -> Option<i64> {
    let is_one_case = text.chars().all(|letter| letter.is_ascii_lowercase())
        || text.chars().all(|letter| letter.is_ascii_uppercase());
    if text.is_empty() || text.len() > 9 || !is_one_case {
        return None;
    }
    let value = |letter: char| match letter.to_ascii_lowercase() {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    let values: Vec<i64> = text.chars().map(value).collect::<Option<_>>()?;
    let total = values.iter().enumerate().fold(0, |total, (index, value)| {
        let is_before_greater = values.get(index + 1).is_some_and(|next| next > value);
        if is_before_greater { total - value } else { total + value }
    });
    (write_roman(total) == text.to_ascii_lowercase()).then_some(total)
}

/// In small letters.
pub(super) fn write_roman(number: i64) -> String {
    const PARTS: [(i64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = number.clamp(0, 9_999);
    let mut written = String::new();
    for (value, letters) in PARTS {
        while rest >= value {
            written.push_str(letters);
            rest -= value;
        }
    }
    written
}

/// `a` to `z`, then `aa` to `zz`, as PDF counts pages by letters.
pub(super) fn write_letters(number: i64) -> String {
    let index = number.clamp(1, 2_600) - 1;
    let letter = u8::try_from(index % 26).map_or('?', |offset| char::from(b'a' + offset));
    let count = usize::try_from(index / 26 + 1).unwrap_or(1);
    std::iter::repeat_n(letter, count).collect()
}

#[cfg(test)]
mod tests {
    use super::{roman, write_letters, write_roman};

    #[test]
    fn roman_numerals_are_read_and_written() {
        for number in (1..400).filter(|number| write_roman(*number).len() <= 9) {
            assert_eq!(roman(&write_roman(number)), Some(number));
        }
        for text in ["", "iiii", "Iv", "vx", "civil", "mix", "ic"] {
            assert_eq!(roman(text), None, "{text}");
        }
        assert_eq!(
            (roman("XIV"), write_letters(3), write_letters(28)),
            (Some(14), "c".into(), "bb".into())
        );
    }
}
