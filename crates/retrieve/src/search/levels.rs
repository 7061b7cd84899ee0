//! Orders passages by the level they speak from, and gives each stream its share.

use campanile_bundle::{Fetch, LevelMethod};
use campanile_index::Hit;

use super::Search;
use super::shown::reordered;
use crate::clock::Clock;
use crate::fuse::Fused;
use crate::levels::{Candidate, order, relevant};
use crate::reader::Verdict;
use crate::streams::{Streamed, balance};

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Orders candidates that are about as relevant by their levels, and gives each stream its
    /// share. Where documents say nothing of either, the order stays; so does that of the chunks
    /// behind the first `size`, which nobody has looked at closely.
    pub(super) fn levels(&mut self, mut fused: Vec<Fused>, size: usize) -> Vec<Fused> {
        let settings = &self.settings;
        let shares = settings.ranking;
        let balances = shares.academic_percent > 0 || shares.non_academic_percent > 0;
        if self.reader.is_none() || (settings.ranking.levels == LevelMethod::Off && !balances) {
            return fused;
        }
        let started = self.now();
        let rest = fused.split_off(size.min(fused.len()));
        let candidates: Vec<Candidate> = fused.iter().map(|it| self.candidate(it)).collect();
        let mut sorted = order(&candidates, &settings.ranking);
        if balances {
            let is_relevant = relevant(&candidates, &settings.ranking);
            let streamed: Vec<Streamed> = sorted
                .iter()
                .map(|place| Streamed {
                    is_academic: candidates.get(*place).is_some_and(|it| it.points.is_none()),
                    is_relevant: is_relevant.get(*place).copied().unwrap_or_default(),
                })
                .collect();
            let balanced = balance(&streamed, &shares, settings.limit);
            sorted = balanced.into_iter().filter_map(|it| sorted.get(it).copied()).collect();
        }
        let mut fused = reordered(fused, &sorted);
        fused.extend(rest);
        let hit = |fused: &Fused| Hit { chunk: fused.chunk, score: fused.score as f32 };
        self.ranked("levels", started, fused.iter().map(hit).collect());
        fused
    }

    fn candidate(&self, fused: &Fused) -> Candidate {
        Candidate { points: self.points(fused.chunk), score: fused.score }
    }

    /// None for course material.
    fn points(&self, chunk: u32) -> Option<f64> {
        let table = self.head.as_ref()?.audiences()?;
        let document = self.head.as_ref()?.place_of_chunk(chunk)?.document;
        let Verdict { is_academic, level, .. } = self.verdict(chunk)?;
        let today = self.reader.as_ref()?.today();
        let points = self.settings.ranking.points().of(level, table.date_of(document), today);
        (!is_academic).then_some(points)
    }

    /// Returns the meaning of the audience of a chunk's document for the reader.
    pub(super) fn verdict(&self, chunk: u32) -> Option<Verdict> {
        let head = self.head.as_ref()?;
        let document = head.place_of_chunk(chunk)?.document;
        let audience = head.audiences()?.of_documents().get(document.0 as usize)?;
        self.reader.as_ref()?.verdict(*audience)
    }
}
