//! A head: the list of a part's shards, and what helps to choose among them.

use campanile_corpus::ChunkId;
use serde::{Deserialize, Serialize};

use crate::documents::{place, starts};
use crate::{BundleError, Digest, Encoding, ShardEntry, ShardKind};

/// The contents of a head shard, in postcard's form.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    shards: Vec<ListedShard>,
    /// A `LexicalHead` or a `DocumentsHead`, encoded.
    pub(crate) body: Vec<u8>,
}

/// A shard entry without what follows from its kind.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ListedShard {
    sha256: Digest,
    bytes: u64,
    encoding: Encoding,
    raw_bytes: u64,
}

impl Head {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn new(entries: &[ShardEntry], body: Vec<u8>) -> Self {
        let listed = |entry: &ShardEntry| ListedShard {
            sha256: entry.sha256,
            bytes: entry.bytes,
            encoding: entry.encoding,
            raw_bytes: entry.raw_bytes,
        };
        Self { shards: entries.iter().map(listed).collect(), body }
    }

    /// Reads the head at `path`.
    pub(crate) fn decode(path: &str, bytes: &[u8]) -> Result<Self, BundleError> {
        match postcard::take_from_bytes(bytes) {
            Ok((head, [])) => Ok(head),
            Ok((_, rest)) => Err(BundleError::content(
                path,
                format!("expected a head alone, found {} bytes behind it", rest.len()),
            )),
            Err(error) => Err(BundleError::content(
                path,
                format!("expected a head, found other data ({error})"),
            )),
        }
    }

    /// The entries of the listed shards, all of one kind.
    pub(crate) fn entries(&self, kind: ShardKind) -> Vec<ShardEntry> {
        let entry = |listed: &ListedShard| ShardEntry {
            path: kind.path(&listed.sha256),
            bytes: listed.bytes,
            sha256: listed.sha256,
            encoding: listed.encoding,
            raw_bytes: listed.raw_bytes,
        };
        self.shards.iter().map(entry).collect()
    }
}

/// The shape of an index over parts of chunks: about a byte a chunk.
///
/// Parts are numbered through all chunks in order, so the number of parts of each chunk says it all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParentsHead {
    /// The first part of each chunk, and the number of parts at the end.
    starts: Vec<u32>,
}

/// The form in which the head is stored.
#[derive(Serialize, Deserialize)]
struct StoredCounts {
    parts_of_chunks: Vec<u32>,
}

impl ParentsHead {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn encode(parts_of_chunks: Vec<u32>) -> Result<Vec<u8>, postcard::Error> {
        postcard::to_allocvec(&StoredCounts { parts_of_chunks })
    }

    /// Reads an encoded head; the error says what was expected and found.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let counts: StoredCounts = postcard::from_bytes(bytes)
            .map_err(|error| format!("expected counts of parts, found other data ({error})"))?;
        Self::from_counts(&counts.parts_of_chunks)
    }

    /// The head of chunks with these numbers of parts.
    ///
    /// # Errors
    /// The expected and the found, for 2^32 parts or more.
    pub fn from_counts(parts_of_chunks: &[u32]) -> Result<Self, String> {
        Ok(Self { starts: starts(parts_of_chunks)? })
    }

    /// Returns the number of chunks.
    pub fn chunk_count(&self) -> u32 {
        self.starts.len().saturating_sub(1) as u32
    }

    /// Returns the number of parts, of all chunks.
    pub fn unit_count(&self) -> u32 {
        self.starts.last().copied().unwrap_or_default()
    }

    /// The parts of a chunk, by their numbers; none of a chunk that is not there.
    pub fn parts_of(&self, chunk: ChunkId) -> std::ops::Range<u32> {
        let chunk = chunk.index();
        match (self.starts.get(chunk), self.starts.get(chunk + 1)) {
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    /// The chunk that a part belongs to, and the part's number there, from 0.
    pub fn parent_of(&self, unit: u32) -> Option<(ChunkId, u32)> {
        place(&self.starts, unit).map(|(chunk, part)| (ChunkId(chunk), part))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::ParentsHead;
    use super::*;
    use proptest::prelude::*;

    fn head(shards: u8) -> (Vec<ShardEntry>, Vec<u8>) {
        let entry = |number: u8| {
            let sha256 = Digest::of(&[number]);
            ShardEntry {
                path: ShardKind::Postings.path(&sha256),
                bytes: 12_000,
                sha256,
                encoding: Encoding::Deflate,
                raw_bytes: 17_000,
            }
        };
        let entries: Vec<ShardEntry> = (0..shards).map(entry).collect();
        let encoded = postcard::to_allocvec(&Head::new(&entries, b"body".to_vec())).unwrap();
        (entries, encoded)
    }

    #[test]
    fn entries_come_back_from_38_bytes_each() {
        let (entries, encoded) = head(100);
        assert_eq!(encoded.len(), 100 * 38 + 6);
        let head = Head::decode("head", &encoded).unwrap();
        assert_eq!(head.entries(ShardKind::Postings), entries);
        assert_eq!(head.body, b"body");
    }

    #[test]
    fn a_cut_or_lengthened_head_is_refused() {
        let (_, encoded) = head(3);
        for length in 0..encoded.len() {
            assert!(Head::decode("head", &encoded[..length]).is_err(), "{length}");
        }
        let error = Head::decode("head", &[&encoded[..], &[0]].concat()).unwrap_err();
        assert!(error.to_string().contains("found 1 bytes behind it"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Head::decode("head", &bytes);
        }
    }

    proptest! {
        #[test]
        fn every_part_has_its_chunk(counts in proptest::collection::vec(0u32..4, 0..30)) {
            let head = ParentsHead::decode(&ParentsHead::encode(counts.clone()).unwrap()).unwrap();
            let expected: Vec<(ChunkId, u32)> = (0..)
                .map(ChunkId)
                .zip(&counts)
                .flat_map(|(chunk, &count)| (0..count).map(move |part| (chunk, part)))
                .collect();
            let found: Vec<_> = (0..head.unit_count()).map(|unit| head.parent_of(unit).unwrap()).collect();
            prop_assert_eq!(found, expected);
            for (chunk, &count) in (0..).map(ChunkId).zip(&counts) {
                let parts = head.parts_of(chunk);
                prop_assert_eq!(parts.len(), count as usize);
                prop_assert!(parts.clone().all(|part| head.parent_of(part).unwrap().0 == chunk));
            }
            prop_assert!(head.parts_of(ChunkId(head.chunk_count())).is_empty());
            prop_assert_eq!(head.parent_of(head.unit_count()), None);
            prop_assert_eq!(head.parent_of(u32::MAX), None);
            prop_assert_eq!(head.chunk_count() as usize, counts.len());
        }

        #[test]
        fn any_bytes_of_parents_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(head) = ParentsHead::decode(&bytes) {
                let _ = head.parent_of(head.unit_count().saturating_sub(1));
            }
        }
    }
}
