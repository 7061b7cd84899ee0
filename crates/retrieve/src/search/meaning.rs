//! By meaning.

use campanile_bundle::Fetch;

use super::Search;
use crate::clock::Clock;
use crate::error::RetrieveError;
use crate::options::{Retriever, Semantics};

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Embeds the question and ranks by cosine, where the encoder is there and meaning is wanted.
    pub(super) async fn meaning(&mut self) -> Result<(), RetrieveError> {
        if !self.embeds()? || self.query.question.is_empty() {
            return Ok(());
        }
        let started = self.now();
        let (vector, tokens) = self.engine.embed_question(&self.query.respelled())?;
        self.query.vector = Some(vector.clone());
        self.query.tokens = Some(tokens);
        self.trace.record("embed", 1, self.now() - started);

        let started = self.now();
        let index = self.index;
        let keep = self.kept_units_of(&index).await;
        let hits = self.nearest_in(&index, &vector, &keep).await;
        let behind = match self.looks_behind_filter() {
            true => {
                let units = self.units_of_index(&index);
                Some(self.nearest_of(&index, &vector, units, &|unit| !keep.keeps(unit)).await)
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
}
