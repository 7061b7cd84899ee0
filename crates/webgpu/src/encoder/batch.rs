//! Many texts as one block of rows.

use std::ops::Range;

/// The most rows that are computed together: the passages of a question, and what a device has room for.
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
