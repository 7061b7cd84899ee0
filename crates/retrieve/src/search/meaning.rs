//! The search by meaning: the site's encoder, the static encoder before it is there, and the questions that the
//! documents ask.
//!
//! Whoever asks is compared with a FAQ's questions as well as with its answers: "lost my card" is near to "What do I do
//! if my student card is gone?" and far from "Go to the desk in room 12". Of an answer and its question the nearer one
//! counts. A question may have been written for a passage by a model at the desk; then the sentences that answer it are
//! known too.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use campanile_bundle::{BundleIndex, ChunkId, Fetch};
use campanile_corpus::Granularity;
use campanile_index::Hit;
use campanile_text::Span;

use super::Search;
use super::filter::{KeptUnits, Turn, merged};
use crate::engine::{Clock, Instant, Reach, compared};
use crate::error::RetrieveError;
use crate::options::{Retriever, Semantics};
use crate::passage::{Children, MatchedQuestion, Passage, on_chunks};

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Embeds the question and ranks by cosine, where the encoder is there and meaning is wanted.
    pub(super) async fn meaning(&mut self) -> Result<(), RetrieveError> {
        if !self.embeds()? || self.query.question.is_empty() {
            return Ok(());
        }
        let started = self.now();
        let (vector, tokens) = self.engine.embed_question(&self.query.respelled()).await?;
        self.query.vector = Some(vector.clone());
        self.query.tokens = Some(tokens);
        // A stage of its own: nearly all of the time goes here, and about a millisecond into the comparison.
        self.trace.record("embed", 1, self.now() - started);

        let started = self.now();
        let index = self.index;
        let keep = self.kept_units_of(&index).await;
        let hits = self.nearest_in(&index, &vector, &keep).await;
        let behind = match self.looks_behind_filter() {
            true => {
                let units = self.units_of_index(&index);
                let left_out = |unit| !keep.keeps(unit);
                Some(self.nearest_of(&index, &vector, units, Reach::Near, &left_out).await)
            }
            false => None,
        };
        let hits = self.chunks_of(hits).await;
        self.behind_filter("dense", &hits, behind).await;
        let hits = self.near_questions(&vector, hits).await?;
        self.ranked("dense", started, hits);
        Ok(())
    }

    /// Returns `true` if the question is embedded.
    fn embeds(&self) -> Result<bool, RetrieveError> {
        if self.settings.semantics == Semantics::Static {
            return Ok(false);
        }
        let ready = self.engine.encoder_ready();
        match self.settings.retriever {
            Retriever::Lexical => Ok(false),
            Retriever::Dense if !ready => Err(RetrieveError::EncoderNotLoaded),
            Retriever::Dense => Ok(true),
            Retriever::Hybrid => Ok(ready),
        }
    }

    /// The units of an index that are nearest to a vector, of those that may be found.
    pub(super) async fn nearest_in(
        &mut self,
        index: &BundleIndex<'_, F>,
        vector: &[f32],
        keep: &KeptUnits,
    ) -> Vec<Hit> {
        let units = self.units_of_index(index);
        let mut all = Vec::new();
        for turn in keep.turns() {
            // What a hundred pages repeat stands beside the rest, and is worth no parts of its own.
            let reach = if *turn == Turn::Repeated { Reach::Near } else { Reach::Far };
            let keep = |unit| keep.keeps_in(*turn, unit);
            let found = self.nearest_of(index, vector, turn.depth(units), reach, &keep).await;
            all = merged(&all, &found, usize::MAX);
        }
        all
    }

    /// The nearest units of those that `keep` lets through, at most `units`. A graph that cannot be had is named,
    /// and all vectors are compared.
    pub(super) async fn nearest_of(
        &mut self,
        index: &BundleIndex<'_, F>,
        vector: &[f32],
        units: usize,
        reach: Reach,
        keep: &dyn Fn(u32) -> bool,
    ) -> Vec<Hit> {
        let graph = self.engine.graph(index, &self.settings.search).await;
        let graph = self.had(graph).flatten();
        let found = compared(index, vector, units, graph, reach, keep).await;
        self.had(found).unwrap_or_default()
    }
}

