//! Which chunk a part belongs to.

use serde::{Deserialize, Serialize};

use crate::documents::{place, starts};

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
    /// What was expected and found, for 2^32 parts or more.
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
    pub fn parts_of(&self, chunk: u32) -> std::ops::Range<u32> {
        let chunk = chunk as usize;
        match (self.starts.get(chunk), self.starts.get(chunk + 1)) {
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    /// The chunk that a part belongs to, and the part's number there, both from 0.
    pub fn parent_of(&self, unit: u32) -> Option<(u32, u32)> {
        place(&self.starts, unit)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::ParentsHead;

    proptest! {
        #[test]
        fn every_part_has_its_chunk(counts in proptest::collection::vec(0u32..4, 0..30)) {
            let head = ParentsHead::decode(&ParentsHead::encode(counts.clone()).unwrap()).unwrap();
            let expected: Vec<(u32, u32)> = (0u32..)
                .zip(&counts)
                .flat_map(|(chunk, &count)| (0..count).map(move |part| (chunk, part)))
                .collect();
            let found: Vec<_> = (0..head.unit_count()).map(|unit| head.parent_of(unit).unwrap()).collect();
            prop_assert_eq!(found, expected);
            for (chunk, &count) in (0u32..).zip(&counts) {
                let parts = head.parts_of(chunk);
                prop_assert_eq!(parts.len(), count as usize);
                prop_assert!(parts.clone().all(|part| head.parent_of(part).unwrap().0 == chunk));
            }
            prop_assert!(head.parts_of(head.chunk_count()).is_empty());
            prop_assert_eq!(head.parent_of(head.unit_count()), None);
            prop_assert_eq!(head.parent_of(u32::MAX), None);
            prop_assert_eq!(head.chunk_count() as usize, counts.len());
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(head) = ParentsHead::decode(&bytes) {
                let _ = head.parent_of(head.unit_count().saturating_sub(1));
            }
        }
    }
}
