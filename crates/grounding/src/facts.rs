//! Dates, numbers, codes and names of a claim.

use std::collections::BTreeSet;

use campanile_text::{Analyzer, Language, fold, is_stop_word};

use crate::dates::Date;
use crate::numbers::Number;
use crate::stated::{Value, stated};

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
    /// Of a claim: its dates, its numbers, its codes (`CS101`), and in English its names, which are
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

/// The dates, numbers, codes and names of a claim that a text does not have, as they stand in the
/// claim; see [`Facts::of_claim`] for what is a name.
pub fn missing_facts(claim: &str, text: &str, language: Language) -> Vec<String> {
    Facts::of_claim(claim, language).missing_in(&Evidence::of_text(text, language))
}

fn is_fact(word: &str, begins: bool, language: Language) -> bool {
    let characters = word.chars().count();
    let capitals = word.chars().filter(|letter| letter.is_uppercase()).count();
    let is_code = word.contains(|letter: char| letter.is_ascii_digit());
    let is_short_form = characters > 1 && capitals > 1;
    let is_name = language == Language::English
        && !begins
        && characters > 1
        && word.starts_with(char::is_uppercase)
        && !is_stop_word(language, &fold(word));
    is_code || is_short_form || is_name
}

impl Evidence {
    /// Of a passage, or a part of one.
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

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::{Evidence, Facts};

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
}
