//! Smaller weights: one signed byte a value, written as safetensors shards.
//!
//! Each row of a matrix is scaled by its largest absolute value over 127 and rounded. Vectors
//! (biases, normalisations) stay `f32`: they are a hundredth of the size and matter more. A
//! sentence encoder loses next to nothing: all-MiniLM-L6-v2 shrinks from 91 to 23 MB, and its
//! rank correlation on the STS benchmark stays within a thousandth.
//!
//! Tensors that are quantised already (the blocks of a GGUF file) are kept byte for byte.

use std::collections::{BTreeMap, HashMap};

use ::safetensors::Dtype;
use ::safetensors::tensor::TensorView;

use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::shards::{BLOCKS_KEY, BlockLayout, PART_SEPARATOR, SCALE_SUFFIX};
use crate::tensor_source::{StoredTensor, TensorSource};

/// The largest a shard may become, in bytes: a size that a phone can fetch, check and keep in
/// one piece.
pub const SHARD_BYTES: usize = 24_000_000;

/// The room left in a shard for its header.
const HEADER_ROOM: usize = 64 * 1024;

/// Values below which a matrix is not worth quantising.
const MINIMUM_VALUES: usize = 4096;

/// What becomes of unquantised matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrices {
    /// They are quantised to [`Encoding::I8PerRow`].
    Int8,
    /// They become `f32`.
    F32,
}

/// Writes the tensors `names` of `source` into shards of at most `shard_bytes` each.
///
/// The same input gives the same bytes. A tensor larger than a shard is cut between rows, as
/// [`crate::Shards`] describes.
///
/// # Errors
/// [`ModelError::MissingTensor`] and [`ModelError::Tensor`] from the source, and
/// [`ModelError::Tensor`] where a single row is larger than a shard.
pub fn write_shards(
    source: &dyn TensorSource,
    names: &[String],
    matrices: Matrices,
    shard_bytes: usize,
) -> Result<Vec<Vec<u8>>, ModelError> {
    let mut writer = ShardWriter::new(shard_bytes);
    for name in names {
        let stored = source.stored(name)?;
        match stored.encoding() {
            Encoding::Q4_0 | Encoding::Q4_1 | Encoding::Q8_0 | Encoding::Q6K => {
                writer.blocks.insert(
                    name.clone(),
                    BlockLayout { encoding: stored.encoding(), columns: stored.columns() },
                );
                writer.push_rows(name, Dtype::U8, &stored)?;
            }
            Encoding::I8PerRow => {
                writer.push_scales(name, stored.scales())?;
                writer.push_rows(name, Dtype::I8, &stored)?;
            }
            Encoding::F32 | Encoding::F16 | Encoding::Bf16 => {
                let values = stored.rows() * stored.columns();
                let matrix = stored.shape().len() == 2 && values >= MINIMUM_VALUES;
                if matrix && matrices == Matrices::Int8 {
                    let quantised = to_int8(name, &stored)?;
                    writer.push_scales(name, quantised.scales())?;
                    writer.push_rows(name, Dtype::I8, &quantised)?;
                } else {
                    let bytes = le_bytes(&stored.decode().values);
                    let shape = stored.shape().to_vec();
                    let plain =
                        StoredTensor::new(name, shape, Encoding::F32, bytes.into(), vec![])?;
                    writer.push_rows(name, Dtype::F32, &plain)?;
                }
            }
        }
    }
    writer.finish()
}

