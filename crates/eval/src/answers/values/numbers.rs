use std::fmt;

use campanile_text::Language;

use super::pieces::{Kind, Piece};

/// A number in one spelling: no grouping, a decimal point, no zeros that say nothing.
///
/// Kept as text, since the numbers of documents are compared and never computed with. What is no
/// plain number (`8:30`, `1.2.3`) stands as it was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Number(String);

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Number {
    /// From a piece of a text and those before it: a minus sign counts where it touches the number
    /// and nothing else.
    pub(super) fn new(piece: &Piece<'_>, earlier: &[Piece<'_>], language: Language) -> Self {
        let mut number = Self::read(piece.text, language);
        if let [before @ .., sign] = earlier
            && (sign.is_mark('-') || sign.is_mark('−'))
            && sign.end == piece.start
            && before.last().is_none_or(|other| other.end < sign.start)
        {
            number.0.insert(0, '-');
        }
        number
    }

    /// From digits with separators between them.
    fn read(text: &str, language: Language) -> Self {
        let separators: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
        match separators.as_slice() {
            [] => Self::decimal(text, ""),
            [mark] if *mark != ':' => {
                let (whole, rest) = text.split_once(*mark).unwrap_or((text, ""));
                if *mark == grouping(language) && is_thousands(whole, rest) {
                    return Self::decimal(&format!("{whole}{rest}"), "");
                }
                Self::decimal(whole, rest)
            }
            [first, .., last] if separators.iter().all(|mark| mark == first) && first == last => {
                let mut groups = text.split(*first);
                let whole = groups.next().unwrap_or_default();
                if *first != ':' && groups.clone().all(|group| is_thousands(whole, group)) {
                    return Self::decimal(&text.replace(*first, ""), "");
                }
                Self::as_written(text)
            }
            [.., mark]
                if *mark != ':' && separators.iter().filter(|one| *one == mark).count() == 1 =>
            {
                let (whole, rest) = text.rsplit_once(*mark).unwrap_or((text, ""));
                let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
                Self::decimal(&digits, rest)
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

/// The mark between thousands.
fn grouping(language: Language) -> char {
    if language == Language::German { '.' } else { ',' }
}

fn is_thousands(whole: &str, group: &str) -> bool {
    (1..=3).contains(&whole.len()) && !whole.starts_with('0') && group.len() == 3
}

/// The numbers of one piece of a date: `03.05.2024` has three, `3rd` one.
pub(super) fn parts(piece: &Piece<'_>) -> Vec<Number> {
    let digits = match piece.kind {
        Kind::Number => piece.text,
        _ => ordinal(piece.text).unwrap_or_default(),
    };
    let runs = digits.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(|run| Number::decimal(run, "")).collect()
}

/// The digits of `1st`, `2nd`, `3rd`, `4th`.
pub(super) fn ordinal(word: &str) -> Option<&str> {
    let endings = ["st", "nd", "rd", "th"];
    let digits = endings.iter().find_map(|ending| word.strip_suffix(ending))?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}
