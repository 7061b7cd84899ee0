//! The indexes of a site: one over its chunks, and one over each kind of their parts.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use campanile_corpus::Granularity;
use campanile_index::{Graph, LexicalHead, Partition, Posting, PostingsShard, VectorTable};
use futures_util::future::join_all;

use super::partitions::Partitioned;
use super::shelf::Shelf;
use super::{Bundle, Gathered, SHELF_BYTES};
use crate::{BundleError, Fetch, ParentsHead, Part, PartitionsEntry, ShardEntry, ShardedEntry};

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
    pub(super) partitions: Option<&'a PartitionsEntry>,
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
    pub(super) partitioned: Option<Rc<Partitioned>>,
    pub(super) partitions: Shelf<Partition>,
    pub(super) rows: Shelf<VectorTable>,
}

impl KeptIndex {
    pub(super) fn new() -> Self {
        Self {
            lexical: None,
            vectors: None,
            graph: None,
            parents: None,
            postings: Shelf::new(SHELF_BYTES),
            partitioned: None,
            partitions: Shelf::new(SHELF_BYTES),
            rows: Shelf::new(SHELF_BYTES),
        }
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
            partitions: child.partitions.as_ref(),
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
            partitions: manifest.partitions.as_ref(),
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

    /// The vectors of all units. Where they are in parts, every part is read, natively; a page does not fetch a large
    /// site whole, and has [`BundleIndex::vectors_of`].
    ///
    /// # Errors
    /// [`BundleError::Absent`] where there are none, [`BundleError::Shard`] or
    /// [`BundleError::Content`].
    pub async fn vectors(&self) -> Result<Arc<VectorTable>, BundleError> {
        let kept = self.kept(|kept| kept.vectors.clone());
        if let Some(table) = kept {
            return Ok(table);
        }
        let table = match (self.entries.vectors, self.entries.partitions) {
            (Some(entry), _) => self.vector_table(entry, self.units() as usize).await?,
            #[cfg(not(target_arch = "wasm32"))]
            (None, Some(_)) => self.all_parts().await?,
            (None, _) => return Err(BundleError::Absent { part: "vectors" }),
        };
        let table = Arc::new(table);
        self.keep(|kept| kept.vectors = Some(Arc::clone(&table)));
        Ok(table)
    }

    /// Fetches a shard of `rows` vectors.
    pub(super) async fn vector_table(
        &self,
        entry: &ShardEntry,
        rows: usize,
    ) -> Result<VectorTable, BundleError> {
        let bytes = self.bundle.shard(entry).await?;
        let table =
            VectorTable::decode(&bytes).map_err(|error| BundleError::index(&entry.path, &error))?;
        let dimension = self.bundle.manifest.dimension as usize;
        let found = (table.len(), table.dimension());
        if found != (rows, dimension) {
            return Err(BundleError::content(
                &entry.path,
                format!(
                    "expected {rows} vectors of {dimension} numbers, found {} of {}",
                    found.0, found.1
                ),
            ));
        }
        Ok(table)
    }

    /// Returns `true` if the site has vectors of this index's units, whole or in parts.
    pub fn has_vectors(&self) -> bool {
        self.entries.vectors.is_some() || self.is_partitioned()
    }

    /// Returns `true` if the site has a graph over this index's vectors.
    pub fn has_graph(&self) -> bool {
        self.entries.graph.is_some()
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

/// The postings of one term, within the shard that holds them.
#[derive(Debug, Clone)]
pub struct TermPostings(Option<(Rc<PostingsShard>, usize)>);

impl TermPostings {
    fn of(shard: &Rc<PostingsShard>, term: &str) -> Self {
        Self(shard.place(term).map(|place| (Rc::clone(shard), place)))
    }
}

impl Deref for TermPostings {
    type Target = [Posting];

    fn deref(&self) -> &[Posting] {
        let list = self.0.as_ref().and_then(|(shard, place)| shard.list(*place));
        list.unwrap_or_default()
    }
}

impl AsRef<[Posting]> for TermPostings {
    fn as_ref(&self) -> &[Posting] {
        self
    }
}

/// Terms of a stretch of the alphabet, as [`BundleIndex::vocabulary`] finds them.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    beginning: String,
    shards: Vec<Rc<PostingsShard>>,
}

impl Vocabulary {
    /// The terms, sorted, each with the number of units that hold it.
    pub fn terms(&self) -> impl Iterator<Item = (&str, usize)> {
        self.shards.iter().flat_map(|shard| shard.beginning_with(&self.beginning))
    }
}

impl<F: Fetch> BundleIndex<'_, F> {
    /// Unit lengths and the way to the postings.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn lexical_head(&self) -> Result<Rc<LexicalHead>, BundleError> {
        Ok(Rc::clone(&self.lexical().await?.head))
    }

