//! Networks that read a text whole: sentence encoders and sequence classifiers.

mod classifier;
mod config;
mod model_files;
mod sentence_encoder;
mod trunk;
mod trunk_weights;
mod words;

use crate::error::ModelError;
use crate::tokenizer::Tokenizer;

pub(crate) use classifier::{FIRST, PairHead, PairModel};
pub use classifier::{SequenceClassifier, SpanModel};
pub use config::{
    Activation, Architecture, BertConfig, ClassifierConfig, EncoderConfig, Pooling,
    PositionEmbedding, Prefixes,
};
pub use sentence_encoder::{Encoder, TokenRows, TokenVectors};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use trunk::Input;
pub(crate) use trunk::{Pass, Trunk};
pub(crate) use trunk_weights::Linear;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use trunk_weights::words_tensor;
pub use words::ROWS_IN_PART;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use words::{NEAR, NEAR_TOKENS};

/// Fails where a tokenizer has more tokens than the network has vectors, or where the `reserved`
/// tokens of the `limit` leave no room for a text.
fn check_tokenizer(
    config: &BertConfig,
    tokenizer: &Tokenizer,
    limit: usize,
    reserved: usize,
) -> Result<(), ModelError> {
    // Fewer are no fault: many tables have rows to spare, up to a round number.
    if tokenizer.vocabulary_size() > config.vocab_size {
        return Err(ModelError::tokenizer(format!(
            "tokenizer.json has {} tokens, config.json asks for {}; the two files are not of one model",
            tokenizer.vocabulary_size(),
            config.vocab_size
        )));
    }
    if reserved >= limit {
        return Err(ModelError::config(format!(
            "`max_tokens` {limit} leaves no room for a text beside {reserved} special tokens and those of a prefix"
        )));
    }
    Ok(())
}

/// Cores that take part: all of them natively, one in a browser's wasm.
fn threads() -> usize {
    #[cfg(not(target_arch = "wasm32"))]
    return rayon::current_num_threads();
    #[cfg(target_arch = "wasm32")]
    return 1;
}

/// `work` on each of the items, in their order, over all cores where there are several; the first error where there is
/// any.
pub(crate) fn try_map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, ModelError> + Sync + Send,
) -> Result<Vec<R>, ModelError> {
    #[cfg(not(target_arch = "wasm32"))]
    return {
        use rayon::prelude::*;
        // An item is a text or a batch of them, worth a task of its own: rayon would give a core several.
        items.par_iter().with_max_len(1).map(work).collect()
    };
    #[cfg(target_arch = "wasm32")]
    return items.iter().map(work).collect();
}
