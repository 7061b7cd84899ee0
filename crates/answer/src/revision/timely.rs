//! What comes next, what was last, until when something may still be done: answers that depend on the day.
//!
//! A reader takes any of four dated rows for the next event. So where a question says "next", the days of its row, or of its
//! sentence, are compared with those of the others of the same kind, and with the visitor's day.

use std::collections::BTreeSet;

use campanile_corpus::metadata::Date;
use campanile_language::{calendar, month, questions};
use campanile_text::{Analyzer, Span, sentences};

use crate::asked::AskedTerms;
use crate::form::{Period, QuestionType, periods, question_type};
use crate::reply::{Answer, AnswerKind, Reply, Source};
use crate::table::{cells, lines};
use crate::words::{Word, has_one_of, is_one_of, term_set, words};

/// Two sentences speak of things of one kind where they share this part of the shorter one's words, days aside.
// `The deadline for the winter semester was …` and `… for the summer semester is …` share two of three.
const ALIKE: f32 = 0.5;
/// A study year named by two numbers (`2026/27`) begins with this month.
const FIRST_MONTH_OF_STUDY_YEAR: u8 = 8;
/// So many sentences of one kind right behind each other are shown together.
const TOGETHER: usize = 4;

/// What a question asks about the visitor's day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// The first from today on.
    Next,
    /// The last before today.
    Last,
    /// The first from today on; any that is to come is as good.
    Still,
}

/// One dated row or sentence.
struct Dated<'a> {
    source: &'a Source,
    /// Its place in the source's text.
    span: Span,
    /// The day, or the first and the last, and where it is told.
    first: Date,
    last: Date,
    days: Span,
    /// The columns of its table; empty in prose.
    columns: Vec<&'a str>,
    terms: BTreeSet<String>,
}

impl Dated<'_> {
    fn is_alike(&self, other: &Self) -> bool {
        if !self.columns.is_empty() || !other.columns.is_empty() {
            return self.columns == other.columns;
        }
        let shared = self.terms.intersection(&other.terms).count();
        let shorter = self.terms.len().min(other.terms.len());
        shorter > 0 && shared as f32 >= ALIKE * shorter as f32
    }
}

