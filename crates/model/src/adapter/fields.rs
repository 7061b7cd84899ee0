//! The metadata of an adapter's file.

use std::collections::HashMap;

use serde::de::DeserializeOwned;

use crate::encoder::Pooling;
use crate::error::ModelError;
use crate::limits::LAYER_LIMIT;

/// The strings of a safetensors file's `__metadata__`.
pub(super) struct Fields(pub(super) HashMap<String, String>);

impl Fields {
    /// A field that must be there.
    pub(super) fn text(&self, name: &str) -> Result<&str, ModelError> {
        let text = self.0.get(name).map(String::as_str);
        text.ok_or_else(|| ModelError::adapter(format!("its metadata has no `{name}`")))
    }

    /// Fails where the file is for another task.
    pub(super) fn expect_task(&self, wanted: &str) -> Result<(), ModelError> {
        let task = self.text("task")?;
        if task == wanted {
            return Ok(());
        }
        Err(ModelError::adapter(format!("it is for the task {task:?}, not {wanted:?}")))
    }

    /// A whole number above 0.
    pub(super) fn count(&self, name: &str) -> Result<usize, ModelError> {
        self.number(name, |&count: &usize| count > 0)
    }

    /// A finite number.
    pub(super) fn real(&self, name: &str) -> Result<f32, ModelError> {
        self.number(name, |real: &f32| real.is_finite())
    }

    /// Returns the number that logits are divided by.
    pub(super) fn temperature(&self) -> Result<f32, ModelError> {
        self.number("temperature", |&t: &f32| t > 0.0 && t.is_finite())
    }

    /// Numbers are read as those of the header itself are: a page has no other use for a second reader.
    fn number<T: DeserializeOwned>(
        &self,
        name: &str,
        fits: fn(&T) -> bool,
    ) -> Result<T, ModelError> {
        let text = self.text(name)?;
        let number = serde_json::from_str(text).ok().filter(fits);
        number.ok_or_else(|| Self::refused(name, text))
    }

    /// A field whose text is not understood.
    pub(super) fn refused(name: &str, text: &str) -> ModelError {
        ModelError::adapter(format!("its `{name}` is \"{text}\", which is not understood"))
    }

    /// The numbers of the layers that are changed, in order and none twice.
    pub(super) fn layers(&self) -> Result<Vec<usize>, ModelError> {
        let text = self.text("layers")?;
        let layers: Option<Vec<usize>> = serde_json::from_str(&format!("[{text}]")).ok();
        let fits = |layers: &Vec<usize>| {
            layers.is_sorted_by(|a, b| a < b) && layers.iter().all(|&layer| layer < LAYER_LIMIT)
        };
        layers.filter(fits).ok_or_else(|| Self::refused("layers", text))
    }

    /// Returns the way in which token vectors become the one that a head reads.
    pub(super) fn pooling(&self) -> Result<Pooling, ModelError> {
        match self.text("pooling")? {
            "cls" => Ok(Pooling::Cls),
            "mean" => Ok(Pooling::Mean),
            other => Err(Self::refused("pooling", other)),
        }
    }
}
