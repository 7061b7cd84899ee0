//! By the questions that the documents themselves ask.
//!
//! Whoever asks is compared with a FAQ's questions as well as with its answers: "lost my card" is near to "What do I do
//! if my student card is gone?" and far from "Go to the desk in room 12". Of an answer and its question the nearer one
//! counts. A question may have been written for a passage by a model at the desk; then the sentences that answer it are
//! known too.

use std::collections::{BTreeMap, BTreeSet};

use campanile_bundle::Fetch;
use campanile_corpus::Granularity;
use campanile_index::Hit;
use campanile_text::Span;

use super::Search;
use super::filter::merged;
use crate::children::Children;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::passage::{MatchedQuestion, Passage};

/// The documents' questions that are nearest to the reader's.
#[derive(Debug, Default)]
pub(super) struct NearQuestions {
    /// By chunk: the cosine of its nearest question.
    cosines: BTreeMap<u32, f32>,
    children: Children,
}

impl NearQuestions {
    /// The cosine of a chunk's nearest question, where that is among the nearest of all.
    pub(super) fn cosine(&self, chunk: u32) -> Option<f32> {
        self.cosines.get(&chunk).copied()
    }

    /// A passage's nearest question.
    pub(super) fn of(&self, passage: &Passage) -> Option<MatchedQuestion> {
        let cosine = self.cosine(passage.chunk)?;
        let others = self.cosines.iter().filter(|(chunk, _)| **chunk != passage.chunk);
        let best_other = others.map(|(_, cosine)| *cosine).max_by(f32::total_cmp);
        let found = self.children.of(passage, Granularity::Question)?;
        let gap = cosine - best_other.unwrap_or_default();
        Some(MatchedQuestion {
            evidence: part(found.span, passage.span),
            text: found.text?,
            cosine,
            gap,
        })
    }
}

/// A part of a passage in bytes of the passage's text; none where it is the whole passage or reaches beyond.
fn part(span: Span, of: Span) -> Option<Span> {
    (of.contains(span) && span != of).then(|| Span::new(span.start - of.start, span.end - of.start))
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Looks for the documents' questions that are nearest to the reader's, which is embedded as `vector`, and gives a chunk
    /// in `hits` its question's cosine where that is higher than its own.
    pub(super) async fn near_questions(
        &mut self,
        vector: &[f32],
        hits: Vec<Hit>,
    ) -> Result<Vec<Hit>, RetrieveError> {
        let granularity = Granularity::Question;
        let index = self.engine.bundle().index(granularity);
        let Some(index) = index.filter(|_| self.settings.search.granularity == Granularity::Chunk)
        else {
            return Ok(hits);
        };
        let started = self.now();
        let vector = self.engine.embed_beside_questions(&self.query.respelled(), vector)?;
        let keep = self.kept_units_of(&index).await;
        let near = self.nearest_in(&index, &vector, &keep).await;
        let parents = match index.parents().await {
            Ok(Some(parents)) => parents,
            Ok(None) => return Ok(hits),
            Err(error) => {
                self.note(&error);
                return Ok(hits);
            }
        };
        let depth = self.settings.depth;
        let near = self.questions.children.collapse(near, &parents, depth);
        self.questions.cosines = near.iter().map(|hit| (hit.chunk, hit.score)).collect();
        self.trace.record("questions", near.len(), self.now() - started);
        let mut seen = BTreeSet::new();
        let all = merged(&hits, &near, usize::MAX).into_iter();
        Ok(all.filter(|hit| seen.insert(hit.chunk)).take(depth).collect())
    }
}