/// The row or sentence with the day that is asked for; with a reservation where all lie in the past.
pub(super) fn answer(reply: &Reply, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Answer> {
    let today = reply.today?;
    let when = asks(&reply.question)?;
    let own = reply.source(reply.answer.source?)?;
    let framing: BTreeSet<String> = [questions::NEXT, questions::LAST, questions::STILL]
        .into_iter()
        .flat_map(|phrases| phrases.iter().flat_map(|it| term_set(it, analyzer)))
        .collect();
    let asked = asked.without(&framing);
    let sources = reply.sources.iter();
    let of_document = sources.filter(|it| it.document == own.document && it.site == own.site);
    let all: Vec<Dated<'_>> = of_document.flat_map(|it| dated(it, &asked, analyzer)).collect();
    let pool = of_one_kind(&all, own, reply.answer.highlight, &asked);
    let shown = reply.answer.highlight?;
    let is_shown = |it: &&&Dated<'_>| it.source.number == own.number && it.span.overlaps(shown);
    let is_to_come = |it: &&&Dated<'_>| it.last >= today;
    if when == Asked::Still && pool.iter().filter(is_shown).any(|it| it.last >= today) {
        return None;
    }
    let chosen = match when {
        Asked::Next | Asked::Still => {
            pool.iter().filter(is_to_come).min_by_key(|it| (it.last, it.first))
        }
        Asked::Last => {
            pool.iter().filter(|it| it.last < today).max_by_key(|it| (it.last, it.first))
        }
    };
    let is_sure = reply.answer.kind.is_sure();
    let Some(chosen) = chosen else {
        // All lie before today: the last one is named, and is not what is asked for.
        let last = pool.iter().max_by_key(|it| it.last).filter(|_| when != Asked::Last)?;
        return Answer::quoting(AnswerKind::Qualified, last.source, last.span);
    };
    let kind = if is_sure { AnswerKind::Direct } else { AnswerKind::Qualified };
    let is_when = question_type(&reply.question) == QuestionType::When;
    let answer = Answer::quoting(kind, chosen.source, together(chosen, &pool))?;
    Some(Answer { exact: is_when.then_some(chosen.days), ..answer })
}

/// Tells what a question asks about the visitor's day; none where it asks nothing of the kind.
fn asks(question: &str) -> Option<Asked> {
    let words = words(question);
    let of_type = question_type(question);
    let is_open = matches!(
        of_type,
        QuestionType::When | QuestionType::Where | QuestionType::Definition | QuestionType::Other
    );
    if !is_open {
        return None;
    }
    if of_type == QuestionType::When && has_one_of(&words, questions::STILL) {
        return Some(Asked::Still);
    }
    // "The next semester" is a time of its own, and "the last day" is one of several in a row.
    let is_of_time = |word: Option<&Word>| {
        word.is_some_and(|word| {
            [calendar::YEARS, calendar::TERMS, calendar::WEEKS, questions::SPANS_OF_TIME]
                .iter()
                .any(|list| is_one_of(&word.lower, *list))
        })
    };
    let named = |phrases: campanile_language::Phrases| {
        let mut found = phrases.iter().filter_map(|it| crate::words::find(&words, it));
        found.any(|place| !is_of_time(words.get(place.end)))
    };
    if named(questions::NEXT) {
        return Some(Asked::Next);
    }
    let is_past = words.iter().any(|word| is_one_of(&word.lower, questions::PAST));
    (is_past && named(questions::LAST)).then_some(Asked::Last)
}

/// The dated rows and sentences of a passage.
fn dated<'a>(source: &'a Source, asked: &AskedTerms, analyzer: &Analyzer) -> Vec<Dated<'a>> {
    let mut found = Vec::new();
    for span in sentences(&source.text) {
        let Some(text) = span.slice(&source.text) else { continue };
        let columns = columns(text);
        let is_row = !columns.is_empty();
        let mut all = periods(text);
        if is_row && all.len() > 1 {
            all = of_column(text, all, asked, analyzer);
        }
        let year = |month: u8| {
            let around = source.section.iter().rev().chain([&source.title]);
            [text].into_iter().chain(around.map(String::as_str)).find_map(|it| year_in(it, month))
        };
        if all.is_empty() {
            continue;
        }
        let terms = terms(text, analyzer);
        for period in all {
            let Some(first) = period.from.date(year) else { continue };
            let Some(last) = period.to.map_or(Some(first), |to| to.date(year)) else { continue };
            let days = period.span().shifted(span.start);
            let (columns, terms) = (columns.clone(), terms.clone());
            found.push(Dated { source, span, first, last, days, columns, terms });
        }
    }
    found
}

/// The names of the columns of a row; empty for any other text.
fn columns(text: &str) -> Vec<&str> {
    let cells = cells(text).unwrap_or_default();
    cells.iter().filter_map(|cell| cell.name?.slice(text)).collect()
}

/// The days of the column that the question names; of two columns with a day each that it does not name, both as the first
/// and the last day. None where it takes more to tell.
fn of_column(text: &str, all: Vec<Period>, asked: &AskedTerms, analyzer: &Analyzer) -> Vec<Period> {
    let cells = cells(text).unwrap_or_default();
    let is_named = |period: &&Period| {
        let cell = cells.iter().find(|cell| cell.text.contains(period.span()));
        let name = cell.and_then(|cell| cell.name?.slice(text)).unwrap_or_default();
        !asked.held_by(&term_set(name, analyzer)).is_empty()
    };
    let named: Vec<Period> = all.iter().filter(is_named).copied().collect();
    if let [only] = named.as_slice() {
        return vec![*only];
    }
    match all.as_slice() {
        [from, to] if from.to.is_none() && to.to.is_none() && from.span().end < to.span().start => {
            vec![Period { from: from.from, to: Some(to.from) }]
        }
        _ => Vec::new(),
    }
}

