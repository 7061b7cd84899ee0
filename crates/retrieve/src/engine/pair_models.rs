//! Models that read two texts at once: a question and a passage, a claim and its evidence.

use std::cell::RefCell;
use std::rc::Rc;

use campanile_bundle::{Fetch, ModelEntry};
use campanile_model::{
    Adapter, ClaimChecker, ClassifierConfig, Encoder, ModelError, Reader, Reading, Reranker,
    SequenceClassifier, SpanModel, TensorSource, Tokenizer, Verdict,
};

use super::models::{adapter_of, model_files};
use super::{Clock, Engine};
use crate::error::RetrieveError;

/// The architecture of models that are changes to the site's encoder, in a manifest.
pub const LOW_RANK: &str = "low-rank";
/// The one file of such a model; beside the files of an encoder it belongs to that one.
pub const ADAPTER_FILE: &str = "adapter.safetensors";

/// So many spans of each passage are looked at. Twelve choose no better than six.
pub const SPANS: usize = 6;

/// The tasks for which a model may read two texts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairTask {
    /// Finding the answer in a passage.
    Reader,
    /// Saying how well a passage answers.
    Reranker,
    /// Saying whether evidence supports a claim.
    Checker,
}

impl PairTask {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Reranker, Self::Checker];
}

impl std::fmt::Display for PairTask {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Reader => "reader",
            Self::Reranker => "reranker",
            Self::Checker => "checker",
        })
    }
}

/// A change to the site's encoder, a change with an encoder of its own, or a model as others publish it.
enum PairModel<W> {
    Adapter(Box<Adapter>),
    Own(Box<(Encoder, Adapter)>),
    Whole(W),
}

/// A function that puts a model of its own together.
type Loader<W> = fn(&ClassifierConfig, Tokenizer, &dyn TensorSource) -> Result<W, ModelError>;

type Kept<W> = RefCell<Option<Rc<PairModel<W>>>>;

/// Those that are loaded.
#[derive(Default)]
pub(super) struct PairModels {
    reader: Kept<SpanModel>,
    reranker: Kept<SequenceClassifier>,
    checker: Kept<SequenceClassifier>,
}

impl<F: Fetch, C: Clock> Engine<F, C> {
    /// The site's model for a task, where it has one.
    pub fn pair_model(&self, task: PairTask) -> Option<&ModelEntry> {
        let manifest = self.manifest();
        match task {
            PairTask::Reader => manifest.reader.as_ref(),
            PairTask::Reranker => manifest.reranker.as_ref(),
            PairTask::Checker => manifest.checker.as_ref(),
        }
    }

    /// Returns `true` if a task's model is loaded.
    pub fn pair_model_ready(&self, task: PairTask) -> bool {
        match task {
            PairTask::Reader => self.models.readers.reader.borrow().is_some(),
            PairTask::Reranker => self.models.readers.reranker.borrow().is_some(),
            PairTask::Checker => self.models.readers.checker.borrow().is_some(),
        }
    }

    /// Fetches the model for a task and makes it ready; `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// Where the site has none; where it is a change to an encoder that is not loaded yet, or to
    /// another one; where a file of it is damaged twice over, or it cannot be run.
    pub async fn load_pair_model(
        &self,
        task: PairTask,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), RetrieveError> {
        if self.pair_model_ready(task) {
            return Ok(());
        }
        let entry = self.pair_model(task).ok_or(RetrieveError::NoPairModel(task))?;
        match task {
            PairTask::Reader => {
                let model = self.read_pair_model(entry, SpanModel::load, progress).await?;
                self.models.readers.reader.replace(Some(Rc::new(model)));
            }
            PairTask::Reranker | PairTask::Checker => {
                let model = self.read_pair_model(entry, SequenceClassifier::load, progress).await?;
                let is_reranker = task == PairTask::Reranker;
                let place = if is_reranker {
                    &self.models.readers.reranker
                } else {
                    &self.models.readers.checker
                };
                place.replace(Some(Rc::new(model)));
            }
        }
        Ok(())
    }

