//! The hits that a search gives back, and lists of them put in order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A unit that a search found, with its score. Lists of hits are ordered by falling score; equal scores by rising
/// number, so that an order is the same on every machine.
///
/// An index numbers its units and does not know what they are: chunks, or sentences of them. Whoever knows makes hits
/// on chunks of its hits, with another `Id`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<Id = u32> {
    /// The unit's number in the index, from 0.
    pub id: Id,
    /// Larger is better. BM25's has no upper limit; a vector's is a cosine.
    pub score: f32,
}

impl<Id: Ord> Hit<Id> {
    /// The better one first, of equals the one with the lower number.
    pub fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.id.cmp(&other.id))
    }
}

/// The best `limit` hits, in order.
///
/// A heap holds the best so far, its worst on top: of 10,000 scored chunks a search wants some hundred, and most are
/// seen to fall behind at once. Selecting and sorting with the standard library takes ten kilobytes of a page.
pub(crate) fn best(hits: impl IntoIterator<Item = Hit>, limit: usize) -> Vec<Hit> {
    let hits = hits.into_iter();
    let mut heap = BinaryHeap::with_capacity(limit.min(hits.size_hint().0));
    for hit in hits {
        if heap.len() < limit {
            heap.push(ByRank(hit));
        } else if let Some(mut worst) = heap.peek_mut()
            && hit.order(&worst.0) == Ordering::Less
        {
            *worst = ByRank(hit);
        }
    }
    heap.into_sorted_vec().into_iter().map(|ByRank(hit)| hit).collect()
}

/// A hit that comes after those that are better: the worst is the greatest.
#[derive(PartialEq)]
struct ByRank(Hit);

impl Eq for ByRank {}

impl PartialOrd for ByRank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByRank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.order(&other.0)
    }
}

/// Sorts a list of up to some hundred items; equal ones stay as they were.
///
/// It is for the lists of one question, where each item is put in its place among those before it. The standard
/// library's sort overtakes it from thousands of items on, and takes four kilobytes of a page for every kind of
/// item: a page with thirty of them spent a tenth of its bytes on sorting.
///
/// ```
/// use campanile_index::sort_short;
///
/// let mut found = vec![(2, "b"), (1, "a"), (2, "a")];
/// sort_short(&mut found, |left, right| right.0.cmp(&left.0));
/// assert_eq!(found, [(2, "b"), (2, "a"), (1, "a")]);
/// ```
pub fn sort_short<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for sorted in 1..items.len() {
        let mut place = sorted;
        while let Some([before, item]) = items.get_mut(place.wrapping_sub(1)..=place)
            && compare(item, before) == Ordering::Less
        {
            std::mem::swap(before, item);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Hit, best, sort_short};

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(keys in proptest::collection::vec(0u8..9, 0..60)) {
            let mut items: Vec<(u8, usize)> = keys.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_short(&mut items, |left, right| left.0.cmp(&right.0));
            prop_assert_eq!(items, expected);
        }

        #[test]
        fn the_best_are_the_beginning_of_all_in_order(
            scores in proptest::collection::vec(0u8..9, 0..60),
            limit in 0usize..70,
        ) {
            let hits: Vec<Hit> =
                scores.iter().zip(0..).map(|(score, id)| Hit { id, score: f32::from(*score) }).collect();
            let mut expected = hits.clone();
            expected.sort_by(Hit::order);
            expected.truncate(limit);
            prop_assert_eq!(best(hits, limit), expected);
        }
    }
}
