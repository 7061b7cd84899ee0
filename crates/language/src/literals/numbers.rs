//! Numbers in digits.

use std::fmt;

use crate::{Language, calendar};

use super::pieces::{Kind, Piece, is_digits};

/// A number in one spelling: no grouping, a decimal point, no zeros that say nothing.
///
/// Kept as text, since the numbers of documents are compared and never computed with. What is no
/// plain number (`8:30`, `1.2.3`) stands as it was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(String);

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Number {
    /// Reads a number from a piece of a text and those before it: a minus sign counts where it touches the number
    /// and nothing else.
    pub fn new(piece: &Piece<'_>, earlier: &[Piece<'_>], language: Language) -> Self {
        let mut number = Self::read(piece.text, language);
        if let [before @ .., sign] = earlier
            && (sign.is_mark('-') || sign.is_mark('−'))
            && sign.touches(piece)
            && before.last().is_none_or(|other| other.end < sign.start)
        {
            number.0.insert(0, '-');
        }
        number
    }

    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self(number.to_string())
    }

    /// Something in digits that is no plain number, in its one spelling: `9/11`.
    pub fn written(text: String) -> Self {
        Self(text)
    }

    /// The same times a power of ten; what is no plain number stays as it is.
    pub fn times_ten_to(&self, zeros: usize) -> Self {
        let (whole, decimals) = self.0.split_once('.').unwrap_or((&self.0, ""));
        if !is_digits(decimals) || whole.contains([':', '/']) {
            return self.clone();
        }
        // The point is moved in the text: floating point rounds, and two spellings of one number could differ.
        let cut = zeros.min(decimals.len());
        let (moved, rest) = decimals.split_at(cut);
        Self::decimal(&format!("{whole}{moved}{}", "0".repeat(zeros - cut)), rest)
    }

    /// The number without a minus sign.
    pub fn without_sign(&self) -> Self {
        Self(self.0.trim_start_matches('-').to_owned())
    }

    /// The number as an integer, where it is one.
    pub fn as_whole(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// Returns the spellings of the number: as it is, and with its thousands set off.
    pub fn spellings(&self, language: Language) -> Vec<String> {
        let group = language.thousands();
        let point = if group == '.' { ',' } else { '.' };
        let (sign, digits) = self.0.strip_prefix('-').map_or(("", self.0.as_str()), |d| ("-", d));
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        if !is_digits(whole) || !is_digits(decimals) {
            return vec![self.0.clone()];
        }
        let mut grouped = String::new();
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place) % 3 == 0 {
                grouped.push(group);
            }
            grouped.push(digit);
        }
        let behind = if decimals.is_empty() { String::new() } else { format!("{point}{decimals}") };
        vec![format!("{sign}{whole}{behind}"), format!("{sign}{grouped}{behind}")]
    }

    /// Reads a number from digits with separators between them.
    fn read(text: &str, language: Language) -> Self {
        let marks: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
        let parts: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
        let count = |mark: char| marks.iter().filter(|one| **one == mark).count();
        match (marks.as_slice(), parts.as_slice()) {
            ([], _) => Self::decimal(text, ""),
            // `8:30` is a time, and one colon among other marks makes the whole no number.
            ([.., ':'], _) => Self::as_written(text),
            // One mark alone may be either: the language decides, and `1.50` has no thousands in any.
            ([mark], [whole, rest])
                if *mark != language.thousands() || !is_thousands(whole, rest) =>
            {
                Self::decimal(whole, rest)
            }
            // The same mark throughout only groups: a number has one decimal point.
            ([mark, ..], [whole, groups @ ..]) if count(*mark) == marks.len() => {
                match groups.iter().all(|group| is_thousands(whole, group)) {
                    true => Self::decimal(&parts.concat(), ""),
                    false => Self::as_written(text),
                }
            }
            ([.., mark], [whole @ .., rest]) if count(*mark) == 1 => {
                Self::decimal(&whole.concat(), rest)
            }
            _ => Self::as_written(text),
        }
    }

    fn decimal(whole: &str, decimals: &str) -> Self {
        let (whole, decimals) = (whole.trim_start_matches('0'), decimals.trim_end_matches('0'));
        let whole = if whole.is_empty() { "0" } else { whole };
        Self(if decimals.is_empty() { whole.to_owned() } else { format!("{whole}.{decimals}") })
    }

    /// But for a zero in front: `08:30` is `8:30`.
    fn as_written(text: &str) -> Self {
        let shorter =
            text.strip_prefix('0').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        Self(shorter.unwrap_or(text).to_owned())
    }
}

fn is_thousands(whole: &str, group: &str) -> bool {
    // `0,500` is a half, whatever the language groups with.
    (1..=3).contains(&whole.len()) && !whole.starts_with('0') && group.len() == 3
}

/// The numbers of one piece of a date: `03.05.2024` has three, `3rd` one.
pub fn parts(piece: &Piece<'_>) -> Vec<Number> {
    let digits = match piece.kind {
        Kind::Number => piece.text,
        _ => ordinal(piece.text).unwrap_or_default(),
    };
    let runs = digits.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| Number::decimal(run, "")).collect()
}

/// The digits of `1st`, `2nd`, `3rd`, `4th`.
pub fn ordinal(word: &str) -> Option<&str> {
    let digits = calendar::ORDINAL_ENDINGS.iter().find_map(|ending| word.strip_suffix(ending))?;
    (!digits.is_empty() && is_digits(digits)).then_some(digits)
}
