//! The order between levels of the university where relevance leaves it open, and the shares of the two streams.
//!
//! The academic advisor (stage 3) orders all documents above a threshold of relevance by points: the
//! department's before the faculty's before the university's, new ones before old ones. That way a
//! department's document that merely mentions the matter stands before the university's rule about
//! it. So the default here is narrower: relevance decides, and points decide between passages that
//! are about as relevant as each other. The advisor's order is there by name.
//!
//! Course material has no points and keeps its places. The advisor keeps it apart as a stream of its own and gives the
//! language model the best of each. Here relevance decides how many of each are shown, and a share that the site asks
//! for is filled up with what is relevant enough; without relevant passages of a stream the share stays empty.

use campanile_bundle::{LevelMethod, RankingConfig};
use campanile_index::sort_short;

use crate::fuse::mean_and_way;

#[cfg(test)]
mod tests;

/// One of the candidates in the order of relevance, as levels see it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    /// None for course material.
    pub(crate) points: Option<f64>,
    /// Its relevance, on any scale.
    pub(crate) score: f64,
}

/// The places of the candidates in their new order.
pub(crate) fn order(candidates: &[Candidate], ranking: &RankingConfig) -> Vec<usize> {
    let slots: Vec<usize> =
        (0..candidates.len()).filter(|place| candidates[*place].points.is_some()).collect();
    let heights = heights(candidates);
    let sorted = match ranking.levels {
        LevelMethod::Off => return (0..candidates.len()).collect(),
        LevelMethod::Bands => by_bands(candidates, &heights, &slots, share(ranking.band_percent)),
        LevelMethod::Points => {
            by_points(candidates, &heights, &slots, share(ranking.relevance_percent))
        }
    };
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    // Only the slots of what has points are filled anew: course material keeps its places.
    for (slot, place) in slots.into_iter().zip(sorted) {
        order[slot] = place;
    }
    order
}

/// Returns how far each candidate's score lies on the way from the mean of all, 0, to the best, 1; 1 for
/// all where they do not differ. So it does not matter on which scale relevance is measured.
fn heights(candidates: &[Candidate]) -> Vec<f64> {
    let (mean, way) = mean_and_way(candidates.iter().map(|it| it.score));
    // Scores that differ by rounding alone are all as good as the best.
    let height = |it: &Candidate| if way > 1e-9 { (it.score - mean) / way } else { 1.0 };
    candidates.iter().map(height).collect()
}

/// Candidates about as relevant as the first of their band by points.
fn by_bands(candidates: &[Candidate], heights: &[f64], slots: &[usize], width: f64) -> Vec<usize> {
    let mut sorted = Vec::with_capacity(slots.len());
    let mut rest = slots;
    while let Some((leader, others)) = rest.split_first() {
        // Measured from the first of the band: from one to the next, a chain of near ties could cross all of them.
        let is_near = |place: &&usize| heights[*leader] - heights[**place] <= width;
        let length = 1 + others.iter().take_while(is_near).count();
        let (members, others) = rest.split_at(length);
        sorted.extend(sort_by_points(candidates, members));
        rest = others;
    }
    sorted
}

/// All relevant candidates by points, before all others.
fn by_points(
    candidates: &[Candidate],
    heights: &[f64],
    slots: &[usize],
    relevance: f64,
) -> Vec<usize> {
    let (relevant, others): (Vec<usize>, Vec<usize>) =
        slots.iter().partition(|place| heights[**place] >= relevance);
    let mut sorted = sort_by_points(candidates, &relevant);
    sorted.extend(others);
    sorted
}

/// Tells of each candidate if it is relevant, by the height that it needs.
pub(crate) fn relevant(candidates: &[Candidate], ranking: &RankingConfig) -> Vec<bool> {
    let least = share(ranking.relevance_percent);
    heights(candidates).into_iter().map(|height| height >= least).collect()
}

/// Puts places in the order of falling points; equal ones keep theirs.
fn sort_by_points(candidates: &[Candidate], places: &[usize]) -> Vec<usize> {
    let points = |place: &usize| candidates[*place].points.unwrap_or_default();
    let mut sorted = places.to_vec();
    sort_short(&mut sorted, |left, right| points(right).total_cmp(&points(left)));
    sorted
}

fn share(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}

/// A candidate of a stream, as far as balancing needs to know it.
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
            is_shown[out] = false;
            is_shown[into] = true;
        }
    }
    let (mut order, rest): (Vec<usize>, Vec<usize>) =
        (0..candidates.len()).partition(|place| is_shown[*place]);
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
