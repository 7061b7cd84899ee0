//! Whether a question of the documents is the visitor's, or only one near to it.
//!
//! An encoder sees what two questions are about, and hardly what they ask: "When does registration open?" is as near to
//! "When does registration close?" as two questions can be, and the answer to one misleads whoever asks the other. So
//! before an entry of a FAQ is given as the answer itself, rules look at what the two differ in. Where they do, the
//! entry is a passage that may cover what is asked.

use std::collections::BTreeSet;

use campanile_language::{Words, answers, month, questions, weekday};
use campanile_retrieve::Trace;
use campanile_text::Analyzer;
use serde::Serialize;

use crate::asked::unmatched;
use crate::form::{QuestionType, question_type};
use crate::words::{Word, has_one_of, is_negated, words};

/// A question of the documents, with its context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentsQuestion<'a> {
    pub(crate) question: &'a str,
    /// The title and the headings above it.
    pub(crate) headings: &'a [&'a str],
    pub(crate) answer: &'a str,
    /// The probability, by what encoder and reader say, that the entry answers.
    pub(crate) probability: f32,
}

/// What tells a question of the documents from the visitor's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// It has the opposite of a word: close for open.
    Opposite,
    /// It has the opposite of a word, but its answer speaks of both.
    BothSides,
    /// It has another number, another year or another code.
    Number,
    /// One of the two is turned by a negation.
    Negation,
    /// It asks for a person where the visitor asks for a day, and its answer need not have what is asked for.
    Kind,
    /// Words that say what is asked stand neither in it nor in its answer.
    Words,
}

impl Difference {
    /// Returns `true` if words of the entry do not answer the visitor either.
    pub(crate) fn is_of_another_question(self) -> bool {
        matches!(self, Self::Opposite | Self::Number | Self::Negation)
    }
}

/// An entry of which encoder and reader are so sure that half of the words may be missing.
// Of entries from .75 on that lack half of the question's words, 36 of 39 are right from .85 on and 11 of 18 below
// (`tests/sets/faq/choosing` and `training/data/handbooks/maplecross`).
const NEARLY_CERTAIN: f32 = 0.85;

/// Returns what tells a question of the documents from the visitor's; `None` where nothing does.
pub(crate) fn difference(
    asked: &str,
    entry: &DocumentsQuestion<'_>,
    trace: &Trace,
    analyzer: &Analyzer,
) -> Option<Difference> {
    let (own, other, answer) = (words(asked), words(entry.question), words(entry.answer));
    if let Some(opposed) = opposed(&own, &other, &answer) {
        Some(opposed)
    } else if has_another_number(&own, &other, &answer) {
        Some(Difference::Number)
    } else if is_turned(asked, entry.question, &own, &other) {
        Some(Difference::Negation)
    } else if is_of_another_kind(asked, entry.question, &own, &answer) {
        Some(Difference::Kind)
    } else {
        lacks_words(asked, entry, trace, analyzer).then_some(Difference::Words)
    }
}

/// Looks for a word of the visitor's question whose opposite the other one has.
fn opposed(own: &[Word], other: &[Word], answer: &[Word]) -> Option<Difference> {
    let sides = |words: &[Word], row: Words| -> BTreeSet<usize> {
        let sides = row.iter().enumerate();
        sides.filter(|(_, side)| has_form(words, side)).map(|(place, _)| place).collect()
    };
    let differences = questions::OPPOSITES.iter().filter_map(|&row| {
        let (asked, named) = (sides(own, row), sides(other, row));
        if asked.is_empty() || named.is_empty() || !asked.is_disjoint(&named) {
            return None;
        }
        let is_told = !asked.is_disjoint(&sides(answer, row));
        Some(if is_told { Difference::BothSides } else { Difference::Opposite })
    });
    differences.min_by_key(|difference| *difference == Difference::BothSides)
}

/// Returns `true` if one of the forms of a side is among the words.
fn has_form(words: &[Word], side: &str) -> bool {
    side.split(',').any(|form| {
        let parts: Vec<&str> = form.split('_').collect();
        (0..words.len()).any(|start| begins_with(&words[start..], &parts))
    })
}

/// Returns `true` if words begin with the parts of a form: `bring .. back`.
fn begins_with(words: &[Word], parts: &[&str]) -> bool {
    match (parts, words) {
        ([], _) => true,
        (["..", rest @ ..], words) => (0..words.len()).any(|at| begins_with(&words[at..], rest)),
        ([first, rest @ ..], [word, words @ ..]) => {
            let is_word = match first.strip_suffix('*') {
                Some(beginning) => word.lower.starts_with(beginning),
                None => word.lower == *first,
            };
            is_word && begins_with(words, rest)
        }
        _ => false,
    }
}