    /// The postings of each of `terms`, in their order; none for a term that no unit holds.
    /// The shards needed are fetched side by side, and a damaged one costs only its own terms.
    ///
    /// # Errors
    /// For each term, any about the head or about the term's shard.
    pub async fn postings<T: AsRef<str>>(
        &self,
        terms: &[T],
    ) -> Vec<Result<TermPostings, BundleError>> {
        let lexical = match self.lexical().await {
            Ok(lexical) => lexical,
            Err(error) => return terms.iter().map(|_| Err(error.clone())).collect(),
        };
        let shard_of = |term: &T| lexical.head.shard_of(term.as_ref());
        let numbers = terms.iter().filter_map(shard_of);
        let shards = Gathered::fetch(numbers, |number| self.postings_shard(&lexical, number)).await;
        let postings = |term: &T| match shard_of(term).and_then(|number| shards.get(number)) {
            None => Ok(TermPostings(None)),
            Some(Ok(shard)) => Ok(TermPostings::of(shard, term.as_ref())),
            Some(Err(error)) => Err(error.clone()),
        };
        terms.iter().map(postings).collect()
    }

    /// The terms that begin as `word` does: with as few of its letters as it takes for all such
    /// terms to lie in at most `most_shards` shards, which are fetched. On a small site that is
    /// every term there is; with the whole word the number of shards has no limit.
    ///
    /// # Errors
    /// Any about the head or one of the shards.
    pub async fn vocabulary(
        &self,
        word: &str,
        most_shards: usize,
    ) -> Result<Vocabulary, BundleError> {
        let lexical = self.lexical().await?;
        let ends = word.char_indices().map(|(end, _)| end).chain([word.len()]);
        let beginning = ends
            .filter_map(|end| word.get(..end))
            .find(|beginning| lexical.head.shards_of_beginning(beginning).len() <= most_shards)
            .unwrap_or(word);
        let numbers = lexical.head.shards_of_beginning(beginning);
        let shards = join_all(numbers.map(|number| self.postings_shard(&lexical, number))).await;
        let shards = shards.into_iter().collect::<Result<_, _>>()?;
        Ok(Vocabulary { beginning: beginning.to_owned(), shards })
    }

    pub(super) async fn lexical(&self) -> Result<Rc<Part<LexicalHead>>, BundleError> {
        let kept = self.kept(|kept| kept.lexical.clone());
        if let Some(lexical) = kept {
            return Ok(lexical);
        }
        let entry = &self.entries.lexical.head;
        let lexical = Rc::new(self.decode_lexical(&self.bundle.shard(entry).await?)?);
        self.keep(|kept| kept.lexical = Some(Rc::clone(&lexical)));
        Ok(lexical)
    }

    fn decode_lexical(&self, bytes: &[u8]) -> Result<Part<LexicalHead>, BundleError> {
        let path = &self.entries.lexical.head.path;
        let part = Part::<LexicalHead>::decode(path, bytes)?;
        let (expected, found) = (self.units(), part.head.chunk_count());
        if found != expected {
            let reason = format!("expected {expected} chunks, found {found}");
            return Err(BundleError::content(path, reason));
        }
        Ok(part)
    }

    async fn postings_shard(
        &self,
        lexical: &Part<LexicalHead>,
        number: usize,
    ) -> Result<Rc<PostingsShard>, BundleError> {
        let kept = self.kept(|kept| kept.postings.get(number as u32));
        if let Some(shard) = kept {
            return Ok(shard);
        }
        let entry = lexical.entries.get(number).ok_or(BundleError::NoSuch {
            what: "postings shard",
            number: number as u32,
            count: lexical.entries.len() as u32,
        })?;
        let bytes = self.bundle.shard(entry).await?;
        let shard = PostingsShard::decode(&bytes, lexical.head.chunk_count())
            .map_err(|error| BundleError::index(&entry.path, &error))?;
        let bytes = shard.posting_count() * size_of::<Posting>();
        let shard = Rc::new(shard);
        self.keep(|kept| kept.postings.put(number as u32, Rc::clone(&shard), bytes));
        Ok(shard)
    }
}
