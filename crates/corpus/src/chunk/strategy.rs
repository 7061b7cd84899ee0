//! The ways to cut by their names, and what is wrong with their options.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{
    Chunk, ChunkOptions, FixedOptions, RecursiveOptions, SemanticOptions, SentenceSimilarity,
    TokenCounter, TokenOptions, chunk, recursive, semantic, windows,
};
use crate::Document;

/// A way to cut documents, with its sizes.
///
/// The first follows the document's structure and is what a site is built with; the others are the
/// ways that published systems cut, there to be compared with. Serialised, the strategy's name
/// stands beside its options: `strategy = "fixed"`, `characters = 512`, `overlap = 100`.
///
/// | name | sections | the encoder's limit |
/// |---|---|---|
/// | `structure` | never crossed | kept, with the context |
/// | `recursive` | crossed | not known: sizes are in characters |
/// | `fixed` | crossed | not known: sizes are in characters |
/// | `tokens` | crossed | `max_tokens` is kept by a window's own text |
/// | `semantic` | crossed | kept, with the context |
///
/// ```
/// use campanile_corpus::{ChunkStrategy, FixedOptions};
///
/// let strategy: ChunkStrategy = "fixed".parse()?;
/// assert_eq!(strategy, ChunkStrategy::Fixed(FixedOptions { characters: 512, overlap: 100 }));
/// # Ok::<(), campanile_corpus::ChunkError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "strategy", rename_all = "kebab-case")]
pub enum ChunkStrategy {
    /// Blocks gathered within sections: [`chunk`](crate::chunk()).
    Structure(ChunkOptions),
    /// Recursive character splitting.
    Recursive(RecursiveOptions),
    /// Windows of characters.
    Fixed(FixedOptions),
    /// Windows of tokens.
    Tokens(TokenOptions),
    /// Cuts where neighbouring sentences differ.
    Semantic(SemanticOptions),
}

impl Default for ChunkStrategy {
    fn default() -> Self {
        Self::Structure(ChunkOptions::default())
    }
}

impl ChunkStrategy {
    /// The names of all strategies, the default first.
    pub const NAMES: [&'static str; 5] = ["structure", "recursive", "fixed", "tokens", "semantic"];

    /// The strategy's name in configurations and reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Structure(_) => "structure",
            Self::Recursive(_) => "recursive",
            Self::Fixed(_) => "fixed",
            Self::Tokens(_) => "tokens",
            Self::Semantic(_) => "semantic",
        }
    }

    /// Looks the options over.
    ///
    /// # Errors
    /// [`ChunkError::Option`] names the first option that makes no sense, and what it may be.
    pub fn check(&self) -> Result<(), ChunkError> {
        match self {
            Self::Structure(options) => {
                at_least("structure", "target_words", options.target_words, 1)?;
                at_least("structure", "max_tokens", options.max_tokens, 1)
            }
            Self::Recursive(options) => options.check(),
            Self::Fixed(options) => options.check(),
            Self::Tokens(options) => options.check(),
            Self::Semantic(options) => options.check(),
        }
    }
}

/// The strategy of a name, with its default sizes.
impl FromStr for ChunkStrategy {
    type Err = ChunkError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "structure" => Ok(Self::default()),
            "recursive" => Ok(Self::Recursive(RecursiveOptions::default())),
            "fixed" => Ok(Self::Fixed(FixedOptions::default())),
            "tokens" => Ok(Self::Tokens(TokenOptions::default())),
            "semantic" => Ok(Self::Semantic(SemanticOptions::default())),
            _ => Err(ChunkError::UnknownStrategy { found: name.to_owned() }),
        }
    }
}

/// Cuts a document by any strategy, in the order of its text.
///
/// Whatever the strategy, chunks are trimmed spans of the text that split no character, stand in the
/// order of their beginnings, and together hold every word of every section's body; the strategies
/// that cross sections hold the headings too. Such a chunk's [`section`](Chunk::section) is the one it
/// begins in. A document without sections has no chunks.
///
/// `similarity` may be `None` unless the strategy is [`Semantic`](ChunkStrategy::Semantic).
///
/// # Errors
/// Options that make no sense, and whatever goes wrong while sentences are compared.
pub fn chunk_by(
    document: &Document,
    counter: &dyn TokenCounter,
    strategy: &ChunkStrategy,
    similarity: Option<&dyn SentenceSimilarity>,
) -> Result<Vec<Chunk>, ChunkError> {
    strategy.check()?;
    if document.sections.is_empty() {
        return Ok(Vec::new());
    }
    match strategy {
        ChunkStrategy::Structure(options) => Ok(chunk(document, counter, options)),
        ChunkStrategy::Recursive(options) => Ok(recursive::chunks(document, options)),
        ChunkStrategy::Fixed(options) => Ok(windows::by_characters(document, options)),
        ChunkStrategy::Tokens(options) => Ok(windows::by_tokens(document, counter, options)),
        ChunkStrategy::Semantic(options) => {
            let similarity = similarity.ok_or(ChunkError::NoSimilarity)?;
            semantic::chunks(document, counter, options, similarity)
        }
    }
}

/// A reason why a document was not cut.
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
