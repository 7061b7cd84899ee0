//! What an adapter's file says of itself.

use std::collections::HashMap;
use std::str::FromStr;

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

    /// A whole number above 0.
    pub(super) fn count(&self, name: &str) -> Result<usize, ModelError> {
        self.number(name, |&count: &usize| count > 0)
    }

    /// A finite number.
    pub(super) fn real(&self, name: &str) -> Result<f32, ModelError> {
        self.number(name, |real: &f32| real.is_finite())
    }

    /// What logits are divided by.
    pub(super) fn temperature(&self) -> Result<f32, ModelError> {
        self.number("temperature", |&t: &f32| t > 0.0 && t.is_finite())
    }

    fn number<T: FromStr>(&self, name: &str, fits: fn(&T) -> bool) -> Result<T, ModelError> {
        let text = self.text(name)?;
        text.parse().ok().filter(fits).ok_or_else(|| Self::refused(name, text))
    }

    /// A field whose text is not understood.
    pub(super) fn refused(name: &str, text: &str) -> ModelError {
        ModelError::adapter(format!("its `{name}` is \"{text}\", which is not understood"))
    }

    /// The numbers of the layers that are changed, in order and none twice.
    pub(super) fn layers(&self) -> Result<Vec<usize>, ModelError> {
        let text = self.text("layers")?;
        let mut layers: Vec<usize> = Vec::new();
        for number in text.split(',').filter(|_| !text.is_empty()) {
            let number = number.parse().ok().filter(|&number| {
                number < LAYER_LIMIT && layers.last().is_none_or(|&last| last < number)
            });
            layers.push(number.ok_or_else(|| Self::refused("layers", text))?);
        }
        Ok(layers)
    }

    /// How token vectors become the one that a head reads.
    pub(super) fn pooling(&self) -> Result<Pooling, ModelError> {
        match self.text("pooling")? {
            "cls" => Ok(Pooling::Cls),
            "mean" => Ok(Pooling::Mean),
            other => Err(Self::refused("pooling", other)),
        }
    }
}
