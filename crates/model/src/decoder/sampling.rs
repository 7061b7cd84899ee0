//! Chooses the next token among those that are likely.

use campanile_kernels::softmax;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

use crate::error::ModelError;

/// The way in which tokens are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sampling {
    /// Always the likeliest: the same prompt gives the same answer.
    #[default]
    Greedy,
    /// By chance, as likely as the model thinks: the same prompt, seed and logits give the same
    /// answer, in a page as in a terminal.
    Random(RandomSampling),
}

/// The numbers that narrow the choice before chance decides: first the temperature, then `top_k`, `top_p`
/// and `min_p` in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomSampling {
    /// Logits are divided by it: below 1 the likely become likelier. Above 0.
    pub temperature: f32,
    /// Only so many of the likeliest. Without it all logits are read back from the device for
    /// every token, which is slow on a GPU.
    pub top_k: Option<usize>,
    /// Only the likeliest that together reach this probability (Holtzman et al. 2019): in 0..=1.
    pub top_p: Option<f32>,
    /// Only those at least this many times as likely as the likeliest (Nguyen et al. 2024): in
    /// 0..=1.
    pub min_p: Option<f32>,
    /// The seed from which the sequence of chances begins.
    pub seed: u64,
}

impl Default for RandomSampling {
    fn default() -> Self {
        Self { temperature: 0.7, top_k: Some(40), top_p: Some(0.95), min_p: None, seed: 0 }
    }
}

/// Makes repetition less likely; see [`super::Penalty`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepetitionPenalty {
    /// Above 1 to discourage.
    pub factor: f32,
    /// The number of the last tokens that count, those of the prompt among them; all where absent.
    pub window: Option<usize>,
}

impl Sampling {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        let Self::Random(random) = self else { return Ok(()) };
        let RandomSampling { temperature, top_k, top_p, min_p, .. } = *random;
        if !(temperature.is_finite() && temperature > 0.0) {
            return Err(ModelError::options(format!(
                "`temperature` is {temperature}; give a number above 0, or choose greedily"
            )));
        }
        if top_k == Some(0) {
            return Err(ModelError::options("`top_k` is 0, which leaves no token to choose"));
        }
        for (name, share) in [("top_p", top_p), ("min_p", min_p)] {
            if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                return Err(ModelError::options(format!("`{name}` is {share}; give 0 to 1")));
            }
        }
        Ok(())
    }

    /// Which candidates a choice needs.
    pub(super) fn candidates(&self) -> Candidates {
        match self {
            Self::Greedy => Candidates::Best(1),
            Self::Random(random) => random.top_k.map_or_else(
                || Candidates::Within(NEGLIGIBLE * random.temperature),
                Candidates::Best,
            ),
        }
    }
}

/// Among which tokens a choice is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Candidates {
    /// So many of the best.
    Best(usize),
    /// All whose logits are less than this below the best.
    Within(f32),
}

impl RepetitionPenalty {
    pub(super) fn check(&self) -> Result<(), ModelError> {
        if self.factor.is_finite() && self.factor > 0.0 {
            return Ok(());
        }
        Err(ModelError::options(format!(
            "the repetition penalty is {}; give a number above 0",
            self.factor
        )))
    }
}

/// The stream of PCG numbers that is used: any would do, so it is the reference code's.
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;

/// Logits this many temperatures below the best are left out of every choice: even a vocabulary
/// of a million of them weighs less than a chance is fine (e⁻³² · 10⁶ < 2⁻²⁴).
const NEGLIGIBLE: f32 = 32.0;

/// Chooses tokens one after the other.
///
/// Chances come from PCG-XSH-RR 64/32 (O'Neill 2014) as `rand_pcg` has it: defined by its paper
/// to the bit, so other platforms and later versions draw the same, which a general-purpose
/// generator does not promise. Probabilities come from the kernels' own softmax for the same
/// reason: a system's `exp` differs from that of wasm.
#[derive(Debug)]
pub(super) struct Sampler {
    sampling: Sampling,
    chances: Pcg32,
    probabilities: Vec<f32>,
}

impl Sampler {
    pub(super) fn new(sampling: Sampling) -> Self {
        let seed = match sampling {
            Sampling::Greedy => 0,
            Sampling::Random(random) => random.seed,
        };
        Self { sampling, chances: Pcg32::new(seed, STREAM), probabilities: Vec::new() }
    }

    /// Chooses among `candidates`, which are sorted by falling logit; `None` where there is none
    /// with a finite logit.
    pub(super) fn choose(&mut self, candidates: &[(u32, f32)]) -> Option<u32> {
        let &(best, highest) = candidates.first()?;
        if !highest.is_finite() {
            return None;
        }
        let Sampling::Random(random) = self.sampling else { return Some(best) };
        let top_k = random.top_k.unwrap_or(usize::MAX);
        self.probabilities.clear();
        self.probabilities.extend(
            candidates
                .iter()
                .take(top_k)
                // From the highest down, so that no exponential overflows.
                .map(|&(_, logit)| (logit - highest) / random.temperature)
                .take_while(|&exponent| exponent > -NEGLIGIBLE),
        );
        softmax(&mut self.probabilities);
        let kept = kept(&self.probabilities, &random);
        let total: f32 = self.probabilities.iter().take(kept).sum();
        let mut rest = self.chance() * total;
        for (&(token, _), &probability) in candidates.iter().zip(&self.probabilities).take(kept) {
            rest -= probability;
            if rest < 0.0 {
                return Some(token);
            }
        }
        // Rounding can leave a crumb of the last one's share.
        candidates.get(kept.saturating_sub(1)).map(|&(token, _)| token)
    }

