//! The list of steps below a sentence that repeats the question's words.
//!
//! `How do I register a thesis?` On a page called "Registering a thesis" each sentence is about that, and the list under
//! "Steps" names it nowhere: the title is what is asked, and the list is how.

use std::collections::BTreeSet;

use campanile_language::answers;
use campanile_text::{Analyzer, Span};

use super::marked;
use crate::answerer::closest;
use crate::asked::{AskedTerms, is_held};
use crate::form::{QuestionType, listed_steps, question_type};
use crate::reply::{Answer, AnswerKind, Reply, Source};
use crate::words::{has_one_of, term_set, words};

/// The steps of what a title or a heading calls as the question does.
pub(super) fn answer(reply: &Reply, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Answer> {
    if question_type(&reply.question) != QuestionType::Procedure {
        return None;
    }
    let framing: BTreeSet<String> =
        answers::PROCEDURE_HEADINGS.iter().flat_map(|it| term_set(it, analyzer)).collect();
    let asked = asked.without(&framing);
    if asked.count() == 0 {
        return None;
    }
    let is_named = |source: &Source| {
        let headings = source.section.iter().chain([&source.title]);
        let headings: BTreeSet<String> = headings.flat_map(|it| term_set(it, analyzer)).collect();
        let set = asked.set();
        set.iter().all(|term| is_held(term, &headings, analyzer) || is_end_of_one(term, &headings))
    };
    let own = reply.answer.source.and_then(|number| reply.source(number));
    let is_beside = |source: &&Source| {
        own.is_none_or(|own| own.document == source.document && own.site == source.site)
    };
    let with_steps = |source: &Source| {
        let steps = steps(source, &asked, analyzer)?;
        is_named(source).then_some((source.number, steps))
    };
    // What answers already and has steps of its own comes first.
    let closest = closest(&reply.sources).iter().filter(is_beside);
    let (number, steps) = own.into_iter().chain(closest).find_map(with_steps)?;
    let kind = match reply.answer.kind {
        AnswerKind::Refusal => AnswerKind::PossibleSection,
        // Words among the steps that a reader is sure of say more than all of them.
        AnswerKind::Direct if reply.answer.source == Some(number) => return None,
        AnswerKind::Direct
        | AnswerKind::Section
        | AnswerKind::PossibleSection
        | AnswerKind::Qualified => AnswerKind::Section,
    };
    marked(reply, number, kind, steps)
}

/// A verb that is asked for in two parts has at least so many letters in the first of them.
const LEAST_VERB_LETTERS: usize = 4;
/// What a German verb is put together with has at most so many: `an`, `aus`, `ein`, `zurück`.
const MOST_PREFIX_LETTERS: usize = 6;

/// Returns `true` if one of the terms ends with a term: `Wie melde ich … an?` under "… anmelden".
fn is_end_of_one(term: &str, held: &BTreeSet<String>) -> bool {
    let letters = |word: &str| word.chars().count();
    letters(term) >= LEAST_VERB_LETTERS
        && held.iter().any(|it| {
            it.strip_suffix(term).is_some_and(|prefix| letters(prefix) <= MOST_PREFIX_LETTERS)
        })
}

/// The steps of a passage whose own heading says that it tells how, or nothing but what is asked: a list under another
/// heading tells a part of it, or something else.
fn steps(source: &Source, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Vec<Span>> {
    let heading = source.heading();
    let tells_how = has_one_of(&words(heading), answers::PROCEDURE_HEADINGS);
    let tells_what = || {
        let (heading, set) = (term_set(heading, analyzer), asked.set());
        !heading.is_empty() && heading.iter().all(|term| is_held(term, &set, analyzer))
    };
    let items = (tells_how || tells_what()).then(|| listed_steps(source, None)).flatten()?;
    Some(items.into_iter().map(|item| item.words).collect())
}
