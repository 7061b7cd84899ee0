//! GGUF files, as llama.cpp writes them, and how they become a model of ours.
//!
//! A GGUF file is one piece of a hundred megabytes and more, holds its own kind of tokenizer and
//! permutes some weights. [`convert`] reads it once, when a site is built, and writes what a page
//! can load: safetensors shards with the same quantised blocks, a `config.json`, a
//! `tokenizer.json` and a chat template.

mod config;
mod convert;
mod cursor;
mod pre_tokenizer;
mod reader;
mod tensors;
mod tokenizer_json;
mod value;

#[cfg(test)]
mod tests;

pub use convert::{CHAT_TEMPLATE_FILE, convert};
pub use reader::GgufFile;
pub use value::Value;
