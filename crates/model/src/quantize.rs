//! Smaller weights: whole numbers of 8 or 4 bits in blocks, written as safetensors shards.
//!
//! A row of a matrix is cut into blocks of 32 values, and each block has a scale (and a minimum,
//! where [`Storage::Int4Minimum`] asks for one) that is searched for: the squared error of the
//! block is the smallest that the search finds, with every column counted by how strongly its
//! input varies where the norm before it tells. The layouts are those of the GGUF format, so that
//! one reader and one set of kernels serves both.
//!
//! Vectors (biases, normalisations) and small matrices stay as they are: they are a hundredth of
//! the size and matter more. So do matrices whose rows are no whole blocks, and tensors that are
//! quantised already, which are kept byte for byte.
//!
//! How strongly a column's input varies is known without a single example text. What a layer's
//! matrix multiplies is most often the output of a norm, whose scale γ and shift β are in the
//! file: column `j` of the input then has the mean square `γⱼ² + βⱼ²` over the texts of the
//! world, and an error in column `j` of the matrix is multiplied by it.

mod adapter;
mod blocks;
#[cfg(not(target_arch = "wasm32"))]
mod calibration;
#[cfg(not(target_arch = "wasm32"))]
mod encoder_weights;
mod shard_writer;

use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};
use blocks::BLOCK;
use shard_writer::ShardWriter;

pub use adapter::{AdapterBits, smaller_adapter};
#[cfg(not(target_arch = "wasm32"))]
pub use calibration::Calibration;
#[cfg(not(target_arch = "wasm32"))]
pub use encoder_weights::{EncoderWeights, near_words};

/// The largest a shard may become, in bytes: a size that a phone can fetch, check and keep in
/// one piece.
pub const SHARD_BYTES: usize = 24_000_000;

/// Values below which a matrix is not worth quantising.
// Below are classifiers (3 by 384) and tables of segments (2 by 384): nothing to gain, and an error in every result.
const MINIMUM_VALUES: usize = 4096;

/// The form in which a matrix is stored that is not quantised yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// It stays as it is.
    Unchanged,
    /// [`Encoding::Q8_0`]: 8.5 bits a value.
    Int8,
    /// [`Encoding::Q4_1`]: 5 bits a value.
    Int4Minimum,
    /// [`Encoding::Q4_0`]: 4.5 bits a value.
    Int4,
}

/// The forms in which the matrices of a model are stored, by their part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision {
    /// The table of token vectors, which is the larger part of a small model.
    pub embeddings: Storage,
    /// The matrices of the layers.
    pub matrices: Storage,
    /// Of these, the two that attention's values pass through: a sixth of a layer, where errors cost most.
    pub values: Storage,
    /// The matrices that compute the result after the last layer: an output matrix or a classifier.
    pub output: Storage,
}

/// Names of the matrices that attention's values pass through, in encoders and decoders.
const VALUES: [&str; 4] =
    ["attention.self.value", "attention.output.dense", "self_attn.v_proj", "self_attn.o_proj"];

impl Precision {
    /// All matrices as they are.
    pub const UNCHANGED: Self = Self::uniform(Storage::Unchanged);
    /// All matrices as [`Storage::Int8`].
    pub const INT8: Self = Self::uniform(Storage::Int8);
    /// All matrices as [`Storage::Int4`], but for what computes the result.
    pub const INT4: Self = Self { output: Storage::Int8, ..Self::uniform(Storage::Int4) };
    /// The form of a site's encoder: [`Storage::Int4`], but for what attention's values pass through.
    pub const INT4_ENCODER: Self = Self { values: Storage::Int8, ..Self::INT4 };
    /// [`Precision::INT4`], with [`Storage::Int8`] for the table of token vectors too: in a decoder it most
    /// often is the output matrix as well.
    pub const INT4_DECODER: Self = Self { embeddings: Storage::Int8, ..Self::INT4 };

    /// The same for all matrices.
    pub const fn uniform(storage: Storage) -> Self {
        Self { embeddings: storage, matrices: storage, values: storage, output: storage }
    }

