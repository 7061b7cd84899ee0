//! Course material and everything else, each with its share of what is shown.
//!
//! The academic advisor keeps two streams apart and gives the language model the best of each. Here
//! relevance decides how many of each are shown, and a share that the site asks for is filled up
//! with what is relevant enough; without relevant passages of a stream the share stays empty.

use campanile_bundle::RankingConfig;

/// A candidate, as far as balancing needs to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Streamed {
    /// `true` if it is course material.
    pub(crate) is_academic: bool,
    /// `true` if it may take the place of a better one of the other stream.
    pub(crate) is_relevant: bool,
}

/// The places of the candidates in their new order: the first `limit` hold each stream's share.
pub(crate) fn balance(candidates: &[Streamed], shares: &RankingConfig, limit: usize) -> Vec<usize> {
    let mut is_shown: Vec<bool> = (0..candidates.len()).map(|place| place < limit).collect();
    let shown = limit.min(candidates.len());
    for (is_academic, percent, other) in [
        (true, shares.academic_percent, shares.non_academic_percent),
        (false, shares.non_academic_percent, shares.academic_percent),
    ] {
        let (least, least_of_other) = (part(shown, percent), part(shown, other));
        while let Some((out, into)) =
            exchange(candidates, &is_shown, is_academic, least, least_of_other)
        {
            for (place, value) in [(out, false), (into, true)] {
                if let Some(is_shown) = is_shown.get_mut(place) {
                    *is_shown = value;
                }
            }
        }
    }
    let (mut order, rest): (Vec<usize>, Vec<usize>) =
        (0..candidates.len()).partition(|place| is_shown.get(*place).copied().unwrap_or_default());
    order.extend(rest);
    order
}

/// The worst shown candidate of the other stream and the best relevant one of this stream that is
/// not shown, where this stream lacks its share and the other has more than its own.
fn exchange(
    candidates: &[Streamed],
    is_shown: &[bool],
    is_academic: bool,
    least: usize,
    least_of_other: usize,
) -> Option<(usize, usize)> {
    let places = |of: bool, shown: bool| {
        let all = candidates.iter().zip(is_shown).enumerate();
        all.filter(move |(_, (it, is_shown))| it.is_academic == of && **is_shown == shown)
    };
    let lacks = places(is_academic, true).count() < least;
    let spares = places(!is_academic, true).count() > least_of_other;
    let (out, _) = places(!is_academic, true).next_back().filter(|_| lacks && spares)?;
    let (into, _) = places(is_academic, false).find(|(_, (it, _))| it.is_relevant)?;
    Some((out, into))
}

/// A share of a number, rounded up.
fn part(number: usize, percent: u32) -> usize {
    (number * percent as usize).div_ceil(100)
}

#[cfg(test)]
mod tests {
    use campanile_bundle::RankingConfig;
    use proptest::prelude::*;

    use super::{Streamed, balance, part};

    /// `a` is course material, `n` is not; capitals are relevant.
    fn candidates(letters: &str) -> Vec<Streamed> {
        let candidate = |letter: char| Streamed {
            is_academic: letter.eq_ignore_ascii_case(&'a'),
            is_relevant: letter.is_ascii_uppercase(),
        };
        letters.chars().map(candidate).collect()
    }

    #[test]
    fn shares_are_filled_with_what_is_relevant() {
        // Candidates, shares of both streams, how many are shown, which these are.
        type Case<'a> = (&'a str, (u32, u32), usize, &'a [usize]);
        let cases: [Case<'_>; 9] = [
            ("NNNAA", (0, 0), 3, &[0, 1, 2]),
            ("NNNAA", (30, 0), 3, &[0, 1, 3]),
            ("NNNaA", (30, 0), 3, &[0, 1, 4]),
            ("NNNaa", (30, 0), 3, &[0, 1, 2]),
            ("NNNAA", (50, 50), 4, &[0, 1, 3, 4]),
            ("AAANN", (0, 40), 3, &[0, 3, 4]),
            ("NNNNN", (50, 50), 3, &[0, 1, 2]),
            ("NANAN", (100, 100), 2, &[0, 1]),
            ("NA", (50, 50), 10, &[0, 1]),
        ];
        for (letters, (academic_percent, non_academic_percent), limit, expected) in cases {
            let shares = RankingConfig {
                academic_percent,
                non_academic_percent,
                ..RankingConfig::default()
            };
            let order = balance(&candidates(letters), &shares, limit);
            let shown: Vec<usize> = order.iter().copied().take(limit).collect();
            assert_eq!(shown, expected, "{letters} {shares:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost(letters in "[aAnN]{0,20}", academic in 0u32..=100, other in 0u32..=100, limit in 0usize..12) {
            let shares = RankingConfig {
                academic_percent: academic,
                non_academic_percent: other,
                ..RankingConfig::default()
            };
            let candidates = candidates(&letters);
            let order = balance(&candidates, &shares, limit);
            let mut places = order.clone();
            places.sort_unstable();
            prop_assert_eq!(places, (0..candidates.len()).collect::<Vec<_>>());
            // Without shares the order stays, and with one stream too.
            let one = letters.to_ascii_lowercase().chars().collect::<std::collections::BTreeSet<_>>().len() < 2;
            if one || academic + other == 0 {
                prop_assert!(order.is_sorted());
            }
            // Where all is relevant, each share is there, or all of its stream is.
            let shown = limit.min(candidates.len());
            if candidates.iter().all(|it| it.is_relevant) && academic + other <= 80 && shown >= 10 {
                for (stream, percent) in [(true, academic), (false, other)] {
                    let has = order.iter().take(shown).filter(|it| candidates[**it].is_academic == stream).count();
                    let all = candidates.iter().filter(|it| it.is_academic == stream).count();
                    prop_assert!(has >= part(shown, percent).min(all));
                }
            }
        }
    }
}
