//! The head that a page loads before the first question: chunk lengths and the way to the shards.

use std::ops::Range;

use super::{Bm25Parameters, Posting};
use crate::IndexError;
use crate::bytes::{Reader, put_varint};

const PART: &str = "lexical head";
const MAGIC: [u8; 4] = *b"CLH1";

/// The part of an inverted index that every question needs.
///
/// Encoded: `CLH1`, `k1` and `b` (f32), the number of shards, for each a separator (length,
/// UTF-8), the number of chunks, the low bytes of all lengths, then the high bytes. In two planes
/// because the high bytes are nearly all zero and deflate to almost nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalHead {
    parameters: Bm25Parameters,
    lengths: Vec<u16>,
    /// The numbers that chunks' lengths add below the line of BM25: `k1 (1 - b + b length / average)`.
    damping: Vec<f32>,
    /// Strictly rising; shard `n` holds the terms from separator `n` up to the next.
    separators: Vec<String>,
}

impl LexicalHead {
    pub(super) fn new(
        parameters: Bm25Parameters,
        lengths: Vec<u16>,
        separators: Vec<String>,
    ) -> Self {
        // In whole numbers: a sum of floats would depend on its order.
        let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        // At least one, so that an index of empty chunks divides by something.
        let average_length = (total as f64 / lengths.len().max(1) as f64).max(1.0) as f32;
        let Bm25Parameters { k1, b } = parameters;
        // Once for each chunk when the head is read, and not for each posting of each question.
        let damping = |&length: &u16| k1 * (1.0 - b + b * (f32::from(length) / average_length));
        let damping = lengths.iter().map(damping).collect();
        Self { parameters, lengths, damping, separators }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.parameters.k1.to_le_bytes());
        out.extend(self.parameters.b.to_le_bytes());
        put_varint(&mut out, self.separators.len() as u32);
        for separator in &self.separators {
            put_varint(&mut out, separator.len() as u32);
            out.extend(separator.as_bytes());
        }
        put_varint(&mut out, self.lengths.len() as u32);
        out.extend(self.lengths.iter().map(|length| length.to_le_bytes()[0]));
        out.extend(self.lengths.iter().map(|length| length.to_le_bytes()[1]));
        out
    }

    /// Reads an encoded head.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole head.
    pub fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let mut reader = Reader::open(PART, bytes, MAGIC)?;
        let parameters = decode_parameters(&mut reader)?;
        let separators = decode_separators(&mut reader)?;
        let count = reader.count(2, "the number of chunks")?;
        let low = reader.take(count, "chunk lengths")?;
        let high = reader.take(count, "chunk lengths")?;
        reader.finish()?;
        let lengths =
            low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect();
        Ok(Self::new(parameters, lengths, separators))
    }

    /// The shard that holds `term` if any does; whether one does only that shard can tell.
    pub fn shard_of(&self, term: &str) -> Option<usize> {
        self.separators.partition_point(|separator| separator.as_str() <= term).checked_sub(1)
    }

    /// The shards that hold the terms beginning with `beginning`, if any do.
    pub fn shards_of_beginning(&self, beginning: &str) -> Range<usize> {
        let Some(first) = self.shard_of(beginning) else { return 0..0 };
        let behind = |separator: &String| {
            separator.as_str() <= beginning || separator.starts_with(beginning)
        };
        first..self.separators.partition_point(behind)
    }

    /// Returns what a posting adds to its chunk's score: `weight f / (f + damping)`; 0 for a chunk that the
    /// index does not have.
    pub(super) fn contribution(&self, weight: f32, posting: Posting) -> f32 {
        let Some(damping) = self.damping.get(posting.chunk as usize) else { return 0.0 };
        let frequency = posting.frequency as f32;
        weight * frequency / (frequency + damping)
    }

    /// Returns the number of chunks that the index counts.
    pub fn chunk_count(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// Returns the number of shards that the postings are in.
    pub fn shard_count(&self) -> usize {
        self.separators.len()
    }

    /// The parameters the index was built with; `k1` in the unit of its
    /// [frequencies](super::Posting::frequency).
    pub fn parameters(&self) -> Bm25Parameters {
        self.parameters
    }

    /// The number of terms in each chunk, by chunk; a term counts as its
    /// [field](super::FieldWeights) does.
    pub fn lengths(&self) -> &[u16] {
        &self.lengths
    }
}

fn decode_parameters(reader: &mut Reader<'_>) -> Result<Bm25Parameters, IndexError> {
    let k1 = reader.finite_f32("k1")?;
    if k1 < 0.0 {
        return Err(reader.damaged("k1 of at least 0", "a negative one"));
    }
    let b = reader.finite_f32("b")?;
    if !(0.0..=1.0).contains(&b) {
        return Err(reader.damaged("b from 0 to 1", "another number"));
    }
    Ok(Bm25Parameters { k1, b })
}

fn decode_separators(reader: &mut Reader<'_>) -> Result<Vec<String>, IndexError> {
    let count = reader.count(1, "the number of shards")?;
    let mut separators: Vec<String> = Vec::with_capacity(count);
    for _ in 0..count {
        let length = reader.varint("a separator's length")? as usize;
        let bytes = reader.take(length, "a separator")?;
        let separator = std::str::from_utf8(bytes)
            .map_err(|error| reader.damaged("a separator in UTF-8", error.to_string()))?;
        if separators.last().is_some_and(|last| last.as_str() >= separator) {
            return Err(reader.damaged("rising separators", format!("`{separator}`")));
        }
        separators.push(separator.to_owned());
    }
    Ok(separators)
}