/// The make of a word with digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberKind {
    /// `WEN310`
    Code,
    Year,
    Number,
}

fn number_kind(word: &str) -> Option<NumberKind> {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    match (digits, letters) {
        (0, _) => None,
        (4, 0) if word.starts_with("19") || word.starts_with("20") => Some(NumberKind::Year),
        (_, 0) => Some(NumberKind::Number),
        (2.., 2..) => Some(NumberKind::Code),
        _ => None,
    }
}

/// Returns `true` if the other question names a number, a year or a code, and the visitor another one.
fn has_another_number(own: &[Word], other: &[Word], answer: &[Word]) -> bool {
    own.iter().any(|word| {
        let Some(kind) = number_kind(&word.lower) else { return false };
        let is_same = |it: &Word| it.lower == word.lower;
        let is_of_kind = |it: &Word| number_kind(&it.lower) == Some(kind);
        let stands_there = other.iter().chain(answer).any(is_same);
        // A number may say what happened to the visitor; a code names what is asked for.
        let names_another = other.iter().any(is_of_kind)
            || kind == NumberKind::Code && answer.iter().any(is_of_kind);
        !stands_there && names_another
    })
}

/// Returns `true` if one of two questions of a kind is turned by a negation: who may, and who may not.
fn is_turned(asked: &str, question: &str, own: &[Word], other: &[Word]) -> bool {
    let kind = question_type(asked);
    // "How do I print if it won't print?" and "Can't I pay by card?" ask the same with a negation and without.
    let is_turnable = matches!(
        kind,
        QuestionType::Who | QuestionType::When | QuestionType::Where | QuestionType::List
    );
    is_turnable && kind == question_type(question) && is_negated(own) != is_negated(other)
}

/// Returns `true` if an entry is asked for what its answer need not have: "Who marks it?" where it says when.
fn is_of_another_kind(asked: &str, question: &str, own: &[Word], answer: &[Word]) -> bool {
    use QuestionType::{Amount, Definition, Procedure, When, Where, Who};
    let (kind, other) = (question_type(asked), question_type(question));
    if kind == other {
        return false;
    }
    // "How do I register?" is answered with all there is to it, and "Who registers?" with that alone.
    let is_narrow = matches!(other, Who | When | Where | Amount | Definition);
    match kind {
        When => !answer.iter().any(is_value),
        Amount if has_one_of(own, questions::LENGTHS_OF_TIME) => !answer.iter().any(is_time),
        Amount => !answer.iter().any(is_value),
        Who | Where | Procedure => is_narrow,
        _ => false,
    }
}

/// Returns `true` if a word may be a day, an amount or a part of one.
fn is_value(word: &Word) -> bool {
    word.lower.contains(|letter: char| letter.is_ascii_digit())
        // `may` permits far more often than it is a month.
        || word.lower != "may" && month(&word.lower).is_some()
        || weekday(&word.lower).is_some()
        || is_time(word)
}

/// Returns `true` if a word is a unit of time.
fn is_time(word: &Word) -> bool {
    // Minutes to years: see the comment of the table.
    answers::UNITS[1..=6].iter().any(|unit| unit.contains(&word.lower))
}

/// Returns `true` if an entry lacks too many of the words that say what is asked.
///
/// A visitor says the same in other words, so that one missing word says little where the kinds of questions differ.
/// Where they are the same, the words are what is left to differ: "Who signs it?" beside "Who pays for it?".
fn lacks_words(
    asked: &str,
    entry: &DocumentsQuestion<'_>,
    trace: &Trace,
    analyzer: &Analyzer,
) -> bool {
    use QuestionType::{Amount, Other, Procedure, When, Where, Who};
    let texts = || entry.headings.iter().copied().chain([entry.question, entry.answer]);
    let all = content_words(asked, [], trace, analyzer);
    let missing = content_words(asked, texts(), trace, analyzer);
    let (kind, other) = (question_type(asked), question_type(entry.question));
    let is_half = !missing.is_empty() && missing.len() * 2 >= all.len();
    let lower = |word: Option<&Word>| word.map(|word| word.lower.clone());
    // "How do I upload a video?", "Who decides about it?": the verb comes first.
    let opens = words(asked).first().is_some_and(|word| word.is_one_of("how who wie wer"));
    let lacks_verb =
        || opens && !missing.is_empty() && lower(all.first()) == lower(missing.first());
    match kind {
        Who | When | Where | Amount if kind == other => !missing.is_empty(),
        Who if other == Procedure && lacks_verb() => true,
        Procedure if kind == other && lacks_verb() => true,
        kind if kind == other && kind != Other => is_half,
        _ => is_half && entry.probability < NEARLY_CERTAIN,
    }
}