/// Scales every row by its largest absolute value over 127 and rounds to the nearest integer.
fn to_int8(name: &str, stored: &StoredTensor<'_>) -> Result<StoredTensor<'static>, ModelError> {
    let mut row = vec![0.0; stored.columns()];
    let mut bytes = Vec::with_capacity(stored.rows() * stored.columns());
    let mut scales = Vec::with_capacity(stored.rows());
    for index in 0..stored.rows() {
        if !stored.read_row(index, &mut row) {
            return Err(ModelError::tensor(name, format!("row {index} is missing")));
        }
        let largest = row.iter().fold(0.0f32, |m, v| m.max(v.abs()));
        let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
        scales.push(scale);
        bytes.extend(row.iter().map(|value| ((value / scale).round() as i8).cast_unsigned()));
    }
    StoredTensor::new(name, stored.shape().to_vec(), Encoding::I8PerRow, bytes.into(), scales)
}

fn le_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A tensor, or a part of one, on its way into a shard.
struct Piece {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

struct ShardWriter {
    limit: usize,
    room: usize,
    pieces: BTreeMap<String, Piece>,
    blocks: BTreeMap<String, BlockLayout>,
    shards: Vec<Vec<u8>>,
}

impl ShardWriter {
    fn new(shard_bytes: usize) -> Self {
        let limit = shard_bytes.saturating_sub(HEADER_ROOM);
        Self {
            limit,
            room: limit,
            pieces: BTreeMap::new(),
            blocks: BTreeMap::new(),
            shards: Vec::new(),
        }
    }

    /// Adds the row scales of the tensor `name`.
    fn push_scales(&mut self, name: &str, scales: &[f32]) -> Result<(), ModelError> {
        self.push(
            format!("{name}{SCALE_SUFFIX}"),
            Piece { dtype: Dtype::F32, shape: vec![scales.len()], bytes: le_bytes(scales) },
        )
    }

    /// Adds a tensor, cut between rows where it does not fit into one shard.
    fn push_rows(
        &mut self,
        name: &str,
        dtype: Dtype,
        stored: &StoredTensor<'_>,
    ) -> Result<(), ModelError> {
        let (rows, row_bytes) = (stored.rows(), stored.row_bytes());
        let shape = |rows: usize| match dtype {
            Dtype::U8 => vec![rows, row_bytes],
            _ => vec![rows, stored.columns()],
        };
        if stored.bytes().len() <= self.limit {
            let piece = Piece {
                dtype,
                shape: if dtype == Dtype::U8 { shape(rows) } else { stored.shape().to_vec() },
                bytes: stored.bytes().to_vec(),
            };
            return self.push(name.to_owned(), piece);
        }
        let rows_each = self.limit.checked_div(row_bytes).unwrap_or(0);
        if rows_each == 0 || stored.shape().len() != 2 {
            return Err(ModelError::tensor(
                name,
                format!("it cannot be cut into shards of {} bytes", self.limit),
            ));
        }
        for (part, bytes) in stored.bytes().chunks(rows_each * row_bytes).enumerate() {
            let piece =
                Piece { dtype, shape: shape(bytes.len() / row_bytes), bytes: bytes.to_vec() };
            self.push(format!("{name}{PART_SEPARATOR}{}", part * rows_each), piece)?;
        }
        Ok(())
    }

    fn push(&mut self, name: String, piece: Piece) -> Result<(), ModelError> {
        if piece.bytes.len() > self.room {
            self.close()?;
        }
        self.room = self.room.saturating_sub(piece.bytes.len());
        self.pieces.insert(name, piece);
        Ok(())
    }

    /// Ends the shard that is being filled.
    fn close(&mut self) -> Result<(), ModelError> {
        if self.pieces.is_empty() {
            return Ok(());
        }
        let damaged = |reason: String| ModelError::Shard {
            shard: format!("number {}", self.shards.len() + 1),
            reason,
        };
        let mut views = Vec::with_capacity(self.pieces.len());
        for (name, piece) in &self.pieces {
            let view = TensorView::new(piece.dtype, piece.shape.clone(), &piece.bytes)
                .map_err(|e| damaged(format!("tensor `{name}`: {e}")))?;
            views.push((name.as_str(), view));
        }
        let metadata = self.metadata().map_err(|e| damaged(e.to_string()))?;
        let shard =
            ::safetensors::serialize(views, metadata).map_err(|e| damaged(e.to_string()))?;
        self.shards.push(shard);
        self.pieces.clear();
        self.room = self.limit;
        Ok(())
    }

    /// The readings of the block tensors in this shard; one entry, so that its order is fixed.
    fn metadata(&self) -> Result<Option<HashMap<String, String>>, serde_json::Error> {
        let blocks: BTreeMap<&str, BlockLayout> = self
            .pieces
            .keys()
            .map(|name| name.rsplit_once(PART_SEPARATOR).map_or(&**name, |p| p.0))
            .filter_map(|name| Some((name, *self.blocks.get(name)?)))
            .collect();
        if blocks.is_empty() {
            return Ok(None);
        }
        let json = serde_json::to_string(&blocks)?;
        Ok(Some(HashMap::from([(BLOCKS_KEY.to_owned(), json)])))
    }

    fn finish(mut self) -> Result<Vec<Vec<u8>>, ModelError> {
        self.close()?;
        Ok(self.shards)
    }
}
