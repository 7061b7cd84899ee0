//! The form that fits a question: a date as a date, a procedure as steps, two things beside each other.
//!
//! A form is made of what the sources say and nothing else: each [`FormPart`] is a span of a source's text. Rules
//! decide, without a model: [`question_type`] by the question's words, the rest by what stands in the passage that
//! answers. They are strict, since a wrong form misleads more than none: where nothing fits, an answer is its
//! sentence, as it always was.

mod amount;
mod comparison;
mod list;
mod permission;
mod question;
#[cfg(test)]
mod tests;
mod value;
mod wanted;

use campanile_text::{Analyzer, Span};
use serde::Serialize;

pub(crate) use comparison::sides;
pub(crate) use list::listed_steps;
pub(crate) use question::{QuestionType, asking_part, question_type};
pub(crate) use value::{Day, Period, periods};
pub(crate) use wanted::Wanted;

use crate::reading::PassageReading;
use crate::reply::{Answer, Source};
use crate::table::{Cell, cells};

/// An answer in the form that its question asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Form {
    /// The form that its parts make together.
    pub kind: FormKind,
    /// The parts, in their order; at least one.
    pub parts: Vec<FormPart>,
}

/// The kinds of form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "snake_case")]
pub enum FormKind {
    /// One day.
    Date,
    /// Two parts: the first day and the last.
    DateRange,
    /// A number with what it counts.
    Amount,
    /// The steps of what to do, in this order.
    Steps,
    /// Several things.
    List,
    /// Two sides, each named as the question names it.
    Comparison,
    /// A sentence that permits, forbids or obliges, and its condition, where it has one.
    Permission,
    /// The cells of a table's row, each named by its column.
    Row,
}

/// Part of a form: words of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct FormPart {
    /// Its name: of a column of a table, or of a side of a comparison; the number that the document shows in front of
    /// an item of a list (`4.`, `(a)`).
    pub name: Option<String>,
    /// Its meaning where that can be written down: a day as ISO 8601 has it (`2026-12-04`,
    /// `2026-12-04T12:00`, `--12-04` without a year), `yes`, `no` or `conditional` of a sentence that
    /// permits.
    pub value: Option<String>,
    /// The number of its source, from 1.
    pub source: usize,
    /// The place of its words in that source's text, in bytes.
    pub span: Span,
}

impl FormPart {
    pub(crate) fn new(source: usize, span: Span) -> Self {
        Self { name: None, value: None, source, span }
    }
}

/// The form that fits, made of what the sources say; none for a refusal, and where nothing fits. `reading` is what a
/// reader says of the answer's source: where it tells yes from no, rules don't.
pub(crate) fn form(
    question: &str,
    answer: &Answer,
    reading: Option<&PassageReading>,
    sources: &[Source],
    analyzer: &Analyzer,
) -> Option<Form> {
    let quoted = Quoted::of(answer, sources)?;
    let asked = question_type(question);
    // A reader that tells yes from no decides alone, also where it is not sure: rules would then say what it doubts.
    if asked == QuestionType::YesNo
        && let Some(reading) = reading.filter(|reading| reading.kinds.is_some())
    {
        return permission::by_reader(&quoted, answer, reading);
    }
    // A passage that is given as a whole has no one sentence that a rule could read, but it may tell what to do.
    if answer.kind.is_section() {
        let quoted = Quoted { sentence: *answer.marks.first()?, ..quoted };
        return match asked {
            QuestionType::Procedure => list::steps(question, &quoted, sources, analyzer),
            QuestionType::List => list::items(question, &quoted, sources, analyzer),
            _ => None,
        };
    }
    let fitting = match asked {
        QuestionType::When => value::days(&quoted),
        QuestionType::Amount => amount::amount(question, &quoted, analyzer),
        QuestionType::Procedure => list::steps(question, &quoted, sources, analyzer),
        QuestionType::List => list::items(question, &quoted, sources, analyzer),
        QuestionType::Comparison => comparison::form(question, &quoted, sources, analyzer),
        QuestionType::YesNo => permission::by_rules(question, &quoted, analyzer),
        QuestionType::Who
        | QuestionType::Where
        | QuestionType::Definition
        | QuestionType::Other => None,
    };
    fitting.or_else(|| row(&quoted))
}

/// The words that an answer quotes, and their source.
struct Quoted<'a> {
    source: &'a Source,
    /// The sentence, in bytes of the source's text.
    sentence: Span,
    /// The words in it that a reader found.
    exact: Option<Span>,
}

impl<'a> Quoted<'a> {
    fn of(answer: &Answer, sources: &'a [Source]) -> Option<Self> {
        let source = sources.get(answer.source?.checked_sub(1)?)?;
        let sentence = answer.highlight?;
        // Checked once, so that the words may be cut without asking again.
        sentence.slice(&source.text)?;
        Some(Self { source, sentence, exact: answer.exact })
    }

    fn words(&self) -> &'a str {
        &self.source.text[self.sentence.range()]
    }

    /// The only one of some parts of the sentence that the answer can mean: what shares text with the words that a
    /// reader found, or what alone is there where none read. Spans are bytes of the sentence.
    fn only<T>(&self, parts: impl Iterator<Item = T>, span: impl Fn(&T) -> Span) -> Option<T> {
        let is_meant = |part: &T| {
            let place = span(part).shifted(self.sentence.start);
            self.exact.is_none_or(|exact| exact.overlaps(place))
        };
        let mut meant = parts.filter(is_meant);
        let only = meant.next()?;
        meant.next().is_none().then_some(only)
    }

    /// A part of the form, from bytes of the sentence.
    fn part(&self, span: Span) -> FormPart {
        FormPart::new(self.source.number, span.shifted(self.sentence.start))
    }
}

/// Counts the terms that are among others.
fn common(terms: &[String], others: &[String]) -> usize {
    terms.iter().filter(|term| others.contains(term)).count()
}

/// The cells of the row that answers.
fn row(quoted: &Quoted<'_>) -> Option<Form> {
    let line = quoted.words();
    let part = |cell: &Cell| FormPart {
        name: cell.name.and_then(|name| name.slice(line)).map(str::to_owned),
        ..quoted.part(cell.text)
    };
    Some(Form { kind: FormKind::Row, parts: cells(line)?.iter().map(part).collect() })
}
