//! Documents of one make, and their passages that nearly repeat.

use std::collections::{BTreeMap, BTreeSet};

use campanile_text::{Analyzer, fold};

use super::LEAST_MEMBERS;
use crate::{ChunkId, Document};

/// Fewer common headings make no family: much has a "Contact".
// With one, all pages of a site that end with "Contact" would be a family.
const LEAST_HEADINGS: usize = 2;

/// The Jaccard similarity of two documents' headings, in percent, from which on they are of one make: less is
/// asked of those that lie in one folder.
// In one folder half is enough: a college's pages lie together and leave out what does not concern them.
const LEAST_PERCENT: [usize; 2] = [75, 50];

/// A heading's words without those of its document's title: "Admission to Biology" is "Admission" in each of its
/// siblings too. Empty above the first heading and for the title itself.
pub(super) fn heading_key(heading: &str, title: &str, analyzer: &Analyzer) -> String {
    let terms = |text| analyzer.analyze(text).into_iter().map(|token| token.term);
    let own: BTreeSet<String> = terms(title).collect();
    let key = terms(heading).filter(|term| !own.contains(term)).collect::<Vec<_>>().join(" ");
    // A heading of stop words alone.
    if key.is_empty() && terms(heading).next().is_none() { fold(heading.trim()) } else { key }
}

/// The places of the documents of each family, in order; no document is in two.
///
/// Only headings count that at least `LEAST_MEMBERS` documents have, and only documents of whose headings
/// these are at least half. Two of them are of one make where they share most of these headings, and so is
/// whatever is of one make with either. The order of the documents makes no difference.
pub fn alike(documents: &[Document], analyzer: &Analyzer) -> Vec<Vec<usize>> {
    let keys: Vec<BTreeSet<String>> = documents
        .iter()
        .map(|document| {
            let headings = document.sections.iter().map(|section| section.heading.as_str());
            let keys = headings.map(|heading| heading_key(heading, &document.title, analyzer));
            keys.filter(|key| !key.is_empty()).collect()
        })
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for key in keys.iter().flatten() {
        *counts.entry(key).or_default() += 1;
    }
    let is_common = |key: &&str| counts.get(key).is_some_and(|count| *count >= LEAST_MEMBERS);
    // Most documents of one make have the very same headings: those are one place in the comparison.
    let mut makes: BTreeMap<(&str, BTreeSet<&str>), Vec<usize>> = BTreeMap::new();
    for (place, (document, keys)) in documents.iter().zip(&keys).enumerate() {
        let common: BTreeSet<&str> = keys.iter().map(String::as_str).filter(is_common).collect();
        // Pages that have their own headings for the most part are not made from a template.
        if common.len() >= LEAST_HEADINGS && 2 * common.len() >= keys.len() {
            let folder = document.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            makes.entry((folder, common)).or_default().push(place);
        }
    }
    let makes: Vec<(&str, BTreeSet<&str>, Vec<usize>)> =
        makes.into_iter().map(|((folder, keys), places)| (folder, keys, places)).collect();
    let mut families: Vec<Vec<usize>> = components(makes.len(), |left, right| {
        let (left, right) = (&makes[left], &makes[right]);
        let shared = left.1.intersection(&right.1).count();
        // Of sets, so that the order and the number of equal headings do not matter.
        let either = left.1.len() + right.1.len() - shared;
        let [apart, together] = LEAST_PERCENT;
        let least = if left.0 == right.0 { together } else { apart };
        shared >= LEAST_HEADINGS && 100 * shared >= least * either
    })
    .into_iter()
    .map(|component| {
        let mut places: Vec<usize> =
            component.iter().flat_map(|place| &makes[*place].2).copied().collect();
        places.sort_unstable();
        places
    })
    .collect();
    families.retain(|family| family.len() >= LEAST_MEMBERS);
    families.sort_unstable();
    families
}

/// The connected components of `count` nodes.
fn components(count: usize, joined: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    // A set in order, so that families come out the same whatever the order of the documents.
    let mut left: BTreeSet<usize> = (0..count).collect();
    let mut components = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut component = vec![first];
        let mut next = 0;
        while let Some(node) = component.get(next).copied() {
            let found: Vec<usize> =
                left.iter().copied().filter(|other| joined(node, *other)).collect();
            for other in &found {
                left.remove(other);
            }
            component.extend(found);
            next += 1;
        }
        components.push(component);
    }
    components
}

/// The mean cosine of two passages under one heading in two documents, from which on they are taken to say the same
/// of different things.
// Headings of programmes have 0.41 to 0.78 in two catalogues; sixteen unlike policies under one heading have 0.33.
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
) -> Vec<Vec<ChunkId>> {
    let mut by_heading: BTreeMap<String, Vec<(ChunkId, Passage<'_>)>> = BTreeMap::new();
    for (chunk, passage) in (0..).map(ChunkId).zip(passages) {
        if members.binary_search(&passage.document).is_err() {
            continue;
        }
        let document = &documents[passage.document];
        let heading = document.sections.get(passage.section).map_or("", |it| it.heading.as_str());
        let key = heading_key(heading, &document.title, analyzer);
        by_heading.entry(key).or_default().push((chunk, *passage));
    }
    let repeats = |passages: &[(ChunkId, Passage<'_>)]| {
        let holders: BTreeSet<usize> = passages.iter().map(|(_, it)| it.document).collect();
        holders.len() >= LEAST_MEMBERS && likeness(passages) >= LEAST_LIKENESS
    };
    let groups = by_heading.into_values().filter(|passages| repeats(passages));
    groups.map(|passages| passages.into_iter().map(|(chunk, _)| chunk).collect()).collect()
}

/// The mean cosine of two of the passages: of vectors of length 1, the square of their sum holds all pairs.
fn likeness(passages: &[(ChunkId, Passage<'_>)]) -> f64 {
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
