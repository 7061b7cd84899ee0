//! Numbers as lists and pages show them.

/// The longest text around a number, in characters: each item of a list repeats it.
const PATTERN_CHARS: usize = 60;

/// Returns what a list puts around its numbers, cut if no reader would take it for that.
pub(crate) fn pattern(text: &str) -> String {
    text.chars().take(PATTERN_CHARS).collect()
}

/// Nobody reads the twentieth round of the alphabet, and a hostile file could ask for a gigabyte of `a`.
const MOST_LETTERED: u32 = 20 * 26;

/// The way in which a number is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NumberFormat {
    #[default]
    Decimal,
    /// `01`
    DecimalZero,
    LowerLetter,
    UpperLetter,
    LowerRoman,
    UpperRoman,
    /// `1st`
    Ordinal,
    /// A sign, not a number.
    Bullet,
    /// Counted, but not shown.
    Hidden,
}

impl NumberFormat {
    /// By the names that Office Open XML uses (ST_NumberFormat). Those of other scripts are shown as
    /// figures.
    pub(crate) fn of_word(name: &str) -> Self {
        match name {
            "decimalZero" => Self::DecimalZero,
            "lowerLetter" => Self::LowerLetter,
            "upperLetter" => Self::UpperLetter,
            "lowerRoman" => Self::LowerRoman,
            "upperRoman" => Self::UpperRoman,
            "ordinal" => Self::Ordinal,
            "bullet" => Self::Bullet,
            "none" => Self::Hidden,
            _ => Self::Decimal,
        }
    }

    /// By the sample that OpenDocument uses (`style:num-format`).
    pub(crate) fn of_sample(sample: &str) -> Self {
        match sample {
            "" => Self::Hidden,
            "a" => Self::LowerLetter,
            "A" => Self::UpperLetter,
            "i" => Self::LowerRoman,
            "I" => Self::UpperRoman,
            _ => Self::Decimal,
        }
    }

    pub(crate) fn written(self, number: u32) -> String {
        match self {
            Self::Decimal => number.to_string(),
            Self::DecimalZero => format!("{number:02}"),
            Self::LowerLetter => Self::UpperLetter.written(number).to_ascii_lowercase(),
            Self::LowerRoman => Self::UpperRoman.written(number).to_ascii_lowercase(),
            Self::UpperLetter if (1..=MOST_LETTERED).contains(&number) => letters(number),
            // Beyond it Romans drew lines over their letters.
            Self::UpperRoman if (1..4_000).contains(&number) => roman(number),
            Self::UpperLetter | Self::UpperRoman => number.to_string(),
            Self::Ordinal => format!("{number}{}", ending(number)),
            Self::Bullet | Self::Hidden => String::new(),
        }
    }
}

/// `A` to `Z`, then `AA` to `ZZ`, as word processors and PDF count from 1.
pub(crate) fn letters(number: u32) -> String {
    let index = number.saturating_sub(1);
    let letter = char::from_u32(u32::from('A') + index % 26).unwrap_or('A');
    std::iter::repeat_n(letter, index as usize / 26 + 1).collect()
}

/// The Roman numeral in capitals; empty for 0.
pub(crate) fn roman(number: u32) -> String {
    const SIGNS: &[(u32, &str)] = &[
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = number;
    let mut written = String::new();
    for (value, sign) in SIGNS {
        written.push_str(&sign.repeat((rest / value) as usize));
        rest %= value;
    }
    written
}

/// A Roman numeral below 400 of at most nine letters, in one case throughout: `iv`, `XII`.
pub(crate) fn read_roman(text: &str) -> Option<u32> {
    let is_one_case = text.chars().all(|letter| letter.is_ascii_lowercase())
        || text.chars().all(|letter| letter.is_ascii_uppercase());
    if text.is_empty() || text.len() > 9 || !is_one_case {
        return None;
    }
    // Without D and M: pages and clauses hardly count that far, and words of these letters are words.
    let value = |letter: char| match letter.to_ascii_lowercase() {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    let values: Vec<i32> = text.chars().map(value).collect::<Option<_>>()?;
    let total = values.iter().enumerate().fold(0, |total, (index, value)| {
        let is_before_greater = values.get(index + 1).is_some_and(|next| next > value);
        if is_before_greater { total - value } else { total + value }
    });
    // Written again it must be the same: `iiii` and `ic` are no numerals.
    let total = u32::try_from(total).ok()?;
    roman(total).eq_ignore_ascii_case(text).then_some(total)
}

fn ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::NumberFormat::{
        Decimal, DecimalZero, Hidden, LowerLetter, LowerRoman, Ordinal, UpperLetter, UpperRoman,
    };
    use super::{letters, read_roman, roman};

    #[test]
    fn numbers_are_written_as_lists_show_them() {
        let cases = [
            (Decimal, 12, "12"),
            (DecimalZero, 3, "03"),
            (LowerLetter, 1, "a"),
            (LowerLetter, 26, "z"),
            (LowerLetter, 28, "bb"),
            (LowerLetter, 0, "0"),
            (UpperLetter, 3, "C"),
            (LowerLetter, 4_000_000_000, "4000000000"),
            (LowerRoman, 4, "iv"),
            (UpperRoman, 1999, "MCMXCIX"),
            (UpperRoman, 0, "0"),
            (UpperRoman, 4_000_000_000, "4000000000"),
            (Ordinal, 2, "2nd"),
            (Ordinal, 12, "12th"),
            (Hidden, 12, ""),
        ];
        for (format, number, expected) in cases {
            assert_eq!(format.written(number), expected, "{format:?} {number}");
        }
    }

    #[test]
    fn roman_numerals_are_read_and_written() {
        for number in (1..400).filter(|number| roman(*number).len() <= 9) {
            assert_eq!(read_roman(&roman(number)), Some(number));
            assert_eq!(read_roman(&roman(number).to_ascii_lowercase()), Some(number));
        }
        for text in ["", "iiii", "Iv", "vx", "civil", "mix", "ic"] {
            assert_eq!(read_roman(text), None, "{text}");
        }
        assert_eq!((letters(3), letters(28), roman(0)), ("C".into(), "BB".into(), String::new()));
    }
}
