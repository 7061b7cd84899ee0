//! A model as others publish it, and how it becomes a model of ours.

mod folder;

use serde::Serialize;

use crate::error::ModelError;
use crate::quantize::{Precision, stream_shards};
use crate::tensor_source::TensorSource;

/// A published model: its small files as ours need them, and where its weights come from.
pub struct Published<'a> {
    /// The architecture by name: `llama`, `qwen2`, `qwen3`, `bert`, …
    pub architecture: String,
    /// The files besides weights, by name.
    pub small: Vec<(String, Vec<u8>)>,
    /// The tensors that are needed, in the order in which they are read.
    pub names: Vec<String>,
    /// The weights.
    pub tensors: Box<dyn TensorSource + 'a>,
}

impl Published<'_> {
    /// Writes the model's files: the small ones, then `model-00001.safetensors` and so on, of at
    /// most `shard_bytes` each.
    ///
    /// # Errors
    /// [`ModelError`] where a tensor is missing or damaged, and what `write` says.
    pub fn write<E: From<ModelError>>(
        &self,
        precision: Precision,
        shard_bytes: usize,
        mut write: impl FnMut(&str, Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (name, bytes) in &self.small {
            write(name, bytes.clone())?;
        }
        let mut number = 0;
        stream_shards(&*self.tensors, &self.names, precision, shard_bytes, |shard| {
            number += 1;
            write(&format!("model-{number:05}.safetensors"), shard)
        })
    }
}

/// The bytes of a value as JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, ModelError> {
    serde_json::to_vec(value).map_err(|e| ModelError::config(e.to_string()))
}
