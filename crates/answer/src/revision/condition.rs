//! The sentence that names the question's condition, beside the general one that was chosen.
//!
//! `Three absences are allowed in a laboratory course. In the summer term only one is allowed.` Asked for the summer
//! term, the first sentence repeats more of the question's words, and the second one answers. Which of them it is takes
//! more than words to tell, so both are shown, and neither in short.

use std::collections::BTreeSet;

use campanile_language::answers;
use campanile_retrieve::{ValueKind, values};
use campanile_text::{Analyzer, Span, sentences};

use super::marked;
use crate::asked::AskedTerms;
use crate::form::{QuestionType, question_type};
use crate::reply::{Answer, AnswerKind, Reply, Source};
use crate::table::{cells, lines};
use crate::words::{is_one_of, term_set, terms, words};

/// So many sentences from the one to the other are shown as one answer; what lies further apart is shown in its passage.
const TOGETHER: usize = 4;
/// A line of so few words without a full stop is the title of the lines below it.
const TITLE_WORDS: usize = 8;

/// Terms of a question, by their places.
type Held = BTreeSet<usize>;

/// The answer with what its passage says of the condition; without its words in short, where its own sentence does.
pub(super) fn answer(reply: &Reply, asked: &AskedTerms, analyzer: &Analyzer) -> Option<Answer> {
    let kind = match reply.answer.kind {
        AnswerKind::Direct | AnswerKind::Qualified => reply.answer.kind,
        AnswerKind::Section | AnswerKind::PossibleSection | AnswerKind::Refusal => return None,
    };
    let kind_of_question = question_type(&reply.question);
    if matches!(
        kind_of_question,
        QuestionType::Procedure
            | QuestionType::List
            | QuestionType::Comparison
            | QuestionType::Definition
    ) {
        return None;
    }
    let source = reply.source(reply.answer.source?)?;
    let shown = reply.answer.highlight?;
    let general = shown.slice(&source.text)?;
    // Rows are told apart by their cells.
    if lines(general).iter().any(|line| line.slice(general).is_some_and(|it| cells(it).is_some())) {
        return None;
    }
    let special = Exceptions { asked, source, analyzer, question: kind_of_question }.to(shown);
    let Some(special) = special else {
        return excepted(&reply.answer, general, shown, asked, analyzer);
    };
    let all = sentences(&source.text);
    let place = |span: Span| all.iter().position(|it| it.overlaps(span));
    let apart = place(shown)?.abs_diff(place(special)?);
    if apart < TOGETHER {
        return Answer::quoting(kind, source, shown.joined(special));
    }
    let kind =
        if kind == AnswerKind::Direct { AnswerKind::Section } else { AnswerKind::PossibleSection };
    marked(reply, source.number, kind, vec![shown, special])
}

/// Where exceptions to an answer are looked for.
struct Exceptions<'a> {
    asked: &'a AskedTerms,
    source: &'a Source,
    analyzer: &'a Analyzer,
    question: QuestionType,
}

impl Exceptions<'_> {
    /// The sentence of the passage that says the same kind of thing as the one shown, and names, itself or in the title
    /// right above it, what the question names and neither the one shown nor its headings do.
    fn to(&self, shown: Span) -> Option<Span> {
        let text = &self.source.text;
        let general = shown.slice(text)?;
        let own = self.held(general);
        let around = self.source.section.iter().chain([&self.source.title]);
        let known: Held = around.flat_map(|it| self.held(it)).chain(own.iter().copied()).collect();
        let mut best: Option<(usize, Span)> = None;
        let mut title: Option<&str> = None;
        for span in sentences(text) {
            let sentence = span.slice(text)?;
            if is_title(sentence, text, span) {
                title = Some(sentence);
                continue;
            }
            let above = title.take();
            if span.overlaps(shown) {
                continue;
            }
            let said = self.held(sentence);
            let named = said.iter().copied().chain(above.into_iter().flat_map(|it| self.held(it)));
            let named: Held = named.filter(|term| !known.contains(term)).collect();
            let fits = !named.is_empty()
                && !said.is_disjoint(&own)
                && self.is_of_one_kind(general, sentence);
            if fits && best.is_none_or(|(most, _)| named.len() > most) {
                best = Some((named.len(), span));
            }
        }
        best.map(|(_, span)| span)
    }

    fn held(&self, text: &str) -> Held {
        self.asked.held_by(&term_set(text, self.analyzer))
    }

    /// Returns `true` if two sentences may answer one question: where it asks for an amount or a day, both have one.
    fn is_of_one_kind(&self, general: &str, special: &str) -> bool {
        if !matches!(self.question, QuestionType::Amount | QuestionType::When) {
            return true;
        }
        let stem = |word: &str| terms(word, self.analyzer).into_iter().next();
        let (of_general, of_special) = (values(general, &stem), values(special, &stem));
        of_general.iter().any(|one| of_special.iter().any(|other| is_alike(&one.kind, &other.kind)))
    }
}

/// Returns `true` if two values may be values of one thing: what is counted is often left out the second time.
fn is_alike(one: &ValueKind, other: &ValueKind) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Returns `true` if a sentence is a line of its own that only says what the lines below it are about.
fn is_title(sentence: &str, text: &str, span: Span) -> bool {
    let ends_line = text.get(span.end as usize..).is_some_and(|rest| rest.starts_with('\n'));
    let begins_line =
        text.get(..span.start as usize).is_some_and(|it| it.is_empty() || it.ends_with('\n'));
    begins_line
        && ends_line
        && !sentence.ends_with(['.', '!', '?', ';', ','])
        && sentence.split_whitespace().count() <= TITLE_WORDS
}

/// The same answer without its words in short, where the rest of its sentence begins an exception that the question
/// names: `three days, but one day in the summer term`.
fn excepted(
    answer: &Answer,
    sentence: &str,
    shown: Span,
    asked: &AskedTerms,
    analyzer: &Analyzer,
) -> Option<Answer> {
    let exact = answer.exact?;
    let turn = words(sentence).into_iter().find(|word| {
        is_one_of(&word.lower, answers::TURNS) && shown.start + word.span.start >= exact.end
    })?;
    let (rule, exception) = sentence.split_at_checked(turn.span.start as usize)?;
    let held = |text: &str| asked.held_by(&term_set(text, analyzer));
    let is_named = !held(exception).is_subset(&held(rule));
    is_named.then(|| Answer { exact: None, ..answer.clone() })
}
