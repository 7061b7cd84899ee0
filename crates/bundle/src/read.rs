//! Reading a site, a shard at a time.

mod documents;
mod fetching;
mod lexical;
mod shelf;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use campanile_index::{Graph, PostingsShard, VectorTable};

use crate::{BundleError, DocumentRecord, Fetch, Manifest, ModelFile, ShardEntry};
use documents::Documents;
use lexical::Lexical;
use shelf::Shelf;

/// How much memory decoded postings, and decoded documents, may each take before those not used
/// for longest are dropped: enough for a long session, little enough for a phone.
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

/// What has been fetched and decoded so far.
struct Kept {
    lexical: Option<Rc<Lexical>>,
    documents: Option<Rc<Documents>>,
    vectors: Option<Arc<VectorTable>>,
    graph: Option<Rc<Graph>>,
    postings: Shelf<PostingsShard>,
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
            lexical: None,
            documents: None,
            vectors: None,
            graph: None,
            postings: Shelf::new(SHELF_BYTES),
            records: Shelf::new(SHELF_BYTES),
        });
        Ok(Self { fetch, manifest, kept })
    }

    /// What the site says about itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The vectors of all chunks.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where there are none, [`BundleError::Shard`] or
    /// [`BundleError::Content`].
    pub async fn vectors(&self) -> Result<Arc<VectorTable>, BundleError> {
        let kept = self.kept.borrow().vectors.clone();
        if let Some(table) = kept {
            return Ok(table);
        }
        let absent = BundleError::Absent { part: "vectors" };
        let entry = self.manifest.vectors.as_ref().ok_or(absent)?;
        let bytes = self.shard(entry).await?;
        let table =
            VectorTable::decode(&bytes).map_err(|error| BundleError::index(&entry.path, &error))?;
        let expected = (self.manifest.counts.chunks as usize, self.manifest.dimension as usize);
        let found = (table.len(), table.dimension());
        if found != expected {
            let (rows, dimension) = expected;
            return Err(BundleError::content(
                &entry.path,
                format!(
                    "expected {rows} vectors of {dimension} numbers, found {} of {}",
                    found.0, found.1
                ),
            ));
        }
        let table = Arc::new(table);
        self.kept.borrow_mut().vectors = Some(Arc::clone(&table));
        Ok(table)
    }

    /// The graph over the vectors, which are fetched as well.
    ///
    /// # Errors
    /// As [`Bundle::vectors`]. Where only the graph is damaged, the vectors can still be scanned.
    pub async fn graph(&self) -> Result<Rc<Graph>, BundleError> {
        let kept = self.kept.borrow().graph.clone();
        if let Some(graph) = kept {
            return Ok(graph);
        }
        let absent = BundleError::Absent { part: "a graph" };
        let entry = self.manifest.graph.as_ref().ok_or(absent)?;
        let table = self.vectors().await?;
        let bytes = self.shard(entry).await?;
        let graph = Graph::decode(&bytes, table)
            .map_err(|error| BundleError::index(&entry.path, &error))?;
        let graph = Rc::new(graph);
        self.kept.borrow_mut().graph = Some(Rc::clone(&graph));
        Ok(graph)
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
    /// Any about the two heads.
    pub async fn shards(&self) -> Result<Vec<ShardEntry>, BundleError> {
        let (lexical, documents) = (self.lexical().await?, self.documents_part().await?);
        let listed = lexical.entries.iter().chain(&documents.entries);
        Ok(self.manifest.entries().chain(listed).cloned().collect())
    }
}

impl<F> std::fmt::Debug for Bundle<F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Bundle").field("manifest", &self.manifest).finish_non_exhaustive()
    }
}