    /// A number in 0..1, of 24 random bits.
    fn chance(&mut self) -> f32 {
        // 24 bits are all that a float holds exactly: with more, 1 could come out.
        (self.chances.next_u32() >> 8) as f32 / (1 << 24) as f32
    }
}

/// Returns how many of the falling `probabilities` `top_p` and `min_p` leave: at least one.
fn kept(probabilities: &[f32], random: &RandomSampling) -> usize {
    let mut kept = probabilities.len();
    if let Some(top_p) = random.top_p.filter(|&share| share < 1.0) {
        let mut sum = 0.0;
        let reaching = probabilities.iter().position(|probability| {
            sum += probability;
            sum >= top_p
        });
        kept = reaching.map_or(kept, |last| last + 1);
    }
    if let (Some(min_p), Some(&highest)) = (random.min_p, probabilities.first()) {
        let above = probabilities.iter().take_while(|&&p| p >= min_p * highest).count();
        kept = kept.min(above);
    }
    kept.max(1)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{RandomSampling, Sampler, Sampling};

    /// Probabilities 0.5, 0.25, 0.15, 0.1.
    const CANDIDATES: [(u32, f32); 4] =
        [(7, 9.306_853), (3, 8.613_706), (9, 8.102_88), (1, 7.697_415)];

    fn random(change: impl FnOnce(&mut RandomSampling)) -> Sampling {
        let mut random =
            RandomSampling { temperature: 1.0, top_k: None, top_p: None, min_p: None, seed: 5 };
        change(&mut random);
        Sampling::Random(random)
    }

    /// Returns the share of 20,000 draws in which each candidate is chosen.
    fn shares(sampling: Sampling) -> [f32; 4] {
        let mut sampler = Sampler::new(sampling);
        let mut counts = [0.0_f32; 4];
        for _ in 0..20_000 {
            let token = sampler.choose(&CANDIDATES).unwrap();
            let at = CANDIDATES.iter().position(|&(id, _)| id == token).unwrap();
            counts[at] += 1.0 / 20_000.0;
        }
        counts
    }

    fn assert_close(found: [f32; 4], expected: [f32; 4]) {
        for (found, expected) in found.iter().zip(expected) {
            // Four standard deviations of 20,000 draws.
            assert!((found - expected).abs() < 0.015, "{found} for {expected}");
        }
    }

    #[test]
    fn tokens_come_as_often_as_they_are_likely() {
        assert_close(shares(random(|_| ())), [0.5, 0.25, 0.15, 0.1]);
        assert_close(shares(random(|r| r.top_k = Some(2))), [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0]);
        // 0.5 + 0.25 + 0.15 is the first sum that reaches 0.8.
        let three = [0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9, 0.0];
        assert_close(shares(random(|r| r.top_p = Some(0.8))), three);
        assert_close(shares(random(|r| r.min_p = Some(0.29))), three);
        assert_close(shares(random(|r| r.top_p = Some(0.0))), [1.0, 0.0, 0.0, 0.0]);
        // Squares: 0.25, 0.0625, 0.0225, 0.01 of 0.345.
        let sharp = [0.7246, 0.1812, 0.0652, 0.029];
        assert_close(shares(random(|r| r.temperature = 0.5)), sharp);
    }

    #[test]
    fn greedy_takes_the_first() {
        assert_eq!(Sampler::new(Sampling::Greedy).choose(&CANDIDATES), Some(7));
        assert_eq!(Sampler::new(Sampling::Greedy).choose(&[(4, f32::NEG_INFINITY)]), None);
        assert_eq!(Sampler::new(random(|_| ())).choose(&[(4, f32::NAN)]), None);
    }

    /// The draws of a seed, computed from the generator's definition in another language: a change
    /// of generator or of rounding is seen.
    #[test]
    fn a_seed_gives_the_same_tokens_everywhere() {
        let draws = |seed| -> Vec<u32> {
            let mut sampler = Sampler::new(random(|r| r.seed = seed));
            (0..16).map(|_| sampler.choose(&CANDIDATES).unwrap()).collect()
        };
        assert_eq!(draws(1), draws(1));
        assert_ne!(draws(1), draws(2));
        assert_eq!(draws(42), [9, 7, 7, 7, 1, 7, 9, 9, 7, 1, 3, 7, 7, 1, 9, 7]);
    }

    #[test]
    fn options_that_make_no_sense_are_refused() {
        for sampling in [
            random(|r| r.temperature = 0.0),
            random(|r| r.temperature = f32::NAN),
            random(|r| r.top_k = Some(0)),
            random(|r| r.top_p = Some(1.5)),
            random(|r| r.min_p = Some(-0.1)),
        ] {
            assert!(sampling.check().is_err(), "{sampling:?}");
        }
        assert!(Sampling::Random(RandomSampling::default()).check().is_ok());
    }
}
