//! The index in numbers: how long its units are, and how many of them a model's context holds.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;
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
        // Both middles are the same place where the count is odd.
        let middle = |index: usize| real(sorted[index] as u64);
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
fn histogram(sorted: &[usize]) -> Vec<Bin> {
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
        rest = &rest[inside..];
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

/// The stream of PCG numbers that is used: any would do, so it is the reference code's.
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;

/// The number of units that a model's context holds, over many random choices of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FillStatistics {
    /// The number of tokens that the context holds.
    pub context_tokens: usize,
    /// The number of times it was filled.
    pub draws: usize,
    /// The number of units that fitted on average.
    pub mean: f64,
    /// The fewest.
    pub min: usize,
    /// The most.
    pub max: usize,
    /// The number that came up most often, the smallest of several.
    pub mode: usize,
    /// The draws by the number of units that fitted.
    pub histogram: Vec<Bin>,
}

/// Fills a context of `context_tokens` with units of the given lengths in tokens, `draws` times:
/// each time in a random order, until the next unit no longer fits.
///
/// This is how the studies-guide assistant's thesis (Mitsakis 2025, 3.1.1) compares granularities,
/// with 1,000 draws. The same seed gives the same figures on every platform (PCG-XSH-RR 64/32).
///
/// ```
/// use campanile_corpus::fill_context;
///
/// let filled = fill_context(&[100; 50], 1_024, 1_000, 7);
/// assert_eq!((filled.min, filled.mode, filled.max), (10, 10, 10));
/// ```
pub fn fill_context(
    lengths: &[usize],
    context_tokens: usize,
    draws: usize,
    seed: u64,
) -> FillStatistics {
    let mut chances = Pcg32::new(seed, STREAM);
    let mut order = lengths.to_vec();
    let mut counts: Vec<usize> =
        (0..draws).map(|_| fill(&mut order, context_tokens, &mut chances)).collect();
    counts.sort_unstable();
    let total: u64 = counts.iter().map(|count| *count as u64).sum();
    FillStatistics {
        context_tokens,
        draws,
        mean: if draws == 0 { 0.0 } else { real(total) / real(draws as u64) },
        min: counts.first().copied().unwrap_or_default(),
        max: counts.last().copied().unwrap_or_default(),
        mode: mode(&counts),
        histogram: histogram(&counts),
    }
}

/// Counts the units that fit, in an order shuffled only as far as it is looked at (Fisher and Yates).
fn fill(order: &mut [usize], context_tokens: usize, chances: &mut Pcg32) -> usize {
    let mut used: usize = 0;
    for place in 0..order.len() {
        order.swap(place, place + below(order.len() - place, chances));
        used = used.saturating_add(order[place]);
        if used > context_tokens {
            return place;
        }
    }
    order.len()
}

/// A number below `count`, each as likely (Lemire 2019).
fn below(count: usize, chances: &mut Pcg32) -> usize {
    let count = u32::try_from(count).unwrap_or(u32::MAX).max(1);
    // Products whose low half is below this would make some numbers likelier than others: they are drawn again.
    let least = count.wrapping_neg() % count;
    loop {
        let product = u64::from(chances.next_u32()) * u64::from(count);
        let low = product & u64::from(u32::MAX);
        if low >= u64::from(least) {
            return usize::try_from(product >> 32).unwrap_or_default();
        }
    }
}

/// The most frequent of sorted values.
fn mode(sorted: &[usize]) -> usize {
    let runs = sorted.chunk_by(|left, right| left == right);
    // From the end, since `max_by_key` takes the last of equals and the smallest is wanted.
    let longest = runs.rev().max_by_key(|run| run.len());
    longest.and_then(|run| run.first().copied()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Bin, LengthStatistics, fill_context, mode};

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

    #[test]
    fn every_order_is_tried_and_the_seed_decides() {
        // One long unit among short ones: it fits beside at most one other.
        let lengths = [60, 10, 10, 10, 10];
        let filled = fill_context(&lengths, 70, 1_000, 1);
        assert_eq!((filled.min, filled.max), (2, 4));
        // The long one is first or second in two of five orders: 2 fit. Third, 2 fit; fourth, 3.
        assert!((filled.mean - (0.6 * 2.0 + 0.2 * 3.0 + 0.2 * 4.0)).abs() < 0.1, "{}", filled.mean);
        assert_eq!(filled, fill_context(&lengths, 70, 1_000, 1));
        assert_ne!(filled, fill_context(&lengths, 70, 1_000, 2));
        assert_eq!(filled.histogram.iter().map(|bin| bin.count).sum::<usize>(), 1_000);
    }

    #[test]
    fn extremes_are_no_trouble() {
        let fitting = |lengths: &[usize], tokens| {
            let filled = fill_context(lengths, tokens, 10, 3);
            (filled.min, filled.max)
        };
        assert_eq!(fitting(&[], 100), (0, 0));
        assert_eq!(fitting(&[200], 100), (0, 0));
        assert_eq!(fitting(&[0, 0], 0), (2, 2));
        assert_eq!(fitting(&[usize::MAX, usize::MAX], 5), (0, 0));
        assert_eq!(fill_context(&[1], 1, 0, 3).max, 0, "no draws");
        assert_eq!(mode(&[1, 2, 2, 3, 3]), 2);
    }
}
