//! Metrics of one ranking, on plain grades.

use thiserror::Error;

use crate::RankedPassage;

/// The highest grade that is taken: gains up to 2^32 − 1 are exact.
pub const HIGHEST_GRADE: u32 = 32;

/// The grades of a ranking's items, best first, beside those of everything that is relevant.
///
/// A grade is 0 where an item is not relevant (or not judged) and 1 or more where it is. Metrics
/// that know only relevant and not relevant count every grade from 1, as `trec_eval` does.
/// Every metric lies in 0..=1; `k` counts items, and a `k` of 0 gives 0. A ranking that is shorter
/// than `k` is treated as if items that are not relevant followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedRanking {
    /// Best first.
    pub(super) grades: Vec<u32>,
    /// Falling, none 0, at least one.
    pub(super) relevant: Vec<u32>,
}

/// Why grades make no ranking that could be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum GradeError {
    /// Nothing is relevant, so no metric is defined.
    #[error("no item is relevant to the question, so its ranking has no scores")]
    NothingRelevant,
    /// More items of a grade were found than there are: one was ranked twice, or not judged.
    #[error(
        "{found} items of grade {grade} were ranked, {relevant} are known: one was ranked twice, or a judgment is missing"
    )]
    MoreFoundThanRelevant {
        /// The grade.
        grade: u32,
        /// Items of this grade in the ranking.
        found: usize,
        /// Items of this grade among everything that is relevant.
        relevant: usize,
    },
    /// A grade beyond any scale.
    #[error("the grade {0} is above {HIGHEST_GRADE}")]
    TooHigh(u32),
}

impl GradedRanking {
    /// Takes the grades of the ranked items, best first, and those of all relevant items of the
    /// question in any order, the ranked ones among them.
    ///
    /// # Errors
    /// Nothing is relevant; more was found than there is; a grade above [`HIGHEST_GRADE`].
    pub fn new(ranked: &[u32], relevant: &[u32]) -> Result<Self, GradeError> {
        let mut relevant: Vec<u32> = relevant.iter().copied().filter(|&grade| grade > 0).collect();
        relevant.sort_unstable_by(|left, right| right.cmp(left));
        let highest = ranked.iter().chain(&relevant).copied().max().unwrap_or_default();
        if highest > HIGHEST_GRADE {
            return Err(GradeError::TooHigh(highest));
        }
        if relevant.is_empty() {
            return Err(GradeError::NothingRelevant);
        }
        for grade in 1..=highest {
            let found = count(ranked, grade);
            let known = count(&relevant, grade);
            if found > known {
                return Err(GradeError::MoreFoundThanRelevant { grade, found, relevant: known });
            }
        }
        Ok(Self { grades: ranked.to_vec(), relevant })
    }

    /// The share of all relevant items that stand among the first `k`.
    ///
    /// `recall_k` of `trec_eval`.
    pub fn recall(&self, k: usize) -> f64 {
        real(self.found(k)) / real(self.relevant.len())
    }

    /// The share of relevant items among the first `k` places, empty ones included.
    ///
    /// `P_k` of `trec_eval`.
    pub fn precision(&self, k: usize) -> f64 {
        if k == 0 { 0.0 } else { real(self.found(k)) / real(k) }
    }

    /// 1 if one of the first `k` items is relevant, else 0.
    ///
    /// `success_k` of `trec_eval`, `hit_rate@k` of ranx.
    pub fn hit(&self, k: usize) -> f64 {
        if self.found(k) > 0 { 1.0 } else { 0.0 }
    }

    /// 1 / rank of the first relevant item; 0 without one.
    ///
    /// `recip_rank` of `trec_eval`. Its mean over questions is the mean reciprocal rank (MRR).
    pub fn reciprocal_rank(&self) -> f64 {
        let first = self.grades.iter().position(|&grade| grade > 0);
        first.map_or(0.0, |place| 1.0 / real(place + 1))
    }

    /// Counts the relevant items among the first `k`.
    pub(super) fn found(&self, k: usize) -> usize {
        self.grades.iter().take(k).filter(|&&grade| grade > 0).count()
    }
}

fn count(grades: &[u32], wanted: u32) -> usize {
    grades.iter().filter(|&&grade| grade == wanted).count()
}

/// A count as a number to compute with; exact below 2^53.
fn real(count: usize) -> f64 {
    count as f64
}

impl GradedRanking {
    /// The mean, over all relevant items, of the precision at each one's rank; those that are not
    /// among the first `k` count with 0.
    ///
    /// AP@k = (Σ over i ≤ k of P(i) · rel(i)) / R, where rel(i) is 1 if the item at rank i is
    /// relevant, P(i) the precision of the first i, and R the number of *all* relevant items:
    /// `map_cut_k` of `trec_eval` and `map@k` of ranx. With a `k` beyond the ranking it is `map`.
    /// Its mean over questions is the mean average precision (MAP). Some write min(R, k) for R;
    /// neither reference does.
    pub fn average_precision(&self, k: usize) -> f64 {
        self.summed_precision(k) / real(self.relevant.len())
    }

