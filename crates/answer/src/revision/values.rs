//! When wants a time, and how much a sum: an answer that tells none of the kind is no sure answer.

use campanile_text::{Analyzer, Span, sentences};

use super::{likeliest, marked};
use crate::form::Wanted;
use crate::reply::{Answer, Reply};

/// The passage with a sentence marked that tells a value of the kind that is asked for, beside those that are; or the
/// answer with a reservation where nothing tells one.
pub(super) fn answer(reply: &Reply, analyzer: &Analyzer) -> Option<Answer> {
    let wanted = Wanted::of(&reply.question)?;
    let number = reply.answer.source?;
    let text = &reply.source(number)?.text;
    let tells =
        |span: &Span| span.slice(text).is_some_and(|part| wanted.is_told_by(part, analyzer));
    let kind = reply.answer.kind;
    if !kind.is_section() {
        let is_told = reply.answer.highlight.as_ref().is_none_or(tells);
        let reserved = kind.with_reservation();
        let answer = || Answer { kind: reserved, ..reply.answer.clone() };
        return (!is_told && reserved != kind).then(answer);
    }
    let mut marks = reply.answer.marks.clone();
    marks.extend(reply.answer.highlight.filter(|_| marks.is_empty()));
    if marks.iter().any(tells) {
        return None;
    }
    let telling: Vec<Span> = sentences(text).into_iter().filter(tells).collect();
    match likeliest(reply, number, &telling) {
        Some(span) => marked(reply, number, kind, marks.into_iter().chain([span]).collect()),
        None => {
            let reserved = kind.with_reservation();
            (reserved != kind).then(|| marked(reply, number, reserved, marks))?
        }
    }
}
