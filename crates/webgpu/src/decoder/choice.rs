//! The best tokens, found on the device so that little is read back.

use std::rc::Rc;

use campanile_model::Penalty;

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::kernel::{Case, Dispatch, Extent, Kernels};

/// The most tokens that are handed out.
// A quarter of a span: each round then leaves a quarter of what it looked at.
pub(crate) const MOST: usize = 64;

/// Values that one workgroup looks at.
// Four values for each thread of the workgroup: `best.wgsl` counts on it.
const SPAN: usize = 256;

/// Stands for no token.
const NOTHING: u32 = u32::MAX;

/// Finds the best tokens in a few rounds, each of which keeps the best of every span.
#[derive(Debug)]
pub(crate) struct Choice {
    vocabulary: usize,
    /// In each round the best of every span are kept.
    rounds: Rc<[Dispatch]>,
    /// The buffers in which the rounds leave what they keep, by turns.
    kept: [Buffer; 2],
    /// One bit for each token that was used before.
    seen: Buffer,
    /// `true` if any of these bits is set.
    has_seen: bool,
}

impl Choice {
    pub(crate) async fn new(
        gpu: &WebGpu,
        vocabulary: usize,
        logits: &Buffer,
        kernels: &mut Kernels,
    ) -> Result<Self, WebGpuError> {
        // As if each span kept the most that may be asked for; with fewer, the rest is not looked at.
        let after_first = vocabulary.div_ceil(SPAN) * MOST;
        let pair = 8;
        let kept = [
            gpu.storage("best tokens", (pair * after_first) as u64).await?,
            gpu.storage("best tokens", (pair * after_first.div_ceil(SPAN) * MOST) as u64).await?,
        ];
        let seen = gpu.words("used tokens", &vec![0; vocabulary.div_ceil(32)]).await?;
        let first = kernels.get(gpu, Case::new("best").when("first", true)).await?;
        let later = kernels.get(gpu, Case::new("best")).await?;
        let mut rounds = Vec::new();
        let mut values = vocabulary;
        loop {
            let [a, b] = &kept;
            let extent = [Extent::Fixed(1); 2];
            let dispatch = match rounds.len() {
                0 => Dispatch::new(&first, &[logits, &seen, a], extent),
                n if n % 2 == 1 => Dispatch::new(&later, &[a, b], extent),
                _ => Dispatch::new(&later, &[b, a], extent),
            };
            rounds.push(dispatch);
            if values <= SPAN {
                break;
            }
            values = values.div_ceil(SPAN) * MOST;
        }
        Ok(Self { vocabulary, rounds: rounds.into(), kept, seen, has_seen: false })
    }

    /// Says which tokens are to be made less likely; returns the factor for the kernel.
    pub(crate) fn penalise(&mut self, gpu: &WebGpu, penalty: Option<Penalty<'_>>) -> f32 {
        let used = penalty.map_or(&[][..], |penalty| penalty.seen);
        // Bits of an earlier answer are cleared once; without a penalty nothing is written for a token.
        if !used.is_empty() || self.has_seen {
            let mut bits = vec![0u32; self.vocabulary.div_ceil(32)];
            for &token in used {
                if let Some(word) = bits.get_mut(token as usize / 32) {
                    *word |= 1 << (token % 32);
                }
            }
            gpu.write(&self.seen, 0, &bits);
            self.has_seen = !used.is_empty();
        }
        penalty.map_or(1.0, |penalty| penalty.factor)
    }

    /// The rounds, for whoever keeps their buffers.
    pub(crate) fn rounds(&self) -> Rc<[Dispatch]> {
        Rc::clone(&self.rounds)
    }

    /// Launches the rounds that find the best `count`; returns how many dispatches they are.
    pub(crate) fn launch(&self, gpu: &WebGpu, count: usize, factor: f32) -> usize {
        let mut used = 0;
        for (round, values) in self.rounds.iter().zip(values_of_rounds(self.vocabulary, count)) {
            let groups = values.div_ceil(SPAN);
            let sizes = [values as u32, count as u32, factor.to_bits(), 0];
            round.launch_groups(gpu, &sizes, [groups as u32, 1]);
            used += 1;
        }
        used
    }

    /// Waits for the best `count` tokens and their logits.
    pub(crate) async fn read(
        &self,
        gpu: &WebGpu,
        count: usize,
    ) -> Result<Vec<(u32, f32)>, WebGpuError> {
        let rounds = values_of_rounds(self.vocabulary, count).count();
        let [a, b] = &self.kept;
        // The first round writes the first buffer, and they take turns.
        let found = if rounds % 2 == 1 { a } else { b };
        let words = gpu.read(found, 8 * count as u64).await?;
        let pairs = words.as_chunks::<2>().0.iter();
        let best: Vec<(u32, f32)> = pairs
            .filter(|[token, _]| *token != NOTHING)
            .map(|[token, logit]| (*token, f32::from_bits(*logit)))
            .collect();
        if best.is_empty() || best.iter().any(|(_, logit)| !logit.is_finite()) {
            return Err(WebGpuError::Failed { reason: "its logits are no numbers".to_owned() });
        }
        Ok(best)
    }
}

/// Returns the number of values that each round looks at, until those of one span are left.
fn values_of_rounds(vocabulary: usize, count: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(vocabulary), move |&values| {
        (values > SPAN).then(|| values.div_ceil(SPAN) * count)
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use futures_lite::future::block_on;

    use super::{Choice, MOST, Penalty};
    use crate::kernel::Kernels;
    use crate::twin::{Numbers, gpu};

    /// Does what the kernel does: the penalty, then the best, ties by the lower token.
    fn best(logits: &[f32], count: usize, penalty: Option<Penalty<'_>>) -> Vec<(u32, f32)> {
        let mut all: Vec<(u32, f32)> = (0..).zip(logits.iter().copied()).collect();
        if let Some(Penalty { factor, seen }) = penalty {
            for &token in seen {
                let logit = &mut all[token as usize].1;
                *logit = if *logit > 0.0 { *logit / factor } else { *logit * factor };
            }
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(count);
        all
    }

    #[test]
    fn the_best_are_found_among_few_and_many() {
        let gpu = gpu();
        let mut kernels = Kernels::default();
        let mut numbers = Numbers(2);
        for vocabulary in [3, 48, 256, 257, 5000, 49_152] {
            // Few different values, so that there are ties.
            let logits: Vec<f32> =
                (0..vocabulary).map(|_| (numbers.number() * 500.0).round() / 10.0).collect();
            let buffer = block_on(gpu.numbers("logits", &logits)).unwrap();
            let mut choice =
                block_on(Choice::new(&gpu, vocabulary, &buffer, &mut kernels)).unwrap();
            let top: Vec<u32> = {
                let mut top: Vec<u32> =
                    best(&logits, 5, None).into_iter().map(|(token, _)| token).collect();
                top.sort_unstable();
                top
            };
            let penalty = Penalty { factor: 1.3, seen: &top };
            for (count, penalty) in
                [(1, None), (MOST, None), (10, Some(penalty)), (MOST, Some(penalty)), (7, None)]
            {
                let count = count.min(vocabulary);
                let factor = choice.penalise(&gpu, penalty);
                choice.launch(&gpu, count, factor);
                let found = block_on(choice.read(&gpu, count)).unwrap();
                let expected = best(&logits, count, penalty);
                assert_eq!(found.len(), expected.len());
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(found.0, expected.0, "{vocabulary} {count}");
                    assert!((found.1 - expected.1).abs() <= 1e-5 * expected.1.abs());
                }
            }
        }
    }
}
