//! By meaning.

use std::rc::Rc;

use campanile_bundle::Fetch;
use campanile_index::{Graph, Hit};

use super::Search;
use crate::clock::Clock;
use crate::engine::compared;
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
        let graph = match self.engine.graph(&self.index).await {
            Ok(graph) => graph,
            Err(error) => {
                self.note(&error);
                None
            }
        };
        let keep = self.kept_units().await;
        let all = match self.filters() {
            true => Some(self.compared(&vector, graph.clone(), &|_| true).await),
            false => None,
        };
        let hits = self.compared(&vector, graph, &keep).await;
        let hits = self.chunks_of(hits).await;
        self.without_filter("dense", all).await;
        self.ranked("dense", started, hits);
        Ok(())
    }

    /// The units nearest to a vector, of those that `keep` lets through.
    async fn compared(
        &mut self,
        vector: &[f32],
        graph: Option<Rc<Graph>>,
        keep: &dyn Fn(u32) -> bool,
    ) -> Vec<Hit> {
        compared(&self.index, vector, self.units(), graph, keep).await.unwrap_or_else(|error| {
            self.note(&error);
            Vec::new()
        })
    }

    /// Whether the question is embedded.
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
