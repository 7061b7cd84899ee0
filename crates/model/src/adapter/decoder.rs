//! Changes to a language model, added to its weights.

use std::borrow::Cow;

use super::file::opened_file;
use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::shards::Shards;
use crate::tensor_source::{StoredTensor, TensorDescription, TensorSource};

/// The task that its file names.
const TASK: &str = "prose";

/// Low-rank changes ([Hu et al. 2021](https://arxiv.org/abs/2106.09685)) by which a language model words answers.
///
/// A page has one language model for one task, so unlike an encoder's changes these are added to the weights once, where a
/// site is built ([`DecoderAdapter::changed`]): nothing is slower in the page, and every device runs it.
pub struct DecoderAdapter {
    trunk: String,
    template: Option<String>,
    scale: f32,
    tensors: Shards,
}

impl DecoderAdapter {
    /// Reads the bytes of its file, which `training/FORMAT.md` defines.
    ///
    /// # Errors
    /// [`ModelError::Shard`] where it is no safetensors file; [`ModelError::Adapter`] where it is of another version or
    /// for another task, or half of a change is missing.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let (fields, tensors) = opened_file(bytes)?;
        fields.expect_task(TASK)?;
        let adapter = Self {
            trunk: fields.text("trunk")?.to_owned(),
            template: fields.text("template").ok().map(str::to_owned),
            scale: fields.real("scale")?,
            tensors,
        };
        for name in adapter.tensors.names() {
            let other = match name.rsplit_once('.') {
                Some((matrix, "down")) => format!("{matrix}.up"),
                Some((matrix, "up")) => format!("{matrix}.down"),
                _ => return Err(ModelError::adapter(format!("`{name}` is no part of a change"))),
            };
            if adapter.tensors.describe(&other).is_err() {
                return Err(ModelError::adapter(format!("it has `{name}` without `{other}`")));
            }
        }
        Ok(adapter)
    }

    /// The SHA-256 of the published file that it was trained on, in hexadecimal.
    pub fn trunk(&self) -> &str {
        &self.trunk
    }

    /// The template of the prompt that it was trained with.
    pub fn template(&self) -> Option<&str> {
        self.template.as_deref()
    }

    /// The weights of a language model with the changes in them: matrices that are changed as `f32`, the others as they are.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the model has not all the matrices that are changed, or one of another shape.
    pub fn changed<'a>(
        &'a self,
        weights: Box<dyn TensorSource + 'a>,
    ) -> Result<Box<dyn TensorSource + 'a>, ModelError> {
        let known = weights.names();
        for name in self.tensors.names() {
            let Some(matrix) = name.strip_suffix(".down") else { continue };
            let whole = format!("{matrix}.weight");
            if known.binary_search(&whole).is_err() {
                return Err(ModelError::adapter(format!(
                    "it changes `{matrix}`, which is not there"
                )));
            }
            let found = weights.describe(&whole)?;
            let down = self.tensors.describe(&name)?.shape;
            let up = self.tensors.describe(&format!("{matrix}.up"))?.shape;
            let fits = match (down.as_slice(), up.as_slice(), found.shape.as_slice()) {
                ([rank, inputs], [outputs, other], [rows, columns]) => {
                    rank == other && inputs == columns && outputs == rows
                }
                _ => false,
            };
            if !fits {
                let shape = found.shape;
                return Err(ModelError::adapter(format!(
                    "a change of {up:?} times {down:?} does not fit `{matrix}`, which has {shape:?}"
                )));
            }
        }
        Ok(Box::new(ChangedWeights { weights, adapter: self }))
    }

    /// The names of the two factors of the change to a tensor, `[rank, inputs]` and `[outputs, rank]`; none where it stays.
    fn change_to(&self, name: &str) -> Option<[String; 2]> {
        let matrix = name.strip_suffix(".weight")?;
        let factors = ["down", "up"].map(|factor| format!("{matrix}.{factor}"));
        self.tensors.describe(&factors[0]).is_ok().then_some(factors)
    }
}

/// A model's weights with changes in them.
struct ChangedWeights<'a> {
    weights: Box<dyn TensorSource + 'a>,
    adapter: &'a DecoderAdapter,
}

impl TensorSource for ChangedWeights<'_> {
    fn names(&self) -> Vec<String> {
        self.weights.names()
    }

    fn stored(&self, name: &str) -> Result<StoredTensor<'_>, ModelError> {
        let stored = self.weights.stored(name)?;
        let Some(factors) = self.adapter.change_to(name) else { return Ok(stored) };
        let [down, up] = factors.each_ref().map(|factor| self.adapter.tensors.read(factor));
        let (down, up) = (down?, up?);
        let mut whole = stored.decode();
        let (rank, columns) = (down.values.len() / stored.columns().max(1), stored.columns());
        let rows = whole.values.chunks_exact_mut(columns.max(1));
        for (row, factors) in rows.zip(up.values.chunks_exact(rank.max(1))) {
            for (factor, part) in factors.iter().zip(down.values.chunks_exact(columns.max(1))) {
                let factor = self.adapter.scale * factor;
                row.iter_mut().zip(part).for_each(|(value, part)| *value += factor * part);
            }
        }
        if !whole.values.iter().all(|value| value.is_finite()) {
            return Err(ModelError::adapter(format!(
                "`{name}` would hold what is no finite number"
            )));
        }
        let bytes: Vec<u8> = whole.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        StoredTensor::new(name, whole.shape, Encoding::F32, Cow::Owned(bytes), Vec::new())
    }

    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        let found = self.weights.describe(name)?;
        if self.adapter.change_to(name).is_none() {
            return Ok(found);
        }
        let len_bytes = found.shape.iter().product::<usize>() * size_of::<f32>();
        Ok(TensorDescription { encoding: Encoding::F32, len_bytes, ..found })
    }
}
