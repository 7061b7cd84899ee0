//! Fewer vectors for a passage: those that say nearly the same become one.

/// Pools `rows`, `[rows, dimension]`, to at most `count` vectors; the result is as long as the vectors
/// left, row by row, in the order of each one's first member.
///
/// Hierarchical clustering by Ward's criterion, as in the token pooling of Clavié, Chaffin and Adams
/// ("Reducing the Footprint of Multi-Vector Retrieval with Minimal Performance Impact via Token
/// Pooling", 2024): the two clusters are joined whose joining adds the least to the sum of squared
/// distances from the means, until `count` are left. Each is then its mean, which has no length 1
/// any more. Of equal joins the first is made, and sums are taken in order: the same everywhere.
pub fn pool(rows: &[f32], dimension: usize, count: usize) -> Vec<f32> {
    let rows: Vec<&[f32]> = rows.chunks_exact(dimension.max(1)).collect();
    if rows.len() <= count {
        return rows.concat();
    }
    let mut clusters = Clusters::new(&rows);
    while clusters.len() > count.max(1) {
        clusters.join_nearest();
    }
    clusters.means(&rows)
}

/// The clusters that are left to join, with the cost of each join.
struct Clusters {
    /// The rows of each cluster; clusters in the order of their first rows.
    members: Vec<Vec<usize>>,
    /// `costs[left][right]` for `right < left`.
    costs: Vec<Vec<f32>>,
}

impl Clusters {
    /// Each row by itself.
    fn new(rows: &[&[f32]]) -> Self {
        let costs = (0..rows.len()).map(|left| {
            // |a| |b| / (|a| + |b|) of two single rows is a half.
            rows[..left].iter().map(|other| squared_distance(rows[left], other) / 2.0).collect()
        });
        let costs = costs.collect();
        Self { members: (0..rows.len()).map(|row| vec![row]).collect(), costs }
    }

    fn len(&self) -> usize {
        self.members.len()
    }

    fn join_nearest(&mut self) {
        // All pairs again for each join: a passage has a hundred vectors or so, and the build does this once.
        let mut nearest = (f32::INFINITY, 0, 0);
        for (left, costs) in self.costs.iter().enumerate() {
            for (right, &cost) in costs.iter().enumerate() {
                if cost < nearest.0 {
                    nearest = (cost, left, right);
                }
            }
        }
        // A cost that is no number leaves the first two.
        let (cost, left, right) = if nearest.1 == 0 { (0.0, 1, 0) } else { nearest };
        self.join(left, right, cost);
    }

    /// Joins two clusters in the place of the earlier: `right < left`.
    fn join(&mut self, left: usize, right: usize, cost: f32) {
        let sizes: Vec<f32> = self.members.iter().map(|members| members.len() as f32).collect();
        let (of_left, of_right) = (sizes[left], sizes[right]);
        for other in (0..self.len()).filter(|&other| other != left && other != right) {
            let of_other = sizes[other];
            // The recurrence of Lance and Williams (1967) for Ward's criterion.
            let joined = ((of_left + of_other) * self.cost(left, other)
                + (of_right + of_other) * self.cost(right, other)
                - of_other * cost)
                / (of_left + of_right + of_other);
            self.costs[right.max(other)][right.min(other)] = joined;
        }
        // The later one goes, so that clusters stay in the order of their first rows.
        let gone = self.members.remove(left);
        self.members[right].extend(gone);
        self.costs.remove(left);
        for costs in self.costs.iter_mut().skip(left) {
            costs.remove(left);
        }
    }

    fn cost(&self, one: usize, other: usize) -> f32 {
        self.costs[one.max(other)][one.min(other)]
    }

    fn means(&self, rows: &[&[f32]]) -> Vec<f32> {
        let dimension = rows.first().map_or(0, |row| row.len());
        let mut means = Vec::with_capacity(self.len() * dimension);
        for members in &self.members {
            let mut mean = vec![0.0f32; dimension];
            for &member in members {
                for (sum, value) in mean.iter_mut().zip(rows[member]) {
                    *sum += value;
                }
            }
            let count = members.len() as f32;
            means.extend(mean.into_iter().map(|sum| sum / count));
        }
        means
    }
}

fn squared_distance(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| (left - right) * (left - right)).sum()
}
