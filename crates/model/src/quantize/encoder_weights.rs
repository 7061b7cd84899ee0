//! An encoder's weights as a site has them: the network, and its table of token vectors in parts.

use std::collections::BTreeSet;

use super::calibration::Calibration;
use super::shard_writer::ShardWriter;
use super::{Precision, Storage, is_quantisable, smaller_or_same};
use crate::encoder::{EncoderConfig, NEAR, NEAR_TOKENS, ROWS_IN_PART, words_tensor};
use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::tensor_source::{StoredTensor, TensorSource};

/// An encoder's weights as a site has them.
#[derive(Clone, Debug)]
pub struct EncoderWeights {
    /// The network without its table of token vectors, in shards.
    pub network: Vec<Vec<u8>>,
    /// That table, a file for each [`crate::ROWS_IN_PART`] rows.
    pub words: Vec<Vec<u8>>,
}

impl EncoderWeights {
    /// As [`write_shards`](super::write_shards) for all tensors of an encoder, with the matrices of its layers in four
    /// bits chosen by a calibration.
    ///
    /// # Errors
    /// As [`write_shards`](super::write_shards).
    pub fn quantised(
        config: &EncoderConfig,
        source: &dyn TensorSource,
        calibration: &Calibration,
        precision: Precision,
        shard_bytes: usize,
    ) -> Result<Self, ModelError> {
        let words_name = words_tensor(&config.network, source);
        let (mut network, mut words) = (Vec::new(), Vec::new());
        let mut writer = ShardWriter::new(shard_bytes, |shard| -> Result<(), ModelError> {
            network.push(shard);
            Ok(())
        });
        // The gain of a bias from its matrix, which comes before it.
        let mut gained: Option<(String, Vec<f32>)> = None;
        for name in &config.tensor_names(source) {
            let stored = source.stored(name)?;
            let storage = precision.of(name);
            if *name == words_name {
                let table = smaller_or_same(source, name, stored, storage)?;
                words = in_parts(name, &table)?;
                continue;
            }
            if let Some((_, shifts)) = gained.take_if(|(bias, _)| bias == name) {
                let mut bias = stored.decode();
                campanile_kernels::add(&mut bias.values, &shifts);
                writer.push_tensor(name, &single_precision(name, bias.shape, &bias.values)?)?;
                continue;
            }
            let calibrated = if storage == Storage::Int4 && is_quantisable(&stored) {
                calibration.quantised(name, &stored)?
            } else {
                None
            };
            if let Some((matrix, shifts)) = calibrated {
                writer.push_tensor(name, &matrix)?;
                gained = Some((name.replace(".weight", ".bias"), shifts));
                continue;
            }
            writer.push_tensor(name, &smaller_or_same(source, name, stored, storage)?)?;
        }
        writer.finish()?;
        Ok(Self { network, words })
    }
}

/// A file with the vectors of these tokens alone: what [`crate::Encoder`] starts with, to ask for parts of the table when
/// a text has others. `weights` have the whole table.
///
/// # Errors
/// [`ModelError::Tensor`] for a token that has no vector.
pub fn near_words(
    config: &EncoderConfig,
    weights: &dyn TensorSource,
    tokens: &BTreeSet<u32>,
) -> Result<Vec<u8>, ModelError> {
    let name = words_tensor(&config.network, weights);
    let table = weights.stored(&name)?;
    let mut rows = Vec::with_capacity(tokens.len() * table.row_bytes());
    for &token in tokens {
        let start = token as usize * table.row_bytes();
        let row = table.bytes().get(start..start + table.row_bytes());
        rows.extend(row.ok_or_else(|| ModelError::tensor(&name, format!("no row {token}")))?);
    }
    let (shape, encoding) = (vec![tokens.len(), table.columns()], table.encoding());
    let near = StoredTensor::new(&name, shape, encoding, rows.into(), vec![])?;
    let numbers: Vec<f32> = tokens.iter().map(|token| *token as f32).collect();
    let near_tokens = format!("{name}{NEAR_TOKENS}");
    let numbers = single_precision(&near_tokens, vec![tokens.len()], &numbers)?;
    let mut file = Vec::new();
    let mut writer = ShardWriter::new(usize::MAX, |shard| -> Result<(), ModelError> {
        file = shard;
        Ok(())
    });
    writer.push_tensor(&format!("{name}{NEAR}"), &near)?;
    writer.push_tensor(&near_tokens, &numbers)?;
    writer.finish()?;
    Ok(file)
}

/// A table in files of [`ROWS_IN_PART`] rows.
fn in_parts(name: &str, table: &StoredTensor<'_>) -> Result<Vec<Vec<u8>>, ModelError> {
    let mut files = Vec::new();
    let mut writer = ShardWriter::new(usize::MAX, |file| -> Result<(), ModelError> {
        files.push(file);
        Ok(())
    });
    writer.push_parts(name, table, ROWS_IN_PART)?;
    writer.finish()?;
    Ok(files)
}

fn single_precision(
    name: &str,
    shape: Vec<usize>,
    values: &[f32],
) -> Result<StoredTensor<'static>, ModelError> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    StoredTensor::new(name, shape, Encoding::F32, bytes.into(), vec![])
}
