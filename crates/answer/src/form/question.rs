//! Tells by a question's words what kind of answer it asks for.

use campanile_language::{Phrases, questions};
use campanile_text::sentences;

use crate::words::{Word, find, has_one_of, is_one_of, words};

/// The kind of answer that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionType {
    /// A day, a span of days, a time.
    When,
    /// A person or an office.
    Who,
    /// A number of something, a sum, a length of time: how many, how much, how long, how often.
    Amount,
    /// A place.
    Where,
    /// The steps of what to do: how do I.
    Procedure,
    /// Yes or no: may I, do I have to, is there.
    YesNo,
    /// Two things beside each other.
    Comparison,
    /// Several things, all of them.
    List,
    /// The meaning of something, or what it is.
    Definition,
    /// Anything else.
    Other,
}

/// The phrases by which a type is known, in the order in which they are looked for. What is bound to the
/// beginning (`^`) is meant as the question's first words.
const PHRASES: [(QuestionType, Phrases); 10] = [
    (QuestionType::Comparison, questions::COMPARISON),
    (QuestionType::List, questions::LIST),
    // Before what follows: `Why does it cost so much?` asks for no amount.
    (QuestionType::Other, questions::REASON),
    // Before `wie viel`, which asks for an amount.
    (QuestionType::When, questions::CLOCK_TIME),
    (QuestionType::Amount, questions::AMOUNT),
    (QuestionType::When, questions::WHEN),
    (QuestionType::Procedure, questions::PROCEDURE),
    (QuestionType::Where, questions::WHERE),
    (QuestionType::Who, questions::WHO),
    (QuestionType::Definition, questions::DEFINITION),
];

/// Returns the kind of answer that a question asks for, found from its words.
///
/// Where several sentences are typed, the last one that ends in a question mark counts. Nothing is understood
/// here: phrases are looked for in a fixed order, and what holds none of them is [`QuestionType::Other`].
pub(crate) fn question_type(question: &str) -> QuestionType {
    let asked = words(asking_part(question));
    let asked = without_lead_ins(&asked);
    let first = asked.first().map_or("", |word| word.lower.as_str());
    if is_weighed(asked) {
        return QuestionType::Comparison;
    }
    let is_yes_no = is_one_of(first, questions::YES_OR_NO);
    for (kind, phrases) in &PHRASES {
        // `Is there a deadline?` and `Do you know the difference …` ask for two different things: only a
        // comparison is one whatever it begins with.
        if (!is_yes_no || *kind == QuestionType::Comparison) && has_one_of(asked, *phrases) {
            return *kind;
        }
    }
    if is_yes_no {
        return QuestionType::YesNo;
    }
    if lists(asked) {
        return QuestionType::List;
    }
    match first {
        "what" | "what's" | "was" => definition(asked),
        _ => QuestionType::Other,
    }
}

/// The part of a question that asks: its last sentence, without the clause in front that only sets the scene.
pub(crate) fn asking_part(question: &str) -> &str {
    behind_clause(last_question(question))
}

/// The last sentence that ends in a question mark; the whole where none does.
fn last_question(text: &str) -> &str {
    let sentences = sentences(text).into_iter().map(|span| &text[span.range()]);
    sentences.rev().find(|sentence| sentence.ends_with('?')).unwrap_or(text)
}

fn without_lead_ins(mut words: &[Word]) -> &[Word] {
    while let Some(found) =
        questions::LEAD_INS.iter().filter_map(|it| find(words, it)).find(|it| it.start == 0)
        && found.end < words.len()
    {
        words = &words[found.end..];
    }
    words
}

/// The question behind a clause that only sets the scene: `If I fall ill, whom do I tell?`
fn behind_clause(question: &str) -> &str {
    let first = words(&question[..question.find(' ').unwrap_or(0)]);
    if !first.first().is_some_and(|word| word.is_one_of(questions::SCENES)) {
        return question;
    }
    let opens = |rest: &&str| {
        // Only the first word counts: the rest of a long question need not be cut into words at every comma.
        let first = words(&rest[..rest.floor_char_boundary(40)]);
        first.first().is_some_and(|word| word.is_one_of(questions::OPENERS))
    };
    let behind = question.match_indices(',').map(|(at, _)| &question[at + 1..]);
    behind.map(str::trim_start).find(opens).unwrap_or(question)
}

