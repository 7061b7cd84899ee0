//! Reading a site, a shard at a time.

mod documents;
mod index;
mod late;
mod partitions;
mod shelf;

use std::cell::RefCell;
use std::rc::Rc;

use campanile_corpus::families::PageFamilies;
use campanile_corpus::{Granularity, Synonyms};
use campanile_index::{ReducedTable, Sketch};
use futures_util::StreamExt;
use futures_util::future::{join_all, join3};
use futures_util::stream::FuturesUnordered;

use crate::{
    BundleError, DocumentRecord, DocumentsHead, Fetch, Manifest, ModelFile, Part, ShardEntry,
};
use index::KeptIndex;
use late::KeptLate;
use shelf::Shelf;

pub use index::{BundleIndex, TermPostings, Vocabulary};

/// The memory that decoded postings, documents, partitions, rows and token vectors may each take before those not used
/// for longest are dropped, in bytes: what a session's questions share, little enough for a phone.
const SHELF_BYTES: usize = 16 * 1024 * 1024;

/// Shards that are warmed side by side, at most: a browser asks a host for six files at once, and a question wants some.
const WARMED_AT_ONCE: usize = 4;
/// Their bytes together, unless one has more: three seconds of a slow line (180 kB a second), of which a request takes
/// more than half a second before its first byte.
const WARMED_BYTES: u64 = 500_000;

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
        let manifest = shelf::manifest(&fetch).await?;
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

    /// Fetches and checks shards without keeping them: afterwards the caches on the way have them. Of each that has
    /// come `progress` is told the bytes of all so far.
    ///
    /// They are asked for side by side as far as a line takes that does not rest between them, and no further: a question
    /// that is asked meanwhile shares the line with them.
    ///
    /// # Errors
    /// [`BundleError::Shard`] about the first that could not be had.
    pub async fn warm(
        &self,
        shards: &[ShardEntry],
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), BundleError> {
        let mut waiting = FuturesUnordered::new();
        let mut rest = shards.iter();
        let mut next = rest.next();
        let (mut under_way, mut loaded) = (0, 0);
        loop {
            while let Some(entry) = next
                && waiting.len() < WARMED_AT_ONCE
                && (waiting.is_empty() || under_way + entry.bytes <= WARMED_BYTES)
            {
                under_way += entry.bytes;
                waiting.push(async { self.shard(entry).await.map(|_| entry.bytes) });
                next = rest.next();
            }
            let Some(came) = waiting.next().await else { return Ok(()) };
            let bytes = came?;
            under_way -= bytes;
            loaded += bytes;
            progress(loaded);
        }
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
                if index.is_partitioned() {
                    found.extend(index.partitioned().await?.entries().cloned());
                }
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

impl<F: Fetch> Bundle<F> {
    /// The families of pages that the build found; none where the site has none.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn families(&self) -> Result<PageFamilies, BundleError> {
        let Some(entry) = &self.manifest.families else { return Ok(PageFamilies::default()) };
        let bytes = self.shard(entry).await?;
        postcard::from_bytes(&bytes).map_err(|error| {
            let reason = format!("expected families of pages, found other data ({error})");
            BundleError::content(&entry.path, reason)
        })
    }
}

impl<F: Fetch> Bundle<F> {
    /// The abbreviations that the documents introduce, and what their department added; none where the
    /// site has none.
    ///
    /// # Errors
    /// [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn synonyms(&self) -> Result<Synonyms, BundleError> {
        let Some(entry) = &self.manifest.synonyms else { return Ok(Synonyms::default()) };
        let bytes = self.shard(entry).await?;
        postcard::from_bytes(&bytes).map_err(|error| {
            let reason = format!("expected groups of words, found other data ({error})");
            BundleError::content(&entry.path, reason)
        })
    }
}

impl<F: Fetch> Bundle<F> {
    /// The sketch of the site. It is not kept: who asks many sites keeps it.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where the site has none, [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn sketch(&self) -> Result<Sketch, BundleError> {
        let entry = self.manifest.sketch.as_ref();
        let entry = entry.ok_or(BundleError::Absent { part: "a sketch" })?;
        let bytes = self.shard(entry).await?;
        Sketch::decode(&bytes).map_err(|error| BundleError::index(&entry.path, &error))
    }

    /// The sketches of the sites that a campus's page asks, in their order.
    ///
    /// # Errors
    /// [`BundleError::Absent`] where this is no campus's, [`BundleError::Shard`] or [`BundleError::Content`].
    pub async fn sketches(&self) -> Result<Vec<Sketch>, BundleError> {
        let campus = self.manifest.campus.as_ref();
        let campus = campus.ok_or(BundleError::Absent { part: "a campus" })?;
        let path = &campus.sketches.path;
        let bytes = self.shard(&campus.sketches).await?;
        let other = |error: &dyn std::fmt::Display| {
            BundleError::content(path, format!("expected sketches, found other data ({error})"))
        };
        let encoded: Vec<Vec<u8>> = postcard::from_bytes(&bytes).map_err(|error| other(&error))?;
        if encoded.len() != campus.sites.len() {
            let found = encoded.len();
            let reason = format!("expected {} sketches, found {found}", campus.sites.len());
            return Err(BundleError::content(path, reason));
        }
        let sketches = encoded.iter().map(|bytes| Sketch::decode(bytes));
        sketches.collect::<Result<_, _>>().map_err(|error| BundleError::index(path, &error))
    }
}

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

/// The results of fetching several shards.
pub(super) struct Gathered<N, T> {
    numbers: Vec<N>,
    shards: Vec<T>,
}

impl<N: Copy + PartialEq, T> Gathered<N, T> {
    /// Fetches the shards of these numbers side by side; a number may come more than once.
    pub(super) async fn fetch<F: Future<Output = T>>(
        all: impl Iterator<Item = N>,
        fetch: impl Fn(N) -> F,
    ) -> Self {
        let mut numbers = Vec::new();
        for number in all {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        let shards = join_all(numbers.iter().map(|&number| fetch(number))).await;
        Self { numbers, shards }
    }

    /// Returns the result for a shard that was asked for.
    pub(super) fn get(&self, number: N) -> Option<&T> {
        let place = self.numbers.iter().position(|known| *known == number)?;
        self.shards.get(place)
    }
}
