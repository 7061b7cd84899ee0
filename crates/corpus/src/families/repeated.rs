//! Which passages nearly repeat from one document of a family to the next.

use std::collections::{BTreeMap, BTreeSet};

use campanile_text::Analyzer;

use super::{LEAST_MEMBERS, heading_key};
use crate::Document;

/// The mean cosine of two passages under one heading in two documents, from which on they are taken to say the same
/// of different things.
const LEAST_LIKENESS: f64 = 0.45;

/// A passage as families are found by it.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// The place of its document.
    pub document: usize,
    /// The place of its section there.
    pub section: usize,
    /// Its embedding of length 1, `[dimension]`.
    pub vector: &'a [f32],
}

/// The passages that repeat, by heading.
pub(super) fn repeated(
    members: &[usize],
    documents: &[Document],
    passages: &[Passage<'_>],
    analyzer: &Analyzer,
) -> Vec<Vec<u32>> {
    let mut by_heading: BTreeMap<String, Vec<(u32, Passage<'_>)>> = BTreeMap::new();
    for (number, passage) in (0u32..).zip(passages) {
        if members.binary_search(&passage.document).is_err() {
            continue;
        }
        let Some(document) = documents.get(passage.document) else { continue };
        let heading = document.sections.get(passage.section).map_or("", |it| it.heading.as_str());
        let key = heading_key(heading, &document.title, analyzer);
        by_heading.entry(key).or_default().push((number, *passage));
    }
    let repeats = |passages: &[(u32, Passage<'_>)]| {
        let holders: BTreeSet<usize> = passages.iter().map(|(_, it)| it.document).collect();
        holders.len() >= LEAST_MEMBERS && likeness(passages) >= LEAST_LIKENESS
    };
    let groups = by_heading.into_values().filter(|passages| repeats(passages));
    groups.map(|passages| passages.into_iter().map(|(number, _)| number).collect()).collect()
}

/// The mean cosine of two of the passages: of vectors of length 1, the square of their sum holds all pairs.
fn likeness(passages: &[(u32, Passage<'_>)]) -> f64 {
    let mut sum: Vec<f64> = Vec::new();
    for (_, passage) in passages {
        sum.resize(passage.vector.len(), 0.0);
        for (sum, number) in sum.iter_mut().zip(passage.vector) {
            *sum += f64::from(*number);
        }
    }
    let count = passages.len() as f64;
    let square: f64 = sum.iter().map(|number| number * number).sum();
    if count < 2.0 { 0.0 } else { (square - count) / (count * (count - 1.0)) }
}
