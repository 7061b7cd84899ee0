use std::collections::BTreeSet;

use campanile_grounding::{Date, Number, Value, stated};
use campanile_text::{Language, fold, is_stop_word};

use super::tokens::normalised_words;

/// In what way an answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// It is a gold answer: [`exact_match`](super::exact_match).
    Exact,
    /// It holds the words of a gold answer, one after the other, and comes from a gold document.
    Contained,
    /// It states the same numbers and dates as a gold answer, spelled in another way, in the same
    /// unit.
    SameValue,
}

/// Tells if an answer is right, and by which rule; `None` where no rule says that it is.
///
/// Texts are normalised as `normalise` does; since that takes out decimal
/// points, the numbers must agree as well. An answer that merely holds a gold answer counts only
/// with `from_gold_document`, since short gold answers stand in many texts. Values are compared
/// where the gold answer states at least one: `1,500` and `1500`, `3 May 2024` and `2024-05-03` are
/// the same; the answer must state the same set and no other, and all other words of the gold
/// answer (its unit: `euros`, `a.m.`), stop words aside. Numbers written as words are not read. The
/// language says how numbers are grouped.
///
/// A question without gold answers is not answered by any text: `None`.
pub fn agreement<S: AsRef<str>>(
    answer: &str,
    golds: &[S],
    from_gold_document: bool,
    language: Language,
) -> Option<Agreement> {
    let answer = Reading::new(answer, language);
    let golds = golds.iter().map(|gold| Reading::new(gold.as_ref(), language));
    // The order of the variants is that of the rules: the first that holds of any gold answer.
    golds.filter_map(|gold| answer.agrees(&gold, from_gold_document)).min()
}

/// A text as its words and as what it states.
struct Reading {
    words: Vec<String>,
    values: Values,
}

impl Reading {
    fn new(text: &str, language: Language) -> Self {
        Self { words: normalised_words(text), values: Values::new(text, language) }
    }

    /// Normalising makes `3.5` and `35` the same, so the numbers have a say in every rule.
    fn agrees(&self, gold: &Self, from_gold_document: bool) -> Option<Agreement> {
        if gold.words.is_empty() {
            return None;
        }
        let (mine, theirs) = (&self.values.digits, &gold.values.digits);
        if self.words == gold.words && mine == theirs {
            Some(Agreement::Exact)
        } else if from_gold_document && holds(&self.words, &gold.words) && theirs.is_subset(mine) {
            Some(Agreement::Contained)
        } else {
            self.values.equals(&gold.values).then_some(Agreement::SameValue)
        }
    }
}

fn holds(words: &[String], part: &[String]) -> bool {
    words.windows(part.len().max(1)).any(|window| window == part)
}

/// The dates, numbers and other words of a short text.
#[derive(Default)]
struct Values {
    dates: BTreeSet<Date>,
    numbers: BTreeSet<Number>,
    /// The numbers, with those of the dates.
    digits: BTreeSet<Number>,
    /// All other words, in one spelling.
    units: BTreeSet<String>,
}

impl Values {
    fn new(text: &str, language: Language) -> Self {
        let mut new = Self::default();
        for one in stated(text, language) {
            new.digits.extend(one.numbers);
            match one.value {
                Value::Date(date) => new.dates.extend([date]),
                Value::Number(number) => new.numbers.extend([number]),
                Value::Word(word) => new.units.extend(unit(&fold(&word), language)),
                Value::Mark(mark) => new.units.extend(unit(&mark.to_string(), language)),
            }
        }
        new
    }

    fn equals(&self, gold: &Self) -> bool {
        let states_something = !gold.dates.is_empty() || !gold.numbers.is_empty();
        states_something
            && self.dates == gold.dates
            && self.numbers == gold.numbers
            && gold.units.is_subset(&self.units)
    }
}

/// A word in the spelling that stands for its synonyms; `None` for a stop word or a mark that is no
/// unit.
fn unit(word: &str, language: Language) -> Option<String> {
    Some(match word {
        "€" | "eur" | "euro" | "euros" => "euro".to_owned(),
        "$" | "usd" | "dollar" | "dollars" => "dollar".to_owned(),
        "£" | "gbp" | "pound" | "pounds" => "pound".to_owned(),
        "%" | "percent" | "prozent" => "percent".to_owned(),
        _ if !word.contains(char::is_alphanumeric) => return None,
        // Not `a` and `m`, which `a.m.` leaves.
        _ if word.chars().count() > 1 && is_stop_word(language, word) => return None,
        _ if language == Language::English && word.chars().count() > 3 => {
            word.strip_suffix('s').unwrap_or(word).to_owned()
        }
        _ => word.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use campanile_text::Language;

    use super::Agreement::{Contained, Exact, SameValue};
    use super::agreement;

    #[test]
    fn cases() {
        let english = [
            ("The library", "library", false, Some(Exact)),
            ("It is in the library.", "library", true, Some(Contained)),
            ("It is in the library.", "library", false, None),
            ("It takes 15 days", "5 days", true, None),
            ("1,500 students", "1500 students", false, Some(Exact)),
            ("1500.0 students", "1,500 students", false, Some(SameValue)),
            ("3.5 days", "35 days", false, None),
            ("It takes 3.5 days", "35 days", true, None),
            ("on 3 May 2024", "2024", true, Some(Contained)),
            ("It has 1,500", "1500 students", false, None),
            ("2024-05-03", "May 3, 2024", false, Some(SameValue)),
            ("on 3 May", "May 3, 2024", false, None),
            ("€12", "12 euros", false, Some(SameValue)),
            ("12 %", "12 euros", false, None),
            ("8:00 p.m.", "8:00 a.m.", false, None),
            ("at 08:00 a.m.", "8:00 a.m.", false, Some(SameValue)),
            ("12 or 15 euros", "12 euros", false, None),
            ("anything", "the", true, None),
            ("", "5", true, None),
        ];
        for (answer, gold, from_gold_document, expected) in english {
            let found = agreement(answer, &[gold], from_gold_document, Language::English);
            assert_eq!(found, expected, "{answer} / {gold}");
        }
        let german = agreement("12,50 Euro", &["12.5 €"], false, Language::German);
        assert_eq!(german, Some(SameValue));
        assert_eq!(agreement("May", &[""; 0], true, Language::English), None);
    }
}
