//! Pages of one make: what a question names stays, what it does not name makes room for what holds for all.

use std::rc::Rc;

use campanile_bundle::Fetch;
use campanile_corpus::families::Question;
use campanile_index::Hit;

use super::Search;
use crate::clock::Clock;
use crate::families::Kinship;
use crate::fuse::Fused;

/// The stage's name.
const STAGE: &str = "families";

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Decides which pages of one make the question names. A site without such pages costs nothing; where the
    /// families cannot be had, every passage is as good as another.
    pub(super) async fn kinship(&mut self) {
        let Some(head) = self.head.clone().filter(|_| self.engine.manifest().families.is_some())
        else {
            return;
        };
        let families = match self.engine.families().await {
            Ok(families) => families,
            Err(error) => return self.note(&error),
        };
        let query = &self.query;
        let added: Vec<&str> = query.expansions.iter().map(|it| it.added.as_str()).collect();
        let stems = query.corrections.iter().flat_map(|it| &it.terms);
        let stems: Vec<&str> = stems.map(String::as_str).collect();
        let question = Question::new(&query.question, &added, &stems, self.engine.analyzer());
        self.kinship = Some(Rc::new(Kinship::new(&families, &question, &head)));
    }

    /// Orders the first `size` anew, by what they are to pages of one make.
    pub(super) fn families(&mut self, mut ranked: Vec<Fused>, size: usize) -> Vec<Fused> {
        let Some(kinship) = self.kinship.clone() else { return ranked };
        let started = self.now();
        let mut rest = ranked.split_off(size.min(ranked.len()));
        let before = ranked.last().map_or(0.0, |last| last.score);
        let (mut ranked, moved) = kinship.ordered(ranked);
        // Those behind the candidates stay behind them.
        let fall = before - ranked.last().map_or(0.0, |last| last.score);
        for fused in &mut rest {
            fused.score -= fall.max(0.0);
        }
        ranked.extend(rest);
        self.trace.record(STAGE, moved, self.now() - started);
        let hit = |fused: &Fused| Hit { chunk: fused.chunk, score: fused.score as f32 };
        self.keep(STAGE, ranked.iter().map(hit).collect());
        ranked
    }
}
