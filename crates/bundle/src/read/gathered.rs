//! Shards that several things lie in, each fetched once.

use futures_util::future::join_all;

/// The results of fetching several shards.
pub(super) struct Gathered<N, T> {
    numbers: Vec<N>,
    shards: Vec<T>,
}

impl<N: Copy + PartialEq, T> Gathered<N, T> {
    /// Fetches the shards of these numbers side by side; a number may come more than once.
    pub(super) async fn fetch<F: Future<Output = T>>(
        all: impl Iterator<Item = N>,
        fetch: impl Fn(N) -> F,
    ) -> Self {
        let mut numbers = Vec::new();
        for number in all {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        let shards = join_all(numbers.iter().map(|&number| fetch(number))).await;
        Self { numbers, shards }
    }

    /// Returns the result for a shard that was asked for.
    pub(super) fn get(&self, number: N) -> Option<&T> {
        let place = self.numbers.iter().position(|known| *known == number)?;
        self.shards.get(place)
    }
}
