//! Which document a chunk belongs to, and which shard a document lies in.

use std::ops::Range;

use campanile_corpus::ChunkId;
use serde::{Deserialize, Serialize};

use crate::AudienceTable;

/// A document's number in its site, from 0 in the order they were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DocumentId(pub u32);

/// The place of a chunk of the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkPlace {
    /// The document.
    pub document: DocumentId,
    /// The chunk's number in the document, from 0.
    pub number: u32,
}

/// The shape of all documents, without their texts: about a byte a document.
///
/// Chunks are numbered through all documents in order, and documents lie in their shards in order,
/// so two lists of counts say it all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentsHead {
    /// The first chunk of each document, and the number of chunks at the end.
    chunk_starts: Vec<u32>,
    /// The first document of each shard, and the number of documents at the end.
    shard_starts: Vec<u32>,
    /// Documents that a newer edition has taken the place of, in their order.
    older: Vec<OlderEdition>,
    /// Whom the documents are for; none in sites that were built without, or where all are for
    /// everybody.
    audiences: Option<AudienceTable>,
}

/// A document that a newer edition has taken the place of: found only when asked for by year.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OlderEdition {
    /// The document.
    pub document: u32,
    /// The newer one.
    pub newer: u32,
    /// The years it holds for.
    pub years: Vec<u16>,
}

/// The form in which a head is stored: counts, which postcard writes in a byte each where starts would take
/// three.
#[derive(Serialize, Deserialize)]
struct StoredCounts {
    chunks_of_documents: Vec<u32>,
    documents_of_shards: Vec<u32>,
    older: Vec<OlderEdition>,
}

impl DocumentsHead {
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn encode(
        chunks_of_documents: Vec<u32>,
        documents_of_shards: Vec<u32>,
        older: Vec<OlderEdition>,
        audiences: Option<&AudienceTable>,
    ) -> Result<Vec<u8>, postcard::Error> {
        let counts = StoredCounts { chunks_of_documents, documents_of_shards, older };
        let mut bytes = postcard::to_allocvec(&counts)?;
        if let Some(audiences) = audiences {
            bytes.extend(audiences.encode()?);
        }
        Ok(bytes)
    }

    /// Reads an encoded head; the error says what was expected and found.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let (counts, rest): (StoredCounts, _) = postcard::take_from_bytes(bytes)
            .map_err(|error| format!("expected counts of chunks, found other data ({error})"))?;
        let mut head = Self {
            chunk_starts: starts(&counts.chunks_of_documents)?,
            shard_starts: starts(&counts.documents_of_shards)?,
            older: counts.older,
            audiences: None,
        };
        let documents = counts.documents_of_shards.iter().sum::<u32>();
        if documents != head.document_count() {
            return Err(format!(
                "expected {} documents in the shards, found {documents}",
                head.document_count()
            ));
        }
        let count = head.document_count();
        let numbers = head.older.iter().flat_map(|older| [older.document, older.newer]);
        if let Some(stray) = numbers.into_iter().find(|number| *number >= count) {
            return Err(format!("expected an edition among {count} documents, found {stray}"));
        }
        if !head.older.is_sorted_by(|left, right| left.document < right.document) {
            return Err("expected older editions in their order, found another".to_owned());
        }
        if !rest.is_empty() {
            head.audiences = Some(AudienceTable::decode(rest, count, head.chunk_count())?);
        }
        Ok(head)
    }

    /// Whom the documents are for; `None` where all are for everybody, or where the site was built
    /// by a version that did not write it down.
    pub fn audiences(&self) -> Option<&AudienceTable> {
        self.audiences.as_ref()
    }

    /// The documents that a newer edition has taken the place of, in their order.
    pub fn older_editions(&self) -> &[OlderEdition] {
        &self.older
    }

    /// Returns the newer edition that has taken a document's place, if one has.
    pub fn older_edition(&self, document: DocumentId) -> Option<&OlderEdition> {
        let place = self.older.binary_search_by_key(&document.0, |older| older.document).ok()?;
        self.older.get(place)
    }

    /// Returns the number of documents.
    pub fn document_count(&self) -> u32 {
        self.chunk_starts.len().saturating_sub(1) as u32
    }

    /// Returns the number of chunks, of all documents.
    pub fn chunk_count(&self) -> u32 {
        self.chunk_starts.last().copied().unwrap_or_default()
    }

    /// Returns the number of shards that the documents are in.
    pub fn shard_count(&self) -> u32 {
        self.shard_starts.len().saturating_sub(1) as u32
    }

    /// Returns the place of a chunk, if the site has it.
    pub fn place_of_chunk(&self, chunk: ChunkId) -> Option<ChunkPlace> {
        let (document, number) = place(&self.chunk_starts, chunk.0)?;
        Some(ChunkPlace { document: DocumentId(document), number })
    }

    /// The chunks of a document; none of one that is not there.
    pub fn chunks_of(&self, document: DocumentId) -> impl ExactSizeIterator<Item = ChunkId> {
        range(&self.chunk_starts, document.0).unwrap_or_default().map(ChunkId)
    }

    /// The shard a document lies in, and its number there.
    pub(crate) fn shard_of(&self, document: DocumentId) -> Option<(u32, u32)> {
        place(&self.shard_starts, document.0)
    }

    /// The documents of a shard.
    pub(crate) fn documents_of_shard(&self, shard: u32) -> Option<Range<u32>> {
        range(&self.shard_starts, shard)
    }
}

