//! The kind of value that a question wants, and whether a text tells one.

use campanile_language::{answers, calendar, names, numbers, questions, weekday};
use campanile_retrieve::{ValueKind, values};
use campanile_text::Analyzer;

use super::{QuestionType, asking_part, question_type};
use crate::table::{cells, lines};
use crate::words::{Word, has_one_of, terms, words};

/// Units of time, behind that of shares: from minutes to years.
const TIME_UNITS: usize = 6;

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A day: `which day`, `what date`.
    Day,
    /// Anything that tells a time: a day, an hour, a season, `before the first class`.
    Time,
    /// A sum of money, a share of one, or that it is free.
    Money,
    /// A length of time, or of a text.
    Length,
    /// A number of something.
    Number,
}

impl Wanted {
    /// The kind that a question wants; none where it wants no value.
    pub(crate) fn of(question: &str) -> Option<Self> {
        let asked = words(asking_part(question));
        match question_type(question) {
            QuestionType::When if has_one_of(&asked, questions::WHICH_DAY) => Some(Self::Day),
            QuestionType::When => Some(Self::Time),
            QuestionType::Amount if has_one_of(&asked, questions::MANY) => Some(Self::Number),
            QuestionType::Amount if has_one_of(&asked, questions::HOW_OFTEN) => Some(Self::Number),
            QuestionType::Amount if has_one_of(&asked, questions::LENGTHS_OF_TIME) => {
                Some(Self::Length)
            }
            QuestionType::Amount if has_one_of(&asked, questions::MONEY) => Some(Self::Money),
            QuestionType::Amount => Some(Self::Number),
            _ => None,
        }
    }

    /// Returns `true` if a text tells a value of the kind. In doubt it does.
    pub(crate) fn is_told_by(self, text: &str, analyzer: &Analyzer) -> bool {
        let all = words(text);
        let stem = |word: &str| terms(word, analyzer).into_iter().next();
        let found = values(text, &stem);
        let has = |is_it: fn(&ValueKind) -> bool| found.iter().any(|value| is_it(&value.kind));
        let is_day = |kind: &ValueKind| matches!(kind, ValueKind::Day);
        let is_time = |kind: &ValueKind| {
            matches!(kind, ValueKind::Day | ValueKind::Clock | ValueKind::Duration)
        };
        let is_money = |kind: &ValueKind| matches!(kind, ValueKind::Money(_) | ValueKind::Percent);
        let is_no_money = |kind: &ValueKind| !matches!(kind, ValueKind::Money(_));
        match self {
            Self::Day => has(is_day) || all.iter().any(is_weekday),
            Self::Time => {
                has(is_time)
                    || all.iter().any(|word| is_weekday(word) || is_of_calendar(word))
                    || has_one_of(&all, answers::TIMES)
            }
            Self::Money => {
                has(is_money) || has_one_of(&all, answers::FREE_OF_CHARGE) || has_bare_number(text)
            }
            Self::Length => {
                has(is_no_money)
                    || all.iter().any(|word| is_number(word) || is_of_calendar(word))
                    || has_one_of(&all, answers::TIMES)
            }
            Self::Number => {
                all.iter().any(|word| is_number(word) || word.is_one_of(answers::NEGATIONS))
                    || text.contains(|sign: char| sign.is_ascii_digit())
                    || has_one_of(&all, answers::FREE_OF_CHARGE)
                    || has_one_of(&all, answers::ANY_NUMBER)
            }
        }
    }
}

fn is_weekday(word: &Word) -> bool {
    weekday(&word.lower).is_some() || calendar::WEEKLY.iter().any(|day| day.contains(&word.lower))
}

/// A month, a season or term, a year, or a unit of time.
fn is_of_calendar(word: &Word) -> bool {
    campanile_language::month(&word.lower).is_some()
        || word.is_one_of(calendar::TERMS)
        || answers::UNITS.iter().skip(1).take(TIME_UNITS).any(|unit| unit.contains(&word.lower))
        || word.is_one_of(names::LABELS)
        || (word.lower.len() == 4
            && word.lower.starts_with(['1', '2'])
            && word.lower.parse::<u16>().is_ok())
}

fn is_number(word: &Word) -> bool {
    word.lower.starts_with(|letter: char| letter.is_ascii_digit())
        || [&numbers::SMALL[..], &numbers::TENS, &numbers::SCALES]
            .concat()
            .iter()
            .any(|it| it.contains(&word.lower))
        || word.is_one_of(numbers::ONE)
        || word.is_one_of(numbers::TWICE)
}

/// Returns `true` if a cell of a row holds a number alone, whose unit stands in the head of its column or of the table.
fn has_bare_number(text: &str) -> bool {
    let is_number = |cell: &str| {
        let digits = cell.trim().trim_end_matches([',', '.', '-', '–']);
        digits.starts_with(|sign: char| sign.is_ascii_digit())
            && digits.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '\''))
    };
    lines(text).into_iter().filter_map(|line| line.slice(text)).any(|line| {
        let row = cells(line).unwrap_or_default();
        row.iter().filter_map(|cell| cell.text.slice(line)).any(is_number)
            // A list of one thing and its price.
            || line.rsplit_once(": ").is_some_and(|(_, last)| is_number(last))
    })
}
