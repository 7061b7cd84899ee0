//! Networks that read a text whole: sentence encoders and sequence classifiers.

mod batch;
mod bert_config;
mod classifier;
mod classifier_config;
mod classifier_head;
mod encoder_config;
mod model_files;
mod parallel;
mod pooling;
mod sentence_encoder;
mod span_model;
mod trunk;
mod trunk_weights;

pub(crate) use classifier::FIRST;
pub(crate) use classifier_head::PairHead;
pub(crate) use parallel::try_map;
pub(crate) use trunk::{Pass, Trunk};
pub(crate) use trunk_weights::Linear;

pub use bert_config::{Activation, Architecture, BertConfig, PositionEmbedding};
pub use classifier::SequenceClassifier;
pub use classifier_config::ClassifierConfig;
pub use encoder_config::{EncoderConfig, Pooling, Prefixes};
pub use sentence_encoder::{Encoder, TokenRows, TokenVectors};
pub use span_model::SpanModel;

use crate::error::ModelError;
use crate::tokenizer::Tokenizer;

/// Fails where a tokenizer has more tokens than the network has vectors, or where the `reserved`
/// tokens of the `limit` leave no room for a text.
fn check_tokenizer(
    config: &BertConfig,
    tokenizer: &Tokenizer,
    limit: usize,
    reserved: usize,
) -> Result<(), ModelError> {
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
