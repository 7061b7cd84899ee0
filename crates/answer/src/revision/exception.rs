//! The exception right behind what is shown.
//!
//! `It is not done on the ward where the student works. Exception: with another manager it is.` The first sentence alone sends
//! away who may stay.

use campanile_language::answers;
use campanile_text::{Span, sentences};

use super::marked;
use crate::reply::{Answer, AnswerKind, Reply, Source};
use crate::words::{has_one_of, words};

/// More exceptions in a row are for the passage as a whole to tell.
const MOST: usize = 2;

/// An answer with the exceptions that its passage makes right behind it, marked where the passage is given whole. It has no words
/// in short then: they are the rule's.
pub(super) fn answer(reply: &Reply, answer: &Answer) -> Option<Answer> {
    let source = reply.source(answer.source?)?;
    match answer.kind {
        AnswerKind::Direct | AnswerKind::Qualified => {
            let shown = answer.highlight?;
            let last = *behind(source, shown).last()?;
            Answer::quoting(answer.kind, source, shown.joined(last))
        }
        AnswerKind::Section | AnswerKind::PossibleSection => {
            let mut marks = answer.marks.clone();
            marks.extend(answer.highlight.filter(|_| marks.is_empty()));
            let mut exceptions: Vec<Span> =
                marks.iter().flat_map(|mark| behind(source, *mark)).collect();
            exceptions.retain(|it| !marks.iter().any(|mark| mark.overlaps(*it)));
            exceptions.dedup();
            (!exceptions.is_empty()).then_some(())?;
            marked(reply, source.number, answer.kind, marks.into_iter().chain(exceptions).collect())
        }
        AnswerKind::Refusal => None,
    }
}

/// The sentences behind a place that are exceptions, up to the first that is none.
fn behind(source: &Source, place: Span) -> Vec<Span> {
    let all = sentences(&source.text).into_iter().skip_while(|it| it.start < place.end);
    let exceptions = all.take_while(|it| it.slice(&source.text).is_some_and(is_exception));
    exceptions.take(MOST).collect()
}

/// Returns `true` if a sentence takes back part of the one before. Its number in a list is not its beginning.
fn is_exception(sentence: &str) -> bool {
    let words = words(sentence);
    let is_number =
        |word: &str| word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let numbers = words.iter().take_while(|word| is_number(&word.lower)).count();
    has_one_of(&words[numbers..], answers::EXCEPTION_SENTENCES)
}
