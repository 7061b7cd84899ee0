use super::ranking::{GradedRanking, real};

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
