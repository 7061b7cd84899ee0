//! The documents of a site.

use std::rc::Rc;

use super::Bundle;
use super::Gathered;
use crate::{
    BundleError, ChunkId, ChunkPlace, DocumentId, DocumentRecord, DocumentsHead, Fetch, Part,
};

impl<F: Fetch> Bundle<F> {
    /// Which chunks belong to which document, without any text.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn documents_head(&self) -> Result<Rc<DocumentsHead>, BundleError> {
        Ok(Rc::clone(&self.documents_part().await?.head))
    }

    /// The document that a chunk belongs to, and the chunk's number there.
    ///
    /// # Errors
    /// Any about the head; [`BundleError::NoSuch`] for a chunk the site does not have.
    pub async fn document_of_chunk(&self, chunk: ChunkId) -> Result<ChunkPlace, BundleError> {
        let part = self.documents_part().await?;
        let head = &part.head;
        head.place_of_chunk(chunk).ok_or(BundleError::NoSuch {
            what: "chunk",
            number: chunk.0,
            count: head.chunk_count(),
        })
    }

    /// A document.
    ///
    /// # Errors
    /// Any about the head or the document's shard; [`BundleError::NoSuch`].
    pub async fn document(&self, id: DocumentId) -> Result<Rc<DocumentRecord>, BundleError> {
        let part = self.documents_part().await?;
        let (shard, _) = shard_of(&part.head, id)?;
        let records = self.document_shard(&part, shard).await;
        find(&part.head, id, &records)
    }

    /// Several documents, in the order of `ids`. The shards needed are fetched side by side, and a
    /// damaged one costs only its own documents.
    ///
    /// # Errors
    /// For each document, as [`Bundle::document`].
    pub async fn documents(
        &self,
        ids: &[DocumentId],
    ) -> Vec<Result<Rc<DocumentRecord>, BundleError>> {
        let part = match self.documents_part().await {
            Ok(part) => part,
            Err(error) => return ids.iter().map(|_| Err(error.clone())).collect(),
        };
        let numbers = ids.iter().filter_map(|&id| Some(part.head.shard_of(id)?.0));
        let shards = Gathered::fetch(numbers, |number| self.document_shard(&part, number)).await;
        let document = |&id: &DocumentId| {
            let (shard, _) = shard_of(&part.head, id)?;
            let records = shards.get(shard).ok_or_else(|| no_such(&part.head, id))?;
            find(&part.head, id, records)
        };
        ids.iter().map(document).collect()
    }

    pub(super) async fn documents_part(&self) -> Result<Rc<Part<DocumentsHead>>, BundleError> {
        let kept = self.kept.borrow().documents.clone();
        if let Some(part) = kept {
            return Ok(part);
        }
        let entry = &self.manifest.documents.head;
        let part = Rc::new(self.decode_documents(&self.shard(entry).await?)?);
        self.kept.borrow_mut().documents = Some(Rc::clone(&part));
        Ok(part)
    }

    fn decode_documents(&self, bytes: &[u8]) -> Result<Part<DocumentsHead>, BundleError> {
        let path = &self.manifest.documents.head.path;
        let part = Part::<DocumentsHead>::decode(path, bytes)?;
        let counts = self.manifest.counts;
        let expected = (counts.documents, counts.chunks);
        let found = (part.head.document_count(), part.head.chunk_count());
        if found != expected {
            return Err(BundleError::content(
                path,
                format!(
                    "expected {} documents and {} chunks, found {} and {}",
                    expected.0, expected.1, found.0, found.1
                ),
            ));
        }
        Ok(part)
    }

    async fn document_shard(
        &self,
        part: &Part<DocumentsHead>,
        number: u32,
    ) -> Result<Rc<[Rc<DocumentRecord>]>, BundleError> {
        let kept = self.kept.borrow_mut().records.get(number);
        if let Some(records) = kept {
            return Ok(records);
        }
        let entry = part.entries.get(number as usize).ok_or(BundleError::NoSuch {
            what: "document shard",
            number,
            count: part.entries.len() as u32,
        })?;
        let bytes = self.shard(entry).await?;
        let records: Rc<[Rc<DocumentRecord>]> = part.records(number, &bytes)?.into();
        let mut kept = self.kept.borrow_mut();
        kept.records.put(number, Rc::clone(&records), bytes.len());
        Ok(records)
    }
}

fn shard_of(head: &DocumentsHead, id: DocumentId) -> Result<(u32, u32), BundleError> {
    head.shard_of(id).ok_or_else(|| no_such(head, id))
}

fn no_such(head: &DocumentsHead, id: DocumentId) -> BundleError {
    BundleError::NoSuch { what: "document", number: id.0, count: head.document_count() }
}

fn find(
    head: &DocumentsHead,
    id: DocumentId,
    records: &Result<Rc<[Rc<DocumentRecord>]>, BundleError>,
) -> Result<Rc<DocumentRecord>, BundleError> {
    let (_, place) = shard_of(head, id)?;
    let records = records.as_ref().map_err(Clone::clone)?;
    let record = records.get(place as usize);
    record.map(Rc::clone).ok_or_else(|| no_such(head, id))
}
