//! Fetching models, and making them ready.

use std::rc::Rc;

use campanile_bundle::{Fetch, ModelEntry};
use campanile_model::{Encoder, EncoderConfig, Shards, Tokenizer};

use super::Engine;
use crate::clock::Clock;
use crate::error::RetrieveError;

/// The architecture of encoders this version runs.
const BERT: &str = "bert";

/// A model's files, as they were fetched.
pub(super) struct ModelFiles<'a> {
    name: &'a str,
    files: Vec<(&'a str, Vec<u8>)>,
}

impl ModelFiles<'_> {
    /// A file that the model cannot do without.
    pub(super) fn required(&self, file: &'static str) -> Result<&[u8], RetrieveError> {
        let found = self.files.iter().find(|(name, _)| *name == file);
        found
            .map(|(_, bytes)| bytes.as_slice())
            .ok_or_else(|| RetrieveError::ModelFile { name: self.name.to_owned(), file })
    }

    pub(super) fn tokenizer(&self) -> Result<Tokenizer, RetrieveError> {
        Ok(Tokenizer::from_json(self.required("tokenizer.json")?)?)
    }

    /// All files with weights.
    pub(super) fn weights(self) -> Result<Shards, RetrieveError> {
        let mut weights = Shards::default();
        for (name, bytes) in self.files {
            if name != "config.json" && name != "tokenizer.json" {
                weights.add(name, bytes)?;
            }
        }
        Ok(weights)
    }
}

impl<F: Fetch, C: Clock> Engine<F, C> {
    /// Whether questions are embedded.
    pub fn encoder_ready(&self) -> bool {
        self.encoder.borrow().is_some()
    }

    /// The site's encoder, where it is loaded.
    pub fn encoder(&self) -> Option<Rc<Encoder>> {
        self.encoder.borrow().clone()
    }

    /// Fetches the site's encoder and makes it ready; `progress` is told loaded and total bytes.
    ///
    /// # Errors
    /// Where the site has none, a file of it is damaged twice over, or it cannot be run.
    pub async fn load_encoder(
        &self,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), RetrieveError> {
        if self.encoder_ready() {
            return Ok(());
        }
        let entry = self.manifest().encoder.as_ref().ok_or(RetrieveError::NoEncoder)?;
        if entry.architecture != BERT {
            return Err(RetrieveError::Architecture {
                name: entry.name.clone(),
                architecture: entry.architecture.clone(),
            });
        }
        let files = self.model_files(entry, progress).await?;
        let config = EncoderConfig::from_json(files.required("config.json")?)?;
        let encoder = Encoder::load(&config, files.tokenizer()?, &files.weights()?)?;
        self.encoder.replace(Some(Rc::new(encoder)));
        Ok(())
    }

    /// Fetches a model's files; `progress` is told loaded and total bytes.
    pub(super) async fn model_files<'a>(
        &self,
        entry: &'a ModelEntry,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<ModelFiles<'a>, RetrieveError> {
        let mut loaded = 0;
        let mut files = Vec::with_capacity(entry.files.len());
        for file in &entry.files {
            files.push((file.name.as_str(), self.bundle.model_file(file).await?));
            loaded += file.shard.bytes;
            progress(loaded, entry.bytes);
        }
        Ok(ModelFiles { name: &entry.name, files })
    }
}
