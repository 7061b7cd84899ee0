//! An adapter's file with smaller matrices.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Quantise, blocks, quantised_rows, worth_it};
use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::shards::{BLOCKS_KEY, BlockLayout, SCALE_SUFFIX, Shards, metadata};
use crate::tensor_source::{StoredTensor, TensorSource};

/// The bits of a value in a matrix of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdapterBits {
    /// 8, with a scale for each block or row.
    Eight,
    /// 4, with a scale for each block. Rows that are no whole blocks have 8.
    Four,
}

/// A tensor as it is written.
struct Written {
    dtype: &'static str,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// The same adapter with its matrices in fewer bits; vectors, heads and all that its file says stay as they are. A file
/// of which no matrix gains by it stays byte for byte.
///
/// The same input gives the same bytes.
///
/// # Errors
/// [`ModelError::Shard`] where it is no safetensors file, [`ModelError::Tensor`] where a tensor's bytes do not fit its
/// shape.
pub fn smaller_adapter(file: &[u8], bits: AdapterBits) -> Result<Vec<u8>, ModelError> {
    let bytes = file.to_vec();
    let mut fields: BTreeMap<String, String> = metadata(&bytes)?.into_iter().collect();
    if fields.contains_key(BLOCKS_KEY) {
        // What is quantised already would lose a second time.
        return Ok(bytes);
    }
    let source = Shards::new(vec![bytes])?;
    let mut tensors = BTreeMap::new();
    let mut layouts = BTreeMap::new();
    for name in source.names() {
        let stored = source.stored(&name)?;
        match smaller(&stored, bits) {
            Some(Smaller::Blocks(encoding, bytes)) => {
                let shape = vec![stored.rows(), bytes.len() / stored.rows()];
                layouts.insert(name.clone(), BlockLayout { encoding, columns: stored.columns() });
                tensors.insert(name, Written { dtype: "U8", shape, bytes });
            }
            Some(Smaller::Rows(values, scales)) => {
                let shape = vec![stored.rows()];
                let scale = Written { dtype: "F32", shape, bytes: scales };
                tensors.insert(format!("{name}{SCALE_SUFFIX}"), scale);
                let shape = stored.shape().to_vec();
                tensors.insert(name, Written { dtype: "I8", shape, bytes: values });
            }
            None => {
                let dtype = match stored.encoding() {
                    Encoding::F32 => "F32",
                    Encoding::F16 => "F16",
                    Encoding::Bf16 => "BF16",
                    other => {
                        let reason = format!("an adapter has no tensors in {other:?}");
                        return Err(ModelError::tensor(&name, reason));
                    }
                };
                let shape = stored.shape().to_vec();
                tensors.insert(name, Written { dtype, shape, bytes: stored.bytes().to_vec() });
            }
        }
    }
    if tensors.values().all(|tensor| !matches!(tensor.dtype, "U8" | "I8")) {
        return Ok(file.to_vec());
    }
    fields.insert(BLOCKS_KEY.to_owned(), json!(layouts).to_string());
    Ok(safetensors_file(fields, tensors))
}

/// A matrix in the form that it gets.
enum Smaller {
    Blocks(Encoding, Vec<u8>),
    /// Signed bytes, and the scales of the rows.
    Rows(Vec<u8>, Vec<u8>),
}

fn smaller(stored: &StoredTensor<'_>, bits: AdapterBits) -> Option<Smaller> {
    if !worth_it(stored) {
        return None;
    }
    if !stored.columns().is_multiple_of(blocks::BLOCK) {
        return rows(stored);
    }
    let (encoding, quantise): (_, Quantise) = match bits {
        AdapterBits::Eight => (Encoding::Q8_0, blocks::q8_0),
        AdapterBits::Four => (Encoding::Q4_0, blocks::q4_0),
    };
    let weights = vec![1.0; stored.columns()];
    quantised_rows(stored, &weights, quantise).map(|bytes| Smaller::Blocks(encoding, bytes))
}

/// Signed bytes with a scale for each row; nothing where a value is no number.
fn rows(stored: &StoredTensor<'_>) -> Option<Smaller> {
    let (mut bytes, mut scales) = (Vec::new(), Vec::new());
    let mut values = vec![0.0; stored.columns()];
    for row in 0..stored.rows() {
        if !stored.read_row(row, &mut values) || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let scale = values.iter().fold(0.0f32, |most, value| most.max(value.abs())) / 127.0;
        let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        let quants = values.iter().map(|value| (value * inverse).round_ties_even() as i8);
        bytes.extend(quants.map(i8::cast_unsigned));
        scales.extend(scale.to_le_bytes());
    }
    Some(Smaller::Rows(bytes, scales))
}

/// A safetensors file whose header is in a fixed order.
fn safetensors_file(
    fields: BTreeMap<String, String>,
    tensors: BTreeMap<String, Written>,
) -> Vec<u8> {
    let mut header: BTreeMap<String, Value> = BTreeMap::new();
    header.insert("__metadata__".to_owned(), json!(fields));
    let mut data = Vec::new();
    for (name, Written { dtype, shape, bytes }) in tensors {
        let offsets = [data.len(), data.len() + bytes.len()];
        header.insert(name, json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }));
        data.extend(bytes);
    }
    let mut text = json!(header).to_string();
    // Spaces up to a multiple of eight, as in the format's own writer.
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));
    let mut file = (text.len() as u64).to_le_bytes().to_vec();
    file.extend(text.into_bytes());
    file.extend(data);
    file
}
