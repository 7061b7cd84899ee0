//! What a question names by a sign of its own: a code, a number, a telephone, a day, a year, one of several (the fifth
//! semester), a level, a proper name.
//!
//! To an encoder `WEN315` is nearly `WEN310`, and a reader finds the examination of the one in the page of the other as
//! surely as in its own. So what is named is looked up in what is shown. Where it is not there, another passage that has
//! it is taken; where none has, the answer is given with a reservation that names it; and where no
//! page has the code, nothing is answered.

mod asked;
mod held;
#[cfg(test)]
mod tests;

use campanile_retrieve::Trace;
use campanile_text::{Analyzer, Span};
use serde::Serialize;

use crate::counted::Counted;
use crate::form::{Day, QuestionType, question_type};
use crate::reply::{AnswerKind, Reply, Source};
use crate::table::rows;
use held::Shown;

/// A name that so many of the sources have does not tell one of them from another: the university's own.
const COMMON: usize = 3;

/// A name in a question that what is shown does not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct MissingName {
    /// The name, as the question writes it: `WEN315`, `rule 9`, `Sunday`.
    pub name: String,
    /// `true` if no page of the site has it.
    pub is_nowhere: bool,
}

/// What a question names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    all: Vec<Name>,
}

/// The sources in which an answer may be looked for: those with every code and number that the question names, and of
/// these the ones with every proper name; or all where no source has them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Fitting(pub(crate) Vec<bool>);

impl Fitting {
    /// Returns `true` if an answer may be looked for in the source of this index.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or(true)
    }
}

/// One thing that a question names.
#[derive(Debug, Clone)]
struct Name {
    kind: NameKind,
    /// Its place in the question.
    span: Span,
    /// `true` if no text of the site has it, as far as the index tells.
    is_nowhere: bool,
}

#[derive(Debug, Clone)]
enum NameKind {
    /// `WEN315`, `15-213`: its letters and digits alone, folded.
    Code(String),
    /// `rule 9`, `room 3.114`, `§ 12`: the number or letter, in lower case; where it is one of several that are counted,
    /// as such too: `week 4` lies in `weeks 3 to 5`.
    Numbered(String, Option<Counted>),
    /// One of several that are counted: `5th year`, `year 5`.
    Counted(Counted),
    /// The digits of a telephone.
    Telephone(String),
    /// A day of the week, 1 for Monday.
    Weekday(u8),
    /// A day of a month.
    Day(Day),
    /// A month without a day, 1 to 12.
    Month(u8),
    /// The years from the first to the last: one, or the two of a study year (`2026/27`).
    Years(u16, u16),
    /// Bachelor, master, doctor: `true` for those that may be meant.
    Level([bool; 3]),
    /// A proper name: its index terms.
    Proper(Vec<String>),
}

impl NameKind {
    /// Returns `true` if it is looked up and not understood: nothing that lacks it can be about it.
    fn is_exact(&self) -> bool {
        matches!(self, Self::Code(_) | Self::Numbered(..) | Self::Telephone(_))
    }

    fn is_proper(&self) -> bool {
        matches!(self, Self::Proper(_))
    }
}

impl Names {
    /// The names of a question that was searched for.
    pub(crate) fn of(question: &str, trace: &Trace, analyzer: &Analyzer) -> Self {
        let tokens = analyzer.analyze(question);
        let found = asked::names(question, &tokens, trace, analyzer);
        let name = |(kind, span): (NameKind, Span)| {
            let is_nowhere = asked::is_nowhere(&kind, span, &tokens, trace);
            Name { kind, span, is_nowhere }
        };
        Self { all: found.into_iter().map(name).collect() }
    }

    /// The sources in which an answer may be looked for.
    pub(crate) fn fitting(&self, sources: &[Source], analyzer: &Analyzer) -> Fitting {
        let mut fitting = vec![true; sources.len()];
        // Of those with the codes and numbers the ones with the proper names: Cedar House is not answered from Elm House.
        // Of pages of one make the search knows better which one is named, by a subject and not by a capital.
        let has_families = sources.iter().any(|source| source.is_named.is_some());
        let tiers: &[fn(&NameKind) -> bool] = if has_families {
            &[NameKind::is_exact]
        } else {
            &[NameKind::is_exact, NameKind::is_proper]
        };
        for is_wanted in tiers {
            let names = || self.all.iter().map(|name| &name.kind).filter(|kind| is_wanted(kind));
            let fits = |(source, fits): (&Source, &bool)| {
                let shown = Shown::whole(source);
                *fits && names().all(|kind| shown.has(kind, analyzer))
            };
            let narrowed: Vec<bool> = sources.iter().zip(&fitting).map(fits).collect();
            if narrowed.contains(&true) {
                fitting = narrowed;
            }
        }
        if fitting.contains(&false) { Fitting(fitting) } else { Fitting::default() }
    }

    /// The names that what is shown of a reply does not have, those that no page has first.
    pub(crate) fn missing(
        &self,
        reply: &Reply,
        read: &[Source],
        analyzer: &Analyzer,
    ) -> Vec<(MissingName, Span)> {
        // Each side of a comparison has a passage of its own.
        let compares = question_type(&reply.question) == QuestionType::Comparison
            || campanile_retrieve::compares(&reply.question);
        let shown = reply.answer.source.and_then(|number| reply.source(number));
        let is_missing = |name: &&Name| {
            if name.is_nowhere {
                return true;
            }
            match shown {
                _ if compares => false,
                Some(source) => {
                    let is_common = matches!(name.kind, NameKind::Proper(_))
                        && read
                            .iter()
                            .filter(|it| Shown::whole(it).has(&name.kind, analyzer))
                            .count()
                            >= COMMON;
                    !is_common && !shown_of(reply, source).has(&name.kind, analyzer)
                }
                None => !read.iter().any(|it| Shown::whole(it).has(&name.kind, analyzer)),
            }
        };
        let mut missing: Vec<&Name> = self.all.iter().filter(is_missing).collect();
        missing.sort_by_key(|name| !name.is_nowhere);
        let told = |name: &Name| {
            let text = name.span.slice(&reply.question)?;
            Some((MissingName { name: text.to_owned(), is_nowhere: name.is_nowhere }, name.span))
        };
        missing.into_iter().filter_map(told).collect()
    }

    /// Returns `true` if the question names a code that no page has where the sources have others of its make: what they
    /// say is about something else. A code of another make (`TI84`) may be an instance of what they speak of.
    pub(crate) fn has_unknown_code(&self, read: &[Source], analyzer: &Analyzer) -> bool {
        let is_unknown = |name: &Name| {
            let NameKind::Code(code) = &name.kind else { return false };
            name.is_nowhere && read.iter().any(|it| Shown::whole(it).has_code_like(code, analyzer))
        };
        self.all.iter().any(is_unknown)
    }
}

/// What is shown of a source as the answer: words, a row, or the passage.
fn shown_of<'a>(reply: &Reply, source: &'a Source) -> Shown<'a> {
    let span = reply.answer.highlight.filter(|_| !reply.answer.kind.is_section());
    let span = span.filter(|_| reply.answer.kind != AnswerKind::Refusal);
    let Some(span) = span else { return Shown::whole(source) };
    let is_row = rows(&source.text).iter().any(|row| row.span.contains(span));
    let exact = reply.answer.exact.filter(|_| question_type(&reply.question) == QuestionType::When);
    Shown::part(source, span, exact, is_row)
}
