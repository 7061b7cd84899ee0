use campanile_bundle::BundleError;
use campanile_corpus::Granularity;
use campanile_index::IndexError;
use campanile_model::ModelError;
use thiserror::Error;

use crate::engine::PairTask;

/// Why a question could not be searched at all.
///
/// Damage to single parts is no error: it is named in
/// [`Retrieval::problems`](crate::Retrieval::problems), and the rest is searched.
#[derive(Debug, Error)]
pub enum RetrieveError {
    /// The site's files.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The index: a vector does not fit it.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The encoder.
    #[error("the encoder failed: {0}")]
    Model(#[from] ModelError),
    /// The site names a model that this version cannot run.
    #[error(
        "the encoder `{name}` has the architecture `{architecture}`, which this version cannot run. \
         Build the site again with `campanile build`"
    )]
    Architecture {
        /// The model.
        name: String,
        /// The architecture that the manifest names for it.
        architecture: String,
    },
    /// A file of the model is not in the manifest.
    #[error("the model `{name}` has no file `{file}` in this site. Build the site again")]
    ModelFile {
        /// The model.
        name: String,
        /// The file.
        file: String,
    },
    /// No passage could be had, and parts of the site are missing: nothing can be said about the question, not even
    /// that there is nothing.
    #[error("the site could not be searched: {}", .problems.join("; "))]
    Unreached {
        /// The parts, as [`Retrieval::problems`](crate::Retrieval::problems) names them.
        problems: Vec<String>,
    },
    /// The site has no index over units of this size.
    #[error(
        "this site has no index over {granularity}s. Name `{granularity}` among the `parts` of `[chunks]` \
         in `campanile.toml` and build it again"
    )]
    NoIndex {
        /// The size that was asked for.
        granularity: Granularity,
    },
    /// The static encoder's parts do not belong together.
    #[error("the static encoder has {pieces} word pieces and {rows} vectors. Build the site again")]
    StaticEncoder {
        /// The number of word pieces.
        pieces: usize,
        /// The number of vectors.
        rows: usize,
    },
    /// The static encoder was asked for before it was loaded.
    #[error("the static encoder is not loaded yet")]
    InstantNotLoaded,
    /// The site was built without an encoder.
    #[error("this site has no encoder: it searches by keywords alone")]
    NoEncoder,
    /// The site was built without a model for a task.
    #[error(
        "this site has no {0}. Its department may have left it out; see `[models]` in `campanile.toml`"
    )]
    NoPairModel(PairTask),
    /// A model that changes the site's encoder was made for another one.
    #[error("the model `{name}` changes another encoder than this site's. Build the site again")]
    OtherEncoder {
        /// The model.
        name: String,
    },
    /// A site that is to be asked together with others was built with another encoder than these.
    #[error("it was built with another encoder, `{name}`. Build it again as the others are")]
    BesideOther {
        /// That encoder.
        name: String,
    },
    /// An embedding was asked for before the encoder was loaded.
    #[error("the encoder is not loaded yet")]
    EncoderNotLoaded,
}