    async fn read_pair_model<W>(
        &self,
        entry: &ModelEntry,
        load: Loader<W>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<PairModel<W>, RetrieveError> {
        // Asked before anything is fetched: without its encoder, a change to it is of no use.
        if entry.architecture == LOW_RANK && !self.encoder_ready() {
            return Err(RetrieveError::EncoderNotLoaded);
        }
        let files = model_files(&self.bundle, entry, progress).await?;
        if entry.architecture != LOW_RANK {
            // Which networks can be run the configuration's reader knows.
            if files.has(ADAPTER_FILE) {
                let (config, adapter) = files.own_encoder()?;
                let encoder = Encoder::load(&config, files.tokenizer()?, &files.weights()?)?;
                return Ok(PairModel::Own(Box::new((encoder, adapter))));
            }
            let config = ClassifierConfig::from_json(files.required("config.json")?)?;
            let tokenizer = files.tokenizer()?;
            return Ok(PairModel::Whole(load(&config, tokenizer, &files.weights()?)?));
        }
        let adapter = adapter_of(&self.bundle, entry, &files)?;
        Ok(PairModel::Adapter(Box::new(adapter)))
    }

    /// The [`SPANS`] best answers to a question in each passage; `None` where no reader is loaded.
    ///
    /// # Errors
    /// [`RetrieveError::Model`] where the reader does not fit the encoder, or fails.
    pub async fn read(
        &self,
        question: &str,
        passages: &[&str],
    ) -> Result<Option<Vec<Reading>>, RetrieveError> {
        self.with(
            &self.models.readers.reader,
            |encoder, adapter| Reader::new(encoder, adapter)?.read(question, passages, SPANS),
            |model| Reader::whole(model)?.read(question, passages, SPANS),
        )
        .await
    }

    /// Scores how well each passage answers a question, as a logit; `None` where no reranker is loaded.
    ///
    /// # Errors
    /// [`RetrieveError::Model`] where the reranker does not fit the encoder, or fails.
    pub async fn rerank(
        &self,
        question: &str,
        passages: &[&str],
    ) -> Result<Option<Vec<f32>>, RetrieveError> {
        self.with(
            &self.models.readers.reranker,
            |encoder, adapter| Reranker::new(encoder, adapter)?.score(question, passages),
            |model| Reranker::whole(model)?.score(question, passages),
        )
        .await
    }

    /// Returns the verdict of each piece of evidence on a claim; `None` where no checker is loaded.
    ///
    /// # Errors
    /// [`RetrieveError::Model`] where the checker does not fit the encoder, or fails.
    pub async fn check_claim(
        &self,
        claim: &str,
        evidence: &[&str],
    ) -> Result<Option<Vec<Verdict>>, RetrieveError> {
        self.with(
            &self.models.readers.checker,
            |encoder, adapter| ClaimChecker::new(encoder, adapter)?.check(claim, evidence),
            |model| ClaimChecker::whole(model)?.check(claim, evidence),
        )
        .await
    }

    /// Runs the model of a task, where it is loaded.
    async fn with<W, R>(
        &self,
        kept: &Kept<W>,
        adapted: impl Fn(&Encoder, &Adapter) -> Result<R, ModelError>,
        whole: impl Fn(&W) -> Result<R, ModelError>,
    ) -> Result<Option<R>, RetrieveError> {
        let Some(model) = kept.borrow().clone() else { return Ok(None) };
        let run = || {
            Ok(Some(match (&*model, self.encoder()) {
                (PairModel::Whole(model), _) => whole(model)?,
                (PairModel::Own(own), _) => adapted(&own.0, &own.1)?,
                (PairModel::Adapter(adapter), Some(encoder)) => adapted(&encoder, adapter)?,
                (PairModel::Adapter(_), None) => return Err(RetrieveError::EncoderNotLoaded),
            }))
        };
        self.with_words(run).await
    }
}
