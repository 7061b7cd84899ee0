//! One list of what the searches found.

use campanile_bundle::Fetch;
use campanile_index::Hit;

use super::Search;
use crate::clock::Clock;
use crate::fuse::{Fused, reciprocal_rank_fusion};

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Fuses the lists of the two searches; where only one took part, its order is kept.
    pub(super) fn fused(&mut self) -> Vec<Fused> {
        let started = self.now();
        let lists = [self.rankings.of("lexical"), self.rankings.of("dense")];
        let both = lists.iter().all(Option::is_some);
        let lists = lists.map(Option::unwrap_or_default);
        let fused = reciprocal_rank_fusion(&lists, self.settings.fusion_constant);
        if both {
            let hit = |fused: &Fused| Hit { chunk: fused.chunk, score: fused.score as f32 };
            self.ranked("fused", started, fused.iter().map(hit).collect());
        }
        fused
    }
}
