//! Finds passages in which levels of the university state different values for the same thing.
//!
//! A department's deadline is earlier than the university's, its deduction is higher: both texts are
//! right, and a reader who sees one of them is misled. Two statements are said to differ only where
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

mod statement;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeSet;

use campanile_corpus::metadata::{HierarchyLevel, same_name};
use campanile_index::sort_short;
use campanile_text::{Analyzer, Span};

use crate::query::Query;
use statement::{ROLES, Statement, statements};
pub use value::{Kind, Value, values};

/// Words of a question that do not say what it is about.
const ASKING: &str = "much many often long get need want viel viele oft lange brauche";

/// A passage that speaks for a level.
#[derive(Debug, Clone)]
pub(crate) struct Voice<'a> {
    /// Its place among the passages.
    pub(crate) place: usize,
    /// The level that speaks.
    pub(crate) level: HierarchyLevel,
    /// `true` if the reader told that they belong to this level.
    pub(crate) is_readers: bool,
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
    /// The statement of the level nearer to the reader.
    pub nearer: Stated,
    /// The statement of the level farther from the reader.
    pub farther: Stated,
    /// `true` if the reader told that they belong to the nearer one: it is their department, or their
    /// faculty.
    pub is_readers: bool,
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
            let sentence = it.span.slice(voice.text).unwrap_or_default();
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
        let names_nothing: BTreeSet<String> = terms(&format!("{ROLES} {ASKING}"), analyzer);
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
                    is_readers: nearer.is_readers,
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
