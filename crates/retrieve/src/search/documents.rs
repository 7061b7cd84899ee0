//! The documents that passages come from: pages of one make, the levels that speak in them, and where these contradict
//! each other.

use std::rc::Rc;

use campanile_bundle::{ChunkId, Fetch, LevelMethod};
use campanile_corpus::families::Question;

use super::Search;
use super::shown::reordered;
use crate::conflict::{Conflict, Voice, conflicts};
use crate::engine::Clock;
use crate::families::Kinship;
use crate::fuse::Fused;
use crate::levels::{Candidate, Streamed, balance, order, relevant};
use crate::passage::{Passage, context};
use crate::visitor::Verdict;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Decides which pages of one make the question names. A site without such pages costs nothing; where the
    /// families cannot be had, every passage is as good as another.
    pub(super) async fn kinship(&mut self) {
        let Some(head) = self.head.clone().filter(|_| self.engine.manifest().families.is_some())
        else {
            return;
        };
        let families = self.engine.families().await;
        let Some(families) = self.had(families) else { return };
        let query = &self.query;
        let added: Vec<&str> = query.expansions.iter().map(|it| it.added.as_str()).collect();
        let stems = query.corrections.iter().flat_map(|it| &it.terms);
        let stems: Vec<&str> = stems.map(String::as_str).collect();
        let question = Question::new(&query.question, &added, &stems, self.engine.analyzer());
        self.kinship = Some(Rc::new(Kinship::new(families, &question, &head)));
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
        self.trace.record("families", moved, self.now() - started);
        self.keep("families", ranked.iter().map(Fused::hit).collect());
        ranked
    }
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Orders candidates that are about as relevant by their levels, and gives each stream its
    /// share. Where documents say nothing of either, the order stays; so does that of the chunks
    /// behind the first `size`, which nobody has looked at closely.
    pub(super) fn levels(&mut self, mut fused: Vec<Fused>, size: usize) -> Vec<Fused> {
        let settings = &self.settings;
        let shares = settings.ranking;
        let balances = shares.academic_percent > 0 || shares.non_academic_percent > 0;
        if self.visitor.is_none() || (settings.ranking.levels == LevelMethod::Off && !balances) {
            return fused;
        }
        let started = self.now();
        let rest = fused.split_off(size.min(fused.len()));
        let candidate =
            |fused: &Fused| Candidate { points: self.points(fused.chunk), score: fused.score };
        let candidates: Vec<Candidate> = fused.iter().map(candidate).collect();
        let mut sorted = order(&candidates, &settings.ranking);
        if balances {
            let is_relevant = relevant(&candidates, &settings.ranking);
            let streamed: Vec<Streamed> = sorted
                .iter()
                .map(|place| Streamed {
                    is_academic: candidates[*place].points.is_none(),
                    is_relevant: is_relevant[*place],
                })
                .collect();
            let balanced = balance(&streamed, &shares, settings.limit);
            sorted = balanced.into_iter().map(|place| sorted[place]).collect();
        }
        let mut fused = reordered(fused, &sorted);
        fused.extend(rest);
        self.ranked("levels", started, fused.iter().map(Fused::hit).collect());
        fused
    }

    /// None for course material.
    fn points(&self, chunk: ChunkId) -> Option<f64> {
        let table = self.head.as_ref()?.audiences()?;
        let document = self.head.as_ref()?.place_of_chunk(chunk)?.document;
        let Verdict { is_academic, level, .. } = self.verdict(chunk)?;
        let today = self.visitor.as_ref()?.today();
        let points = self.settings.ranking.points().of(level, table.date_of(document), today);
        (!is_academic).then_some(points)
    }

    /// Returns the meaning of the audience of a chunk's document for the visitor.
    pub(super) fn verdict(&self, chunk: ChunkId) -> Option<Verdict> {
        let head = self.head.as_ref()?;
        let document = head.place_of_chunk(chunk)?.document;
        let audience = head.audiences()?.of_documents().get(document.0 as usize)?;
        self.visitor.as_ref()?.verdict(*audience)
    }
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Compares what passages of different levels state; course material, what is for others and what speaks for a
    /// department or a faculty that is not known to be the visitor's take no part.
    pub(super) fn conflicts(&mut self, passages: &[Passage]) -> Vec<Conflict> {
        let started = self.now();
        let mut voices = Vec::new();
        for (place, passage) in passages.iter().enumerate() {
            let Some(verdict) = self.verdict(passage.chunk) else { continue };
            let Some(level) = verdict.voice else { continue };
            if verdict.applies && !verdict.is_academic {
                voices.push(Voice {
                    place,
                    level,
                    is_visitors: self.visitor.as_ref().is_some_and(|it| it.belongs_to(level)),
                    document: &passage.document.path,
                    faculties: passage.document.metadata.faculties.listed(),
                    context: context(&passage.document.title, &passage.section_path()),
                    text: passage.text(),
                });
            }
        }
        let found = conflicts(&voices, &self.query, self.engine.analyzer());
        // A site in which one level speaks would have a stage in each trace that can find nothing.
        if voices.iter().any(|voice| voices.first().is_some_and(|it| it.level != voice.level)) {
            self.trace.record("conflicts", found.len(), self.now() - started);
        }
        found
    }
}
