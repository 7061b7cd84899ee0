//! Shards of a limited size, as safetensors files.

use std::collections::{BTreeMap, HashMap};

use ::safetensors::Dtype;
use ::safetensors::tensor::TensorView;

use crate::encoding::Encoding;
use crate::error::ModelError;
use crate::shards::{BLOCKS_KEY, BlockLayout, PART_SEPARATOR};
use crate::tensor_source::StoredTensor;

/// The room left in a shard for its header.
// A tensor takes some hundred bytes there. A longer header makes a shard larger than asked, and nothing worse.
const HEADER_ROOM: usize = 64 * 1024;

/// A tensor, or a part of one, on its way into a shard.
struct Piece {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// Fills shards with tensors, in the order in which they come.
///
/// A shard is handed out as soon as it is full, so that no more than one is held.
pub(super) struct ShardWriter<W> {
    limit: usize,
    room: usize,
    pieces: BTreeMap<String, Piece>,
    blocks: BTreeMap<String, BlockLayout>,
    /// The number of shards that have been handed out.
    written: usize,
    write: W,
}

impl<E: From<ModelError>, W: FnMut(Vec<u8>) -> Result<(), E>> ShardWriter<W> {
    pub(super) fn new(shard_bytes: usize, write: W) -> Self {
        let limit = shard_bytes.saturating_sub(HEADER_ROOM);
        Self {
            limit,
            room: limit,
            pieces: BTreeMap::new(),
            blocks: BTreeMap::new(),
            written: 0,
            write,
        }
    }

    /// Adds a tensor under its name: its kind follows from its encoding.
    pub(super) fn push_tensor(&mut self, name: &str, stored: &StoredTensor<'_>) -> Result<(), E> {
        let dtype = self.dtype(name, stored);
        self.push_rows(name, dtype, stored)
    }

    /// Adds a matrix in parts of `rows_each` rows, each in a shard of its own.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn push_parts(
        &mut self,
        name: &str,
        stored: &StoredTensor<'_>,
        rows_each: usize,
    ) -> Result<(), E> {
        let dtype = self.dtype(name, stored);
        self.push_cut(name, dtype, stored, rows_each, Self::close)
    }

    fn dtype(&mut self, name: &str, stored: &StoredTensor<'_>) -> Dtype {
        match stored.encoding() {
            Encoding::F32 => Dtype::F32,
            Encoding::F16 => Dtype::F16,
            Encoding::Bf16 => Dtype::BF16,
            encoding => {
                let layout = BlockLayout { encoding, columns: stored.columns() };
                self.blocks.insert(name.to_owned(), layout);
                Dtype::U8
            }
        }
    }

    /// Adds a tensor, cut between rows where it does not fit into one shard.
    fn push_rows(&mut self, name: &str, dtype: Dtype, stored: &StoredTensor<'_>) -> Result<(), E> {
        let (rows, row_bytes) = (stored.rows(), stored.row_bytes());
        if stored.bytes().len() <= self.limit {
            let shape =
                if dtype == Dtype::U8 { vec![rows, row_bytes] } else { stored.shape().to_vec() };
            return self
                .push(name.to_owned(), Piece { dtype, shape, bytes: stored.bytes().to_vec() });
        }
        // Between rows, so that each part can be read, and dealt out, without the others.
        let rows_each = self.limit.checked_div(row_bytes).unwrap_or(0);
        if rows_each == 0 || stored.shape().len() != 2 {
            let reason = format!("it cannot be cut into shards of {} bytes", self.limit);
            return Err(ModelError::tensor(name, reason).into());
        }
        self.push_cut(name, dtype, stored, rows_each, |_| Ok(()))
    }

    /// Adds a matrix in parts of `rows_each` rows; `between` comes after each.
    fn push_cut(
        &mut self,
        name: &str,
        dtype: Dtype,
        stored: &StoredTensor<'_>,
        rows_each: usize,
        between: impl Fn(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let row_bytes = stored.row_bytes();
        let columns = if dtype == Dtype::U8 { row_bytes } else { stored.columns() };
        for (part, bytes) in stored.bytes().chunks(rows_each * row_bytes).enumerate() {
            let shape = vec![bytes.len() / row_bytes, columns];
            let piece = Piece { dtype, shape, bytes: bytes.to_vec() };
            self.push(format!("{name}{PART_SEPARATOR}{}", part * rows_each), piece)?;
            between(self)?;
        }
        Ok(())
    }

    fn push(&mut self, name: String, piece: Piece) -> Result<(), E> {
        if piece.bytes.len() > self.room {
            self.close()?;
        }
        self.room = self.room.saturating_sub(piece.bytes.len());
        self.pieces.insert(name, piece);
        Ok(())
    }

    /// Ends the shard that is being filled.
    fn close(&mut self) -> Result<(), E> {
        if self.pieces.is_empty() {
            return Ok(());
        }
        let damaged = |reason: String| ModelError::Shard {
            shard: format!("number {}", self.written + 1),
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
        self.pieces.clear();
        self.room = self.limit;
        self.written += 1;
        (self.write)(shard)
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

    /// Hands out the last shard.
    pub(super) fn finish(mut self) -> Result<(), E> {
        self.close()
    }
}
