//! Reads the files for searching by meaning before the encoder is there.

use campanile_index::ReducedTable;
use futures_util::future::join3;

use super::Bundle;
use crate::{BundleError, Fetch, ShardEntry};

/// The parts of [`InstantEntry`](crate::InstantEntry), fetched and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct InstantParts {
    /// The word pieces, still encoded: this crate knows of no tokenizer.
    pub word_pieces: Vec<u8>,
    /// One vector a word piece.
    pub table: ReducedTable,
    /// One vector a chunk.
    pub passages: ReducedTable,
}

impl<F: Fetch> Bundle<F> {
    /// Fetches what searches by meaning before the encoder is there. It is not kept: as a model, it is
    /// loaded once.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where the site has none, [`BundleError::Shard`] or
    /// [`BundleError::Content`].
    pub async fn instant(&self) -> Result<InstantParts, BundleError> {
        let entry = self.manifest.instant.as_ref();
        let entry = entry.ok_or(BundleError::Absent { part: "a static encoder" })?;
        let (word_pieces, table, passages) = join3(
            self.shard(&entry.word_pieces),
            self.shard(&entry.table),
            self.shard(&entry.passages),
        )
        .await;
        let table = reduced(&entry.table, &table?, [entry.pieces, entry.dimension])?;
        let chunks = self.manifest.counts.chunks;
        let passages = reduced(&entry.passages, &passages?, [chunks, entry.dimension])?;
        Ok(InstantParts { word_pieces: word_pieces?, table, passages })
    }
}

fn reduced(
    entry: &ShardEntry,
    bytes: &[u8],
    expected: [u32; 2],
) -> Result<ReducedTable, BundleError> {
    let table =
        ReducedTable::decode(bytes).map_err(|error| BundleError::index(&entry.path, &error))?;
    let found = [table.len(), table.dimension()];
    if found != expected.map(|number| number as usize) {
        let [rows, dimension] = expected;
        return Err(BundleError::content(
            &entry.path,
            format!(
                "expected {rows} vectors of {dimension} numbers, found {} of {}",
                found[0], found[1]
            ),
        ));
    }
    Ok(table)
}
