//! One order of what several searches found.
//!
//! Ranks can be added without knowing what a score means, and they say less:
//! a passage that stands far ahead of all others in one list has one rank to show for it. So the
//! ranks choose the candidates, and a pool orders these by their [standard
//! scores](standard_scores) in every search, each with a weight; what looks closer at the
//! candidates later is one signal more.

use std::collections::BTreeMap;

use campanile_bundle::ChunkId;
use campanile_index::{Hit, sort_short};

/// A chunk after fusion: its fused score, and its rank in each list that held it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fused {
    /// The chunk.
    pub(crate) chunk: ChunkId,
    /// Sum over the lists of `weight / (constant + rank)`, or what a later stage made of it.
    pub(crate) score: f64,
    /// The 1-based rank and the score in each list, in the order given; none where it was not there.
    pub(crate) origins: Vec<Option<(usize, f32)>>,
}

impl Fused {
    /// The chunk with its fused score, as a ranking keeps it.
    pub(crate) fn hit(&self) -> Hit<ChunkId> {
        Hit { id: self.chunk, score: self.score as f32 }
    }

    /// Puts chunks in order: the better one first, of equals the one with the lower number.
    pub(crate) fn sort(fused: &mut [Self]) {
        // `sort_short` here and elsewhere: lists are short, and a general sort for each of their types cost a page 38
        // kB.
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
pub(crate) fn reciprocal_rank_fusion(
    lists: &[(&[Hit<ChunkId>], f32)],
    constant: f32,
) -> Vec<Fused> {
    // By number: chunks with the same score have one order, on every machine.
    let mut by_chunk: BTreeMap<ChunkId, Fused> = BTreeMap::new();
    for (list_index, (list, weight)) in lists.iter().enumerate() {
        for (position, hit) in list.iter().enumerate() {
            let rank = position + 1;
            let fused = by_chunk.entry(hit.id).or_insert_with(|| Fused {
                chunk: hit.id,
                score: 0.0,
                origins: vec![None; lists.len()],
            });
            let origin = &mut fused.origins[list_index];
            if origin.is_none() {
                *origin = Some((rank, hit.score));
                fused.score += f64::from(*weight) / (f64::from(constant) + rank as f64);
            }
        }
    }
    let mut fused: Vec<Fused> = by_chunk.into_values().collect();
    Fused::sort(&mut fused);
    fused
}

/// Returns the mean of some scores and the way from it to the best, so that what is added to a score can be a share of
/// something, whatever their scale.
pub(crate) fn mean_and_way(scores: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let best = scores.clone().fold(f64::NEG_INFINITY, f64::max);
    let mean = scores.clone().sum::<f64>() / scores.count().max(1) as f64;
    (mean, best - mean)
}

/// Returns the number of standard deviations that each score lies above the mean of all; 0 for all of them
/// where they do not differ.
///
/// BM25's scale has no end and cosine's has one, but how far a passage stands out among the same
/// candidates can be compared, and added. The sums run in the order given, so a page and a
/// terminal get the same bits.
///
/// ```
/// use campanile_retrieve::standard_scores;
///
/// assert_eq!(standard_scores(&[1.0, 3.0]), [-1.0, 1.0]);
/// assert_eq!(standard_scores(&[7.0, 7.0]), [0.0, 0.0]);
/// ```
pub fn standard_scores(scores: &[f32]) -> Vec<f64> {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().map(|score| f64::from(*score)).sum::<f64>() / count;
    let squares = scores.iter().map(|score| (f64::from(*score) - mean).powi(2)).sum::<f64>();
    let deviation = (squares / count).sqrt();
    let standard = |score: &f32| (f64::from(*score) - mean) / deviation;
    // Equal scores have a deviation of rounding errors, and divided by that these would order them.
    if deviation > f64::EPSILON * mean.abs() {
        scores.iter().map(standard).collect()
    } else {
        vec![0.0; scores.len()]
    }
}

/// The weights of the searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weights {
    /// Keywords.
    pub(crate) lexical: f32,
    /// Meaning.
    pub(crate) dense: f32,
    /// Late interaction; 0 where it takes no part.
    pub(crate) late: f32,
}

/// The share of the highest possible BM25 score from which the keyword search has its whole weight.
const WHOLE: f32 = 0.4;

/// The weights for one question, by how much of it the keyword search has found.
///
/// `reach` is the share of the highest score that BM25 could give for the question's terms that its
/// best chunk has: near 1 for a name or a code that stands there as it was asked for, near 0 where
/// the question was put in words that the documents do not use. Below 0.4 keywords lose weight with
/// the square of it, and the two comparisons by meaning take it over in equal parts; above, nothing changes.
///
/// The bound and the square were chosen on six handbooks whose questions are in other words than the documents': the right
/// passage first for 222 of 317 with a bound of 0.3 and in proportion, 226 with 0.4, 233 with the square of it. On 800
/// natural questions, whose words are the documents', the square changes nothing.
pub(crate) fn adapted(weights: Weights, reach: f32) -> Weights {
    let share = (reach / WHOLE).clamp(0.0, 1.0);
    let kept = weights.lexical * share * share;
    let lost = weights.lexical - kept;
    let to_late = if weights.late > 0.0 { lost / 2.0 } else { 0.0 };
    Weights { lexical: kept, dense: weights.dense + lost - to_late, late: weights.late + to_late }
}

/// A search's scores of every candidate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Signal {
    /// The stage it comes from.
    pub(crate) stage: &'static str,
    /// The weight of the search.
    pub(crate) weight: f32,
    /// A score for each candidate, in their order.
    pub(crate) scores: Vec<f32>,
}

