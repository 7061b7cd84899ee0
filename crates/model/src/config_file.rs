//! The parts that all readers of configurations share.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ModelError;

// Memory is set aside by these two numbers before any weight is looked for, so a damaged file must not choose them.

/// The most layers of a model.
// Eight times those of Llama 3.1 405B, which has 126.
pub(crate) const LAYER_LIMIT: usize = 1024;

/// The most positions of a model.
// Room for the Qwen2.5 models that read a million tokens: their files say 1,010,000.
pub(crate) const POSITION_LIMIT: usize = 1 << 20;

/// Reads a configuration's bytes.
///
/// # Errors
/// [`ModelError::Config`] with the parser's message.
pub(crate) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ModelError> {
    serde_json::from_slice(bytes).map_err(|error| ModelError::config(error.to_string()))
}

/// The bytes of a value as JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, ModelError> {
    serde_json::to_vec(value).map_err(|error| ModelError::config(error.to_string()))
}

/// Fails where one of the sizes, each with its field's name, is 0.
///
/// # Errors
/// [`ModelError::Config`] that names the field.
pub(crate) fn check_sizes(sizes: &[(&str, usize)]) -> Result<(), ModelError> {
    match sizes.iter().find(|(_, size)| *size == 0) {
        Some((field, _)) => Err(ModelError::config(format!("`{field}` must be above 0"))),
        None => Ok(()),
    }
}
