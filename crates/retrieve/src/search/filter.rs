//! The documents that are searched, and what is said of the others.
//!
//! The filter is asked inside each search, so that a narrow profile gets as many passages as a wide
//! one. Where something is not for the visitor, each search runs a second time over just that: only so
//! it can be said which passages they do not see.

use std::rc::Rc;

use campanile_bundle::{BundleIndex, ChunkId, DocumentId, Fetch, ParentsHead};
use campanile_corpus::metadata::Audience;
use campanile_index::Hit;

use super::Search;
use crate::engine::Clock;
use crate::families::Kinship;
use crate::passage::Children;
use crate::retrieval::{LeftOut, Ranking};
use crate::visitor::{Scope, Visitor, years};

/// The largest share, in percent, of what a search puts forward that may be passages that pages of one make
/// repeat.
// With none, the best of them could not stay in sight where no rule answers; with all, a hundred programmes' pages
// leave the rule no place among the candidates (docs/concepts/retrieval.md).
const MOST_REPEATED_PERCENT: usize = 15;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Decides which chunks the question may find. Where the documents' head cannot be had, all.
    pub(super) async fn filter(&mut self) {
        let started = self.now();
        let head = self.engine.bundle().documents_head().await;
        let Some(head) = self.had(head) else { return };
        let years = years(&self.query.question);
        let profile = &self.settings.profile;
        self.visitor = head.audiences().map(|table| Visitor::new(profile, years.clone(), table));
        let visitor = self.visitor.as_ref().filter(|_| !self.settings.everyone);
        self.scope = Rc::new(Scope::new(&head, &years, visitor));
        if self.filters() {
            let kept = (0..head.chunk_count()).filter(|it| self.scope.keeps(ChunkId(*it))).count();
            self.trace.record("filter", kept, self.now() - started);
        }
        self.head = Some(head);
    }

    /// Returns `true` if anything is left out.
    pub(super) fn filters(&self) -> bool {
        !self.scope.is_whole()
    }

    /// The chunks that may be found.
    pub(super) fn kept_chunks(&self) -> KeptUnits {
        KeptUnits { parents: None, scope: Rc::clone(&self.scope), kinship: self.kinship.clone() }
    }

    /// The units of an index that may be found.
    pub(super) async fn kept_units_of(&mut self, index: &BundleIndex<'_, F>) -> KeptUnits {
        let parents = index.parents().await;
        let parents = self.had(parents).flatten();
        KeptUnits { parents, ..self.kept_chunks() }
    }

    /// Returns `true` if the searches look at what is left out as well: where something is not for the
    /// visitor, who is told of it, or where the caller asks. That newer editions have taken the place of
    /// older ones, nobody needs to hear.
    pub(super) fn looks_behind_filter(&self) -> bool {
        self.scope.leaves_visitors_out() || (self.settings.behind_filter && self.filters())
    }

    /// Remembers what a search put forward, chunks, and the units that it would have put forward but for
    /// the filter.
    pub(super) async fn behind_filter(
        &mut self,
        stage: &'static str,
        kept: &[Hit<ChunkId>],
        behind: Option<Vec<Hit>>,
    ) {
        let Some(behind) = behind else { return };
        // What could not be had, the search has named.
        let Ok(parents) = self.index.parents().await else { return };
        // The parts that were found through a filter are not these.
        let mut children = Children::default();
        let behind = children.collapse(behind, parents.as_deref(), self.settings.depth);
        self.remember_behind(stage, kept, &behind);
    }

    /// Remembers the chunks that a search would have put forward without the filter: the best of those
    /// that it kept and of those behind it.
    pub(super) fn remember_behind(
        &mut self,
        stage: &'static str,
        kept: &[Hit<ChunkId>],
        behind: &[Hit<ChunkId>],
    ) {
        let hits = merged(kept, behind, self.settings.depth);
        let scope = &self.scope;
        let left_out = hits.iter().map(|hit| hit.id).filter(|chunk| !scope.keeps(*chunk));
        self.rankings.left_out.extend(left_out);
        self.unfiltered.push(Ranking { stage, hits });
    }

    /// The passages that would be among the first if they were for the visitor, as the two searches
    /// have them before levels and shares are looked at.
    pub(super) async fn left_out(&mut self) -> Vec<LeftOut> {
        let Some(visitor) = self.visitor.clone().filter(|_| self.scope.leaves_visitors_out())
        else {
            return Vec::new();
        };
        let scope = Rc::clone(&self.scope);
        let current = |stage: &str| -> Vec<Hit<ChunkId>> {
            let rankings = self.unfiltered.iter().filter(|ranking| ranking.stage == stage);
            // Older editions stay out: that newer ones have taken their place nobody needs to hear.
            let may_be = |hit: &&Hit<ChunkId>| scope.keeps(hit.id) || scope.is_for_others(hit.id);
            rankings.flat_map(|ranking| &ranking.hits).filter(may_be).copied().collect()
        };
        let (lexical, dense) = (current("lexical"), current(self.meaning_stage()));
        let ranked = self.pool_of(&lexical, &dense).await.ranked();
        let shown = ranked.iter().take(self.settings.shown.most);
        let chunks: Vec<ChunkId> =
            shown.map(|fused| fused.chunk).filter(|it| scope.is_for_others(*it)).collect();
        self.named(&visitor, &chunks).await
    }

    /// The chunks with their documents' names, and the reasons against the visitor.
    async fn named(&mut self, visitor: &Visitor, chunks: &[ChunkId]) -> Vec<LeftOut> {
        let Some(head) = self.head.clone() else { return Vec::new() };
        let document_of = |chunk: &ChunkId| head.place_of_chunk(*chunk).map(|place| place.document);
        let places: Vec<(ChunkId, DocumentId)> =
            chunks.iter().filter_map(|chunk| Some((*chunk, document_of(chunk)?))).collect();
        let ids: Vec<DocumentId> = places.iter().map(|(_, document)| *document).collect();
        let mut named = Vec::new();
        for ((chunk, id), document) in
            places.into_iter().zip(self.engine.bundle().documents(&ids).await)
        {
            let audience = head.audiences().and_then(|table| table.audience_of(id));
            let Some(document) = self.had(document) else { continue };
            named.push(LeftOut {
                chunk,
                title: document.title.clone(),
                document: document.path.clone(),
                link: document.link.clone(),
                audience: audience.map(|it| it.metadata().describe()).unwrap_or_default(),
                reasons: audience.map(|it: &Audience| visitor.against(it)).unwrap_or_default(),
            });
        }
        named
    }
}

