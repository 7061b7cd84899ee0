//! Where levels of the university state different values for the same thing.
//!
//! A department's deadline is earlier than the university's, its deduction is higher: both texts are
//! right, and a reader who sees one of them is misled. Two statements are said to differ only where
//! much speaks for it, since a false alarm costs more trust than a silent difference:
//!
//! - they are sentences of different documents whose levels differ;
//! - they share most of their words, values and words such as "department" and "student" left out;
//! - each holds exactly one value of a kind (a sum of money, a share, a span of time, a date, a
//!   number of something), and these are not the same;
//! - they do not speak of different semesters, degrees, courses or the like;
//! - nowhere in the two passages is the same thing stated with the same value.

mod statement;
#[cfg(test)]
mod tests;
mod value;

use campanile_corpus::metadata::HierarchyLevel;
use campanile_index::sort_short;
use campanile_text::{Analyzer, Span};

use statement::{Statement, statements};
pub use value::{Kind, Value, values};

/// A passage that speaks for a level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Voice<'a> {
    /// Its place among the passages.
    pub(crate) place: usize,
    /// The level that speaks.
    pub(crate) level: HierarchyLevel,
    /// Whether the reader told that they belong to it.
    pub(crate) is_readers: bool,
    /// Its document.
    pub(crate) document: &'a str,
    /// What it says.
    pub(crate) text: &'a str,
}

/// Two passages that state different values for the same thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// What the level nearer to the reader states.
    pub nearer: Stated,
    /// What the level farther from the reader states.
    pub farther: Stated,
    /// Whether the reader told that they belong to the nearer one: it is their department, or their
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

/// The conflicts between passages, at most one for each pair: the one with most words in common.
pub(crate) fn conflicts(voices: &[Voice<'_>], analyzer: &Analyzer) -> Vec<Conflict> {
    let spoken: Vec<(&Voice<'_>, Vec<Statement>)> =
        voices.iter().map(|voice| (voice, statements(voice.text, analyzer))).collect();
    let mut found: Vec<(f64, Conflict)> = Vec::new();
    for (index, left) in spoken.iter().enumerate() {
        for right in spoken.iter().skip(index + 1) {
            let (nearer, farther) =
                if left.0.level >= right.0.level { (left, right) } else { (right, left) };
            if nearer.0.level != farther.0.level && nearer.0.document != farther.0.document {
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

/// Whether any two statements about the same thing have a value of this kind in common.
fn agrees_elsewhere(pairs: &[(f64, &Statement, &Statement)], kind: &Kind) -> bool {
    pairs.iter().any(|(_, near, far)| {
        near.values
            .iter()
            .any(|value| value.kind == *kind && far.values.iter().any(|other| value.equals(other)))
    })
}
