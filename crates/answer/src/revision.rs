//! What an answer becomes where its passage says more about just what is asked.
//!
//! A search and a reader go by what a text is about. They do not know what day it is, nor that a sentence further down
//! takes the first one back for the summer term. So an answer that was chosen is looked at once more, by rules: each has
//! a reason that it can name, and where none has, the answer stays as it is.

mod condition;
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
    timely::answer(reply, &asked, analyzer)
        .or_else(|| row_looked_up(reply, &asked, analyzer))
        .or_else(|| rows_alike(reply, &asked, analyzer))
        .or_else(|| condition::answer(reply, &asked, analyzer))
        .or_else(|| steps::answer(reply, &asked, analyzer))
        .or_else(|| persons::answer(reply, analyzer))
        .or_else(|| values::answer(reply, analyzer))
}

/// The row alone, of a table that covers the question or may cover it, which the question names in full: nobody has to look for it
/// among the others.
fn row_looked_up(reply: &Reply, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Answer> {
    let kind = match reply.answer.kind {
        AnswerKind::Section => AnswerKind::Direct,
        AnswerKind::PossibleSection => AnswerKind::Qualified,
        _ => return None,
    };
    let source = reply.source(reply.answer.source?)?;
    let rows = rows(&source.text);
    let asked = asked.set();
    let choice = RowChoice::new(&asked, &source.text, &rows, analyzer);
    let row = choice.looked_up(&asked, analyzer)?;
    // What else answers would be lost.
    let marks = reply.answer.marks.iter().chain(&reply.answer.highlight);
    if !marks.clone().any(|mark| mark.overlaps(row)) {
        return None;
    }
    Answer::quoting(kind, source, row)
}

/// The passage as a whole where the answer's row has others beside it that the question means as much: they differ in
/// their group's label, and the question names none.
fn rows_alike(reply: &Reply, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Answer> {
    let number = reply.answer.source?;
    let own = reply.answer.highlight?;
    let kind = match reply.answer.kind {
        AnswerKind::Direct => AnswerKind::Section,
        AnswerKind::Qualified => AnswerKind::PossibleSection,
        AnswerKind::Section | AnswerKind::PossibleSection | AnswerKind::Refusal => return None,
    };
    let text = &reply.source(number)?.text;
    let rows = rows(text);
    let alike = RowChoice::new(&asked.set(), text, &rows, analyzer).alike(own);
    (!alike.is_empty()).then_some(())?;
    marked(reply, number, kind, alike.into_iter().chain([own]).collect())
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