/// From counts to where each begins, with the total at the end.
pub(crate) fn starts(counts: &[u32]) -> Result<Vec<u32>, String> {
    let mut total = 0u32;
    let mut starts = vec![0];
    for &count in counts {
        total = total.checked_add(count).ok_or("expected fewer than 2^32 in all, found more")?;
        starts.push(total);
    }
    Ok(starts)
}

/// Which of the stretches holds `item`, and at which place in it. Empty stretches begin where the
/// next one does, and the last of those that begin there is the one with something in it.
pub(crate) fn place(starts: &[u32], item: u32) -> Option<(u32, u32)> {
    let stretch = starts.partition_point(|&start| start <= item).checked_sub(1)?;
    let within = range(starts, stretch as u32)?;
    within.contains(&item).then(|| (stretch as u32, item - within.start))
}

fn range(starts: &[u32], stretch: u32) -> Option<Range<u32>> {
    let stretch = stretch as usize;
    Some(*starts.get(stretch)?..*starts.get(stretch.checked_add(1)?)?)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn head(chunks: &[u32], documents: &[u32]) -> Result<DocumentsHead, String> {
        with_editions(chunks, documents, Vec::new())
    }

    fn with_editions(
        chunks: &[u32],
        documents: &[u32],
        older: Vec<OlderEdition>,
    ) -> Result<DocumentsHead, String> {
        let bytes =
            DocumentsHead::encode(chunks.to_vec(), documents.to_vec(), older, None).unwrap();
        DocumentsHead::decode(&bytes)
    }

    #[test]
    fn empty_documents_are_passed_over() {
        let head = head(&[0, 2, 0, 0, 1, 0], &[2, 4]).unwrap();
        assert_eq!((head.document_count(), head.chunk_count(), head.shard_count()), (6, 3, 2));
        let places: Vec<_> = (0..4)
            .map(|chunk| head.place_of_chunk(ChunkId(chunk)))
            .map(|place| place.map(|place| (place.document.0, place.number)))
            .collect();
        assert_eq!(places, [Some((1, 0)), Some((1, 1)), Some((4, 0)), None]);
        assert_eq!(head.shard_of(DocumentId(4)), Some((1, 2)));
        assert_eq!(head.shard_of(DocumentId(6)), None);
        assert!(head.chunks_of(DocumentId(1)).eq([ChunkId(0), ChunkId(1)]));
    }

    #[test]
    fn counts_that_disagree_are_refused() {
        let error = head(&[1, 1], &[3]).unwrap_err();
        assert_eq!(error, "expected 2 documents in the shards, found 3");
        assert!(head(&[u32::MAX, 1], &[2]).is_err());
        assert!(head(&[], &[u32::MAX, 1]).is_err());
    }

    #[test]
    fn older_editions_name_documents_in_order() {
        let older = |document, newer| OlderEdition { document, newer, years: vec![2023] };
        let head = with_editions(&[1, 1, 1], &[3], vec![older(0, 2), older(1, 2)]).unwrap();
        assert_eq!(head.older_edition(DocumentId(1)), Some(&older(1, 2)));
        assert_eq!(head.older_edition(DocumentId(2)), None);
        for bad in [vec![older(0, 3)], vec![older(3, 0)], vec![older(1, 2), older(0, 2)]] {
            assert!(with_editions(&[1, 1, 1], &[3], bad).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_chunk_has_one_place(chunks in proptest::collection::vec(0u32..4, 0..30)) {
            let head = head(&chunks, &[chunks.len() as u32]).unwrap();
            let expected: Vec<(u32, u32)> = (0u32..)
                .zip(&chunks)
                .flat_map(|(document, &count)| (0..count).map(move |chunk| (document, chunk)))
                .collect();
            let found: Vec<(u32, u32)> = (0..head.chunk_count())
                .map(|chunk| head.place_of_chunk(ChunkId(chunk)).unwrap())
                .map(|place| (place.document.0, place.number))
                .collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(head.place_of_chunk(ChunkId(head.chunk_count())), None);
            prop_assert_eq!(head.place_of_chunk(ChunkId(u32::MAX)), None);
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(head) = DocumentsHead::decode(&bytes) {
                let _ = head.place_of_chunk(ChunkId(head.chunk_count().saturating_sub(1)));
            }
        }
    }
}
