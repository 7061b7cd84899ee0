//! Changes to a language model, put into its weights.

use std::borrow::Cow;
use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensors};

use super::file::fields_of;
use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorDescription, TensorSource};

/// The task that its file names.
const TASK: &str = "prose";
/// The ending of a tensor's name that holds a matrix's changes.
const STEPS: &str = ".steps";
/// The highest step of a weight above its block's minimum.
const MOST: u8 = 15;

/// Changes by which a language model words answers: which weights of its 4-bit blocks go up or down, and by how many steps.
///
/// A page has one language model for one task, so unlike an encoder's changes these are put into the weights once, where a
/// site is built ([`DecoderAdapter::changed`]): nothing is slower in the page, no byte is added to it, and every device runs
/// it. What was learned is a low-rank change ([Hu et al. 2021](https://arxiv.org/abs/2106.09685)), much smaller than a step. It was
/// rounded to steps so that the outputs of each matrix change as it says
/// ([Frantar et al. 2023](https://arxiv.org/abs/2210.17323); `training/rounding.py`).
pub struct DecoderAdapter {
    trunk: String,
    template: Option<String>,
    /// Codes by the names of matrices: see [`Changes`].
    changes: BTreeMap<String, Vec<u8>>,
}

impl DecoderAdapter {
    /// Reads the bytes of its file, which `training/FORMAT.md` defines.
    ///
    /// # Errors
    /// [`ModelError::Shard`] where it is no safetensors file; [`ModelError::Adapter`] where it is of another version or
    /// for another task, or holds something else than changes.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let fields = fields_of(&bytes.to_vec())?;
        fields.expect_task(TASK)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| ModelError::Shard {
            shard: "number 1".to_owned(),
            reason: error.to_string(),
        })?;
        let mut changes = BTreeMap::new();
        for (name, tensor) in tensors.iter() {
            let matrix = name.strip_suffix(STEPS).filter(|_| tensor.dtype() == Dtype::U8);
            let Some(matrix) = matrix else {
                return Err(ModelError::adapter(format!("`{name}` is no change to a matrix")));
            };
            changes.insert(format!("{matrix}.weight"), tensor.data().to_vec());
        }
        Ok(Self {
            trunk: fields.text("trunk")?.to_owned(),
            template: fields.text("template").ok().map(str::to_owned),
            changes,
        })
    }

    /// The SHA-256 of the published file that it was trained on, in hexadecimal.
    pub fn trunk(&self) -> &str {
        &self.trunk
    }

    /// The template of the prompt that it was trained with.
    pub fn template(&self) -> Option<&str> {
        self.template.as_deref()
    }

    /// The weights of a language model with the changes in them, in the encodings that they have.
    ///
    /// # Errors
    /// [`ModelError::Adapter`] where the model has not all the matrices that are changed, or one of another encoding than
    /// [`Encoding::Q4_1`]. A change beyond a matrix or a block's steps is an error of its
    /// [`stored`](TensorSource::stored).
    pub fn changed<'a>(
        &'a self,
        weights: Box<dyn TensorSource + 'a>,
    ) -> Result<Box<dyn TensorSource + 'a>, ModelError> {
        let known = weights.names();
        for name in self.changes.keys() {
            if known.binary_search(name).is_err() {
                return Err(ModelError::adapter(format!(
                    "it changes `{name}`, which is not there"
                )));
            }
            let encoding = weights.describe(name)?.encoding;
            if encoding != Encoding::Q4_1 {
                return Err(ModelError::adapter(format!(
                    "it changes steps of Q4_1, and `{name}` is in {encoding:?}"
                )));
            }
        }
        Ok(Box::new(ChangedWeights { weights, adapter: self }))
    }
}

/// The changes to a matrix's weights, each by one step: whole numbers of 7 bits a byte, low ones first, the highest bit of a
/// byte set where more follow (LEB128). `2 * gap` takes the weight `gap` places behind the last one up, `2 * gap + 1` takes it
/// down; the first gap begins at the first weight, and one of 0 changes the same weight once more.
struct Changes<'a> {
    codes: &'a [u8],
    place: usize,
}

impl Iterator for Changes<'_> {
    /// A weight's place in row-major order, and whether it goes down; none where a number is broken off or too large.
    type Item = Option<(usize, bool)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.codes.is_empty() {
            return None;
        }
        let mut number = 0u64;
        // Five bytes name any weight of a matrix of 2³⁴; a longer number is damage, and must not shift bits out of
        // its type.
        for shift in (0..35).step_by(7) {
            let Some((byte, rest)) = self.codes.split_first() else { break };
            self.codes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let gap = usize::try_from(number >> 1).unwrap_or(usize::MAX);
                self.place = self.place.saturating_add(gap);
                return Some(Some((self.place, number & 1 == 1)));
            }
        }
        self.codes = &[];
        Some(None)
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
        let Some(codes) = self.adapter.changes.get(name) else { return Ok(stored) };
        // Changed where it is read and never kept: one matrix after the other is written to the site.
        let mut bytes = stored.bytes().to_vec();
        for change in (Changes { codes, place: 0 }) {
            let changed = change.and_then(|(place, is_down)| step(&mut bytes, place, is_down));
            changed.ok_or_else(|| {
                ModelError::adapter(format!("a change to `{name}` lies beyond it or its steps"))
            })?;
        }
        let shape = stored.shape().to_vec();
        StoredTensor::new(name, shape, stored.encoding(), Cow::Owned(bytes), Vec::new())
    }

    fn describe(&self, name: &str) -> Result<TensorDescription, ModelError> {
        self.weights.describe(name)
    }
}

/// Takes a weight one step up or down; none where there is no such weight or no such step.
///
/// Blocks of [`Encoding::Q4_1`] follow one another whatever the rows are: scale and minimum, then the first half of
/// the block's numbers in the low nibbles and the second in the high ones.
fn step(bytes: &mut [u8], place: usize, is_down: bool) -> Option<()> {
    let (values, len) = (Encoding::Q4_1.block_values(), Encoding::Q4_1.block_bytes());
    let (block, within) = (place / values, place % values);
    let half = values / 2;
    let byte = bytes.get_mut(block.checked_mul(len)?.checked_add(len - half + within % half)?)?;
    let shift = if within < half { 0 } else { 4 };
    let number = *byte >> shift & MOST;
    let moved = if is_down { number.checked_sub(1)? } else { number + 1 };
    if moved > MOST {
        return None;
    }
    *byte = *byte & !(MOST << shift) | moved << shift;
    Some(())
}
