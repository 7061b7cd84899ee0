//! The token vectors of a site's chunks.

use std::rc::Rc;

use campanile_index::late::{LateHead, Record};

use super::Gathered;
use super::shelf::Shelf;
use super::{Bundle, SHELF_BYTES};
use crate::head::Head;
use crate::{BundleError, ChunkId, Fetch, ShardEntry, ShardKind};

/// The head, and where the records are.
pub(super) struct Late {
    head: Rc<LateHead>,
    pub(super) entries: Vec<ShardEntry>,
}

/// The token vectors that have been fetched and decoded so far.
pub(super) struct KeptLate {
    part: Option<Rc<Late>>,
    records: Shelf<[Rc<Record>]>,
}

impl KeptLate {
    pub(super) fn new() -> Self {
        Self { part: None, records: Shelf::new(SHELF_BYTES) }
    }
}

impl<F: Fetch> Bundle<F> {
    /// Returns the head of the token vectors: how they are compared, and the way to their records.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where the site has none, [`BundleError::Shard`] or
    /// [`BundleError::Content`].
    pub async fn late_head(&self) -> Result<Rc<LateHead>, BundleError> {
        Ok(Rc::clone(&self.late_part().await?.head))
    }

    /// The records of several chunks, in the order of `chunks`. The shards needed are fetched side by
    /// side, and a damaged one costs only its own chunks.
    ///
    /// # Errors
    /// For each chunk, any about the head or the chunk's shard; [`BundleError::NoSuch`].
    pub async fn late_records(&self, chunks: &[ChunkId]) -> Vec<Result<Rc<Record>, BundleError>> {
        let part = match self.late_part().await {
            Ok(part) => part,
            Err(error) => return chunks.iter().map(|_| Err(error.clone())).collect(),
        };
        let place_of = |chunk: ChunkId| part.head.place_of(chunk.0);
        let numbers = chunks.iter().filter_map(|&chunk| Some(place_of(chunk)?.0));
        let shards = Gathered::fetch(numbers, |number| self.late_shard(&part, number)).await;
        let record = |&chunk: &ChunkId| {
            let no_such = || no_such(&part.head, chunk.0);
            let (shard, place) = place_of(chunk).ok_or_else(no_such)?;
            let records = shards.get(shard).ok_or_else(no_such)?;
            let records = records.as_ref().map_err(Clone::clone)?;
            records.get(place).map(Rc::clone).ok_or_else(no_such)
        };
        chunks.iter().map(record).collect()
    }

    pub(super) async fn late_part(&self) -> Result<Rc<Late>, BundleError> {
        let kept = self.kept.borrow().late.part.clone();
        if let Some(part) = kept {
            return Ok(part);
        }
        let entry = self.manifest.late.as_ref();
        let entry = &entry.ok_or(BundleError::Absent { part: "token vectors" })?.head;
        let part = Rc::new(self.decode_late(&entry.path, &self.shard(entry).await?)?);
        self.kept.borrow_mut().late.part = Some(Rc::clone(&part));
        Ok(part)
    }

    fn decode_late(&self, path: &str, bytes: &[u8]) -> Result<Late, BundleError> {
        let list = Head::decode(path, bytes)?;
        let entries = list.entries(ShardKind::Late);
        let head =
            LateHead::decode(&list.body).map_err(|error| BundleError::index(path, &error))?;
        let expected = (self.manifest.counts.chunks, entries.len(), self.manifest.dimension);
        let input = head.projection().input() as u32;
        let found = (head.chunk_count(), head.shard_count(), input);
        if found != expected {
            return Err(BundleError::content(
                path,
                format!(
                    "expected {} chunks, {} shards and token vectors of {} numbers, found {}, {} and {}",
                    expected.0, expected.1, expected.2, found.0, found.1, found.2
                ),
            ));
        }
        Ok(Late { head: Rc::new(head), entries })
    }

    async fn late_shard(&self, part: &Late, number: u32) -> Result<Rc<[Rc<Record>]>, BundleError> {
        let kept = self.kept.borrow_mut().late.records.get(number);
        if let Some(records) = kept {
            return Ok(records);
        }
        let entry = part.entries.get(number as usize).ok_or(BundleError::NoSuch {
            what: "late-interaction shard",
            number,
            count: part.entries.len() as u32,
        })?;
        let bytes = self.shard(entry).await?;
        let records = part.head.records(number, &bytes);
        let records = records.map_err(|error| BundleError::index(&entry.path, &error))?;
        let records: Rc<[Rc<Record>]> = records.into_iter().map(Rc::new).collect();
        let mut kept = self.kept.borrow_mut();
        kept.late.records.put(number, Rc::clone(&records), bytes.len());
        Ok(records)
    }
}

fn no_such(head: &LateHead, number: u32) -> BundleError {
    BundleError::NoSuch { what: "chunk's token vectors", number, count: head.chunk_count() }
}
