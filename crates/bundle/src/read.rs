//! Reading a site, a shard at a time.

mod documents;
mod families;
mod fetching;
mod gathered;
mod index;
mod instant;
mod late;
mod lexical;
mod shelf;
mod synonyms;

use std::cell::RefCell;
use std::rc::Rc;

use campanile_corpus::Granularity;

use crate::{
    BundleError, DocumentRecord, DocumentsHead, Fetch, Manifest, ModelFile, Part, ShardEntry,
};
pub use index::BundleIndex;
use index::KeptIndex;
pub use instant::InstantParts;
use late::KeptLate;
pub use lexical::{TermPostings, Vocabulary};
use shelf::Shelf;

/// The memory that decoded postings, and decoded documents, may each take before those not used for longest
/// are dropped, in bytes: enough for a long session, little enough for a phone.
const SHELF_BYTES: usize = 16 * 1024 * 1024;

/// A site, open for reading. Parts are fetched when first asked for, checked, decoded, and kept.
///
/// Methods take `&self` and wait for the network in between, so several questions may be under
/// way at once. It belongs to one thread, as a browser's worker does; natively, each thread opens
/// its own.
pub struct Bundle<F> {
    fetch: F,
    manifest: Manifest,
    /// Never borrowed across an `await`.
    kept: RefCell<Kept>,
}

/// The parts that have been fetched and decoded so far.
struct Kept {
    /// The index over chunks, and those over their parts in the manifest's order.
    indexes: Vec<KeptIndex>,
    late: KeptLate,
    documents: Option<Rc<Part<DocumentsHead>>>,
    records: Shelf<[Rc<DocumentRecord>]>,
}

impl<F: Fetch> Bundle<F> {
    /// Opens the site that `fetch` reaches, by its manifest alone.
    ///
    /// # Errors
    /// Any about the manifest; a damaged one is fetched again once, past all caches.
    pub async fn open(fetch: F) -> Result<Self, BundleError> {
        let manifest = fetching::manifest(&fetch).await?;
        let kept = RefCell::new(Kept {
            indexes: (0..=manifest.children.len()).map(|_| KeptIndex::new()).collect(),
            late: KeptLate::new(),
            documents: None,
            records: Shelf::new(SHELF_BYTES),
        });
        Ok(Self { fetch, manifest, kept })
    }

    /// Returns the site's manifest, which is what it says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// A file of one of the manifest's models. It is not kept: a model is loaded once.
    ///
    /// # Errors
    /// [`BundleError::Shard`].
    pub async fn model_file(&self, file: &ModelFile) -> Result<Vec<u8>, BundleError> {
        self.shard(&file.shard).await
    }

    /// Fetches and checks a shard without keeping it: afterwards the caches on the way have it.
    ///
    /// # Errors
    /// [`BundleError::Shard`].
    pub async fn warm(&self, entry: &ShardEntry) -> Result<(), BundleError> {
        self.shard(entry).await.map(drop)
    }

    /// Every shard of the site, those that only the heads list included: what to fetch for use
    /// without a network, and how large it is.
    ///
    /// # Errors
    /// Any about the heads.
    pub async fn shards(&self) -> Result<Vec<ShardEntry>, BundleError> {
        let mut found: Vec<ShardEntry> = self.manifest.entries().cloned().collect();
        for granularity in Granularity::ALL {
            if let Some(index) = self.index(granularity) {
                found.extend(index.lexical().await?.entries.iter().cloned());
            }
        }
        if self.manifest.late.is_some() {
            found.extend(self.late_part().await?.entries.iter().cloned());
        }
        found.extend(self.documents_part().await?.entries.iter().cloned());
        Ok(found)
    }
}

impl<F> std::fmt::Debug for Bundle<F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Bundle").field("manifest", &self.manifest).finish_non_exhaustive()
    }
}
