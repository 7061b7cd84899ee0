//! The two neural networks of Campanile, run through [burn]: the [`Encoder`], which turns a text
//! into a vector, and the [`Decoder`], which writes prose.
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
//! one byte a value, 23 MB, for a loss of less than a thousandth in rank correlation. A language
//! model comes as a GGUF file, quantised already; [`gguf`] takes it apart into shards that keep
//! its blocks as they are. Both write valid safetensors, in files of at most 24 MB.
//!
//! # The encoder
//!
//! A BERT with mean pooling, on the CPU, because one short question embeds faster there than a
//! GPU starts. Texts are laid end to end, without padding: the products see one tall matrix, and
//! attention takes runs of texts of one length. Natively every core computes whole batches.
//! Token vectors stay in their stored encoding and are read row by row, and the activation is
//! written for SIMD, since burn-flex computes its error function value by value.
//!
//! # The decoder
//!
//! A Llama on any device that burn runs on: the CPU, or with the feature `wgpu` a browser's
//! WebGPU. On a GPU every tensor keeps to a few fixed shapes, since a new shape means a new
//! program to compile: prompts are read in padded blocks, and the cache of keys and values has a
//! fixed capacity with a mask over it. One number is read back per token, asynchronously, as a
//! browser demands. Generation is greedy, so that a [`KnownAnswer`] can tell a device that
//! computes wrongly from one that does not.
//!
//! # Trust
//!
//! Files are foreign. Readers check every count and length against what is there before they use
//! it, and errors name the file, the tensor or the byte. Whatever a message of a conversation
//! contains, it cannot end that message: control tokens are taken out of it
//! ([`Decoder::chat_tokens`]).
//!
//! [burn]: https://burn.dev

mod chat;
mod decoder;
mod encoder;
mod encoding;
mod error;
pub mod gguf;
mod limits;
pub mod quantize;
mod shards;
mod tensor_source;
mod tokenizer;

pub use chat::{ChatMessage, ChatTemplate, Role};
pub use decoder::{
    Decoder, DecoderConfig, Finish, GenerateOptions, Generated, Generation, KnownAnswer,
    SMOLLM2_135M_INSTRUCT, TokenIds,
};
pub use encoder::{Encoder, EncoderConfig};
pub use encoding::Encoding;
pub use error::ModelError;
pub use shards::{BLOCKS_KEY, BlockLayout, PART_SEPARATOR, SCALE_SUFFIX, Shards};
pub use tensor_source::{HostTensor, StoredTensor, TensorSource};
pub use tokenizer::Tokenizer;
