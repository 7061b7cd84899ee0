//! A stretch of the alphabet: sorted terms and their posting lists.

use crate::IndexError;
use crate::bytes::{Reader, put_varint};

const PART: &str = "postings shard";
const MAGIC: [u8; 4] = *b"CPS1";

/// A term's occurrence in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The chunk's number in the whole site.
    pub chunk: u32,
    /// The number of times that the term stands there; at least 1. Where [fields](super::FieldWeights) have
    /// weights, the sum of theirs, in the fewest whole numbers that stand to each other as they do.
    pub frequency: u32,
}

/// Some terms with their postings, decoded and checked in full.
///
/// Encoded: `CPS1`, then for each term until the end: how many bytes it shares with the term
/// before, the length and bytes of the rest, the number of postings, and each posting as the gap
/// to the chunk before. The gap is shifted by one bit, set when the frequency is 1; otherwise the
/// frequency less 2 follows. Most frequencies are 1, so most postings take one or two bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostingsShard {
    /// Strictly rising.
    terms: Vec<String>,
    /// The places where each term's postings end in `postings`.
    ends: Vec<usize>,
    postings: Vec<Posting>,
}

impl PostingsShard {
    /// Reads an encoded shard of an index over `chunk_count` chunks.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the bytes are not a whole shard, or name a chunk the index
    /// does not have.
    pub fn decode(bytes: &[u8], chunk_count: u32) -> Result<Self, IndexError> {
        let mut reader = Reader::open(PART, bytes, MAGIC)?;
        let mut shard = Self { terms: Vec::new(), ends: Vec::new(), postings: Vec::new() };
        while reader.remaining() > 0 {
            let term = decode_term(&mut reader, shard.terms.last())?;
            decode_list(&mut reader, chunk_count, &mut shard.postings)?;
            shard.terms.push(term);
            shard.ends.push(shard.postings.len());
        }
        reader.finish()?;
        Ok(shard)
    }

    /// A term's postings by rising chunk, or nothing when no chunk holds the term.
    pub fn get(&self, term: &str) -> Option<&[Posting]> {
        self.list(self.place(term)?)
    }

    /// A term's place among the shard's terms.
    pub fn place(&self, term: &str) -> Option<usize> {
        self.terms.binary_search_by(|probe| probe.as_str().cmp(term)).ok()
    }

    /// The postings of the term at a place.
    pub fn list(&self, place: usize) -> Option<&[Posting]> {
        let start = match place.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.postings.get(start..*self.ends.get(place)?)
    }

    /// The terms that begin so, sorted, each with the number of chunks that hold it.
    pub fn beginning_with<'a>(
        &'a self,
        beginning: &'a str,
    ) -> impl Iterator<Item = (&'a str, usize)> {
        let first = self.terms.partition_point(|term| term.as_str() < beginning);
        let places = (first..self.terms.len()).map_while(move |place| {
            let term = self.terms.get(place)?.as_str();
            term.starts_with(beginning).then_some((place, term))
        });
        places.map(|(place, term)| (term, self.list(place).map_or(0, <[Posting]>::len)))
    }

    /// All terms, sorted.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
    }

    /// Returns the number of postings that the shard holds, of all its terms.
    pub fn posting_count(&self) -> usize {
        self.postings.len()
    }
}

fn decode_term(reader: &mut Reader<'_>, before: Option<&String>) -> Result<String, IndexError> {
    let before = before.map_or("", String::as_str);
    let shared = reader.varint("the shared length of two terms")? as usize;
    let Some(beginning) = before.as_bytes().get(..shared) else {
        return Err(reader
            .damaged(format!("a shared length of at most {}", before.len()), shared.to_string()));
    };
    let length = reader.varint("a term's length")? as usize;
    let rest = reader.take(length, "a term")?;
    let term = String::from_utf8([beginning, rest].concat())
        .map_err(|error| reader.damaged("a term in UTF-8", error.to_string()))?;
    // The empty term sorts before all others, so it may only come first; none is ever written.
    if term.as_str() <= before {
        return Err(reader.damaged(format!("a term behind `{before}`"), format!("`{term}`")));
    }
    Ok(term)
}

fn decode_list(
    reader: &mut Reader<'_>,
    chunk_count: u32,
    postings: &mut Vec<Posting>,
) -> Result<(), IndexError> {
    let count = reader.count(1, "the number of postings")?;
    // Safe to believe: `count` has checked it against the bytes that are left.
    postings.reserve(count);
    let mut next_chunk = 0u32;
    for _ in 0..count {
        let gap = reader.varint("a gap between chunks")?;
        let chunk = next_chunk
            .checked_add(gap >> 1)
            .filter(|&chunk| chunk < chunk_count)
            .ok_or_else(|| {
                reader.damaged(
                    format!("a chunk below {chunk_count}"),
                    format!("{next_chunk} + {}", gap >> 1),
                )
            })?;
        let frequency = match gap & 1 {
            1 => 1,
            _ => reader
                .varint("a frequency")?
                .checked_add(2)
                .ok_or_else(|| reader.damaged("a frequency below 2^32", "a larger one"))?,
        };
        postings.push(Posting { chunk, frequency });
        next_chunk = chunk.saturating_add(1);
    }
    Ok(())
}

/// Writes one shard, term by term in rising order.
#[derive(Debug, Default)]
pub(super) struct ShardWriter {
    out: Vec<u8>,
    last: String,
}

impl ShardWriter {
    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn add(&mut self, term: &str, list: &[Posting]) {
        let shared = shared_length(&self.last, term);
        put_varint(&mut self.out, shared as u32);
        put_varint(&mut self.out, (term.len() - shared) as u32);
        self.out.extend(&term.as_bytes()[shared..]);
        put_varint(&mut self.out, list.len() as u32);
        let mut next_chunk = 0;
        for posting in list {
            let gap = (posting.chunk - next_chunk) << 1;
            put_varint(&mut self.out, gap | u32::from(posting.frequency == 1));
            if posting.frequency > 1 {
                put_varint(&mut self.out, posting.frequency - 2);
            }
            next_chunk = posting.chunk + 1;
        }
        // Into the same memory: an index has a hundred thousand terms.
        term.clone_into(&mut self.last);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        [&MAGIC[..], &self.out].concat()
    }
}

fn shared_length(left: &str, right: &str) -> usize {
    left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count()
}
