//! By meaning, before the encoder is there.

use std::rc::Rc;

use campanile_bundle::Fetch;

use super::Search;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::options::{Retriever, Semantics};
use crate::static_encoder::Instant;

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
        let vector = instant.encoder.embed(&self.query.question);
        let mut hits = Vec::new();
        if let Some(vector) = &vector {
            let (kept, depth) = (self.kept_chunks(), self.settings.depth);
            let mut problem = None;
            let mut nearest = |chunks: usize, keep: &dyn Fn(u32) -> bool| {
                instant.passages.search(vector, chunks, keep).unwrap_or_else(|error| {
                    problem = Some(error);
                    Vec::new()
                })
            };
            hits = kept.in_turns(depth, &mut nearest);
            if self.looks_behind_filter() {
                let behind = nearest(depth, &|chunk| !kept.keeps(chunk));
                self.remember_behind("static", &hits, &behind);
            }
            if let Some(error) = problem {
                self.note(&error);
            }
        }
        self.asked_static = Some(AskedStatic { instant, vector });
        self.ranked("static", started, hits);
        Ok(())
    }

    /// Returns the static encoder's scores of these chunks; `None` where it has nothing to say.
    pub(super) fn static_scores(&self, chunks: &[u32]) -> Option<Vec<f32>> {
        let asked = self.asked_static.as_ref()?;
        asked.instant.passages.scores(asked.vector.as_ref()?, chunks).ok()
    }

    fn stands_in(&self) -> Result<Option<Rc<Instant>>, RetrieveError> {
        let instant = self.engine.instant();
        match self.settings.semantics {
            _ if self.settings.retriever == Retriever::Lexical => Ok(None),
            Semantics::Encoder => Ok(None),
            Semantics::Static => instant.map(Some).ok_or(RetrieveError::InstantNotLoaded),
            Semantics::Best if self.engine.encoder_ready() => Ok(None),
            Semantics::Best => Ok(instant),
        }
    }
}
