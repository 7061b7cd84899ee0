//! Which passages a question may find.

use std::collections::BTreeSet;

use campanile_bundle::{DocumentId, DocumentsHead};

use super::Reader;
use crate::editions::is_current;

/// Which chunks a question may find: none of editions that newer ones have taken the place of, and
/// of the others those that are for the reader.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// By chunk; empty where all are current.
    current: Vec<bool>,
    /// By chunk; empty where all are for the reader.
    for_reader: Vec<bool>,
}

impl Scope {
    /// The scope of a question that names these years; `reader` is none where everything that is
    /// current may be found.
    pub(crate) fn new(
        head: &DocumentsHead,
        years: &BTreeSet<u16>,
        reader: Option<&Reader>,
    ) -> Self {
        let mut scope = Self::default();
        if !head.older_editions().is_empty() {
            scope.current = by_chunk(head, |document| is_current(head, document, years));
        }
        if let (Some(reader), Some(table)) = (reader, head.audiences()) {
            let applies = |audience: u32| reader.verdict(audience).is_none_or(|it| it.applies);
            let of_documents = table.of_documents();
            scope.for_reader = by_chunk(head, |document| {
                of_documents.get(document.0 as usize).copied().is_none_or(applies)
            });
            // What another document says too is for that document's readers as well.
            for (chunk, audience) in table.further() {
                if let Some(is_for_reader) = scope.for_reader.get_mut(*chunk as usize) {
                    *is_for_reader |= applies(*audience);
                }
            }
            if scope.for_reader.iter().all(|is_for_reader| *is_for_reader) {
                scope.for_reader.clear();
            }
        }
        scope
    }

    /// Returns `true` if a chunk may be found.
    pub(crate) fn keeps(&self, chunk: u32) -> bool {
        get(&self.current, chunk) && get(&self.for_reader, chunk)
    }

    /// Returns `true` if all chunks may be found.
    pub(crate) fn is_whole(&self) -> bool {
        self.current.is_empty() && self.for_reader.is_empty()
    }

    /// Returns `true` if a chunk is kept from being found only because it is for other readers.
    pub(crate) fn is_for_others(&self, chunk: u32) -> bool {
        get(&self.current, chunk) && !get(&self.for_reader, chunk)
    }

    /// Returns `true` if some chunk is kept from the reader.
    pub(crate) fn leaves_readers_out(&self) -> bool {
        !self.for_reader.is_empty()
    }
}

fn by_chunk(head: &DocumentsHead, keeps: impl Fn(DocumentId) -> bool) -> Vec<bool> {
    let mut kept = Vec::with_capacity(head.chunk_count() as usize);
    for document in (0..head.document_count()).map(DocumentId) {
        let chunks = head.chunks_of(document).unwrap_or_default();
        kept.resize(kept.len() + chunks.len(), keeps(document));
    }
    kept
}

/// A chunk that the head does not count is for the index to refuse.
fn get(kept: &[bool], chunk: u32) -> bool {
    kept.get(chunk as usize).copied().unwrap_or(true)
}
