//! What an answer becomes where its passage says more about just what is asked.
//!
//! A search and a reader go by what a text is about. They do not know what day it is, nor that a sentence further down
//! takes the first one back for the summer term. So an answer that was chosen is looked at once more, by rules: each has
//! a reason that it can name, and where none has, the answer stays as it is.

mod condition;
mod exception;
mod persons;
mod steps;
#[cfg(test)]
mod tests;
mod timely;
mod values;

use campanile_text::{Analyzer, Span};

use crate::answerer::passage;
use crate::asked::AskedTerms;
use crate::reply::{Answer, AnswerKind, Reply};
use crate::row_choice::RowChoice;
use crate::table::rows;

/// The answer that takes the place of a reply's own; none where nothing says more.
pub(crate) fn revised(reply: &Reply, analyzer: &Analyzer) -> Option<Answer> {
    // An entry of a FAQ was written as the answer to just this.
    if reply.answer.question.is_some() || reply.choice.is_some() {
        return None;
    }
    let asked = AskedTerms::new(&reply.trace, analyzer);
    let revised = timely::answer(reply, &asked, analyzer)
        .or_else(|| by_rows(reply, &asked, analyzer))
        .or_else(|| condition::answer(reply, &asked, analyzer))
        .or_else(|| steps::answer(reply, &asked, analyzer))
        .or_else(|| persons::answer(reply, analyzer))
        .or_else(|| values::answer(reply, analyzer));
    exception::answer(reply, revised.as_ref().unwrap_or(&reply.answer)).or(revised)
}

/// The answer revised by the rows of its table, given which of them the question names.
///
/// Of a table that covers the question or may cover it, the row alone which the question names in full: nobody has to look for it
/// among the others. And for a row the passage as a whole, where others beside it are meant as much: they differ in their group's
/// label, and the question names none.
fn by_rows(reply: &Reply, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Answer> {
    let number = reply.answer.source?;
    let source = reply.source(number)?;
    let rows = rows(&source.text);
    let asked = asked.set();
    let choice = RowChoice::new(&asked, &source.text, &rows, analyzer);
    let looked_up = |kind| {
        let row = choice.looked_up(&asked, analyzer)?;
        // What else answers would be lost.
        let mut marks = reply.answer.marks.iter().chain(&reply.answer.highlight);
        marks.any(|mark| mark.overlaps(row)).then(|| Answer::quoting(kind, source, row))?
    };
    let with_those_alike = |kind| {
        let own = reply.answer.highlight?;
        let alike = choice.alike(own);
        (!alike.is_empty()).then_some(())?;
        marked(reply, number, kind, alike.into_iter().chain([own]).collect())
    };
    match reply.answer.kind {
        AnswerKind::Section => looked_up(AnswerKind::Direct),
        AnswerKind::PossibleSection => looked_up(AnswerKind::Qualified),
        AnswerKind::Direct => with_those_alike(AnswerKind::Section),
        AnswerKind::Qualified => with_those_alike(AnswerKind::PossibleSection),
        AnswerKind::Refusal => None,
    }
}

/// The one of some sentences of a source that answers most probably, by a reader; without one the first.
fn likeliest(reply: &Reply, number: usize, sentences: &[Span]) -> Option<Span> {
    let probability = |span: &Span| {
        let reading = reply.reading(number.checked_sub(1)?)?;
        Some(reading.evidence.iter().find(|one| one.span == *span)?.probability)
    };
    let of = |span: &Span| probability(span).unwrap_or(0.0);
    sentences.iter().copied().rev().max_by(|left, right| of(left).total_cmp(&of(right)))
}

/// A source's whole passage, with marks in their order.
fn marked(reply: &Reply, number: usize, kind: AnswerKind, mut marks: Vec<Span>) -> Option<Answer> {
    marks.sort_unstable_by_key(|mark| mark.start);
    passage(reply, number.checked_sub(1)?, kind, marks)
}
