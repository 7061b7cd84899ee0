//! Judgments of relevance for a question, and the levels at which items of a ranking are counted.

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::ChunkId;
use serde::{Deserialize, Serialize};

use crate::RankedPassage;

/// The judgments of relevance for a question: its qrels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgments {
    /// The evidence that a reader should find; empty where the documents do not answer.
    pub evidence: Vec<Evidence>,
    /// Chunks that were looked at and do not answer. Chunks in neither list are not judged.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub rejected: BTreeSet<ChunkId>,
}

/// A gold passage and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The grade, by how well it answers: 1 it does, more where a set grades. One of grade 0 counts for
    /// nothing.
    pub grade: u32,
    /// The chunks that hold it, also those of other documents that say the same; none where it was
    /// not read or was cut apart.
    pub chunks: BTreeSet<ChunkId>,
    /// The document that it was judged in.
    pub document: String,
    /// That document's public address, as its ranked passages have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl Judgments {
    /// Returns the grade of a chunk, by how well it answers; `None` where nobody looked at it.
    pub fn grade(&self, chunk: ChunkId) -> Option<u32> {
        let held = self.relevant().filter(|evidence| evidence.chunks.contains(&chunk));
        let grade = held.map(|evidence| evidence.grade).max();
        grade.or_else(|| self.rejected.contains(&chunk).then_some(0))
    }

    /// Evidence that answers.
    pub(super) fn relevant(&self) -> impl Iterator<Item = &Evidence> {
        self.evidence.iter().filter(|evidence| evidence.grade > 0)
    }

    /// The share of the evidence that stands in one of these chunks, and `None` without evidence.
    ///
    /// Subtopic recall (Zhai, Cohen and Lafferty 2003): a gold passage that two overlapping chunks
    /// hold is found with either, so that ways to cut a document can be compared.
    pub(super) fn evidence_recall(&self, chunks: &BTreeSet<ChunkId>) -> Option<f64> {
        let total = self.relevant().count();
        let found = self.relevant().filter(|evidence| !evidence.chunks.is_disjoint(chunks)).count();
        (total > 0).then(|| found as f64 / total as f64)
    }

    /// Everything that is relevant at a level, with its best grade.
    pub(super) fn qrels(&self, level: Level) -> Qrels<'_> {
        let mut qrels = Qrels::default();
        for evidence in self.relevant() {
            match level {
                Level::Passage => {
                    for &chunk in &evidence.chunks {
                        qrels.add(Item::Chunk(chunk), evidence.grade);
                    }
                    if evidence.chunks.is_empty() {
                        qrels.out_of_reach.push(evidence.grade);
                    }
                }
                Level::Document => qrels.add(Item::Address(&evidence.document), evidence.grade),
                Level::Link => {
                    let address = evidence.link.as_deref().unwrap_or(&evidence.document);
                    qrels.add(Item::Address(address), evidence.grade);
                }
            }
        }
        qrels
    }
}

/// The grades of what is relevant at one level.
#[derive(Debug, Default)]
pub(super) struct Qrels<'a> {
    grades: BTreeMap<Item<'a>, u32>,
    /// Grades of what no item of the index holds.
    out_of_reach: Vec<u32>,
}

impl<'a> Qrels<'a> {
    fn add(&mut self, item: Item<'a>, grade: u32) {
        let best = self.grades.entry(item).or_default();
        *best = grade.max(*best);
    }

    /// 0 of what is not relevant or not judged.
    pub(super) fn grade(&self, item: Item<'_>) -> u32 {
        self.grades.get(&item).copied().unwrap_or_default()
    }

    /// The grades of everything that is relevant.
    pub(super) fn all(&self) -> Vec<u32> {
        self.grades.values().chain(&self.out_of_reach).copied().collect()
    }
}

/// The unit that counts as one item of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The chunk.
    Passage,
    /// Its document, by path.
    Document,
    /// The document's public address, so that a page and its print edition are one; the path of a
    /// document that has none.
    Link,
}

impl Level {
    /// Returns the prefix of the names of its metrics.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Passage => "",
            Self::Document => "document_",
            Self::Link => "link_",
        }
    }

    /// Returns the item that a passage is at this level.
    pub(super) fn item(self, passage: &RankedPassage) -> Item<'_> {
        match self {
            Self::Passage => Item::Chunk(passage.chunk),
            Self::Document => Item::Address(&passage.document),
            Self::Link => Item::Address(passage.link.as_deref().unwrap_or(&passage.document)),
        }
    }

    /// A ranking's distinct items: each stands where it stands first.
    pub(super) fn fold(self, passages: &[RankedPassage]) -> Vec<Item<'_>> {
        let mut seen = BTreeSet::new();
        passages
            .iter()
            .map(|passage| self.item(passage))
            .filter(|&item| seen.insert(item))
            .collect()
    }
}

/// An item of a ranking at some level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item<'a> {
    Chunk(ChunkId),
    /// A path or a public address.
    Address(&'a str),
}