/// The words of a question that say what it is about and that none of the texts has, in that form or one that means the
/// same.
fn content_words<'a>(
    asked: &str,
    texts: impl IntoIterator<Item = &'a str>,
    trace: &Trace,
    analyzer: &Analyzer,
) -> Vec<Word> {
    let texts: Vec<&str> = texts.into_iter().collect();
    let told: Vec<Word> = texts.iter().copied().flat_map(words).collect();
    let own = words(asked);
    let tells_money = texts.iter().any(|text| text.contains(['€', '£', '$']))
        || has_one_of(&told, questions::MONEY);
    let missing = unmatched(asked, texts, &[], trace, analyzer).join(" ");
    let mut missing = words(&missing);
    missing.retain(|word| {
        let only = std::slice::from_ref(word);
        let is_slight = word.is_one_of(questions::SLIGHT) || has_one_of(only, questions::WHEN);
        // Numbers have a rule of their own, and their units go with them.
        let is_number =
            matches!(number_kind(&word.lower), Some(NumberKind::Number | NumberKind::Year))
                || answers::UNITS
                    .iter()
                    .chain(&answers::CURRENCIES)
                    .any(|it| it.contains(&word.lower));
        let is_money = tells_money && has_one_of(only, questions::MONEY);
        !is_slight && !is_number && !is_money && !means_what_is_told(word, &own, &told)
    });
    missing
}

/// Returns `true` if a text has another form of what a word of the question means: `begin` for `start`.
fn means_what_is_told(word: &Word, own: &[Word], told: &[Word]) -> bool {
    let forms = |side: &str, words: &[Word]| -> Vec<String> {
        let forms = side.split(',').filter(|form| has_form(words, form));
        forms.map(str::to_owned).collect()
    };
    let is_of = |form: &String| {
        form.split('_').any(|part| begins_with(std::slice::from_ref(word), &[part]))
    };
    let sides = questions::OPPOSITES.iter().flat_map(|row| row.iter());
    let mut sides = sides.filter(|side| forms(side, own).iter().any(is_of));
    sides.any(|side| has_form(told, side))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_text::Language;

    use super::*;

    /// A case of `same_question.txt`: language, question of the documents, answer, visitor's question, difference.
    type Case = [&'static str; 5];

    fn cases() -> Vec<Case> {
        let blocks = include_str!("same_question.txt").split("\n--- ").skip(1);
        let case = |block: &'static str| {
            let (name, rest) = block.split_once('\n').unwrap();
            let (question, rest) = rest.split_once('\n').unwrap();
            let (answer, asked) = rest.split_once('\n').unwrap();
            asked.lines().filter(|line| !line.is_empty()).map(move |line| {
                let (asked, difference) = line.split_once(" =>").unwrap();
                [&name[..2], question, answer, asked, difference.trim()]
            })
        };
        blocks.flat_map(case).collect()
    }

    fn found([language, question, answer, asked, _]: Case, probability: f32) -> String {
        let language = if language == "de" { Language::German } else { Language::English };
        let entry = DocumentsQuestion { question, headings: &["Handbook"], answer, probability };
        let found = difference(asked, &entry, &Trace::default(), &Analyzer::new(language));
        found.map_or(String::new(), |it| format!("{it:?}").to_lowercase())
    }

    #[test]
    fn near_questions_are_told_from_the_same() {
        let wrong: Vec<String> = cases()
            .into_iter()
            .map(|case| (case, found(case, 0.8)))
            .filter(|(case, found)| found != case[4])
            .map(|(case, found)| format!("{} / {}: {found:?}, not {:?}", case[3], case[1], case[4]))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn there_are_enough_cases_of_every_difference_and_of_none() {
        let cases = cases();
        let count = |difference: &str| cases.iter().filter(|case| case[4] == difference).count();
        for (difference, least) in [
            ("opposite", 20),
            ("kind", 15),
            ("words", 15),
            ("number", 7),
            ("negation", 8),
            ("", 80),
        ] {
            assert!(count(difference) >= least, "{difference}: {}", count(difference));
        }
    }

    #[test]
    fn what_is_nearly_certain_may_lack_words() {
        let case =
            ["en", "How do I replace a lost card?", "Pay 15 pounds.", "card gone, new one?", ""];
        assert_eq!([found(case, 0.84), found(case, 0.85)], ["words", ""]);
    }
}
