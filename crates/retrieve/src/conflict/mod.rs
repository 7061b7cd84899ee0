//! Finds passages in which levels of the university state different values for the same thing.
//!
//! A department's deadline is earlier than the university's, its deduction is higher: both texts are
//! right, and a visitor who sees one of them is misled. Two statements are said to differ only where
//! much speaks for it, since a false alarm costs more trust than a silent difference:
//!
//! - they are sentences of different documents whose levels differ, each named by what its document is for, and the
//!   faculties that both documents name, if they do, are not different ones;
//! - each has, with its headings, most of the words that the question asks about;
//! - they share most of their words, values and words such as "department" and "student" left out;
//! - each holds exactly one value of a kind (a sum of money, a share, a span of time, a date, a
//!   number of something), and these are not the same;
//! - they do not speak of different semesters, degrees, courses or the like;
//! - nowhere in the two passages is the same thing stated with the same value.

#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeSet;

use campanile_corpus::metadata::{HierarchyLevel, same_name};
use campanile_index::sort_short;
use campanile_language::{Words, answers, questions};
use campanile_text::{Analyzer, Span, fold, sentences};

pub use value::{Kind, Value, values};

use crate::query::Query;

/// A passage that speaks for a level.
#[derive(Debug, Clone)]
pub(crate) struct Voice<'a> {
    /// Its place among the passages.
    pub(crate) place: usize,
    /// The level that speaks.
    pub(crate) level: HierarchyLevel,
    /// `true` if the visitor told that they belong to this level.
    pub(crate) is_visitors: bool,
    /// Its document.
    pub(crate) document: &'a str,
    /// The faculties that its document is for; none for all of them.
    pub(crate) faculties: &'a [String],
    /// Its title and headings.
    pub(crate) context: String,
    /// The passage's text.
    pub(crate) text: &'a str,
}

/// Two passages that state different values for the same thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The statement of the level nearer to the visitor.
    pub nearer: Stated,
    /// The statement of the level farther from the visitor.
    pub farther: Stated,
    /// `true` if the visitor told that they belong to the nearer one: it is their department, or their
    /// faculty.
    pub is_visitors: bool,
}

/// One side of a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The passage, by its place among those found, from 0.
    pub passage: usize,
    /// The level that speaks.
    pub level: HierarchyLevel,
    /// The sentence, in bytes of the passage's text.
    pub sentence: Span,
    /// The value in it.
    pub value: Span,
}

/// The conflicts between passages about what a question asks, at most one for each pair: the one with most words in
/// common.
pub(crate) fn conflicts(
    voices: &[Voice<'_>],
    question: &Query,
    analyzer: &Analyzer,
) -> Vec<Conflict> {
    let asked = Asked::of(question, analyzer);
    let statements = |voice: &Voice<'_>| {
        let mut statements = statements(voice.text, analyzer);
        statements.retain(|it| {
            let sentence = &voice.text[it.span.range()];
            asked.concerns(&format!("{}{sentence}", voice.context), analyzer)
        });
        statements
    };
    let spoken: Vec<(&Voice<'_>, Vec<Statement>)> =
        voices.iter().map(|voice| (voice, statements(voice))).collect();
    let mut found: Vec<(f64, Conflict)> = Vec::new();
    for (index, left) in spoken.iter().enumerate() {
        for right in spoken.iter().skip(index + 1) {
            let (nearer, farther) =
                if left.0.level >= right.0.level { (left, right) } else { (right, left) };
            let are_apart =
                nearer.0.level != farther.0.level && nearer.0.document != farther.0.document;
            if are_apart && are_of_one_faculty(nearer.0, farther.0) {
                found.extend(between(nearer, farther));
            }
        }
    }
    let nearness = |conflict: &Conflict| (conflict.nearer.level, conflict.farther.level);
    sort_short(&mut found, |left, right| {
        let levels = nearness(&right.1).cmp(&nearness(&left.1));
        levels.then(right.0.total_cmp(&left.0))
    });
    found.into_iter().map(|(_, conflict)| conflict).collect()
}

/// The subject of a question: its terms without those that only ask, and its other forms.
struct Asked<'q> {
    terms: BTreeSet<&'q str>,
    question: &'q Query,
}

impl<'q> Asked<'q> {
    fn of(question: &'q Query, analyzer: &Analyzer) -> Self {
        let names_nothing =
            terms(&[answers::ROLES, questions::FRAMING].map(Words::as_str).join(" "), analyzer);
        let terms = question.terms.iter().filter(|term| !names_nothing.contains(*term));
        Self { terms: terms.map(String::as_str).collect(), question }
    }

    /// Returns `true` if a text has most of the question's words, in one of their forms.
    fn concerns(&self, text: &str, analyzer: &Analyzer) -> bool {
        let mut said = terms(text, analyzer);
        for expansion in &self.question.expansions {
            if expansion.terms.iter().all(|term| said.contains(term)) {
                said.extend(terms(&expansion.found, analyzer));
            }
        }
        let common = self.terms.iter().filter(|term| said.contains(**term)).count();
        // More than half: of `deadline for the thesis`, the deadline alone is every deadline's.
        2 * common > self.terms.len()
    }
}

fn terms(text: &str, analyzer: &Analyzer) -> BTreeSet<String> {
    analyzer.analyze(text).into_iter().map(|token| token.term).collect()
}

/// Returns `true` if two passages may speak to the same students, by the faculties that they name.
fn are_of_one_faculty(left: &Voice<'_>, right: &Voice<'_>) -> bool {
    let is_shared = |name: &String| right.faculties.iter().any(|other| same_name(name, other));
    left.faculties.is_empty() || right.faculties.is_empty() || left.faculties.iter().any(is_shared)
}