/// The candidates that are looked at closely, and those behind them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Pool {
    candidates: Vec<Fused>,
    rest: Vec<Fused>,
    signals: Vec<Signal>,
}

impl Pool {
    /// The first `size` of a list are the candidates.
    pub(crate) fn new(mut fused: Vec<Fused>, size: usize) -> Self {
        let rest = fused.split_off(size.min(fused.len()));
        Self { candidates: fused, rest, signals: Vec::new() }
    }

    /// The candidates.
    pub(crate) fn candidates(&self) -> &[Fused] {
        &self.candidates
    }

    /// The candidates' chunks.
    pub(crate) fn chunks(&self) -> Vec<ChunkId> {
        self.candidates.iter().map(|candidate| candidate.chunk).collect()
    }

    /// Returns the score that a stage gave to a chunk; `None` where it is no candidate, or there is no such
    /// signal.
    pub(crate) fn score(&self, stage: &str, chunk: ChunkId) -> Option<f32> {
        let signal = self.signals.iter().find(|signal| signal.stage == stage)?;
        let place = self.candidates.iter().position(|candidate| candidate.chunk == chunk)?;
        signal.scores.get(place).copied()
    }

    /// Adds a signal. One that does not have a score for each candidate is no signal about them and is
    /// left out.
    pub(crate) fn add(&mut self, signal: Signal) {
        // A stage that could not score all of them would move those it scored by a mean of its own.
        if signal.scores.len() == self.candidates.len() {
            self.signals.push(signal);
        }
    }

    /// All chunks, best first: the candidates by the weighted sum of their standard scores, then the
    /// others as they were, each scored below them. Without a signal everything stays as it was.
    pub(crate) fn ranked(&self) -> Vec<Fused> {
        let mut ranked = self.candidates.clone();
        let scored = !self.signals.is_empty() && !ranked.is_empty();
        if scored {
            let mut sums = vec![0f64; ranked.len()];
            for signal in &self.signals {
                let standard = standard_scores(&signal.scores);
                for (sum, score) in sums.iter_mut().zip(standard) {
                    *sum += f64::from(signal.weight) * score;
                }
            }
            for (candidate, sum) in ranked.iter_mut().zip(sums) {
                candidate.score = sum;
            }
            Fused::sort(&mut ranked);
        }
        // Sums of standard scores and the ranks' reciprocals have no scale in common: those behind the candidates keep
        // their distances and are put below them.
        let lowest = ranked.last().map_or(0.0, |last| last.score);
        let next = self.rest.first().map_or(0.0, |first| first.score);
        ranked.extend(self.rest.iter().cloned().map(|mut fused| {
            if scored {
                fused.score = lowest - 1.0 - (next - fused.score);
            }
            fused
        }));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hits(chunks: &[u32]) -> Vec<Hit<ChunkId>> {
        chunks
            .iter()
            .enumerate()
            .map(|(position, chunk)| Hit { id: ChunkId(*chunk), score: 10.0 - position as f32 })
            .collect()
    }

    #[test]
    fn worked_example() {
        // By hand, c = 60: chunk 1 has ranks 1 and 2, chunk 3 ranks 3 and 1, chunk 2 only rank 2.
        let (lexical, dense) = (hits(&[1, 2, 3]), hits(&[3, 1]));
        let fused = reciprocal_rank_fusion(&[(&lexical, 1.0), (&dense, 1.0)], 60.0);
        assert_eq!(chunks(&fused), [1, 3, 2]);
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
            let alone = chunks(&reciprocal_rank_fusion(&[(&hits(&left), 1.0)], 60.0));
            prop_assert_eq!(&alone, &left);
            let fused = reciprocal_rank_fusion(&[(&hits(&left), 1.0), (&hits(&right), 1.0)], 60.0);
            let mut union: Vec<u32> = left.iter().chain(&right).copied().collect();
            union.sort_unstable();
            union.dedup();
            let mut found = chunks(&fused);
            prop_assert!(fused.windows(2).all(|pair| pair[0].score > pair[1].score
                || (pair[0].score == pair[1].score && pair[0].chunk < pair[1].chunk)));
            found.sort_unstable();
            prop_assert_eq!(found, union);
        }
    }

