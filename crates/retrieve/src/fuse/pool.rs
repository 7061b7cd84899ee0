use super::{Fused, standard_scores};

/// A search's scores of every candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// The stage it comes from.
    pub stage: &'static str,
    /// The weight of the search.
    pub weight: f32,
    /// A score for each candidate, in their order.
    pub scores: Vec<f32>,
}

/// The candidates that are looked at closely, and those behind them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pool {
    candidates: Vec<Fused>,
    rest: Vec<Fused>,
    signals: Vec<Signal>,
}

impl Pool {
    /// The first `size` of a list are the candidates.
    pub fn new(mut fused: Vec<Fused>, size: usize) -> Self {
        let rest = fused.split_off(size.min(fused.len()));
        Self { candidates: fused, rest, signals: Vec::new() }
    }

    /// The candidates.
    pub(crate) fn candidates(&self) -> &[Fused] {
        &self.candidates
    }

    /// The candidates' chunks.
    pub fn chunks(&self) -> Vec<u32> {
        self.candidates.iter().map(|candidate| candidate.chunk).collect()
    }

    /// Returns the score that a stage gave to a chunk; `None` where it is no candidate, or there is no such
    /// signal.
    pub fn score(&self, stage: &str, chunk: u32) -> Option<f32> {
        let signal = self.signals.iter().find(|signal| signal.stage == stage)?;
        let place = self.candidates.iter().position(|candidate| candidate.chunk == chunk)?;
        signal.scores.get(place).copied()
    }

    /// Adds a signal. One that does not have a score for each candidate is no signal about them and is
    /// left out.
    pub fn add(&mut self, signal: Signal) {
        if signal.scores.len() == self.candidates.len() {
            self.signals.push(signal);
        }
    }

    /// All chunks, best first: the candidates by the weighted sum of their standard scores, then the
    /// others as they were, each scored below them. Without a signal everything stays as it was.
    pub fn ranked(&self) -> Vec<Fused> {
        let mut ranked = self.candidates.clone();
        if !self.signals.is_empty() {
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
        let scored = !self.signals.is_empty() && !ranked.is_empty();
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

    use super::{Pool, Signal};
    use crate::fuse::Fused;

    fn fused(count: usize) -> Vec<Fused> {
        (0..count)
            .map(|place| Fused {
                chunk: 10 + place as u32,
                score: 1.0 / (60.0 + place as f64),
                origins: Vec::new(),
            })
            .collect()
    }

    fn signal(weight: f32, scores: &[f32]) -> Signal {
        Signal { stage: "test", weight, scores: scores.to_vec() }
    }

    fn chunks(ranked: &[Fused]) -> Vec<u32> {
        ranked.iter().map(|fused| fused.chunk).collect()
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
