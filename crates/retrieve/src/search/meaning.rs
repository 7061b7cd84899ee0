//! By meaning.

use campanile_bundle::Fetch;

use super::Search;
use crate::clock::Clock;
use crate::engine::compared;
use crate::error::RetrieveError;
use crate::options::Retriever;

impl<F: Fetch, C: Clock> Search<'_, F, C> {
    /// Embeds the question and ranks by cosine, where the encoder is there and meaning is wanted.
    pub(super) async fn meaning(&mut self) -> Result<(), RetrieveError> {
        if !self.embeds()? || self.query.question.is_empty() {
            return Ok(());
        }
        let started = self.now();
        let vector = self.engine.embed_question(&self.query.spelled_out())?;
        self.query.vector.clone_from(&vector);
        self.trace.record("embed", 1, self.now() - started);
        let Some(vector) = vector else { return Ok(()) };

        let started = self.now();
        let graph = match self.engine.graph(&self.index).await {
            Ok(graph) => graph,
            Err(error) => {
                self.note(&error);
                None
            }
        };
        let hits = match compared(&self.index, &vector, self.units(), graph).await {
            Ok(hits) => hits,
            Err(error) => {
                self.note(&error);
                Vec::new()
            }
        };
        let hits = self.chunks_of(hits).await;
        self.ranked("dense", started, hits);
        Ok(())
    }

    /// Whether the question is embedded.
    fn embeds(&self) -> Result<bool, RetrieveError> {
        let ready = self.engine.encoder_ready();
        match self.settings.retriever {
            Retriever::Lexical => Ok(false),
            Retriever::Dense if !ready => Err(RetrieveError::EncoderNotLoaded),
            Retriever::Dense => Ok(true),
            Retriever::Hybrid => Ok(ready),
        }
    }
}