/// The clearest difference between two passages, with the share of words in common.
fn between(
    (nearer, near_statements): &(&Voice<'_>, Vec<Statement>),
    (farther, far_statements): &(&Voice<'_>, Vec<Statement>),
) -> Option<(f64, Conflict)> {
    let pairs = near_statements
        .iter()
        .flat_map(|near| far_statements.iter().map(move |far| (near, far)))
        .filter_map(|(near, far)| Some((near.likeness(far)?, near, far)));
    let pairs: Vec<(f64, &Statement, &Statement)> = pairs.collect();
    let mut best: Option<(f64, Conflict)> = None;
    for (likeness, near, far) in &pairs {
        for kind in near.kinds() {
            let (Some(near_value), Some(far_value)) = (near.only(kind), far.only(kind)) else {
                continue;
            };
            let agrees = near_value.equals(far_value) || agrees_elsewhere(&pairs, kind);
            if agrees || best.as_ref().is_some_and(|(most, _)| most >= likeness) {
                continue;
            }
            let stated = |voice: &Voice<'_>, sentence, value| Stated {
                passage: voice.place,
                level: voice.level,
                sentence,
                value,
            };
            best = Some((
                *likeness,
                Conflict {
                    is_visitors: nearer.is_visitors,
                    nearer: stated(nearer, near.span, near_value.span),
                    farther: stated(farther, far.span, far_value.span),
                },
            ));
        }
    }
    best
}

/// Returns `true` if any two statements about the same thing have a value of this kind in common.
fn agrees_elsewhere(pairs: &[(f64, &Statement, &Statement)], kind: &Kind) -> bool {
    pairs.iter().any(|(_, near, far)| {
        near.values
            .iter()
            .any(|value| value.kind == *kind && far.values.iter().any(|other| value.equals(other)))
    })
}

/// Statements about the same thing have at least so many words in common ...
// Both bounds are high on purpose: a difference that is told and is none costs more trust than one that goes untold.
const LEAST_COMMON: usize = 3;
/// ... and at least this share of the words of the shorter one.
const LEAST_SHARE: f64 = 0.5;

/// One sentence that states a value.
#[derive(Debug, Clone)]
struct Statement {
    /// The sentence, in bytes of the passage.
    span: Span,
    values: Vec<Value>,
    /// The terms that say what it is about: those that are no values and no roles.
    subject: BTreeSet<String>,
    /// The words by which it tells cases apart, by their row.
    cases: Vec<BTreeSet<&'static str>>,
    /// The course codes it names.
    codes: BTreeSet<String>,
}

/// The sentences of a passage that state a value.
fn statements(text: &str, analyzer: &Analyzer) -> Vec<Statement> {
    let roles = terms(answers::ROLES.as_str(), analyzer);
    let stem = |word: &str| Some(analyzer.analyze(word).into_iter().next()?.term);
    let statement = |span: Span| {
        let sentence = span.slice(text)?;
        let values = values(sentence, &stem);
        let is_value = |at: Span| values.iter().any(|it| it.span.overlaps(at));
        let mut subject = BTreeSet::new();
        let mut codes = BTreeSet::new();
        for token in analyzer.analyze(sentence) {
            let is_code = token.term.chars().any(|c| c.is_ascii_digit())
                && token.term.chars().any(char::is_alphabetic);
            let is_word = token.term.chars().all(char::is_alphabetic);
            if is_code && !is_value(token.span) {
                codes.insert(token.term);
            } else if is_word && !is_value(token.span) && !roles.contains(&token.term) {
                subject.insert(token.term);
            }
        }
        let cases = cases(sentence);
        let shifted = |value: Value| Value { span: value.span.shifted(span.start), ..value };
        let values: Vec<Value> = values.into_iter().map(shifted).collect();
        (!values.is_empty()).then_some(Statement { span, values, subject, cases, codes })
    };
    sentences(text).into_iter().filter_map(statement).collect()
}

fn cases(sentence: &str) -> Vec<BTreeSet<&'static str>> {
    let folded = fold(sentence);
    let words: Vec<&str> = folded
        .split(|c: char| !c.is_alphabetic() && c != '-')
        .filter(|it| !it.is_empty())
        .collect();
    let is_named = |case: &&str| words.iter().any(|word| word.starts_with(case));
    answers::CASES.iter().map(|row| row.iter().filter(is_named).collect()).collect()
}

impl Statement {
    /// The kinds of its values.
    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.values.iter().map(|value| &value.kind)
    }

    /// Its value of a kind, if it has exactly one.
    fn only(&self, kind: &Kind) -> Option<&Value> {
        let mut of_kind = self.values.iter().filter(|value| value.kind == *kind);
        of_kind.next().filter(|_| of_kind.next().is_none())
    }

    /// Returns how much two statements are about the same thing, from 0 to 1; `None` where they are not.
    fn likeness(&self, other: &Self) -> Option<f64> {
        let apart = |left: &BTreeSet<&str>, right: &BTreeSet<&str>| {
            !left.is_empty() && !right.is_empty() && left.is_disjoint(right)
        };
        // One that names no case may speak of any, so only two different ones are apart.
        let other_case =
            self.cases.iter().zip(&other.cases).any(|(left, right)| apart(left, right));
        let other_code = !self.codes.is_empty()
            && !other.codes.is_empty()
            && self.codes.is_disjoint(&other.codes);
        if other_case || other_code {
            return None;
        }
        let common = self.subject.intersection(&other.subject).count();
        let shorter = self.subject.len().min(other.subject.len());
        let share = common as f64 / shorter.max(1) as f64;
        (common >= LEAST_COMMON && share >= LEAST_SHARE).then_some(share)
    }
}
