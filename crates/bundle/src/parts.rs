//! A site's parts, decoded from bytes that have been fetched and checked.

use std::rc::Rc;

use campanile_index::LexicalHead;

use crate::head::Head;
use crate::{
    BundleError, DocumentId, DocumentRecord, DocumentsHead, ShardEntry, ShardKind, record,
};

/// A head, and where the shards are that it knows of.
#[derive(Debug)]
pub struct Part<H> {
    /// The head, which helps to choose among the shards.
    pub head: Rc<H>,
    /// The shards, by number.
    pub entries: Vec<ShardEntry>,
}

impl Part<LexicalHead> {
    /// Reads the inverted index's head, which was fetched from `path`.
    ///
    /// # Errors
    /// [`BundleError::Content`].
    pub fn decode(path: &str, bytes: &[u8]) -> Result<Self, BundleError> {
        let list = Head::decode(path, bytes)?;
        let entries = list.entries(ShardKind::Postings);
        let head =
            LexicalHead::decode(&list.body).map_err(|error| BundleError::index(path, &error))?;
        counted(path, "postings shards", head.shard_count(), entries.len())?;
        Ok(Self { head: Rc::new(head), entries })
    }
}

impl Part<DocumentsHead> {
    /// Reads the documents' head, which was fetched from `path`.
    ///
    /// # Errors
    /// [`BundleError::Content`].
    pub fn decode(path: &str, bytes: &[u8]) -> Result<Self, BundleError> {
        let list = Head::decode(path, bytes)?;
        let entries = list.entries(ShardKind::Documents);
        let head = DocumentsHead::decode(&list.body)
            .map_err(|reason| BundleError::content(path, reason))?;
        counted(path, "document shards", head.shard_count() as usize, entries.len())?;
        Ok(Self { head: Rc::new(head), entries })
    }

    /// Reads the documents of a shard and checks them against the head.
    ///
    /// # Errors
    /// [`BundleError::Content`].
    pub fn records(
        &self,
        shard: u32,
        bytes: &[u8],
    ) -> Result<Vec<Rc<DocumentRecord>>, BundleError> {
        let path = self.entries.get(shard as usize).map_or("", |entry| entry.path.as_str());
        let records = record::decode(bytes).map_err(|reason| BundleError::content(path, reason))?;
        let documents = self.head.documents_of_shard(shard).unwrap_or_default();
        counted(path, "documents", documents.len(), records.len())?;
        for (id, record) in documents.zip(&records) {
            let chunks = self.head.chunks_of(DocumentId(id));
            let what = || format!("chunks in `{}`", record.path);
            counted(path, &what(), chunks.len(), record.chunks.len())?;
        }
        Ok(records.into_iter().map(Rc::new).collect())
    }

    /// The shard that a document lies in, and its number there.
    pub fn shard_of(&self, document: DocumentId) -> Option<(u32, u32)> {
        self.head.shard_of(document)
    }
}

pub(crate) fn counted(
    path: &str,
    what: &str,
    expected: usize,
    found: usize,
) -> Result<(), BundleError> {
    if found == expected {
        return Ok(());
    }
    Err(BundleError::content(path, format!("expected {expected} {what}, found {found}")))
}
