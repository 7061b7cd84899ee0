//! Many texts as one block of rows, and the memory that it is computed in.

use std::ops::Range;

use campanile_model::EncoderConfig;

use crate::device::{Buffer, WebGpu};
use crate::error::WebGpuError;
use crate::kernel::Step;
use crate::product::Heads;

/// The most rows that are computed together: the passages of a question, and what a device has room for.
// 32 passages of 256 tokens. With 1,536 numbers a row the widest buffer is 50 MB.
pub(super) const MOST_ROWS: usize = 8192;

/// Texts one behind the other, each from the beginning of a tile of rows on. Rows between two texts are computed and
/// never looked at.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Batch {
    /// Rows of each text.
    pub(super) texts: Vec<Range<usize>>,
    /// For each tile, the first row of its text and the row behind its last.
    pub(super) tiles: Vec<[u32; 2]>,
}

impl Batch {
    /// Rows of all tiles.
    pub(super) fn rows(&self, tile: usize) -> usize {
        self.tiles.len() * tile
    }

    fn push(&mut self, tokens: usize, tile: usize) {
        let start = self.rows(tile);
        let end = start + tokens;
        self.texts.push(start..end);
        self.tiles.resize(end.div_ceil(tile), [start as u32, end as u32]);
    }
}

/// Puts texts of so many tokens into batches, in their order, each with as many as fit `most` rows and at least one.
pub(super) fn batches(lengths: &[usize], tile: usize, most: usize) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for &tokens in lengths {
        match batches.last_mut() {
            Some(batch) if batch.rows(tile) + tokens.next_multiple_of(tile) <= most => {
                batch.push(tokens, tile);
            }
            _ => {
                let mut batch = Batch::default();
                batch.push(tokens, tile);
                batches.push(batch);
            }
        }
    }
    batches
}

/// Memory for a batch. Rows are tokens.
#[derive(Debug)]
pub(super) struct Workspace {
    pub(super) rows: usize,
    pub(super) step: Buffer,
    /// For each tile of rows, the rows of its text.
    pub(super) texts: Buffer,
    /// Turns nothing: positions are part of the token vectors.
    pub(super) rotation: Buffer,
    pub(super) states: Buffer,
    pub(super) projected: Buffer,
    pub(super) keys: Buffer,
    pub(super) values: Buffer,
    pub(super) attended: Buffer,
    pub(super) wide: Buffer,
    /// Between the two matrices of a change.
    pub(super) low: Option<Buffer>,
}

/// Rows that every buffer has whole multiples of: a tile of a product, and one of the cache.
pub(super) const ROW_BLOCK: usize = 64;

impl Workspace {
    pub(super) async fn new(
        gpu: &WebGpu,
        config: &EncoderConfig,
        heads: &Heads,
        rows: usize,
        low: Option<usize>,
    ) -> Result<Self, WebGpuError> {
        let rows = rows.next_multiple_of(ROW_BLOCK);
        let bytes = |width: usize| (4 * rows * width) as u64;
        let hidden = config.network.hidden_size;
        let half = heads.width / 2;
        let mut rotation = Vec::with_capacity(rows * heads.width);
        for _ in 0..rows {
            // Cosines of 1 and sines of 0: the decoder's kernel, which leaves each head as it is.
            rotation.extend(std::iter::repeat_n(1.0, half));
            rotation.extend(std::iter::repeat_n(0.0, heads.width - half));
        }
        let tiles = rows / heads.queries();
        Ok(Self {
            rows,
            step: gpu.words("step", &Step::default().words()).await?,
            texts: gpu.storage("rows of texts", 8 * tiles as u64).await?,
            rotation: gpu.numbers("rotation", &rotation).await?,
            states: gpu.storage("states", bytes(hidden)).await?,
            projected: gpu.storage("projections", bytes(3 * hidden)).await?,
            keys: gpu.storage("keys", bytes(hidden)).await?,
            values: gpu.storage("values", bytes(hidden)).await?,
            attended: gpu.storage("attention", bytes(hidden)).await?,
            wide: gpu.storage("wide states", bytes(config.network.intermediate_size)).await?,
            low: match low {
                Some(width) => Some(gpu.storage("inside changes", bytes(width)).await?),
                None => None,
            },
        })
    }

    /// Values of a row between the matrices of a change.
    pub(super) fn low_width(&self) -> Option<usize> {
        let bytes = usize::try_from(self.low.as_ref()?.bytes()).ok()?;
        Some(bytes / (4 * self.rows))
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, batches};

    #[test]
    fn texts_begin_with_a_tile_and_know_their_rows() {
        let found = batches(&[5, 0, 16, 17], 16, 1000);
        let expected = Batch {
            texts: vec![0..5, 16..16, 16..32, 32..49],
            tiles: vec![[0, 5], [16, 32], [32, 49], [32, 49]],
        };
        assert_eq!(found, [expected]);
        assert_eq!(found[0].rows(16), 64);
    }

    #[test]
    fn what_does_not_fit_goes_into_the_next_batch_and_nothing_is_lost() {
        for most in [16, 48, 64, 1000] {
            let lengths = [40, 3, 33, 1, 16, 64, 20];
            let found = batches(&lengths, 16, most);
            let kept: Vec<usize> = found
                .iter()
                .flat_map(|batch| batch.texts.iter().map(ExactSizeIterator::len))
                .collect();
            assert_eq!(kept, lengths, "{most}");
            for batch in &found {
                assert!(batch.rows(16) <= most || batch.texts.len() == 1, "{most}: {batch:?}");
                for (text, tile) in batch.texts.iter().flat_map(|text| {
                    (text.start / 16..text.end.div_ceil(16)).map(move |tile| (text, tile))
                }) {
                    assert_eq!(batch.tiles[tile], [text.start as u32, text.end as u32]);
                }
            }
        }
    }
}
