//! Two configurations compared on the same questions: the test, its power, its correction for many, and the normal distribution.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::{Bootstrap, Interval, SampleError, Sums, check, is_constant, mean, standard_deviation};
use crate::Record;

/// Fewer questions than this get a [`Caution`]: below it a percentile interval of a mean is more
/// than 5 % too narrow even where the values are normal. Its half width is z · s · √((n − 1) / n) /
/// √n where Student's interval has t(n − 1) · s / √n, and 1.96 · √(34 / 35) / 2.032 is 0.951 (the
/// effect is described by Hesterberg 2015).
pub const FEWEST_QUESTIONS: usize = 35;

/// Resampled statistics this close to the observed one, relatively, are ties.
// A resample of the very values that were seen is added in another order, and differs from them in the last bits.
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

/// A metric's values in two runs, question by question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairedScores {
    /// The questions that have the metric in both runs, in the order of the first run.
    pub ids: Vec<String>,
    /// The first run's values.
    pub a: Vec<f64>,
    /// The second run's.
    pub b: Vec<f64>,
    /// The questions with the metric in one run only: where these are many, the runs did not do the
    /// same work, and a comparison of the rest may favour the one that gave up.
    pub unpaired: Vec<String>,
}

/// A metric's values in a run, in its order; questions for which it is not defined are left out.
pub fn metric_values(records: &[Record], metric: &str) -> Vec<f64> {
    records.iter().filter_map(|record| record.scores.get(metric).copied()).collect()
}

/// Brings two runs together by the names of their questions.
pub fn pair_scores(a: &[Record], b: &[Record], metric: &str) -> PairedScores {
    let with_metric = |records: &[Record]| -> Vec<(String, f64)> {
        let named = |record: &Record| Some((record.id.clone(), *record.scores.get(metric)?));
        records.iter().filter_map(named).collect()
    };
    let mut others: BTreeMap<String, f64> = with_metric(b).into_iter().collect();
    let mut paired = PairedScores::default();
    for (id, value) in with_metric(a) {
        match others.remove(&id) {
            Some(other) => {
                paired.ids.push(id);
                paired.a.push(value);
                paired.b.push(other);
            }
            None => paired.unpaired.push(id),
        }
    }
    paired.unpaired.extend(others.into_keys());
    paired
}

/// The chance with which a difference that is there should be found.
// The convention of Cohen (1988).
pub const POWER: f64 = 0.8;

/// The smallest true difference of means that `questions` paired questions show with a chance of
/// [`POWER`] in a two-sided test at a level of `significance`.
///
/// (z(1 − significance / 2) + z(0.8)) · s / √n, with s the standard deviation of the differences
/// and z the normal quantile: 2.80 · s / √n at 0.05. This is the sample size formula of the paired
/// test solved for the difference (Cohen 1988, 2; for retrieval Sakai 2016); Student's t instead of
/// z gives 1 % more at 100 questions and 3 % at 35.
pub fn smallest_detectable(standard_deviation: f64, questions: usize, significance: f64) -> f64 {
    detection_distance(significance) * standard_deviation / (questions as f64).sqrt()
}

/// Returns how many questions a difference takes to be shown with a chance of [`POWER`]: the same formula
/// solved for n, rounded up. `None` where the difference is 0.
pub fn questions_needed(
    standard_deviation: f64,
    difference: f64,
    significance: f64,
) -> Option<u64> {
    let ratio = detection_distance(significance) * standard_deviation / difference.abs();
    // Beyond what an integer holds, the conversion stays at the largest.
    (difference != 0.0).then(|| ((ratio * ratio).ceil() as u64).max(2))
}

fn detection_distance(significance: f64) -> f64 {
    normal_quantile(1.0 - significance / 2.0) + normal_quantile(POWER)
}

/// Adjusts the p of several comparisons of one experiment, in the order given (Holm 1979).
///
/// Of twenty configurations that are no better than the first, one seems so at 0.05 by chance.
/// Adjusted values may be compared with 0.05 as if there were one: the i-th smallest of m is
/// multiplied by m − i + 1, never falls below the one before it and stays at most 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
    order.sort_by(|left, right| left.1.total_cmp(&right.1));
    let mut adjusted = p_values.to_vec();
    let mut least: f64 = 0.0;
    for (rank, &(place, p)) in order.iter().enumerate() {
        least = least.max(p * (order.len() - rank) as f64).min(1.0);
        adjusted[place] = least;
    }
    adjusted
}

/// Wilson's score interval of a share: `count` of `total` at a level of confidence (0.95).
///
/// (p + z²/2n ± z · √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), with p = count / n (Wilson 1927; advised
/// by Brown, Cai and DasGupta 2001). It stays within 0..=1 and says something where none or all
/// count: 0 of 20 may still be 16 %. `None` where `total` is 0, `count` is above it or the level is
/// not between 0 and 1.
pub fn wilson(count: usize, total: usize, level: f64) -> Option<Interval> {
    if total == 0 || count > total || !(level > 0.0 && level < 1.0) {
        return None;
    }
    let n = total as f64;
    let share = count as f64 / n;
    let z = normal_quantile(f64::midpoint(1.0, level));
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // The ends are exactly 0 and 1 there, which rounding would miss.
    let lower = if count == 0 { 0.0 } else { (middle - half) / scale };
    let upper = if count == total { 1.0 } else { (middle + half) / scale };
    Some(Interval { lower, upper })
}

/// Beyond this, the normal distribution holds nothing that an `f64` could tell from 0.
const FARTHEST: f64 = 40.0;

/// The normal quantile: below which z a share of the standard normal distribution lies. `share` is
/// between 0 and 1; outside, the farthest z.
///
/// Found by halving until two neighbouring numbers are left, as it is asked for a few times a
/// report.
fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if normal_share(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The share of the standard normal distribution below z.
fn normal_share(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}