/// The units of an index that may be found.
pub(super) struct KeptUnits {
    parents: Option<Rc<ParentsHead>>,
    scope: Rc<Scope>,
    kinship: Option<Rc<Kinship>>,
}

impl KeptUnits {
    /// Returns `true` if a unit may be found.
    pub(super) fn keeps(&self, unit: u32) -> bool {
        self.scope.is_whole() || self.chunk_of(unit).is_some_and(|chunk| self.scope.keeps(chunk))
    }

    /// Returns the searches that make a list, one after the other: everything; or, where passages that a
    /// hundred pages repeat could leave no place for others, everything else and then those.
    pub(super) fn turns(&self) -> &'static [Turn] {
        if self.kinship.is_some() { &[Turn::Rest, Turn::Repeated] } else { &[Turn::All] }
    }

    /// The best units in all turns, by a search that is told how many are wanted, and which may be found.
    pub(super) fn in_turns(
        &self,
        units: usize,
        mut search: impl FnMut(usize, &dyn Fn(u32) -> bool) -> Vec<Hit>,
    ) -> Vec<Hit> {
        let mut all = Vec::new();
        for turn in self.turns() {
            let found = search(turn.depth(units), &|unit| self.keeps_in(*turn, unit));
            all = merged(&all, &found, usize::MAX);
        }
        all
    }

    /// Returns `true` if a unit may be found in a turn.
    pub(super) fn keeps_in(&self, turn: Turn, unit: u32) -> bool {
        let repeats = || {
            let chunk = self.chunk_of(unit);
            chunk.zip(self.kinship.as_ref()).is_some_and(|(chunk, it)| it.is_crowding(chunk))
        };
        self.keeps(unit)
            && match turn {
                Turn::All => true,
                Turn::Rest => !repeats(),
                Turn::Repeated => repeats(),
            }
    }

    fn chunk_of(&self, unit: u32) -> Option<ChunkId> {
        match &self.parents {
            None => Some(ChunkId(unit)),
            Some(parents) => parents.parent_of(unit).map(|(chunk, _)| chunk),
        }
    }
}

/// One of the searches that make a list together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Everything.
    All,
    /// Everything but the passages that pages of one make repeat.
    Rest,
    /// Those passages.
    Repeated,
}

impl Turn {
    /// Returns how many of a list's units come from it.
    pub(super) fn depth(self, depth: usize) -> usize {
        match self {
            Self::All | Self::Rest => depth,
            Self::Repeated => depth * MOST_REPEATED_PERCENT / 100,
        }
    }
}

/// The best of two lists that are each in order.
pub(super) fn merged<Id: Copy + Ord>(
    left: &[Hit<Id>],
    right: &[Hit<Id>],
    most: usize,
) -> Vec<Hit<Id>> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    let mut hits = Vec::new();
    while hits.len() < most {
        let takes_right = match (left.peek(), right.peek()) {
            (Some(one), Some(other)) => {
                other.score > one.score || (other.score == one.score && other.id < one.id)
            }
            (one, _) => one.is_none(),
        };
        let Some(next) = (if takes_right { right.next() } else { left.next() }) else { break };
        hits.push(*next);
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lists_become_one_in_order() {
        let list = |hits: &[(u32, f32)]| -> Vec<Hit> {
            hits.iter().map(|&(id, score)| Hit { id, score }).collect()
        };
        type Hits = &'static [(u32, f32)];
        let cases: [(Hits, Hits, usize, Hits); 5] = [
            (&[], &[], 3, &[]),
            (&[(1, 2.0)], &[], 3, &[(1, 2.0)]),
            (&[], &[(1, 2.0)], 3, &[(1, 2.0)]),
            (&[(1, 3.0), (4, 1.0)], &[(2, 2.0)], 3, &[(1, 3.0), (2, 2.0), (4, 1.0)]),
            (&[(5, 2.0), (6, 2.0)], &[(4, 2.0), (7, 2.0)], 3, &[(4, 2.0), (5, 2.0), (6, 2.0)]),
        ];
        for (left, right, most, expected) in cases {
            assert_eq!(merged(&list(left), &list(right), most), list(expected));
        }
    }
}
