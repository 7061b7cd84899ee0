//! The order between levels of the university, where relevance leaves it open.
//!
//! The academic advisor (stage 3) orders all documents above a threshold of relevance by points: the
//! department's before the faculty's before the university's, new ones before old ones. That way a
//! department's document that merely mentions the matter stands before the university's rule about
//! it. So the default here is narrower: relevance decides, and points decide between passages that
//! are about as relevant as each other. The advisor's order is there by name.
//!
//! Course material has no points and keeps its places.

#[cfg(test)]
mod tests;

use campanile_bundle::{LevelMethod, RankingConfig};
use campanile_index::sort_short;

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
    let slots: Vec<usize> = (0..candidates.len())
        .filter(|place| candidates.get(*place).is_some_and(|it| it.points.is_some()))
        .collect();
    let heights = heights(candidates);
    let sorted = match ranking.levels {
        LevelMethod::Off => return (0..candidates.len()).collect(),
        LevelMethod::Bands => by_bands(candidates, &heights, &slots, share(ranking.band_percent)),
        LevelMethod::Points => {
            by_points(candidates, &heights, &slots, share(ranking.relevance_percent))
        }
    };
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    for (slot, place) in slots.into_iter().zip(sorted) {
        if let Some(taken) = order.get_mut(slot) {
            *taken = place;
        }
    }
    order
}

/// Returns how far each candidate's score lies on the way from the mean of all, 0, to the best, 1; 1 for
/// all where they do not differ. So it does not matter on which scale relevance is measured.
fn heights(candidates: &[Candidate]) -> Vec<f64> {
    let best = candidates.iter().map(|it| it.score).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = candidates.iter().map(|it| it.score).sum();
    let mean = sum / candidates.len().max(1) as f64;
    let way = best - mean;
    let height = |it: &Candidate| if way > 1e-9 { (it.score - mean) / way } else { 1.0 };
    candidates.iter().map(height).collect()
}

/// Candidates about as relevant as the first of their band by points.
fn by_bands(candidates: &[Candidate], heights: &[f64], slots: &[usize], width: f64) -> Vec<usize> {
    let height = |place: usize| heights.get(place).copied().unwrap_or_default();
    let mut sorted = Vec::with_capacity(slots.len());
    let mut rest = slots;
    while let Some((leader, others)) = rest.split_first() {
        let is_near = |place: &&usize| height(*leader) - height(**place) <= width;
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
    let is_relevant = |place: &usize| heights.get(*place).is_some_and(|it| *it >= relevance);
    let (relevant, others): (Vec<usize>, Vec<usize>) = slots.iter().partition(|it| is_relevant(it));
    let mut sorted = sort_by_points(candidates, &relevant);
    sorted.extend(others);
    sorted
}

/// Which candidates are relevant, by the height that they need.
pub(crate) fn relevant(candidates: &[Candidate], ranking: &RankingConfig) -> Vec<bool> {
    let least = share(ranking.relevance_percent);
    heights(candidates).into_iter().map(|height| height >= least).collect()
}

/// By falling points; equal ones keep their order.
fn sort_by_points(candidates: &[Candidate], places: &[usize]) -> Vec<usize> {
    let points =
        |place: &usize| candidates.get(*place).and_then(|it| it.points).unwrap_or_default();
    let mut sorted = places.to_vec();
    sort_short(&mut sorted, |left, right| points(right).total_cmp(&points(left)));
    sorted
}

fn share(percent: u32) -> f64 {
    f64::from(percent) / 100.0
}