    /// Returns the form in which the matrix of this name is stored.
    pub fn of(&self, name: &str) -> Storage {
        let part = |text: &str| name.contains(text);
        if part("embed_tokens") || part("word_embeddings") {
            self.embeddings
        } else if part("lm_head") || part("classifier") || part("pooler") {
            self.output
        } else if VALUES.iter().any(|name| part(name)) {
            self.values
        } else {
            self.matrices
        }
    }
}

/// Writes the tensors `names` of `source` into shards of at most `shard_bytes` each, which are
/// handed to `write` in their order: no more than one is in memory.
///
/// # Errors
/// As [`write_shards`], and what `write` says.
pub(crate) fn stream_shards<E: From<ModelError>>(
    source: &dyn TensorSource,
    names: &[String],
    precision: Precision,
    shard_bytes: usize,
    write: impl FnMut(Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = ShardWriter::new(shard_bytes, write);
    for name in names {
        let stored = source.stored(name)?;
        writer.push_tensor(name, &smaller_or_same(source, name, stored, precision.of(name))?)?;
    }
    writer.finish()
}

/// The tensors `names` of `source` in shards of at most `shard_bytes` each.
///
/// The same input gives the same bytes. A tensor larger than a shard is cut between rows, as
/// [`crate::Shards`] describes.
///
/// # Errors
/// [`ModelError::MissingTensor`] and [`ModelError::Tensor`] from the source,
/// [`ModelError::Tensor`] where a single row is larger than a shard.
pub fn write_shards(
    source: &dyn TensorSource,
    names: &[String],
    precision: Precision,
    shard_bytes: usize,
) -> Result<Vec<Vec<u8>>, ModelError> {
    let mut shards = Vec::new();
    let write = |shard| -> Result<(), ModelError> {
        shards.push(shard);
        Ok(())
    };
    stream_shards(source, names, precision, shard_bytes, write)?;
    Ok(shards)
}

/// The quantised form of a tensor, or the tensor as it is.
fn smaller_or_same<'a>(
    source: &dyn TensorSource,
    name: &str,
    stored: StoredTensor<'a>,
    storage: Storage,
) -> Result<StoredTensor<'a>, ModelError> {
    Ok(smaller(source, name, &stored, storage)?.unwrap_or(stored))
}

/// The quantised form of a tensor; `None` where it is to stay as it is.
fn smaller(
    source: &dyn TensorSource,
    name: &str,
    stored: &StoredTensor<'_>,
    storage: Storage,
) -> Result<Option<StoredTensor<'static>>, ModelError> {
    if !is_quantisable(stored) {
        return Ok(None);
    }
    let columns = stored.columns();
    let (encoding, quantise): (_, Quantise) = match storage {
        Storage::Unchanged => return Ok(None),
        Storage::Int8 => (Encoding::Q8_0, blocks::q8_0),
        Storage::Int4Minimum => (Encoding::Q4_1, blocks::q4_1),
        Storage::Int4 => (Encoding::Q4_0, blocks::q4_0),
    };
    let weights = column_weights(source, name, columns);
    let Some(bytes) = quantised_rows(stored, &weights, quantise) else {
        return Ok(None);
    };
    let shape = stored.shape().to_vec();
    StoredTensor::new(name, shape, encoding, bytes.into(), vec![]).map(Some)
}

/// Returns `true` if a tensor is a matrix of some size that was not quantised before.
fn worth_it(stored: &StoredTensor<'_>) -> bool {
    // What is quantised already would lose a second time.
    let plain = matches!(stored.encoding(), Encoding::F32 | Encoding::F16 | Encoding::Bf16);
    plain && stored.shape().len() == 2 && stored.rows() * stored.columns() >= MINIMUM_VALUES
}

/// Returns `true` if it also has whole blocks for rows.
fn is_quantisable(stored: &StoredTensor<'_>) -> bool {
    worth_it(stored) && stored.columns().is_multiple_of(BLOCK)
}

