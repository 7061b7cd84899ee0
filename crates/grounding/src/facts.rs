//! A text as values and words, and the facts of a claim that a text must state too.

use std::collections::BTreeSet;

use campanile_language::literals::{Date, Kind, Number, Piece, date, parts, pieces};
use campanile_text::{Analyzer, Language, fold, is_stop_word};

/// The facts in a claim that a text must state too, whatever words it uses.
#[derive(Debug, Default)]
pub struct Facts {
    dates: Vec<(Date, String)>,
    numbers: Vec<(Number, String)>,
    /// Names and codes: the term, and the word as it stands in the claim.
    terms: Vec<(String, String)>,
}

/// The values and terms of a text in which facts are looked for.
#[derive(Debug)]
pub struct Evidence {
    dates: Vec<Date>,
    /// Those of dates among them.
    numbers: BTreeSet<Number>,
    terms: BTreeSet<String>,
}

impl Facts {
    /// The facts of a claim: its dates, its numbers, its codes (`CS101`), and in English its names, which are
    /// the words with a capital letter that do not begin the claim, or all of them in a claim that
    /// has no word without. German writes every noun with a capital, so only words that are all
    /// capitals (`BAföG`, `EU`) count there.
    pub fn of_claim(claim: &str, language: Language) -> Self {
        let all = stated(claim, language);
        let words: Vec<&str> = all
            .iter()
            .filter_map(|one| match &one.value {
                Value::Word(word) => Some(word.as_str()),
                _ => None,
            })
            .collect();
        let is_title = words.iter().all(|word| word.starts_with(char::is_uppercase));
        let mut facts = Self::default();
        for (place, one) in all.into_iter().enumerate() {
            match one.value {
                Value::Date(date) => facts.dates.push((date, one.text)),
                Value::Number(number) => facts.numbers.push((number, one.text)),
                Value::Word(word) if is_fact(&word, place == 0 && !is_title, language) => {
                    facts.terms.push((fold(&word), word));
                }
                Value::Word(_) | Value::Mark(_) => {}
            }
        }
        facts
    }

    /// The facts that the evidence does not have, as they stand in the claim.
    pub fn missing_in(&self, evidence: &Evidence) -> Vec<String> {
        let has_date = |date: &Date| evidence.dates.iter().any(|other| date.is_said_by(other));
        let dates = self.dates.iter().filter(|(date, _)| !has_date(date)).map(|(_, text)| text);
        let numbers = self.numbers.iter().filter(|(number, _)| !evidence.numbers.contains(number));
        let terms = self.terms.iter().filter(|(term, _)| !evidence.terms.contains(term));
        let others = numbers.map(|(_, text)| text).chain(terms.map(|(_, text)| text));
        dates.chain(others).cloned().collect()
    }
}

fn is_fact(word: &str, begins: bool, language: Language) -> bool {
    let characters = word.chars().count();
    let capitals = word.chars().filter(|letter| letter.is_uppercase()).count();
    // German writes every noun with a capital, so there a capital says nothing; two of them do in either language.
    let is_code = word.contains(|letter: char| letter.is_ascii_digit());
    let is_short_form = characters > 1 && capitals > 1;
    let is_name = language.has_capital_names()
        && !begins
        && characters > 1
        && word.starts_with(char::is_uppercase)
        && !is_stop_word(language, &fold(word));
    is_code || is_short_form || is_name
}

impl Evidence {
    /// The evidence of a passage, or of a part of one.
    pub fn of_text(text: &str, language: Language) -> Self {
        let mut dates = Vec::new();
        let mut numbers = BTreeSet::new();
        let mut terms = BTreeSet::new();
        for one in stated(text, language) {
            numbers.extend(one.numbers);
            match one.value {
                Value::Date(date) => dates.push(date),
                Value::Word(word) => terms.extend([fold(&word)]),
                Value::Number(_) | Value::Mark(_) => {}
            }
        }
        // Codes in either spelling: `CS 101` has the term `cs101`.
        let analyzer = Analyzer::new(Language::None);
        terms.extend(analyzer.analyze(text).into_iter().map(|token| token.term));
        Self { dates, numbers, terms }
    }
}

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
    /// The words as they stand in the text.
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
        let (value, length) = match date(&pieces[place..], language) {
            Some((date, length)) => (Value::Date(date), length),
            None => (single(piece, &pieces[..place], language), 1),
        };
        let taken = &pieces[place..place + length];
        let end = taken[length - 1].end;
        let numbers = match &value {
            Value::Number(number) => vec![number.clone()],
            _ => taken.iter().flat_map(parts).collect(),
        };
        let text = text[piece.start..end].to_owned();
        found.push(Stated { value, text, numbers });
        place += length;
    }
    found
}

fn single(piece: &Piece<'_>, earlier: &[Piece<'_>], language: Language) -> Value {
    match piece.kind {
        Kind::Number => Value::Number(Number::new(piece, earlier, language)),
        Kind::Word => match parts(piece).pop() {
            Some(number) => Value::Number(number),
            None => Value::Word(piece.text.to_owned()),
        },
        Kind::Mark => Value::Mark(piece.text.chars().next().unwrap_or(' ')),
    }
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::*;

    #[test]
    fn what_a_text_does_not_state_is_named() {
        use Language::{English, German};
        let text = "Machu Picchu in Peru was built about 1450. Register for CS 101 by 3 May 2024.";
        let cases: [(Language, &str, &[&str]); 11] = [
            (English, "Peru", &[]),
            (English, "Chile", &["Chile"]),
            (English, "The city is in Peru", &[]),
            (English, "The city is in Chile", &["Chile"]),
            (English, "It was built in 1450", &[]),
            (English, "It was built in 1,450", &[]),
            (English, "It was built in 1540", &["1540"]),
            (English, "CS101 until 2024-05-03", &[]),
            (English, "CS102 until May 4", &["May 4", "CS102"]),
            (German, "Die Stadt liegt in der EU", &["EU"]),
            (English, "it is old", &[]),
        ];
        for (language, claim, expected) in cases {
            let evidence = Evidence::of_text(text, language);
            let missing = Facts::of_claim(claim, language).missing_in(&evidence);
            assert_eq!(missing, expected, "{claim}");
        }
    }

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
