use super::ChunkStrategy;

/// Why a document was not cut.
#[derive(Debug, thiserror::Error)]
pub enum ChunkError {
    /// A name that no strategy has.
    #[error("unknown chunking strategy `{found}`: use {}", names())]
    UnknownStrategy {
        /// The name that was asked for.
        found: String,
    },
    /// A setting that makes no sense.
    #[error("chunking by `{strategy}`: `{option}` is {found}; give {expected}")]
    Option {
        /// The strategy's name.
        strategy: &'static str,
        /// The setting's name.
        option: &'static str,
        /// Its value.
        found: usize,
        /// The values that it may have.
        expected: String,
    },
    /// Semantic boundaries were asked for without an encoder to find them.
    #[error(
        "chunking by `semantic` compares sentences, and no encoder was given: load one, or choose \
         another strategy"
    )]
    NoSimilarity,
    /// The encoder returned another number of similarities than there are pairs.
    #[error(
        "`{path}`: expected {expected} similarities, one for each pair of neighbouring sentences, \
         found {found}"
    )]
    Count {
        /// The document's path.
        path: String,
        /// Pairs of neighbouring sentences.
        expected: usize,
        /// Similarities returned.
        found: usize,
    },
    /// A similarity that is not a number.
    #[error("`{path}`: the similarity of sentences {index} and {} is {found}, expected a number", index + 1)]
    NotANumber {
        /// The document's path.
        path: String,
        /// The first sentence of the pair, from 0.
        index: usize,
        /// The value that the encoder gave.
        found: f32,
    },
    /// The encoder failed.
    #[error("the sentences of `{path}` could not be compared")]
    Similarity {
        /// The document's path.
        path: String,
        /// The encoder's own error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

fn names() -> String {
    ChunkStrategy::NAMES.map(|name| format!("`{name}`")).join(", ")
}

/// The setting is at least `least`.
pub(super) fn at_least(
    strategy: &'static str,
    option: &'static str,
    found: usize,
    least: usize,
) -> Result<(), ChunkError> {
    if found >= least {
        return Ok(());
    }
    Err(ChunkError::Option { strategy, option, found, expected: format!("{least} or more") })
}

/// The setting is at most `most`, which comes from `reason`.
pub(super) fn at_most(
    strategy: &'static str,
    option: &'static str,
    found: usize,
    most: usize,
    reason: &str,
) -> Result<(), ChunkError> {
    if found <= most {
        return Ok(());
    }
    let expected = format!("at most {most} ({reason})");
    Err(ChunkError::Option { strategy, option, found, expected })
}
