use std::fmt;

use serde::Serialize;

use super::bootstrap::{Bootstrap, Sums};
use super::power::{questions_needed, smallest_detectable};
use super::sample::{Interval, SampleError, check, is_constant, mean, standard_deviation};

/// Fewer questions than this get a [`Caution`]: below it a percentile interval of a mean is more
/// than 5 % too narrow even where the values are normal. Its half width is z · s · √((n − 1) / n) /
/// √n where Student's interval has t(n − 1) · s / √n, and 1.96 · √(34 / 35) / 2.032 is 0.951 (the
/// effect is described by Hesterberg 2015).
pub const FEWEST_QUESTIONS: usize = 35;

/// Resampled statistics this close to the observed one, relatively, are ties.
const TIE: f64 = 1e-9;

/// Two configurations over the same questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The number of questions that have the metric in both.
    pub questions: usize,
    /// The mean of A's value less B's: above 0, A is better.
    pub difference: f64,
    /// The percentile interval of the difference.
    pub interval: Interval,
    /// The probability that chance alone gives a difference of this size or more, in either direction, if A
    /// and B are equally good.
    ///
    /// The bootstrap test of Efron and Tibshirani (1993, algorithm 16.2), for paired systems as
    /// Sakai (2006) has it: the differences are shifted to a mean of 0 and resampled, and the share
    /// of resamples whose Student's t is at least as far from 0 as the observed one counts. One is
    /// added to the count and to the number of resamples (Davison and Hinkley 1997, 4.2), so that
    /// it is never 0. Where all differences are equal there is nothing to resample: it is then that
    /// of the sign test, 2^(1 − n), and 1 where they are all 0.
    pub two_sided_p: f64,
    /// The share of resamples in which A is not better than B, ties included: what is often
    /// reported as a one-sided p. See [`share_not_better`].
    pub share_not_better: f64,
    /// The standard deviation of the differences; `None` of one question.
    pub standard_deviation: Option<f64>,
    /// The smallest true difference that so many questions would show four times in five: see
    /// [`smallest_detectable`].
    pub smallest_detectable: Option<f64>,
    /// A caution that should stand beside the figures.
    pub caution: Option<Caution>,
}

/// Why a comparison says less than it seems to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Caution {
    /// Intervals and p of so few questions are too optimistic.
    FewQuestions {
        /// The number of questions.
        questions: usize,
    },
    /// The difference may be there or not: the set is too small to tell.
    TooSmallToTell {
        /// The number of questions.
        questions: usize,
        /// The smallest difference that they would show.
        detectable: f64,
        /// The number that a difference as large as the one seen takes; `None` where none was seen.
        needed: Option<u64>,
    },
}

