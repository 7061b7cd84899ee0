//! Several vectors a chunk, a few bits a number: late interaction.
//!
//! One vector must say all that a passage says. The encoder makes one for each word piece before it takes
//! their mean, and comparing those keeps apart what the mean mixes: every word of the question looks for
//! the word of the passage that is nearest to it (Khattab and Zaharia, "ColBERT", 2020). The vectors of the
//! encoder that embedded the passages will do, though it was never trained for this.
//!
//! A passage's vectors at full length would fill hundreds of kilobytes. What is kept is about one:
//!
//! 1. pieces that mean nothing by themselves are left out (the caller knows which they are),
//! 2. a [`Projection`] to the directions in which vectors differ most takes a third of the numbers,
//! 3. [`pool`] makes one vector of those that say nearly the same,
//! 4. a [`Codec`] writes each number in a few bits.
//!
//! The codes of a chunk are its [`Record`]; [`LateIndex`] writes those of all chunks in shards, so that a
//! page fetches those of its candidates. [`LateQuery::max_sim`] compares.

mod codec;
mod pooling;
mod projection;
#[cfg(test)]
mod tests;

use crate::IndexError;
use crate::bytes::{Reader, put_varint};
pub use codec::{Codec, LateQuery, Record};
pub use pooling::pool;
pub use projection::{Projection, TokenStatistics};

const HEAD: &str = "late-interaction head";
const SHARD: &str = "late-interaction shard";
const HEAD_MAGIC: [u8; 4] = *b"CLI1";
const SHARD_MAGIC: [u8; 4] = *b"CLS1";

/// The part of a late-interaction index that every question needs.
///
/// Encoded: `CLI1`, the bits of a number (u8), the projection, the number of shards and for each the
/// number of its chunks.
#[derive(Debug, Clone, PartialEq)]
pub struct LateHead {
    projection: Projection,
    codec: Codec,
    /// The first chunk of each shard, and the number of chunks at the end.
    starts: Vec<u32>,
}

/// A late-interaction index as bytes: the head, and shards of consecutive chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateIndex {
    /// A [`LateHead`], encoded.
    pub head: Vec<u8>,
    /// Each `CLS1`, and for every chunk the number of its vectors and their codes.
    pub shards: Vec<Vec<u8>>,
}

impl LateIndex {
    /// Writes the records of all chunks, in their order. A shard is closed once it holds
    /// `shard_bytes` bytes.
    pub fn new(
        projection: &Projection,
        codec: Codec,
        records: &[Record],
        shard_bytes: usize,
    ) -> Self {
        let mut shards = Vec::new();
        let mut chunks_of_shards = Vec::new();
        let mut rest = records;
        while !rest.is_empty() {
            let mut shard = SHARD_MAGIC.to_vec();
            let mut chunks = 0;
            while let Some((record, after)) = rest.split_first() {
                put_varint(&mut shard, (record.as_bytes().len() / codec.vector_bytes()) as u32);
                shard.extend(record.as_bytes());
                (chunks, rest) = (chunks + 1, after);
                // After the record that fills it: a record is never in two shards, so that one fetch has it whole.
                if shard.len() >= shard_bytes {
                    break;
                }
            }
            shards.push(shard);
            chunks_of_shards.push(chunks);
        }
        let mut head = HEAD_MAGIC.to_vec();
        head.push(codec.bits());
        projection.encode(&mut head);
        put_varint(&mut head, shards.len() as u32);
        chunks_of_shards.into_iter().for_each(|chunks| put_varint(&mut head, chunks));
        Self { head, shards }
    }
}

impl LateHead {
    /// Reads an encoded head.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole head.
    pub fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open(HEAD, bytes, HEAD_MAGIC)?;
        let [bits] = reader.array("the bits of a number")?;
        let projection = Projection::decode(&mut reader)?;
        let codec = Codec::new(projection.output(), bits)
            .map_err(|error| reader.damaged("numbers that can be coded", error.to_string()))?;
        let shards = reader.count(1, "the number of shards")?;
        let mut starts = vec![0u32];
        let mut next = 0u32;
        for _ in 0..shards {
            let chunks = reader.varint("the chunks of a shard")?;
            next = next
                .checked_add(chunks)
                .filter(|_| chunks > 0)
                .ok_or_else(|| reader.damaged("a shard of 1 to 2^32 chunks", chunks.to_string()))?;
            starts.push(next);
        }
        reader.finish()?;
        Ok(Self { projection, codec, starts })
    }

    /// Returns the projection by which a token's vector becomes one that is compared.
    pub fn projection(&self) -> &Projection {
        &self.projection
    }

    /// Returns the codec by which records are coded.
    pub fn codec(&self) -> Codec {
        self.codec
    }

    /// Returns the number of chunks that have a record.
    pub fn chunk_count(&self) -> u32 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// Returns the number of shards that the records are in.
    pub fn shard_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The shard that holds a chunk's record, and the record's place there; `None` where there is no
    /// such chunk.
    pub fn place_of(&self, chunk: u32) -> Option<(u32, usize)> {
        if chunk >= self.chunk_count() {
            return None;
        }
        // The first shard starts at chunk 0, so at least one start is not above it.
        let shard = self.starts.partition_point(|&start| start <= chunk) - 1;
        Some((shard as u32, (chunk - self.starts[shard]) as usize))
    }

    /// Reads the records of shard `shard`.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not the whole shard.
    pub fn records(&self, shard: u32, bytes: &[u8]) -> Result<Vec<Record>, IndexError> {
        let mut reader = Reader::open(SHARD, bytes, SHARD_MAGIC)?;
        let Some([start, end, ..]) = self.starts.get(shard as usize..) else {
            return Err(reader.damaged("a shard that the head lists", shard.to_string()));
        };
        let mut records = Vec::new();
        for _ in *start..*end {
            let vectors = reader.count(self.codec.vector_bytes(), "the vectors of a chunk")?;
            let codes = reader.take(vectors * self.codec.vector_bytes(), "codes")?;
            records.push(Record::of_codes(codes));
        }
        reader.finish()?;
        Ok(records)
    }
}
