//! Editions: documents that are newer versions of others.
//!
//! A university publishes the same handbook every year and deletes none of them. The newest should
//! answer, and the older ones should be found by who asks for their year. A document is taken for
//! an edition of another only where someone says so (`supersedes`, `series` in its metadata), or
//! where folder and title agree in all but a year or a version number, or where it has the same
//! place in the folder of an older version of a website.

mod editions;
mod folders;
mod marks;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Document;
pub use marks::years_of;

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
    /// Folder and title agree in all but these marks, or the folders have these versions.
    Edition {
        /// The mark of the newer: `2024`, `v2`.
        newer: String,
        /// The mark of the older.
        older: String,
    },
}

/// Finds the documents that have a newer edition, in the order of the older ones.
///
/// A document's own declaration goes before the suggestion of its name. A document is superseded at most
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
    for (newer, older) in declared_pairs(documents) {
        found.insert((older, newer), Because::Declared);
    }
    // What is declared goes first: a name is a guess, and a front matter was written by someone who knew.
    let derived = series(documents)
        .into_iter()
        .chain(folders::found(documents))
        .chain(editions::found(documents));
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

const NEWER: [&str; 3] = ["replaces", "supersedes", "ersetzt"];
const OLDER: [&str; 3] = ["replaced_by", "superseded_by", "ersetzt_durch"];

/// Pairs of a newer and an older document, as they are declared; each once.
fn declared_pairs(documents: &[Document]) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for (place, document) in documents.iter().enumerate() {
        for (name, value) in &document.metadata {
            let name = name.to_lowercase().replace(['-', ' '], "_");
            let (is_newer, is_older) = (NEWER.contains(&&*name), OLDER.contains(&&*name));
            if !is_newer && !is_older {
                continue;
            }
            for other in texts(value).into_iter().filter_map(|n| named(documents, document, n)) {
                if other != place {
                    pairs.insert(if is_newer { (place, other) } else { (other, place) });
                }
            }
        }
    }
    pairs
}

/// The texts of a value or of a list of values.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// The document of a path, of a path beside the one that names it, or of a title that only one has.
fn named(documents: &[Document], by: &Document, name: &str) -> Option<usize> {
    let name = name.trim().trim_start_matches("./").trim_start_matches('/');
    let folder = by.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = format!("{folder}/{name}");
    let is_path = |document: &Document| document.path == name || document.path == beside;
    if let Some(found) = documents.iter().position(is_path) {
        return Some(found);
    }
    let lower = name.to_lowercase();
    let mut titled =
        documents.iter().enumerate().filter(|(_, document)| document.title.to_lowercase() == lower);
    let (found, _) = titled.next()?;
    // A title that two documents have names neither.
    titled.next().is_none().then_some(found)
}

/// The fields that order a series, the first that all its documents have.
const ORDERS: [&str; 5] = ["version", "edition", "academic_year", "year", "date"];

/// Each document of a series that has a next one.
pub(super) fn series(documents: &[Document]) -> Vec<Supersession> {
    let mut all: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, document) in documents.iter().enumerate() {
        if let Some(Value::String(series)) = document.metadata.get("series") {
            all.entry(series.trim().to_lowercase()).or_default().push(place);
        }
    }
    let mut found = Vec::new();
    for (series, members) in all {
        let order = |field: &str| {
            let mut levels: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
            for member in &members {
                let value = documents[*member].metadata.get(field)?;
                levels.entry(numbers(value)?).or_default().push(*member);
            }
            Some(levels)
        };
        // The first field that all of them have: half a series ordered by dates and half by numbers has no order.
        let Some(levels) = ORDERS.iter().find_map(|field| order(field)) else { continue };
        for (newer, older) in neighbours(&levels) {
            found.push(Supersession { newer, older, because: Because::Series(series.clone()) });
        }
    }
    found
}

/// The numbers of a version or a date, in their order; `None` where there is none.
fn numbers(value: &Value) -> Option<Vec<u32>> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let runs = text.split(|character: char| !character.is_ascii_digit());
    let numbers: Vec<u32> = runs.filter_map(|run| run.parse().ok()).collect();
    (!numbers.is_empty()).then_some(numbers)
}
