//! The files for searching by meaning before the encoder is there.

use serde::{Deserialize, Serialize};

use crate::ShardEntry;

/// A static encoder for this corpus, with the passages' vectors that its own are compared with.
///
/// It is some hundred kilobytes, against the encoder's tens of megabytes, so a page can search by
/// meaning moments after it was opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InstantEntry {
    /// The number of word pieces that it has a vector for.
    pub pieces: u32,
    /// The length of the vectors.
    pub dimension: u32,
    /// The share of the encoder's ten nearest passages that it finds among its own ten, over
    /// pieces of the corpus that it has not learned from (overlap@10).
    pub overlap: f32,
    /// The word pieces, with the rules by which questions are cut into them.
    pub word_pieces: ShardEntry,
    /// The `ReducedTable` of the pieces' vectors.
    pub table: ShardEntry,
    /// The `ReducedTable` of the chunks' vectors.
    pub passages: ShardEntry,
}

impl InstantEntry {
    /// Its shards.
    pub fn shards(&self) -> [&ShardEntry; 3] {
        [&self.word_pieces, &self.table, &self.passages]
    }

    /// The length of its files together, as downloaded.
    pub fn bytes(&self) -> u64 {
        self.shards().iter().map(|shard| shard.bytes).sum()
    }
}
