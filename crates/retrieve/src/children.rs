//! From parts of chunks to the chunks they are parts of.

use std::collections::BTreeMap;

use campanile_bundle::{ChildRecord, ParentsHead};
use campanile_corpus::Granularity;
use campanile_index::Hit;

use crate::passage::Passage;

/// The best part of each chunk that was found through one.
#[derive(Debug, Default)]
pub(crate) struct Children {
    /// By chunk: the part's rank, from 1, and its number in the chunk. The first list that found
    /// the chunk at its best rank decides.
    best: BTreeMap<u32, (usize, u32)>,
}

impl Children {
    /// Hits on chunks for hits on their parts, best first; a chunk has the score of its best part.
    pub(crate) fn collapse(
        &mut self,
        hits: Vec<Hit>,
        parents: &ParentsHead,
        limit: usize,
    ) -> Vec<Hit> {
        let mut chunks: Vec<Hit> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for hit in hits {
            let Some((chunk, part)) = parents.parent_of(hit.chunk) else { continue };
            if !seen.insert(chunk) {
                continue;
            }
            chunks.push(Hit { chunk, score: hit.score });
            let found = (chunks.len(), part);
            let best = self.best.entry(chunk).or_insert(found);
            if found.0 < best.0 {
                *best = found;
            }
            if chunks.len() == limit {
                break;
            }
        }
        chunks
    }

    /// The part through which a passage was found.
    pub(crate) fn of(&self, passage: &Passage, granularity: Granularity) -> Option<ChildRecord> {
        let (_, part) = self.best.get(&passage.chunk)?;
        passage.document.child(granularity, passage.number, *part).cloned()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use campanile_bundle::ParentsHead;
    use campanile_index::Hit;

    use super::Children;

    #[test]
    fn a_chunk_stands_where_its_best_part_stands() {
        // Chunks of 2, 0, 3 and 1 parts.
        let parents = ParentsHead::from_counts(&[2, 0, 3, 1]).unwrap();
        let hits = |units: &[u32]| -> Vec<Hit> {
            units.iter().map(|unit| Hit { chunk: *unit, score: -(*unit as f32) }).collect()
        };
        let mut children = Children::default();
        let lexical = children.collapse(hits(&[4, 2, 0, 9]), &parents, 10);
        assert_eq!(lexical, [Hit { chunk: 2, score: -4.0 }, Hit { chunk: 0, score: 0.0 }]);
        let dense = children.collapse(hits(&[1, 5, 3]), &parents, 2);
        assert_eq!(dense.iter().map(|hit| hit.chunk).collect::<Vec<_>>(), [0, 3]);
        // Chunk 0 was second through its first part, then first through its second.
        assert_eq!(children.best.get(&0), Some(&(1, 1)));
        assert_eq!(children.best.get(&2), Some(&(1, 2)));
    }
}
