//! Which document is a newer edition of which.
//!
//! A university publishes the same handbook every year and deletes none of them. The newest should
//! answer, and the older ones should be found by who asks for their year. A document is taken for
//! an edition of another only where someone says so (`supersedes`, `series` in its metadata), or
//! where folder and title agree in all but a year or a version number.

mod declared;
mod editions;
mod marks;
mod series;
#[cfg(test)]
mod tests;
mod years;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Document;
pub use years::years_of;

/// A document that has a newer edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Supersession {
    /// The place of the newer document; the next edition, not the newest of all.
    pub newer: usize,
    /// The place of the older one.
    pub older: usize,
    /// The evidence for it.
    pub because: Because,
}

/// The evidence that a document is a newer edition of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// One of them says so: `supersedes`, `replaces`, `superseded_by` or `replaced_by`.
    Declared,
    /// Both name the same `series`, with a `version`, `year` or `date` each.
    Series(String),
    /// Folder and title agree in all but these marks.
    Edition {
        /// The mark of the newer: `2024`, `v2`.
        newer: String,
        /// The mark of the older.
        older: String,
    },
}

/// Finds the documents that have a newer edition, in the order of the older ones.
///
/// What documents declare goes before what their names suggest. A document is superseded at most
/// once by name, though several may declare that they replace it.
///
/// ```
/// use campanile_corpus::{Document, supersession};
///
/// let handbook = |year: &str| Document {
///     path: format!("handbooks/handbook-{year}.md"),
///     title: format!("Student Handbook {year}"),
///     ..Document::default()
/// };
/// let found = supersession(&[handbook("2023-24"), handbook("2024-25")]);
/// assert_eq!((found[0].newer, found[0].older), (1, 0));
/// ```
pub fn supersession(documents: &[Document]) -> Vec<Supersession> {
    let mut found: BTreeMap<(usize, usize), Because> = BTreeMap::new();
    for (newer, older) in declared::pairs(documents) {
        found.insert((older, newer), Because::Declared);
    }
    let derived = series::found(documents).into_iter().chain(editions::found(documents));
    for Supersession { newer, older, because } in derived {
        let is_known = found.keys().any(|(known, _)| *known == older);
        let is_contradicted = found.contains_key(&(newer, older));
        if !is_known && !is_contradicted {
            found.insert((older, newer), because);
        }
    }
    let found = found.into_iter();
    found.map(|((older, newer), because)| Supersession { newer, older, because }).collect()
}

/// Each member of a group with the next newer one, as the newer and the older.
fn neighbours<K: Ord>(levels: &BTreeMap<K, Vec<usize>>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (members, newer) in levels.values().zip(levels.values().skip(1)) {
        let Some(first) = newer.first() else { continue };
        pairs.extend(members.iter().map(|member| (*first, *member)));
    }
    pairs
}
