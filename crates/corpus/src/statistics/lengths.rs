use serde::{Deserialize, Serialize};

/// A histogram has about this many bins at most.
const MOST_BINS: usize = 24;

/// Counts the words of a text, by white space.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The distribution of a number of lengths, in whatever unit they were measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LengthStatistics {
    /// The number of lengths.
    pub count: usize,
    /// Their sum.
    pub total: u64,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation of all of them (not of a sample).
    pub standard_deviation: f64,
    /// The one in the middle, or the mean of the two that are.
    pub median: f64,
    /// The shortest.
    pub min: usize,
    /// The longest.
    pub max: usize,
    /// The lengths by their size, in bins of one width that is 1, 2 or 5 times a power of ten; from the
    /// shortest's bin to the longest's, empty ones among them.
    pub histogram: Vec<Bin>,
}

/// A bin of a histogram: lengths from `from` up to, but without, `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// The shortest length in it.
    pub from: usize,
    /// The shortest length beyond it.
    pub to: usize,
    /// The number of lengths that lie in it.
    pub count: usize,
}

impl LengthStatistics {
    /// The statistics of some lengths; all zero for none.
    ///
    /// ```
    /// use campanile_corpus::LengthStatistics;
    ///
    /// let lengths = LengthStatistics::of(&[2, 4, 4, 4, 5, 5, 7, 9]);
    /// assert_eq!((lengths.mean, lengths.standard_deviation, lengths.median), (5.0, 2.0, 4.5));
    /// ```
    pub fn of(lengths: &[usize]) -> Self {
        let mut sorted = lengths.to_vec();
        sorted.sort_unstable();
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Self::default();
        };
        let count = sorted.len();
        let total: u64 = sorted.iter().map(|length| *length as u64).sum();
        let mean = real(total) / real(count as u64);
        let squares: f64 = sorted.iter().map(|length| (real(*length as u64) - mean).powi(2)).sum();
        let middle = |index: usize| real(sorted.get(index).copied().unwrap_or_default() as u64);
        Self {
            count,
            total,
            mean,
            standard_deviation: (squares / real(count as u64)).sqrt(),
            median: f64::midpoint(middle((count - 1) / 2), middle(count / 2)),
            min,
            max,
            histogram: histogram(&sorted),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths and counts lie far below 2^53")]
pub(super) fn real(value: u64) -> f64 {
    value as f64
}

/// The bins of sorted values.
pub(super) fn histogram(sorted: &[usize]) -> Vec<Bin> {
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    let width = width(max - min);
    let mut bins = Vec::new();
    let mut rest = sorted;
    let mut from = min - min % width;
    while !rest.is_empty() {
        let to = from.saturating_add(width);
        let inside =
            if to == usize::MAX { rest.len() } else { rest.partition_point(|value| *value < to) };
        bins.push(Bin { from, to, count: inside });
        rest = rest.get(inside..).unwrap_or_default();
        from = to;
    }
    bins
}

/// The smallest of 1, 2, 5, 10, 20, 50 … that divides the range into few enough bins.
fn width(range: usize) -> usize {
    let mut width: usize = 1;
    let mut factors = [2, 5, 10].iter().cycle();
    let mut power: usize = 1;
    while range / width >= MOST_BINS {
        let Some(factor) = factors.next() else { break };
        width = power.saturating_mul(*factor);
        if *factor == 10 {
            power = width;
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Bin, LengthStatistics};

    #[test]
    fn bins_have_round_widths_and_gaps_are_shown() {
        let cases: &[(&[usize], usize, usize)] = &[
            (&[], 0, 0),
            (&[7], 1, 1),
            (&[0, 23], 24, 1),
            (&[0, 24], 13, 2),
            (&[10, 130], 13, 10),
            (&[3, 1_000], 21, 50),
        ];
        for &(lengths, bins, width) in cases {
            let found = LengthStatistics::of(lengths).histogram;
            let found_width = found.first().map_or(0, |bin| bin.to - bin.from);
            assert_eq!((found.len(), found_width), (bins, width), "{lengths:?}");
        }
        let gap = LengthStatistics::of(&[1, 3]).histogram;
        assert_eq!(gap[1], Bin { from: 2, to: 3, count: 0 });
    }

    proptest! {
        #[test]
        fn statistics_are_what_they_say(lengths in proptest::collection::vec(0_usize..3_000, 1..60)) {
            let found = LengthStatistics::of(&lengths);
            let below = lengths.iter().filter(|length| (**length as f64) < found.median).count();
            let above = lengths.iter().filter(|length| (**length as f64) > found.median).count();
            prop_assert!(below <= lengths.len() / 2 && above <= lengths.len() / 2);
            prop_assert!(found.min as f64 <= found.mean && found.mean <= found.max as f64);
            prop_assert!(found.standard_deviation <= (found.max - found.min) as f64);
            prop_assert_eq!(found.histogram.iter().map(|bin| bin.count).sum::<usize>(), lengths.len());
            for length in lengths {
                let bins = found.histogram.iter();
                prop_assert_eq!(bins.filter(|bin| bin.from <= length && length < bin.to).count(), 1);
            }
        }
    }
}
