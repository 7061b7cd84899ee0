//! The passages of the best chunks.

use campanile_bundle::{DocumentId, Fetch};

use super::Search;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::fuse::Fused;
use crate::neighbours::{Excerpt, with_neighbours};
use crate::passage::{Passage, Scores, StageScore};

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// The best chunks with their documents; a chunk whose shard is damaged makes room for the next.
    pub(super) async fn passages(&mut self, fused: &[Fused]) -> Vec<Passage> {
        let started = self.now();
        let limit = self.settings.limit;
        let mut passages = Vec::new();
        let mut ranked = fused.iter().enumerate().peekable();
        while passages.len() < limit && ranked.peek().is_some() {
            let group: Vec<(usize, &Fused)> =
                ranked.by_ref().take(limit - passages.len()).collect();
            self.read_passages(&group, &mut passages).await;
        }
        for passage in &mut passages {
            passage.child = self.children.of(passage, self.settings.search.granularity);
            passage.question = self.questions.of(passage);
        }
        self.trace.record("passages", passages.len(), self.now() - started);
        passages
    }

    /// The passages with what stands around them, where that is wanted.
    pub(super) fn excerpts(&mut self, passages: &[Passage]) -> Result<Vec<Excerpt>, RetrieveError> {
        let around = self.settings.around;
        if around.before + around.after == 0 {
            return Ok(Vec::new());
        }
        let started = self.now();
        let excerpts = with_neighbours(passages, &around, |text| self.engine.count_tokens(text))?;
        let found = excerpts.iter().map(|excerpt| excerpt.parts.len()).sum();
        self.trace.record("neighbours", found, self.now() - started);
        Ok(excerpts)
    }

    /// Reads the passages of one group, all their shards at once.
    pub(super) async fn read_passages(
        &mut self,
        group: &[(usize, &Fused)],
        passages: &mut Vec<Passage>,
    ) {
        let bundle = self.engine.bundle();
        let mut places = Vec::new();
        for (position, fused) in group {
            match bundle.document_of_chunk(fused.chunk).await {
                Ok(place) => places.push((place, *position, *fused)),
                Err(error) => self.note(&error),
            }
        }
        let ids: Vec<DocumentId> = places.iter().map(|(place, _, _)| place.document).collect();
        let documents = bundle.documents(&ids).await;
        for ((place, position, fused), document) in places.into_iter().zip(documents) {
            match document {
                Err(error) => self.note(&error),
                Ok(document) => {
                    let Some(chunk) = document.chunks.get(place.chunk as usize).copied() else {
                        continue;
                    };
                    passages.push(Passage {
                        chunk: fused.chunk,
                        document,
                        section: chunk.section,
                        span: chunk.span,
                        number: place.chunk,
                        child: None,
                        question: None,
                        is_named: self.kinship.as_ref().and_then(|it| it.is_named(fused.chunk)),
                        scores: self.scores(fused, position + 1),
                    });
                }
            }
        }
    }

    fn scores(&self, fused: &Fused, rank: usize) -> Scores {
        let stage_score = |(rank, score)| StageScore { rank, score };
        let origin = |list: usize| fused.origins.get(list).copied().flatten().map(stage_score);
        let stage = |name: &str| {
            let hits = self.rankings.of(name)?;
            let place = hits.iter().position(|hit| hit.chunk == fused.chunk)?;
            Some(StageScore { rank: place + 1, score: hits.get(place)?.score })
        };
        let (late, cross) = (stage("rerank"), stage("cross"));
        let stands_in = self.asked_static.is_some();
        let (dense, instant) = if stands_in { (None, origin(1)) } else { (origin(1), None) };
        let fused = StageScore { rank, score: fused.score as f32 };
        Scores { lexical: origin(0), dense, instant, late, cross, fused }
    }
}