    proptest! {
        /// Mean 0, deviation 1, the order kept; and neither a factor nor a summand changes anything.
        #[test]
        fn standard(scores in proptest::collection::vec(-100f32..100.0, 2..40)) {
            let standard = standard_scores(&scores);
            let count = scores.len() as f64;
            prop_assert!(standard.iter().sum::<f64>().abs() < 1e-6 * count);
            let squares = standard.iter().map(|score| score * score).sum::<f64>() / count;
            prop_assert!(squares == 0.0 || (squares - 1.0).abs() < 1e-6);
            for (left, right) in scores.iter().zip(&standard).zip(scores.iter().zip(&standard).skip(1)).map(|(l, r)| ((l.0, r.0), (l.1, r.1))) {
                prop_assert!((left.0 < left.1) == (right.0 < right.1) || squares == 0.0);
            }
            let scaled: Vec<f32> = scores.iter().map(|score| score * 4.0).collect();
            for (left, right) in standard.iter().zip(standard_scores(&scaled)) {
                prop_assert!((left - right).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn keywords_that_find_little_weigh_little() {
        let even = Weights { lexical: 1.0, dense: 1.0, late: 1.25 };
        let cases = [
            (0.0, 0.0, 1.5, 1.75),
            (0.2, 0.25, 1.375, 1.625),
            (0.4, 1.0, 1.0, 1.25),
            (0.9, 1.0, 1.0, 1.25),
        ];
        for (reach, lexical, dense, late) in cases {
            let found = adapted(even, reach);
            assert!((found.lexical - lexical).abs() < 1e-6, "{reach}: {found:?}");
            assert!((found.dense - dense).abs() < 1e-6, "{reach}: {found:?}");
            assert!((found.late - late).abs() < 1e-6, "{reach}: {found:?}");
            // Where tokens are not compared, the vectors alone take it over.
            let found = adapted(Weights { late: 0.0, ..even }, reach);
            assert!((found.lexical + found.dense - 2.0).abs() < 1e-6, "{reach}: {found:?}");
            assert!(found.late.abs() < 1e-6, "{reach}: {found:?}");
        }
    }

    fn fused(count: usize) -> Vec<Fused> {
        (0..count)
            .map(|place| Fused {
                chunk: ChunkId(10 + place as u32),
                score: 1.0 / (60.0 + place as f64),
                origins: Vec::new(),
            })
            .collect()
    }

    fn signal(weight: f32, scores: &[f32]) -> Signal {
        Signal { stage: "test", weight, scores: scores.to_vec() }
    }

    fn chunks(ranked: &[Fused]) -> Vec<u32> {
        ranked.iter().map(|fused| fused.chunk.0).collect()
    }

    #[test]
    fn candidates_are_ordered_by_what_stands_out() {
        let mut pool = Pool::new(fused(4), 3);
        assert_eq!(chunks(&pool.ranked()), [10, 11, 12, 13], "no signal, no change");
        // The last candidate stands out in the one, the first is a little better in the other.
        pool.add(signal(1.0, &[1.0, 1.0, 9.0]));
        pool.add(signal(1.0, &[0.4, 0.3, 0.39]));
        assert_eq!(chunks(&pool.ranked()), [12, 10, 11, 13]);
        pool.add(signal(1.0, &[1.0]));
        assert_eq!(pool.ranked().len(), 4, "a signal about others changes nothing");
    }

    proptest! {
        /// All chunks are there once, scores fall, and those behind the pool keep their places.
        #[test]
        fn nothing_is_lost(
            count in 0usize..20,
            size in 0usize..20,
            scores in proptest::collection::vec(-5f32..5.0, 20),
            weight in 0.1f32..3.0,
        ) {
            let mut pool = Pool::new(fused(count), size);
            pool.add(signal(weight, &scores[..size.min(count)]));
            let ranked = pool.ranked();
            prop_assert!(ranked.windows(2).all(|pair| pair[0].score >= pair[1].score));
            let behind: Vec<u32> = (size.min(count)..count).map(|place| 10 + place as u32).collect();
            prop_assert_eq!(&chunks(&ranked)[size.min(count)..], &behind[..]);
            let mut all = chunks(&ranked);
            all.sort_unstable();
            prop_assert_eq!(all, (10..10 + count as u32).collect::<Vec<_>>());
        }
    }
}