    /// The mean of the precision over those relevant items that *were found* among the first `k`; 0
    /// where none was.
    ///
    /// AP′@k = (Σ over i ≤ k of P(i) · rel(i)) / (Σ over i ≤ k of rel(i)): the "MAP@k" of the
    /// studies-guide assistant (Mitsakis 2025, equation 6.3). It is
    /// [`average_precision`](Self::average_precision) divided by [`recall`](Self::recall), so a
    /// relevant item that is missing costs nothing: a ranking that finds one of ten, and finds it
    /// first, gets 1 where average precision gives 0.1. It can even fall when more is found. It is
    /// here to compare with figures that were published with it.
    pub fn average_precision_of_found(&self, k: usize) -> f64 {
        match self.found(k) {
            0 => 0.0,
            found => self.summed_precision(k) / real(found),
        }
    }

    /// Σ P(i) · rel(i) over the first `k`.
    fn summed_precision(&self, k: usize) -> f64 {
        let mut found = 0;
        let mut sum = 0.0;
        for (place, _) in self.grades.iter().take(k).enumerate().filter(|&(_, &grade)| grade > 0) {
            found += 1;
            sum += real(found) / real(place + 1);
        }
        sum
    }
}

/// The worth of an item, by its grade. Where grades are 0 and 1 only, both are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gain {
    /// The grade itself (Järvelin and Kekäläinen 2002): `ndcg_cut_k` of `trec_eval`, `ndcg@k` of
    /// ranx.
    Linear,
    /// 2^grade − 1 (Burges et al. 2005): `ndcg_burges@k` of ranx. A high grade outweighs many low
    /// ones.
    Exponential,
}

impl Gain {
    fn of(self, grade: u32) -> f64 {
        match self {
            Self::Linear => f64::from(grade),
            Self::Exponential => libm::exp2(f64::from(grade)) - 1.0,
        }
    }
}

impl GradedRanking {
    /// Normalised discounted cumulative gain of the first `k`.
    ///
    /// nDCG@k = DCG@k / IDCG@k with DCG@k = Σ over i ≤ k of gain(grade at rank i) / log2(i + 1);
    /// IDCG@k is that of the best possible ranking, which lists all relevant items by falling
    /// grade.
    pub fn ndcg(&self, k: usize, gain: Gain) -> f64 {
        let ideal = discounted(&self.relevant, k, gain);
        if ideal > 0.0 { discounted(&self.grades, k, gain) / ideal } else { 0.0 }
    }
}

/// `libm` and not the system's logarithm: the same bits on every platform.
fn discounted(grades: &[u32], k: usize, gain: Gain) -> f64 {
    let gains = grades.iter().take(k).enumerate();
    gains.map(|(place, &grade)| gain.of(grade) / libm::log2(real(place + 2))).sum()
}

/// Binary preference: how rarely an item that was judged not relevant is ranked above a relevant
/// one. Items without a judgment (`None`) are as if they were not there.
///
/// bpref = (Σ over relevant items r in the ranking of 1 − min(n(r), R) / min(N, R)) / R, where n(r)
/// counts the rejected items above r, R = `relevant` all relevant and N = `rejected` all rejected
/// items of the question: Buckley and Voorhees 2004 in the form of `trec_eval` since version 8.
/// `None` where nothing is relevant.
pub fn bpref(judged: &[Option<u32>], relevant: usize, rejected: usize) -> Option<f64> {
    if relevant == 0 {
        return None;
    }
    let pairs = real(relevant.min(rejected));
    let mut above = 0;
    let mut sum = 0.0;
    for &grade in judged.iter().flatten() {
        match grade {
            0 => above += 1,
            _ if above == 0 => sum += 1.0,
            _ => sum += 1.0 - real(relevant.min(above)) / pairs,
        }
    }
    Some(sum / real(relevant))
}

/// The share of the first `k` items that were judged at all: how far the other metrics can be
/// trusted.
///
/// A ranking that is shorter than `k` is measured by its own length; `None` where it is empty.
pub fn judged_share(judged: &[Option<u32>], k: usize) -> Option<f64> {
    let seen = judged.len().min(k);
    let known = judged.iter().take(k).flatten().count();
    (seen > 0).then(|| real(known) / real(seen))
}

/// The passages at the top of a ranking that fit into `tokens` together: whole ones, until the
/// first that no longer fits.
///
/// Passages of different lengths are compared fairly by what a reader or a model has to read, and
/// not by their number: five sentences are not five pages. A later, shorter passage does not take
/// the place of one that did not fit, so that a larger budget never shows less.
pub fn within_tokens(passages: &[RankedPassage], tokens: u32) -> &[RankedPassage] {
    let mut left = tokens;
    let fits = |passage: &RankedPassage| {
        let rest = left.checked_sub(passage.tokens);
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let count = passages.iter().map(fits).take_while(|&fits| fits).count();
    &passages[..count]
}