impl fmt::Display for Caution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewQuestions { questions } => write!(
                formatter,
                "{}: below {FEWEST_QUESTIONS}, intervals are narrower than they should be",
                match questions {
                    1 => "1 question is too few".to_owned(),
                    _ => format!("{questions} questions are few"),
                }
            ),
            Self::TooSmallToTell { questions, detectable, needed } => {
                write!(
                    formatter,
                    "too small to tell: {questions} questions show differences of about {detectable:.3} and more"
                )?;
                match needed {
                    Some(needed) => write!(formatter, "; one as seen here takes about {needed}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Comparison {
    /// Compares the values of A and B, question by question in the same order.
    ///
    /// # Errors
    /// Lengths that differ, no values, a value that is not finite, settings that make no bootstrap.
    pub fn new(a: &[f64], b: &[f64], bootstrap: &Bootstrap) -> Result<Self, SampleError> {
        bootstrap.check()?;
        let differences = differences(a, b)?;
        let observed = Observed::of(&differences);
        let mut tally = Tally::default();
        bootstrap.resample(&differences, differences.len(), |sums| tally.add(sums, &observed));
        let spread = standard_deviation(&differences);
        let two_sided_p = if is_constant(&differences) {
            sign_test(observed.mean, differences.len())
        } else {
            (tally.as_far as f64 + 1.0) / (bootstrap.resamples as f64 + 1.0)
        };
        let detectable = spread
            .map(|spread| smallest_detectable(spread, differences.len(), 1.0 - bootstrap.level));
        let mut comparison = Self {
            questions: differences.len(),
            difference: observed.mean,
            interval: bootstrap.middle(tally.means),
            two_sided_p,
            share_not_better: tally.not_better as f64 / bootstrap.resamples as f64,
            standard_deviation: spread,
            smallest_detectable: detectable,
            caution: None,
        };
        comparison.caution = comparison.find_caution(1.0 - bootstrap.level);
        Ok(comparison)
    }

    fn find_caution(&self, significance: f64) -> Option<Caution> {
        let questions = self.questions;
        if questions < FEWEST_QUESTIONS {
            return Some(Caution::FewQuestions { questions });
        }
        let (spread, detectable) = (self.standard_deviation?, self.smallest_detectable?);
        let hidden = self.two_sided_p >= significance && self.difference.abs() < detectable;
        let needed = questions_needed(spread, self.difference, significance);
        hidden.then_some(Caution::TooSmallToTell { questions, detectable, needed })
    }
}

/// The share of resamples of `sample_share` times as many questions in which A is not better than
/// B.
///
/// With a share of 0.5 it is what the university-facts system reports as its p: one less the share
/// of 10,000 resamples in which the better system wins, each of half the questions drawn with
/// replacement (Neubig's `paired-bootstrap.py`, as it is since 2021; before, it drew without). The
/// mean of half as many questions spreads √2 times wider, so that share is larger than with all of
/// them, and a difference has to be larger to pass. It is no p in the strict sense, since nothing is
/// computed under the assumption that A and B are equally good.
///
/// # Errors
/// As [`Comparison::new`]; a share that is not above 0 and up to 1.
pub fn share_not_better(
    a: &[f64],
    b: &[f64],
    sample_share: f64,
    bootstrap: &Bootstrap,
) -> Result<f64, SampleError> {
    bootstrap.check()?;
    let differences = differences(a, b)?;
    if !(sample_share > 0.0 && sample_share <= 1.0) {
        return Err(SampleError::SampleShare(sample_share));
    }
    let size = ((differences.len() as f64 * sample_share) as usize).max(1);
    let mut not_better = 0_usize;
    bootstrap.resample(&differences, size, |sums| not_better += usize::from(sums.values <= 0.0));
    Ok(not_better as f64 / bootstrap.resamples as f64)
}

fn differences(a: &[f64], b: &[f64]) -> Result<Vec<f64>, SampleError> {
    if a.len() != b.len() {
        return Err(SampleError::UnequalLengths { a: a.len(), b: b.len() });
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    check(&differences)?;
    Ok(differences)
}

/// The two-sided sign test where all differences point the same way.
fn sign_test(mean: f64, questions: usize) -> f64 {
    let halvings = i32::try_from(questions).unwrap_or(i32::MAX).saturating_sub(1);
    if mean == 0.0 { 1.0 } else { libm::ldexp(1.0, -halvings) }
}

/// Mean and variance of the observed differences.
struct Observed {
    questions: f64,
    mean: f64,
    variance: f64,
}

impl Observed {
    fn of(differences: &[f64]) -> Self {
        let spread = standard_deviation(differences).unwrap_or_default();
        Self {
            questions: differences.len() as f64,
            mean: mean(differences),
            variance: spread * spread,
        }
    }
}

/// The means and counts over the resamples.
#[derive(Default)]
struct Tally {
    means: Vec<f64>,
    not_better: usize,
    as_far: usize,
}

impl Tally {
    fn add(&mut self, sums: Sums, observed: &Observed) {
        let n = observed.questions;
        let mean = sums.values / n;
        let variance = (sums.squares - sums.values * mean).max(0.0) / (n - 1.0).max(1.0);
        // |t*| ≥ |t|, with both sides squared and multiplied out: a resample without spread is as
        // far as any.
        let shifted = mean - observed.mean;
        let resampled = shifted * shifted * observed.variance;
        let seen = observed.mean * observed.mean * variance;
        self.as_far += usize::from(resampled >= seen * (1.0 - TIE));
        self.not_better += usize::from(sums.values <= 0.0);
        self.means.push(mean);
    }
}