/// `Which … more, X or Y?`
fn is_weighed(words: &[Word]) -> bool {
    let or = words.iter().rposition(|word| word.is_one_of("or oder"));
    let weighs = |word: &Word| word.is_one_of(questions::COMPARATIVES);
    let asks = words.iter().take(3).any(|word| {
        word.is_one_of(
            "which where what who when is are does do welche welcher welches welchem wo was \
            wer wann ist sind hat",
        )
    });
    or.is_some_and(|or| asks && words[..or].iter().any(weighs))
}

/// `Which modules …`, `What documents …`, `Welche Unterlagen …`: a question word and a plural soon after it.
fn lists(words: &[Word]) -> bool {
    let place =
        words.iter().take(3).position(|word| word.is_one_of("which what welche welchen what're"));
    let Some(place) = place else { return false };
    let of_german = words[place].lower.starts_with("welche");
    let after = &words[place + 1..];
    let is_article = |word: &&Word| word.is_one_of("the die der das");
    let (are, after) = match after.split_first() {
        Some((are, rest)) if are.is_one_of("are sind") => (true, rest),
        _ => (false, after),
    };
    let after = &after[after.iter().take(1).filter(is_article).count()..];
    if of_german {
        return after
            .iter()
            .take(2)
            .any(|word| word.lower.ends_with("en") && !is_verb(&word.lower));
    }
    // `Which bus goes …`: behind a noun, only what a verb follows is one.
    after.iter().take(3).enumerate().any(|(place, word)| {
        let next = after.get(place + 1).map_or("", |word| word.lower.as_str());
        let stands = are || place == 0 || next.is_empty() || is_verb(next);
        stands && is_plural(&word.lower) && !word.is_one_of(questions::NO_PLURALS)
    })
}

fn is_verb(word: &str) -> bool {
    is_one_of(word, questions::VERBS_OF_LISTS)
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("'s")
        || word == "criteria"
}

/// `What is X?` asks what X is where X is short and nothing is said of it.
fn definition(words: &[Word]) -> QuestionType {
    let has_verb = words.get(1).is_some_and(|word| {
        word.is_one_of("is are ist sind") || words.first().is_some_and(|it| it.lower == "what's")
    });
    let rest = words.get(2..).unwrap_or_default();
    let describes = rest.iter().any(|word| {
        word.is_one_of("of in for the at on to with der die das von für im am my mein meine i")
    });
    if has_verb && !describes && (1..=4).contains(&rest.len()) {
        QuestionType::Definition
    } else {
        QuestionType::Other
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use proptest::prelude::*;

    use super::*;

    /// The types and their questions.
    fn cases() -> Vec<(&'static str, &'static str)> {
        let lines = include_str!("question_types.txt").lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| line.split_once(": ").unwrap()).collect()
    }

    #[test]
    fn questions_are_told_apart_by_their_words() {
        let wrong: Vec<String> = cases()
            .into_iter()
            .filter(|(kind, question)| format!("{:?}", question_type(question)) != *kind)
            .map(|(kind, question)| {
                format!("{kind}, not {:?}: {question}", question_type(question))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn there_are_enough_cases_of_every_type() {
        assert!(cases().len() >= 120, "{}", cases().len());
        for kind in [
            "When", "Who", "Amount", "Where", "Procedure", "YesNo", "Comparison", "List",
            "Definition",
        ] {
            let count = cases().iter().filter(|(it, _)| *it == kind).count();
            assert!(count >= 8, "{kind}: {count}");
        }
    }

    proptest! {
        #[test]
        fn case_and_marks_do_not_matter(question in "[a-z]{1,6}( [a-z]{1,6}){0,6}") {
            let kind = question_type(&question);
            prop_assert_eq!(question_type(&question.to_uppercase()), kind);
            prop_assert_eq!(question_type(&format!("  {question} ?")), kind);
        }

        #[test]
        fn any_text_has_a_type(question in "\\PC{0,80}") {
            question_type(&question);
        }
    }
}
