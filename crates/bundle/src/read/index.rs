//! The indexes of a site: one over its chunks, and one over each kind of their parts.

use std::rc::Rc;
use std::sync::Arc;

use campanile_corpus::Granularity;
use campanile_index::{Graph, LexicalHead, PostingsShard, VectorTable};

use super::shelf::Shelf;
use super::{Bundle, SHELF_BYTES};
use crate::{BundleError, Fetch, ParentsHead, Part, ShardEntry, ShardedEntry};

/// An index of a site, over units of one size. Its parts are fetched when first asked for.
pub struct BundleIndex<'a, F> {
    pub(super) bundle: &'a Bundle<F>,
    /// Among the bundle's indexes.
    pub(super) slot: usize,
    pub(super) entries: IndexEntries<'a>,
}

impl<F> Clone for BundleIndex<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for BundleIndex<'_, F> {}

/// The entries of the parts of an index.
#[derive(Clone, Copy)]
pub(super) struct IndexEntries<'a> {
    pub(super) units: u32,
    pub(super) lexical: &'a ShardedEntry,
    pub(super) vectors: Option<&'a ShardEntry>,
    pub(super) graph: Option<&'a ShardEntry>,
    /// None for chunks.
    pub(super) parents: Option<&'a ShardEntry>,
}

/// The parts of an index that have been fetched and decoded so far.
pub(super) struct KeptIndex {
    pub(super) lexical: Option<Rc<Part<LexicalHead>>>,
    pub(super) vectors: Option<Arc<VectorTable>>,
    pub(super) graph: Option<Rc<Graph>>,
    pub(super) parents: Option<Rc<ParentsHead>>,
    pub(super) postings: Shelf<PostingsShard>,
}

impl KeptIndex {
    pub(super) fn new() -> Self {
        let postings = Shelf::new(SHELF_BYTES);
        Self { lexical: None, vectors: None, graph: None, parents: None, postings }
    }
}

impl<F: Fetch> Bundle<F> {
    /// The index over units of this size; `None` where the site has none.
    pub fn index(&self, granularity: Granularity) -> Option<BundleIndex<'_, F>> {
        if granularity == Granularity::Chunk {
            return Some(self.chunk_index());
        }
        let children = &self.manifest.children;
        let place = children.iter().position(|child| child.granularity == granularity)?;
        let child = children.get(place)?;
        let entries = IndexEntries {
            units: child.count,
            lexical: &child.lexical,
            vectors: child.vectors.as_ref(),
            graph: child.graph.as_ref(),
            parents: Some(&child.parents),
        };
        Some(BundleIndex { bundle: self, slot: place + 1, entries })
    }

    /// The index over chunks, which every site has.
    pub fn chunk_index(&self) -> BundleIndex<'_, F> {
        let manifest = &self.manifest;
        let entries = IndexEntries {
            units: manifest.counts.chunks,
            lexical: &manifest.lexical,
            vectors: manifest.vectors.as_ref(),
            graph: manifest.graph.as_ref(),
            parents: None,
        };
        BundleIndex { bundle: self, slot: 0, entries }
    }
}

impl<F: Fetch> BundleIndex<'_, F> {
    /// Returns the number of units that it counts.
    pub fn units(&self) -> u32 {
        self.entries.units
    }

    /// Which chunk each unit is a part of; `None` where the units are the chunks.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn parents(&self) -> Result<Option<Rc<ParentsHead>>, BundleError> {
        let Some(entry) = self.entries.parents else {
            return Ok(None);
        };
        let kept = self.kept(|kept| kept.parents.clone());
        if let Some(parents) = kept {
            return Ok(Some(parents));
        }
        let bytes = self.bundle.shard(entry).await?;
        let content = |reason| BundleError::content(&entry.path, reason);
        let parents = ParentsHead::decode(&bytes).map_err(content)?;
        let expected = (self.bundle.manifest.counts.chunks, self.units());
        let found = (parents.chunk_count(), parents.unit_count());
        if found != expected {
            return Err(content(format!(
                "expected {} parts of {} chunks, found {} of {}",
                expected.1, expected.0, found.1, found.0
            )));
        }
        let parents = Rc::new(parents);
        self.keep(|kept| kept.parents = Some(Rc::clone(&parents)));
        Ok(Some(parents))
    }

    /// The vectors of all units.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where there are none, [`BundleError::Shard`] or
    /// [`BundleError::Content`].
    pub async fn vectors(&self) -> Result<Arc<VectorTable>, BundleError> {
        let kept = self.kept(|kept| kept.vectors.clone());
        if let Some(table) = kept {
            return Ok(table);
        }
        let entry = self.entries.vectors.ok_or(BundleError::Absent { part: "vectors" })?;
        let bytes = self.bundle.shard(entry).await?;
        let table =
            VectorTable::decode(&bytes).map_err(|error| BundleError::index(&entry.path, &error))?;
        let expected = (self.units() as usize, self.bundle.manifest.dimension as usize);
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
        self.keep(|kept| kept.vectors = Some(Arc::clone(&table)));
        Ok(table)
    }

    /// The graph over the vectors, which are fetched as well.
    ///
    /// # Errors
    /// As [`BundleIndex::vectors`]. Where only the graph is damaged, the vectors can still be
    /// scanned.
    pub async fn graph(&self) -> Result<Rc<Graph>, BundleError> {
        let kept = self.kept(|kept| kept.graph.clone());
        if let Some(graph) = kept {
            return Ok(graph);
        }
        let entry = self.entries.graph.ok_or(BundleError::Absent { part: "a graph" })?;
        let table = self.vectors().await?;
        let bytes = self.bundle.shard(entry).await?;
        let graph = Graph::decode(&bytes, table)
            .map_err(|error| BundleError::index(&entry.path, &error))?;
        let graph = Rc::new(graph);
        self.keep(|kept| kept.graph = Some(Rc::clone(&graph)));
        Ok(graph)
    }

    /// Looks at what is kept of this index, which is never held across an `await`.
    pub(super) fn kept<T>(&self, look: impl FnOnce(&mut KeptIndex) -> Option<T>) -> Option<T> {
        let mut kept = self.bundle.kept.borrow_mut();
        kept.indexes.get_mut(self.slot).and_then(look)
    }

    pub(super) fn keep(&self, put: impl FnOnce(&mut KeptIndex)) {
        let mut kept = self.bundle.kept.borrow_mut();
        if let Some(index) = kept.indexes.get_mut(self.slot) {
            put(index);
        }
    }
}
