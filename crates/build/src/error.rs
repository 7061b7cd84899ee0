//! The errors of a build, by kind.
//!
//! A message names one thing that is wrong, most with the way out; what caused it is the error's source. A command prints them
//! all.

use std::io;
use std::path::{Path, PathBuf};

use campanile_bundle::BundleError;
use campanile_corpus::ChunkError;
use campanile_distil::DistilError;
use campanile_index::IndexError;
use campanile_model::ModelError;
use campanile_model_store::{InstalledModel, StoreError};
use campanile_retrieve::PairTask;
use thiserror::Error;

use crate::device::DeviceError;
use crate::documents::DocumentsError;
use crate::metadata::MetadataConfigError;
use crate::propositions::PropositionError;
use crate::report::ReportError;
use crate::site::SiteError;

/// The reason why a build ended early.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A rule in the settings cannot be used.
    #[error(transparent)]
    Rule(#[from] MetadataConfigError),
    /// The settings of passages cannot be used.
    #[error(transparent)]
    Chunks(#[from] ChunkError),
    /// There are no documents to build from.
    #[error(transparent)]
    Documents(#[from] DocumentsError),
    /// A model, or an adapter to one, cannot be loaded.
    #[error(transparent)]
    Model(#[from] LoadError),
    /// The device cannot embed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A document, by its path, cannot be cut.
    #[error("cannot cut `{0}` into passages")]
    Cut(String, #[source] ChunkError),
    /// The encoder refused a text. The first field is what it was to do.
    #[error("cannot {0}")]
    Encoder(&'static str, #[source] ModelError),
    /// Nothing could be learned from the documents or the encoder. The first field is the sentence about it.
    #[error("{0}")]
    Learning(&'static str, #[source] LearningError),
    /// The language model of this name failed at a sentence.
    #[error("the language model `{0}` wrote no propositions")]
    Propositions(String, #[source] PropositionError),
    /// So many texts have no vector among those that were brought, and the first of them.
    #[error(
        "{count} of the texts that the site needs have no vector in the parts, first \"{first}\"\n  \
         the documents, the settings or this command changed since the parts were made\n  \
         way out: `campanile passages` makes them anew, and `campanile embed` their vectors"
    )]
    NotBrought {
        /// The number of them.
        count: usize,
        /// The beginning of the first.
        first: String,
    },
    /// A build in parts would have the language model write propositions twice.
    #[error(
        "`propositions.writer` is \"model\", and a build in parts has no place for what the model writes\n  \
         way out: `writer = \"rules\"` below `[propositions]`, or a build on one machine, `campanile build`"
    )]
    ModelInParts,
    /// A text has nothing of what was to be made of it, which is a mistake of this crate.
    #[error("a text was not {0}")]
    Lost(&'static str),
    /// The site in this folder cannot be written. One that was there before is as it was.
    #[error("cannot write the site `{}`", .0.display())]
    Site(PathBuf, #[source] Box<SiteError>),
    /// The site is written, and its report cannot be.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// The reason why a model, or an adapter to one, cannot be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The model that is concerned, or the setting that names it. The source is one of the others.
    #[error("{0}")]
    Of(String, #[source] Box<Self>),
    /// Nothing has this name.
    #[error("`{0}` is neither a file or folder here nor a model that `campanile model list` names")]
    Unknown(String),
    /// The store does not have the model, or not all of it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of an installed model cannot be read.
    #[error("cannot read the model file `{}`\n  way out: `campanile model fetch {model}` mends it", path.display())]
    Installed {
        /// The model.
        model: String,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// This file or folder cannot be read.
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// This GGUF file is damaged.
    #[error("cannot read `{}`", .0.display())]
    Gguf(PathBuf, #[source] ModelError),
    /// This folder holds more than one model: so many.
    #[error("`{}` holds {} GGUF files\n  way out: name one of them", .0.display(), .1)]
    Several(PathBuf, usize),
    /// This folder holds no model.
    #[error(
        "`{}` holds no weights: no .safetensors and no .gguf file\n  way out: a model in \
         another format is written again by transformers' `save_pretrained`",
        .0.display()
    )]
    NoWeights(PathBuf),
    /// A language model is in another form than llama.cpp's.
    #[error("the model has no .gguf file")]
    NoGguf,
    /// A file of this name is missing.
    #[error("it has no `{0}`")]
    NoFile(String),
    /// The files are damaged, or of a kind that is not run.
    #[error(transparent)]
    Damaged(#[from] ModelError),
    /// A file for the page cannot be made.
    #[error(transparent)]
    Made(#[from] serde_json::Error),
    /// The site in this folder ships no language model. The second field is the way out.
    #[error("the site `{}` ships no language model\n  way out: {}", .0.display(), .1)]
    NotShipped(PathBuf, String),
    /// The language model that a site ships is damaged.
    #[error(transparent)]
    Shipped(#[from] BundleError),
    /// The file at this path is no adapter.
    #[error("`{}` is no adapter that can be used", .0.display())]
    NoAdapter(PathBuf, #[source] ModelError),
    /// The adapter at this path has learned another task, which is named.
    #[error("the adapter `{}` is a {}", .0.display(), .1)]
    OtherTask(PathBuf, PairTask),
    /// The adapter was trained with another model.
    #[error("the adapter `{}` changes another {than}\n  way out: {way_out}, see training/README.md", path.display())]
    OtherModel {
        /// The adapter.
        path: PathBuf,
        /// The model that it was expected to change, as in "encoder than `bge`".
        than: String,
        /// The way out.
        way_out: &'static str,
    },
}

impl LoadError {
    /// The error of a file of this model.
    pub(crate) fn installed(model: &InstalledModel, path: &Path, source: io::Error) -> Self {
        Self::Installed { model: model.name.clone(), path: path.to_owned(), source }
    }

    /// The error with what it is about.
    pub(crate) fn of(self, about: String) -> Self {
        Self::Of(about, Box::new(self))
    }

    /// The error of an adapter that changes another model than this one.
    pub(crate) fn other_model(path: &Path, kind: &str, model: &str) -> Self {
        let than = format!("{kind} than `{model}`");
        Self::OtherModel { path: path.to_owned(), than, way_out: "train it anew for this one" }
    }
}

/// The reason why nothing could be learned.
#[derive(Debug, Error)]
pub enum LearningError {
    /// The encoder refused a text.
    #[error(transparent)]
    Encoder(#[from] ModelError),
    /// Vectors do not fit.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Examples do not fit.
    #[error(transparent)]
    Distil(#[from] DistilError),
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

    use std::{fs, iter};

    use campanile_model_store::ModelKind;

    use super::*;
    use crate::config::Config;
    use crate::{Plan, build};

    #[test]
    fn a_caller_tells_a_file_that_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let encoder = InstalledModel {
            name: "tiny".to_owned(),
            kind: ModelKind::Encoder,
            licence: String::new(),
            home: String::new(),
            revision: None,
            folder: folder.path().to_owned(),
            files: Vec::new(),
        };
        let path = encoder.folder.join("config.json");
        // A folder is there and cannot be read.
        fs::create_dir(&path).unwrap();
        let config = Config::default();
        let plan = Plan::new(folder.path(), folder.path(), &config, &encoder);
        let error = build(&plan).unwrap_err();
        let chain =
            iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        let said: Vec<String> = chain.take(2).map(ToString::to_string).collect();
        let expected = [
            "cannot load the encoder `tiny`".to_owned(),
            format!(
                "cannot read the model file `{}`\n  way out: `campanile model fetch tiny` mends it",
                path.display()
            ),
        ];
        assert_eq!(said, expected);
        let BuildError::Model(LoadError::Of(_, cause)) = error else { panic!("{error:?}") };
        assert!(matches!(*cause, LoadError::Installed { .. }), "{cause:?}");
    }
}
