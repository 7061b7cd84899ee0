//! The neural networks of Campanile: the [`Encoder`], which turns a text into a vector, the
//! [`SequenceClassifier`], which judges a pair of texts, and the [`Decoder`], which writes prose.
//!
//! The same code runs natively, where a site is built, and in a browser's wasm, where a question
//! is asked; so the vectors of both compare, and what is measured here is what a reader gets.
//! Nothing in this crate touches a disk, a network or a clock. Bytes come in, and a caller who
//! has a file, a cache or a bundle brings them.
//!
//! # From bytes to a model
//!
//! A model is a few files: `config.json`, `tokenizer.json` and weights. [`EncoderConfig`] and
//! [`DecoderConfig`] read the first, [`Tokenizer`] the second. Weights are a [`TensorSource`]:
//! named tensors, handed out one at a time, so that loading needs little more memory than the
//! model itself. [`Shards`] is the usual source, over one or several safetensors files.
//!
//! ```no_run
//! use campanile_model::{Encoder, EncoderConfig, ModelError, Shards, Tokenizer};
//!
//! # fn read(name: &str) -> Vec<u8> { std::fs::read(name).unwrap_or_default() }
//! let config = EncoderConfig::from_json(&read("config.json"))?;
//! let tokenizer = Tokenizer::from_json(&read("tokenizer.json"))?;
//! let weights = Shards::new(vec![read("model.safetensors")])?;
//! let encoder = Encoder::load(&config, tokenizer, &weights)?;
//! drop(weights);
//!
//! let vectors = encoder.encode(&["When is the thesis due?", "Submission of theses"])?;
//! let cosine: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
//! assert!(cosine > 0.3);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! # Small enough for a page
//!
//! What is published is large: the default encoder is 91 MB. [`quantize`] writes it again with
//! 4.5 bits a value, 13 MB, and its rank correlation on the STS benchmark stays what it was. A
//! language model most often comes as a GGUF file, quantised already; [`gguf`] takes it apart into
//! shards that keep its blocks as they are. A folder of Hugging Face's kind is read by
//! [`Published`]. All write valid safetensors, in files of at most 24 MB.
//!
//! # Encoders and classifiers
//!
//! BERT and RoBERTa on the CPU, because one short question embeds faster there than a GPU
//! starts: with mean or first-token pooling a sentence encoder, with a head on top a reranker or
//! a model of natural language inference. The arithmetic is that of `campanile-kernels`, so that
//! a page and a build compute the same bits. Texts are laid end to end, without padding: the
//! products see one tall matrix, attention looks at each text alone. Natively every core computes
//! whole batches. Token vectors stay in their stored encoding and are read row by row.
//!
//! # Adapters
//!
//! The same encoder reads answers out of passages, reranks them and checks claims, each with an
//! [`Adapter`] of 1 to 3 MB: low-rank changes to its layers and a head, switched with every call.
//! [`Reader`], [`Reranker`] and [`ClaimChecker`] run them, or a whole model of their kind. With a [`SideAdapter`] the
//! encoder embeds questions where their answers are, or passages where their questions are.
//!
//! # The decoder
//!
//! Llama, Qwen2 and Qwen3. [`Decoder`] is the part that all devices share: prompts in blocks, a
//! cache of what was read before, sampling, stop strings, streaming. A [`DecoderBackend`] runs the
//! layers: [`CpuDecoder`] here, and `campanile-webgpu` on a graphics processor. A greedy answer
//! that is known ([`KnownAnswer`]) tells a device that computes wrongly from one that does not.
//!
//! # Trust
//!
//! Files are foreign. Readers check every count and length against what is there before they use
//! it, and errors name the file, the tensor or the byte. Whatever a message of a conversation
//! contains, it cannot end that message: control tokens are taken out of it
//! ([`Decoder::chat_tokens`]).

mod adapter;
mod chat;
mod config_file;
mod decoder;
mod encoder;
mod encoding;
mod error;
pub mod gguf;
mod published;
pub mod quantize;
mod shards;
mod tensor_source;
mod tokenizer;
mod weights;

pub use adapter::{
    Adapter, AnswerKinds, ChangeValues, ClaimChecker, DecoderAdapter, LayerChangeValues,
    NetworkChanges, Pairs, ReadSpan, Reader, ReaderHead, Reading, Reranker, Side, SideAdapter,
    Task as AdapterTask, TokenDirections, TokenEvidence, Verdict,
};
pub use chat::{ChatDate, ChatMessage, ChatTemplate, Role};
pub use decoder::{
    Architecture, BackendFuture, CpuDecoder, Decoder, DecoderBackend, DecoderConfig, Finish,
    GenerateOptions, Generated, Generation, Helpers, KNOWN_ANSWER_FILE, KnownAnswer,
    LogitProcessor, Part, Penalty, RandomSampling, RepetitionPenalty, RopeScaling, Rotary, Rows,
    RowsLoader, Sampling, TokenConstraint, TokenIds, names as decoder_tensors,
};
pub use encoder::{
    Activation, Architecture as EncoderArchitecture, BertConfig, ClassifierConfig, Encoder,
    EncoderConfig, Pooling, PositionEmbedding, Prefixes, ROWS_IN_PART, SequenceClassifier,
    SpanModel, TokenRows, TokenVectors,
};
pub use encoding::Encoding;
pub use error::ModelError;
pub use published::Published;
pub use shards::{Shards, WeightsFile};
pub use tensor_source::{HostTensor, StoredTensor, TensorDescription, TensorSource};
pub use tokenizer::{TokenSequence, Tokenizer, WordPieces};
