//! Numbers as lists show them.

/// The longest text around a number, in characters: each item of a list repeats it.
const PATTERN_CHARS: usize = 60;

/// Returns what a list puts around its numbers, cut if no reader would take it for that.
pub(super) fn pattern(text: &str) -> String {
    text.chars().take(PATTERN_CHARS).collect()
}

/// The way in which a number is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NumberFormat {
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
    pub(super) fn of_word(name: &str) -> Self {
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
    pub(super) fn of_sample(sample: &str) -> Self {
        match sample {
            "" => Self::Hidden,
            "a" => Self::LowerLetter,
            "A" => Self::UpperLetter,
            "i" => Self::LowerRoman,
            "I" => Self::UpperRoman,
            _ => Self::Decimal,
        }
    }

    pub(super) fn written(self, number: u32) -> String {
        match self {
            Self::Decimal => number.to_string(),
            Self::DecimalZero => format!("{number:02}"),
            Self::LowerLetter => letters(number, b'a'),
            Self::UpperLetter => letters(number, b'A'),
            Self::LowerRoman => roman(number).to_ascii_lowercase(),
            Self::UpperRoman => roman(number),
            Self::Ordinal => format!("{number}{}", ending(number)),
            Self::Bullet | Self::Hidden => String::new(),
        }
    }
}

/// a to z, then aa to zz, as word processors count.
fn letters(number: u32, first: u8) -> String {
    let Some(index) = number.checked_sub(1) else {
        return "0".to_owned();
    };
    let letter = char::from(first + u8::try_from(index % 26).unwrap_or_default());
    let times = usize::try_from(index / 26).unwrap_or_default() + 1;
    // Nobody reads the twentieth round of the alphabet.
    if times > 20 { number.to_string() } else { letter.to_string().repeat(times) }
}

fn roman(mut number: u32) -> String {
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
    if !(1..4000).contains(&number) {
        return number.to_string();
    }
    let mut written = String::new();
    for (value, sign) in SIGNS {
        while number >= *value {
            written.push_str(sign);
            number -= value;
        }
    }
    written
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
}
