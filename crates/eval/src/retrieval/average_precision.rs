use super::ranking::{GradedRanking, real};

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