/// Returns `true` for values that a block can have: its scale and its minimum are no larger.
fn fit_a_block(values: &[f32]) -> bool {
    values.iter().all(|value| value.abs() <= f32::from(half::f16::MAX))
}

/// Writes a block of values, each counted by its weight, at the end of the bytes.
type Quantise = fn(&[f32; BLOCK], &[f32; BLOCK], &mut Vec<u8>);

/// All rows in blocks; `None` where a value is no number or too large for an `f16` scale.
fn quantised_rows(
    stored: &StoredTensor<'_>,
    weights: &[f32],
    quantise: Quantise,
) -> Option<Vec<u8>> {
    let row = |index: usize| -> Option<Vec<u8>> {
        let mut values = vec![0.0; stored.columns()];
        if !stored.read_row(index, &mut values) || !fit_a_block(&values) {
            return None;
        }
        let mut bytes = Vec::new();
        let blocks = values.as_chunks::<BLOCK>().0.iter().zip(weights.as_chunks::<BLOCK>().0);
        for (values, weights) in blocks {
            quantise(values, weights, &mut bytes);
        }
        Some(bytes)
    };
    #[cfg(not(target_arch = "wasm32"))]
    let rows: Option<Vec<Vec<u8>>> = {
        use rayon::prelude::*;
        (0..stored.rows()).into_par_iter().map(row).collect()
    };
    #[cfg(target_arch = "wasm32")]
    let rows: Option<Vec<Vec<u8>>> = (0..stored.rows()).map(row).collect();
    Some(rows?.concat())
}

/// The norm before a matrix: the parts of the two names below the layer, and whether the norm is
/// in the layer before.
const NORMS: [(&str, &str, bool); 9] = [
    ("attention.self.query.weight", "output.LayerNorm", true),
    ("attention.self.key.weight", "output.LayerNorm", true),
    ("attention.self.value.weight", "output.LayerNorm", true),
    ("intermediate.dense.weight", "attention.output.LayerNorm", false),
    ("self_attn.q_proj.weight", "input_layernorm", false),
    ("self_attn.k_proj.weight", "input_layernorm", false),
    ("self_attn.v_proj.weight", "input_layernorm", false),
    ("mlp.gate_proj.weight", "post_attention_layernorm", false),
    ("mlp.up_proj.weight", "post_attention_layernorm", false),
];

/// The weight of each of a matrix's `columns`; all alike where nothing is known.
fn column_weights(source: &dyn TensorSource, name: &str, columns: usize) -> Vec<f32> {
    norm_before(name)
        .and_then(|norm| mean_squares(source, &norm, columns))
        .unwrap_or_else(|| vec![1.0; columns])
}

/// The full name of the norm whose output the matrix multiplies.
fn norm_before(name: &str) -> Option<String> {
    let (above, below) = name.split_once("layer.").or_else(|| name.split_once("layers."))?;
    let (number, part) = below.split_once('.')?;
    let number: usize = number.parse().ok()?;
    let &(_, norm, in_layer_before) = NORMS.iter().find(|(matrix, ..)| *matrix == part)?;
    let layers = name.get(..name.len() - below.len())?;
    match (in_layer_before, number.checked_sub(1)) {
        (false, _) => Some(format!("{layers}{number}.{norm}")),
        (true, Some(before)) => Some(format!("{layers}{before}.{norm}")),
        (true, None) => Some(format!("{}embeddings.LayerNorm", above.strip_suffix("encoder.")?)),
    }
}

fn mean_squares(source: &dyn TensorSource, norm: &str, columns: usize) -> Option<Vec<f32>> {
    let scale = source.read(&format!("{norm}.weight")).ok()?.values;
    let shift = source.read(&format!("{norm}.bias")).map_or(vec![0.0; columns], |t| t.values);
    let squares: Vec<f32> = scale.iter().zip(&shift).map(|(s, b)| s * s + b * b).collect();
    let sound = squares.len() == columns && squares.iter().all(|s| s.is_finite() && *s > 0.0);
    sound.then_some(squares)
}
