//! The numbers of items: as the page writes them, and counted on where it writes `#.`.

use crate::numbers::{NumberFormat, read_roman};

/// The number of an item: what it counts, and the signs around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ItemNumber {
    before: String,
    number: u32,
    format: NumberFormat,
    after: String,
}

impl ItemNumber {
    /// The number that a mark such as `5.`, `(b)` or `#.` states; `last` is that of the item before it in the list.
    pub(super) fn new(label: &str, last: Option<Self>) -> Self {
        let inner = label.trim_start_matches('(').trim_end_matches(['.', ')']);
        let start = label.len() - label.trim_start_matches('(').len();
        let sign = |range: Option<&str>| range.unwrap_or_default().to_owned();
        let before = sign(label.get(..start));
        let after = sign(label.get(start + inner.len()..));
        if inner == "#" {
            let first = Self { before, number: 0, format: NumberFormat::Decimal, after };
            let last = last.unwrap_or(first);
            return Self { number: last.number.saturating_add(1), ..last };
        }
        let follows = |number: u32, format: NumberFormat| {
            last.as_ref().is_some_and(|last| last.format == format && last.number + 1 == number)
        };
        let (number, format) = value(inner, follows);
        Self { before, number, format, after }
    }

    pub(super) fn written(&self) -> String {
        format!("{}{}{}", self.before, self.format.written(self.number), self.after)
    }
}

/// What a number counts, and how it is written.
fn value(inner: &str, follows: impl Fn(u32, NumberFormat) -> bool) -> (u32, NumberFormat) {
    if let Ok(number) = inner.parse() {
        return (number, NumberFormat::Decimal);
    }
    let is_upper = inner.starts_with(|letter: char| letter.is_ascii_uppercase());
    let (letter_format, roman_format) = if is_upper {
        (NumberFormat::UpperLetter, NumberFormat::UpperRoman)
    } else {
        (NumberFormat::LowerLetter, NumberFormat::LowerRoman)
    };
    let letter = match inner.as_bytes() {
        [letter] => Some(u32::from(letter.to_ascii_lowercase().saturating_sub(b'a')) + 1),
        _ => None,
    };
    let letter = letter.map(|number| (number, letter_format));
    let roman = read_roman(inner).map(|number| (number, roman_format));
    // `i.` begins a Roman list, and is a letter only behind `h.`
    let is_letter = letter.is_some_and(|(number, format)| follows(number, format));
    let is_roman = matches!(inner, "i" | "I")
        || inner.len() > 1
        || roman.is_some_and(|(number, format)| follows(number, format));
    match (letter, roman) {
        (Some(letter), _) if is_letter || !is_roman => letter,
        (_, Some(roman)) => roman,
        (letter, None) => letter.unwrap_or((1, letter_format)),
    }
}

#[cfg(test)]
mod tests {
    use super::ItemNumber;

    #[test]
    fn numbers_are_kept_and_counted_on() {
        let lists: &[(&[&str], &[&str])] = &[
            (&["4.", "5.", "#."], &["4.", "5.", "6."]),
            (&["#.", "#."], &["1.", "2."]),
            (&["#)", "#)"], &["1)", "2)"]),
            (&["(a)", "(#)", "(c)"], &["(a)", "(b)", "(c)"]),
            (&["i.", "#.", "#.", "iv."], &["i.", "ii.", "iii.", "iv."]),
            (&["h)", "i)", "#)"], &["h)", "i)", "j)"]),
            (&["C.", "D.", "#."], &["C.", "D.", "E."]),
            (&["XII.", "#."], &["XII.", "XIII."]),
        ];
        for (labels, expected) in lists {
            let mut last = None;
            for (label, expected) in labels.iter().zip(*expected) {
                let number = ItemNumber::new(label, last);
                assert_eq!(number.written(), *expected, "{labels:?}");
                last = Some(number);
            }
        }
    }
}