/// The question as the static encoder sees it.
pub(super) struct AskedStatic {
    instant: Rc<Instant>,
    /// None where the corpus has none of the question's words.
    vector: Option<Vec<f32>>,
}

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Ranks by the static encoder, where it stands in for the site's own or is asked for. It
    /// compares with chunks, whatever units the other searches look at.
    pub(super) async fn instant(&mut self) -> Result<(), RetrieveError> {
        let Some(instant) = self.stands_in()? else { return Ok(()) };
        let started = self.now();
        let vector = instant.embed(&self.query.question);
        let mut hits = Vec::new();
        if let Some(vector) = &vector {
            let (kept, depth) = (self.kept_chunks(), self.settings.depth);
            let mut nearest = |chunks: usize, keep: &dyn Fn(u32) -> bool| {
                let found = instant.passages.search(vector, chunks, keep);
                self.had(found).unwrap_or_default()
            };
            hits = on_chunks(kept.in_turns(depth, &mut nearest));
            if self.looks_behind_filter() {
                let found = instant.passages.search(vector, depth, &|chunk| !kept.keeps(chunk));
                let behind = on_chunks(self.had(found).unwrap_or_default());
                self.remember_behind("static", &hits, &behind);
            }
        }
        self.asked_static = Some(AskedStatic { instant, vector });
        self.ranked("static", started, hits);
        Ok(())
    }

    /// Returns the static encoder's scores of these chunks; `None` where it has nothing to say.
    pub(super) fn static_scores(&self, chunks: &[ChunkId]) -> Option<Vec<f32>> {
        let asked = self.asked_static.as_ref()?;
        let rows: Vec<u32> = chunks.iter().map(|chunk| chunk.0).collect();
        asked.instant.passages.scores(asked.vector.as_ref()?, &rows).ok()
    }

    fn stands_in(&self) -> Result<Option<Rc<Instant>>, RetrieveError> {
        let instant = self.engine.instant();
        match self.settings.semantics {
            _ if self.settings.retriever == Retriever::Lexical => Ok(None),
            Semantics::Encoder => Ok(None),
            Semantics::Static => instant.map(Some).ok_or(RetrieveError::InstantNotLoaded),
            // Never both: the static encoder was learned from the other, and says the same less well.
            Semantics::Best if self.engine.encoder_ready() => Ok(None),
            Semantics::Best => Ok(instant),
        }
    }
}

/// The documents' questions that are nearest to the visitor's.
#[derive(Debug, Default)]
pub(super) struct NearQuestions {
    /// The cosine of the nearest question, by chunk.
    cosines: BTreeMap<ChunkId, f32>,
    children: Children,
}

impl NearQuestions {
    /// The cosine of a chunk's nearest question, where that is among the nearest of all.
    pub(super) fn cosine(&self, chunk: ChunkId) -> Option<f32> {
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
    /// Looks for the documents' questions that are nearest to the visitor's, which is embedded as `vector`, and gives a
    /// chunk in `hits` its question's cosine where that is higher than its own.
    pub(super) async fn near_questions(
        &mut self,
        vector: &[f32],
        hits: Vec<Hit<ChunkId>>,
    ) -> Result<Vec<Hit<ChunkId>>, RetrieveError> {
        let granularity = Granularity::Question;
        let index = self.engine.bundle().index(granularity);
        let Some(index) = index.filter(|_| self.settings.search.granularity == Granularity::Chunk)
        else {
            return Ok(hits);
        };
        let started = self.now();
        let vector = self.engine.embed_beside_questions(&self.query.respelled(), vector).await?;
        let keep = self.kept_units_of(&index).await;
        let near = self.nearest_in(&index, &vector, &keep).await;
        let parents = index.parents().await;
        let Some(parents) = self.had(parents).flatten() else { return Ok(hits) };
        let depth = self.settings.depth;
        let near = self.questions.children.collapse(near, Some(&parents), depth);
        self.questions.cosines = near.iter().map(|hit| (hit.id, hit.score)).collect();
        self.trace.record("questions", near.len(), self.now() - started);
        let mut seen = BTreeSet::new();
        let all = merged(&hits, &near, usize::MAX).into_iter();
        Ok(all.filter(|hit| seen.insert(hit.id)).take(depth).collect())
    }
}
