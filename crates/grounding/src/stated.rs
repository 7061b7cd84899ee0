//! A text as values and words, so that two spellings of one value can be compared.

use campanile_text::Language;

use crate::dates::{self, Date};
use crate::numbers::{self, Number};
use crate::pieces::{Kind, Piece, pieces};

/// A piece of a text with the value that it states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number that is no part of a date.
    Number(Number),
    /// A date.
    Date(Date),
    /// Any other word, as it stands in the text.
    Word(String),
    /// A mark, such as `€`.
    Mark(char),
}

/// A value and the words that state it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The value.
    pub value: Value,
    /// As it stands in the text.
    pub text: String,
    /// Every number among its pieces: for a date the day and the year as well.
    pub numbers: Vec<Number>,
}

/// Returns what a text states, in its order.
///
/// The language says how numbers are grouped (`1,500` or `1.500`) and in which order a date with
/// slashes stands.
pub fn stated(text: &str, language: Language) -> Vec<Stated> {
    let pieces = pieces(text);
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(piece) = pieces.get(place) {
        let rest = pieces.get(place..).unwrap_or_default();
        let date = dates::date(rest, language);
        let length = date.as_ref().map_or(1, |(_, length)| *length);
        let taken = rest.get(..length).unwrap_or_default();
        let end = taken.last().map_or(piece.end, |last| last.end);
        let value = match date {
            Some((date, _)) => Value::Date(date),
            None => single(piece, pieces.get(..place).unwrap_or_default(), language),
        };
        let numbers = match &value {
            Value::Number(number) => vec![number.clone()],
            _ => taken.iter().flat_map(|piece| numbers::parts(piece)).collect(),
        };
        let text = text.get(piece.start..end).unwrap_or_default().to_owned();
        found.push(Stated { value, text, numbers });
        place += length;
    }
    found
}

fn single(piece: &Piece<'_>, earlier: &[Piece<'_>], language: Language) -> Value {
    match piece.kind {
        Kind::Number => Value::Number(Number::new(piece, earlier, language)),
        Kind::Word => match numbers::parts(piece).pop() {
            Some(number) => Value::Number(number),
            None => Value::Word(piece.text.to_owned()),
        },
        Kind::Mark => Value::Mark(piece.text.chars().next().unwrap_or(' ')),
    }
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::{Value, stated};

    /// `n:` numbers, `d:` dates, `w:` words, marks left out.
    fn read(text: &str, language: Language) -> String {
        let shown = |one| match one {
            Value::Number(number) => Some(format!("n:{number}")),
            Value::Date(date) => Some(format!("d:{date}")),
            Value::Word(word) => Some(format!("w:{word}")),
            Value::Mark(_) => None,
        };
        let all: Vec<String> =
            stated(text, language).into_iter().filter_map(|one| shown(one.value)).collect();
        all.join(" ")
    }

    #[test]
    fn values_are_read_in_both_languages() {
        use Language::{English, German};
        let cases = [
            (English, "1,500.00 euros", "n:1500 w:euros"),
            (German, "1.500,00 Euro", "n:1500 w:Euro"),
            (English, "3.50", "n:3.5"),
            (German, "3,50", "n:3.5"),
            (German, "2.5", "n:2.5"),
            (English, "1.500", "n:1.5"),
            (English, "1,000,000", "n:1000000"),
            (English, "0,5", "n:0.5"),
            (English, "007", "n:7"),
            (English, "at -5 or 10-12", "w:at n:-5 w:or n:10 n:12"),
            (English, "08:30", "n:8:30"),
            (English, "version 1.2.3", "w:version n:1.2.3"),
            (English, "CS101, the 3rd", "w:CS101 w:the n:3"),
            (English, "2024-05-03", "d:2024-05-03"),
            (English, "3 May 2024", "d:2024-05-03"),
            (English, "3rd of May, 2024", "d:2024-05-03"),
            (English, "May 3rd 2024", "d:2024-05-03"),
            (English, "5/3/2024", "d:2024-05-03"),
            (German, "3/5/2024", "d:2024-05-03"),
            (English, "31/5/2024", "d:2024-05-31"),
            (German, "03.05.2024", "d:2024-05-03"),
            (German, "am 3. Mai 2024.", "w:am d:2024-05-03"),
            (German, "1. März", "d:03-01"),
            (English, "Sept. 1", "d:09-01"),
            (English, "May 2024", "d:2024-05"),
            (English, "You may 3 times", "w:You w:may n:3 w:times"),
            (English, "May I", "w:May w:I"),
            (English, "32 May", "n:32 w:May"),
            (English, "40.40.2024", "n:40.40.2024"),
            (English, "", ""),
        ];
        for (language, text, expected) in cases {
            assert_eq!(read(text, language), expected, "{text}");
        }
    }
}
