use std::collections::BTreeMap;

use campanile_index::{Hit, sort_short};

/// A chunk after fusion: its fused score, and its rank in each list that held it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    /// The chunk.
    pub chunk: u32,
    /// Sum over the lists of `weight / (constant + rank)`, or what a later stage made of it.
    pub score: f64,
    /// For each list in the order given: the 1-based rank and the score there, if it was there.
    pub origins: Vec<Option<(usize, f32)>>,
}

impl Fused {
    /// Puts chunks in order: the better one first, of equals the one with the lower number.
    pub(crate) fn sort(fused: &mut [Self]) {
        sort_short(fused, |left, right| {
            right.score.total_cmp(&left.score).then(left.chunk.cmp(&right.chunk))
        });
    }
}

/// Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): a chunk's score is the sum
/// over the lists of `weight / (constant + rank)`, with ranks from 1.
///
/// Ranks rather than scores are added because BM25's and cosine's scales have nothing in common.
/// The result is ordered by score descending, ties by chunk ascending. A chunk that stands twice
/// in one list counts once, at its better rank.
pub fn reciprocal_rank_fusion(lists: &[(&[Hit], f32)], constant: f32) -> Vec<Fused> {
    let mut by_chunk: BTreeMap<u32, Fused> = BTreeMap::new();
    for (list_index, (list, weight)) in lists.iter().enumerate() {
        for (position, hit) in list.iter().enumerate() {
            let rank = position + 1;
            let fused = by_chunk.entry(hit.chunk).or_insert_with(|| Fused {
                chunk: hit.chunk,
                score: 0.0,
                origins: vec![None; lists.len()],
            });
            if let Some(origin @ None) = fused.origins.get_mut(list_index) {
                *origin = Some((rank, hit.score));
                fused.score += f64::from(*weight) / (f64::from(constant) + rank as f64);
            }
        }
    }
    let mut fused: Vec<Fused> = by_chunk.into_values().collect();
    Fused::sort(&mut fused);
    fused
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hits(chunks: &[u32]) -> Vec<Hit> {
        chunks
            .iter()
            .enumerate()
            .map(|(position, chunk)| Hit { chunk: *chunk, score: 10.0 - position as f32 })
            .collect()
    }

    #[test]
    fn worked_example() {
        // By hand, c = 60: chunk 1 has ranks 1 and 2, chunk 3 ranks 3 and 1, chunk 2 only rank 2.
        let (lexical, dense) = (hits(&[1, 2, 3]), hits(&[3, 1]));
        let fused = reciprocal_rank_fusion(&[(&lexical, 1.0), (&dense, 1.0)], 60.0);
        let order: Vec<u32> = fused.iter().map(|entry| entry.chunk).collect();
        assert_eq!(order, [1, 3, 2]);
        assert!((fused[0].score - (1.0 / 61.0 + 1.0 / 62.0)).abs() < 1e-12);
        assert!((fused[2].score - 1.0 / 62.0).abs() < 1e-12);
        assert_eq!(fused[1].origins, [Some((3, 8.0)), Some((1, 10.0))]);
        assert_eq!(fused[2].origins, [Some((2, 9.0)), None]);
    }

    #[test]
    fn a_chunk_twice_in_one_list_counts_once() {
        let list = hits(&[7, 7]);
        let fused = reciprocal_rank_fusion(&[(&list, 1.0)], 60.0);
        assert_eq!(fused.len(), 1);
        assert!((fused[0].score - 1.0 / 61.0).abs() < 1e-12);
    }

    proptest! {
        /// One list keeps its order; more lists hold the union and are ordered by score, then chunk.
        #[test]
        fn union_in_order(left in proptest::collection::vec(0u32..50, 0..30), right in proptest::collection::vec(0u32..50, 0..30)) {
            let unique = |list: &[u32]| {
                let mut seen = std::collections::BTreeSet::new();
                list.iter().copied().filter(|chunk| seen.insert(*chunk)).collect::<Vec<_>>()
            };
            let (left, right) = (unique(&left), unique(&right));
            let alone: Vec<u32> = reciprocal_rank_fusion(&[(&hits(&left), 1.0)], 60.0).iter().map(|f| f.chunk).collect();
            prop_assert_eq!(&alone, &left);
            let fused = reciprocal_rank_fusion(&[(&hits(&left), 1.0), (&hits(&right), 1.0)], 60.0);
            let mut union: Vec<u32> = left.iter().chain(&right).copied().collect();
            union.sort_unstable();
            union.dedup();
            let mut found: Vec<u32> = fused.iter().map(|f| f.chunk).collect();
            prop_assert!(fused.windows(2).all(|pair| pair[0].score > pair[1].score
                || (pair[0].score == pair[1].score && pair[0].chunk < pair[1].chunk)));
            found.sort_unstable();
            prop_assert_eq!(found, union);
        }
    }
}