/// The terms of a text without days and numbers, which differ between things of one kind.
fn terms(text: &str, analyzer: &Analyzer) -> BTreeSet<String> {
    let is_day = |word: &Word| {
        month(&word.lower).is_some()
            || campanile_language::weekday(&word.lower).is_some()
            || word.lower.contains(|letter: char| letter.is_ascii_digit())
    };
    let words = words(text).into_iter().filter(|word| !is_day(word));
    words.flat_map(|word| term_set(&word.lower, analyzer)).collect()
}

/// The year that a text names for a month: of a study year (`2026/27`) the one in which the month lies.
fn year_in(text: &str, month: u8) -> Option<u16> {
    let number = |at: usize, digits: usize| {
        let number = text.get(at..at + digits)?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse::<u16>().ok())?
    };
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let begins = |at: &usize| (*at == 0 || !is_digit(*at - 1)) && !is_digit(at + 4);
    let places = text.char_indices().map(|(at, _)| at).filter(begins);
    let (at, year) = places
        .filter_map(|at| Some((at, number(at, 4)?)))
        .find(|(_, year)| (1900..2100).contains(year))?;
    let is_study_year = text.get(at + 4..at + 5) == Some("/") && is_digit(at + 5);
    Some(year + u16::from(is_study_year && month < FIRST_MONTH_OF_STUDY_YEAR))
}

/// Those that are of one kind with what answers now: they have as much of the question as any of its passage, and are
/// rows of one table, or sentences of one make.
fn of_one_kind<'a, 'b>(
    all: &'b [Dated<'a>],
    own: &Source,
    shown: Option<Span>,
    asked: &AskedTerms,
) -> Vec<&'b Dated<'a>> {
    let held = |it: &Dated<'_>| asked.held_by(&it.terms).len();
    let in_own = || all.iter().filter(|it| it.source.number == own.number);
    let Some(most) = in_own().map(held).max() else { return Vec::new() };
    let fits = |it: &&Dated<'_>| held(it) == most;
    let is_shown = |it: &&Dated<'_>| shown.is_some_and(|shown| it.span.overlaps(shown));
    let Some(model) = in_own().filter(fits).find(is_shown).or_else(|| in_own().find(fits)) else {
        return Vec::new();
    };
    // Where no word of the question stands in them, only the passage says that they are about it.
    let is_near = |it: &&Dated<'_>| most > 0 || it.source.number == own.number;
    all.iter().filter(fits).filter(is_near).filter(|it| it.is_alike(model)).collect()
}

/// A sentence with those of its kind right beside it: the day that has passed explains the one that has not.
fn together(chosen: &Dated<'_>, pool: &[&Dated<'_>]) -> Span {
    if !chosen.columns.is_empty() || lines(&chosen.source.text).len() > 1 && pool.len() > TOGETHER {
        return chosen.span;
    }
    let text = &chosen.source.text;
    let in_source = pool.iter().filter(|it| it.source.number == chosen.source.number);
    let mut spans: Vec<Span> = in_source.map(|it| it.span).collect();
    spans.dedup();
    let touches = |left: Span, right: Span| {
        let gap = Span::new(left.end.min(right.end), left.start.max(right.start));
        gap.slice(text).is_some_and(|gap| gap.trim().is_empty() && !gap.contains('\n'))
    };
    let run = spans.chunk_by(|left, right| touches(*left, *right));
    let own = run.into_iter().find(|run| run.contains(&chosen.span) && run.len() <= TOGETHER);
    own.and_then(|run| Some(run.first()?.joined(*run.last()?))).unwrap_or(chosen.span)
}
