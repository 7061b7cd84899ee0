//! Campanile's networks in plain [burn]: short enough to read in an hour, and what our own kernels
//! are tested against.
//!
//! Three crates of this project compute the same networks in code that is written to be fast:
//! `campanile-kernels` and `campanile-model` on the processor, `campanile-webgpu` on a graphics
//! processor. Fast code is hard to read, and tests that compare it with itself find nothing. Here
//! each network is what its paper says, in the layers that burn brings along:
//!
//! - `bert.rs`: the encoder. Tokens become vectors. In each layer every token attends to all others
//!   and is then changed by itself. The mean of the last vectors is the vector of the text
//!   ([`Encoder`]). Attention itself, five lines of it, stands at the end.
//! - `reader.rs`: the same encoder as a reader. An adapter adds a low-rank product
//!   to each product of its layers. A head gives every token two numbers: one for an answer that
//!   starts there, one for an answer that ends there ([`Reader`]).
//! - `decoder.rs`: the language model. Tokens attend only to those before them, their positions are
//!   angles, and the last vector says which token comes next ([`Decoder`]).
//!
//! Read them in that order. A `Tensor<3>` has three dimensions, and each comment says which:
//! `[batch, tokens, hidden]`.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use campanile_model::{EncoderConfig, Tokenizer};
//! use campanile_reference::{Encoder, Weights, device};
//!
//! let folder = Path::new("all-MiniLM-L6-v2");
//! let tokenizer = Tokenizer::from_json(&std::fs::read(folder.join("tokenizer.json"))?)?;
//! let config = EncoderConfig::from_json(&std::fs::read(folder.join("config.json"))?)?;
//!
//! let file = folder.join("model.safetensors");
//! let encoder = Encoder::load(&config, Weights::Published(&file), &device("cpu")?)?;
//!
//! let tokens = |text| tokenizer.sequence(text, config.token_limit());
//! let texts = [tokens("When is the thesis due?")?, tokens("Submission of theses")?];
//! let vectors = encoder.encode(&texts)?;
//! let cosine: f32 = vectors[0].iter().zip(&vectors[1]).map(|(a, b)| a * b).sum();
//! assert!(cosine > 0.3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it is for
//!
//! **An independent answer.** Configurations, tokenizers and the decoding of our own 4- and 8-bit
//! blocks are `campanile-model`'s, because they are no arithmetic of a network. All else is burn's,
//! down to the reading of published weights. The tests compare the code for the processor with it:
//! sentence vectors, the reader's logits, and a hundred greedy tokens.
//!
//! **Other devices.** burn runs the same code on CUDA, ROCm, Metal and whatever wgpu finds. For a
//! very large collection, [`Encoder::encode`] and [`Encoder::encode_with_tokens`] take many texts
//! at once, and [`device()`] finds a device by its name. The weights may be a site's own,
//! quantised, through [`Weights::Stored`]. Vectors are then those of a build on the processor up to
//! rounding, not the same bits.
//!
//! This crate is in no page. It keeps every weight in single precision. A decoder has no KV cache:
//! it remembers nothing between two tokens. RoBERTa, Qwen and stretched positions are refused, not
//! run.
//!
//! # What was compiled, and what was run
//!
//! No graphics processor was at hand.
//!
//! | feature | compiled, on Linux | run |
//! |---|---|---|
//! | none: the processor | yes | all tests |
//! | `wgpu`, `metal` | types checked (`cargo check`) | no |
//! | `cuda`, `rocm` | types checked, with `DOCS_RS=1` | no |
//!
//! Neither CUDA's nor ROCm's own libraries were needed for that. By its source, cubecl opens them
//! when it looks for a device. But cubecl 0.11.3 makes their kernels with an LLVM, which a build
//! script fetches from its makers' server. That server could not be reached, so a plain
//! `cargo check` with either feature failed. With `DOCS_RS=1` the script fetches nothing. No
//! program with either feature was linked. On Linux, the parts of `metal` that only Apple's systems
//! have are not compiled.
//!
//! If you have a device, the same tests compare it with our kernels:
//!
//! ```sh
//! CAMPANILE_REFERENCE_DEVICE=cuda cargo test --release -p campanile-reference --features cuda
//! ```
//!
//! [burn]: https://burn.dev

mod bert;
mod decoder;
mod encoder;
mod error;
mod loading;
mod reader;

pub use decoder::Decoder;
pub use encoder::{Encoded, Encoder};
pub use error::ReferenceError;
pub use loading::{DEVICES, Weights, device};
pub use reader::{Reader, ReaderLogits};
