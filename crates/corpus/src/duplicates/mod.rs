//! Texts that say the same.
//!
//! Two texts are compared by their shingles, the runs of a few words that they hold (Broder 1997,
//! "On the resemblance and containment of documents"): the share of shingles that they have in
//! common is their Jaccard similarity. Comparing all pairs would take too long, so each text gets a
//! signature of [`HASHES`](features::HASHES) minima, two of which agree with a chance that equals
//! the similarity, and signatures are cut into bands; only texts that agree in a whole band are
//! compared (Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", ch. 3).
//!
//! With 32 bands of 4 minima a pair of similarity s is compared with the chance 1 - (1 - s⁴)³²: at
//! 0.9 all but one pair in 10¹⁴ are, at 0.5 seven of eight, at 0.2 one in twenty. A pair compared
//! in vain costs a little time and nothing else, since what decides is the exact similarity. (The
//! signatures' own estimate would be off by up to 1 / (2 √128) = 0.044, one standard deviation.)
//!
//! Likeness is not enough: rules differ by a number. Texts whose numbers, dates, codes, addresses,
//! names or negations are not the same, in the same order, are never duplicates; nor are texts that stand
//! under other headings: "Written examination, in English." is said of a hundred courses.

mod features;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use features::{Signer, hashed, jaccard, protected, shingles};

/// The conditions under which two texts are duplicates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DuplicateOptions {
    /// The least Jaccard similarity of their shingles, in percent.
    #[schemars(range(min = 0, max = 100))]
    pub least_percent: u8,
    /// The number of words of a shingle.
    pub shingle_words: usize,
    /// Texts shorter than this are no duplicates of anything: too little tells them apart.
    pub least_words: usize,
    /// The seed of the hash functions; the result hardly depends on it.
    pub seed: u64,
}

impl Default for DuplicateOptions {
    fn default() -> Self {
        // A word that differs takes four shingles with it, so that at 90 % a text of some eighty words may differ in
        // one: a correction. A text of twelve words has nine shingles; with fewer, one word in another form decides.
        Self { least_percent: 90, shingle_words: 4, least_words: 12, seed: 0x0063_616d_7061_6e65 }
    }
}

/// A text that may be a duplicate: a chunk's own, with its context as the subject, or a document's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// Its words.
    pub text: &'a str,
    /// The subject, where the text's words do not name it: a chunk's [`context`](crate::context()). Texts are
    /// duplicates only where the same words stand here, in any order.
    pub subject: &'a str,
    /// The path of its document.
    pub path: &'a str,
    /// Its date as `2025-10-01`, if it has one.
    pub date: Option<&'a str>,
    /// A newer edition replaces its document, so it must not represent a current text.
    pub is_replaced: bool,
}

/// Texts that are kept as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DuplicateGroup {
    /// The index of the one that represents the group: one that no newer edition replaces, then the newest, then the one with the
    /// shortest path, then the first.
    pub kept: usize,
    /// The others, in their order. Each was compared with the one that is kept.
    pub folded: Vec<Folded>,
}

/// A text that another stands for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Folded {
    /// Its place.
    pub index: usize,
    /// The Jaccard similarity of its shingles with those of the text that is kept.
    pub similarity: f64,
}

/// Finds the texts that say the same, as groups in the order of the texts that are kept.
///
/// ```
/// use campanile_corpus::{Candidate, DuplicateOptions, duplicates};
///
/// let rule = "A failed examination may be taken again within one year of the first attempt.";
/// let other = rule.replace("one year", "two years");
/// let candidate = |text, path| Candidate { text, subject: "Resits", path, date: None, is_replaced: false };
/// let texts = [candidate(rule, "rules/exams.md"), candidate(rule, "faq.md"), candidate(&other, "a.md")];
/// let groups = duplicates(&texts, &DuplicateOptions::default());
/// assert_eq!(groups.len(), 1);
/// assert_eq!((groups[0].kept, groups[0].folded[0].index), (1, 0));
/// ```
pub fn duplicates(candidates: &[Candidate<'_>], options: &DuplicateOptions) -> Vec<DuplicateGroup> {
    let mut finder = Finder::new(candidates, options);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    // The preferred text comes first and is kept; whoever comes later can only fold into it. So no text is folded
    // into one that is itself folded.
    order.sort_by(|left, right| preference(candidates, *left).cmp(&preference(candidates, *right)));
    for index in order {
        finder.add(index);
    }
    let mut groups: Vec<_> = finder.groups.into_iter().collect();
    for (_, folded) in &mut groups {
        folded.sort_by_key(|folded| folded.index);
    }
    let groups = groups.into_iter();
    groups.map(|(kept, folded)| DuplicateGroup { kept, folded }).collect()
}

/// Sorts the text first that should stand for the others.
fn preference<'a>(
    candidates: &[Candidate<'a>],
    index: usize,
) -> (bool, std::cmp::Reverse<Option<&'a str>>, usize, usize) {
    let Candidate { date, path, is_replaced, .. } = candidates[index];
    (is_replaced, std::cmp::Reverse(date), path.len(), index)
}

struct Finder<'a> {
    candidates: &'a [Candidate<'a>],
    options: &'a DuplicateOptions,
    signer: Signer,
    /// By band, its values and the protected words: the texts that are kept.
    buckets: BTreeMap<u64, Vec<usize>>,
    kept: BTreeMap<usize, Kept>,
    groups: BTreeMap<usize, Vec<Folded>>,
}

/// The facts about a text that is kept.
struct Kept {
    shingles: Vec<u64>,
    /// The tokens that must be the same: its subject's words too.
    protected: Vec<String>,
}

impl<'a> Finder<'a> {
    fn new(candidates: &'a [Candidate<'a>], options: &'a DuplicateOptions) -> Self {
        Self {
            candidates,
            options,
            signer: Signer::new(options.seed),
            buckets: BTreeMap::new(),
            kept: BTreeMap::new(),
            groups: BTreeMap::new(),
        }
    }

    /// Folds a text into the most similar one that is kept, or keeps it.
    fn add(&mut self, index: usize) {
        let candidate = &self.candidates[index];
        if candidate.text.split_whitespace().count() < self.options.least_words {
            return;
        }
        let shingles = shingles(candidate.text, self.options.shingle_words);
        let mut protected = protected(candidate.text);
        protected.extend(subject_words(candidate.subject));
        // Texts of other numbers never meet: pages made from one template would all be compared.
        // In the key and not only compared: a hundred course pages of one template would fall into one bucket.
        let facts = hashed(protected.iter().map(String::as_str));
        let keys = self.signer.keys(&shingles, facts);
        let mut met: Vec<usize> =
            keys.iter().filter_map(|key| self.buckets.get(key)).flatten().copied().collect();
        met.sort_unstable();
        met.dedup();
        let least = f64::from(self.options.least_percent) / 100.0;
        let mut best: Option<(usize, f64)> = None;
        for place in met {
            let Some(other) = self.kept.get(&place).filter(|kept| kept.protected == protected)
            else {
                continue;
            };
            let similarity = jaccard(&shingles, &other.shingles);
            if similarity >= least && best.is_none_or(|(_, highest)| similarity > highest) {
                best = Some((place, similarity));
            }
        }
        if let Some((kept, similarity)) = best {
            self.groups.entry(kept).or_default().push(Folded { index, similarity });
            return;
        }
        for key in keys {
            self.buckets.entry(key).or_default().push(index);
        }
        self.kept.insert(index, Kept { shingles, protected });
    }
}

/// The words of a subject in small letters, sorted, none twice.
fn subject_words(subject: &str) -> BTreeSet<String> {
    let words = subject.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
