use thiserror::Error;

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
pub(super) fn real(count: usize) -> f64 {
    count as f64
}
