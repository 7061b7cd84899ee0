//! A site's data as plain files that any web server, or a USB stick, can hand out.
//!
//! # The format
//!
//! At the site's root lies `campanile.json`, the [`Manifest`]. It says what the site is about, how
//! its texts were analysed and embedded, and which [shards](ShardEntry) hold the rest.
//!
//! The manifest stays a few kilobytes long however many documents there are. The two parts that
//! grow, posting lists and documents, are listed elsewhere: each has a *head*, a shard of its own.
//! A head starts with the list of the other shards (38 bytes each) and goes on with what is needed
//! to choose among them. The manifest has the hash of each head, and a head has the hashes of its
//! shards. So every byte of a site is verified from the manifest.
//!
//! A shard's name ends in the first 16 digits of its SHA-256, as in
//! `shards/vectors-0123456789abcdef.bin`. A changed shard is a new file, so caches never hold an
//! old one under a new name. A page that is open during an update finds its own shards until the
//! update is done.
//!
//! # Reading
//!
//! [`Bundle`] reads through the [`Fetch`] trait, which a browser, a disk ([`DirectoryFetch`]) or a
//! test implements. Each shard's length and SHA-256 are checked before anything looks inside. If a
//! shard is wrong or missing, it is fetched once more past all caches. If that fails too, an error
//! names the shard, and everything that does not need it goes on working.
//!
//! # Writing
//!
//! [`BundleWriter`] writes into a folder beside the site. At the end it moves the files in, the
//! manifest last, so that an interrupted build leaves the old site whole. The same content gives
//! the same bytes.
//!
//! ```
//! # #[cfg(not(target_arch = "wasm32"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use campanile_bundle::{
//!     Bundle, BundleWriter, ChunkId, Counts, DirectoryFetch, DocumentNotes, DocumentRecord, Manifest,
//! };
//! use campanile_index::{Bm25Parameters, LexicalBuilder};
//!
//! let folder = tempfile::tempdir()?;
//! let site = folder.path().join("site");
//!
//! let mut lexical = LexicalBuilder::new(Bm25Parameters::default());
//! lexical.add_chunk(["library", "open"].map(String::from));
//! let document = DocumentRecord::plain("Library", "library.md", "The library is open.");
//!
//! let mut writer = BundleWriter::begin(&site)?;
//! let manifest = Manifest::plain(
//!     "Our department",
//!     Counts { documents: 1, chunks: 1 },
//!     writer.add_lexical(&lexical.finish(16 * 1024))?,
//!     writer.add_documents([document], DocumentNotes::default(), 64 * 1024)?,
//! );
//! writer.finish(&manifest)?;
//!
//! futures_lite::future::block_on(async {
//!     let bundle = Bundle::open(DirectoryFetch::new(&site)).await?;
//!     let postings = bundle.chunk_index().postings(&["library"]).await.remove(0)?;
//!     let place = bundle.document_of_chunk(ChunkId(postings[0].chunk)).await?;
//!     let document = bundle.document(place.document).await?;
//!     assert_eq!(document.chunk_text(place.number), Some("The library is open."));
//!     Ok(())
//! })
//! # }
//! ```

mod audiences;
#[cfg(not(target_arch = "wasm32"))]
mod directory;
mod documents;
mod error;
mod fetch;
mod head;
mod manifest;
mod parts;
mod path;
mod read;
mod record;
pub mod settings;
mod shard;
#[cfg(not(target_arch = "wasm32"))]
pub mod write;

pub use campanile_corpus::ChunkId;

pub use audiences::{AudienceTable, Choices, DocumentNotes};
#[cfg(not(target_arch = "wasm32"))]
pub use directory::DirectoryFetch;
pub use documents::{ChunkPlace, DocumentId, DocumentsHead, OlderEdition};
pub use error::{BundleError, Problem};
pub use fetch::{Fetch, FetchError, Freshness};
pub use head::ParentsHead;
pub use manifest::{
    CampusEntry, CampusSite, ChildIndex, Counts, EmbeddingDevice, FORMAT, InstantEntry,
    MANIFEST_PATH, Manifest, ModelEntry, ModelFile, PartitionsEntry, ShardedEntry, WorkedExample,
};

pub use parts::Part;
pub use path::{PathError, check_path};
pub use read::{Bundle, BundleIndex, InstantParts, TermPostings, Vocabulary};
pub use record::{AlsoRecord, ChildRecord, ChunkRecord, DocumentRecord, SectionRecord};
pub use settings::{
    Calibration, DenseMethod, EvidenceOrder, FusionMethod, LevelMethod, Logistic, ProseOffer,
    RankingConfig, SearchOverrides, SearchSettings, UnsupportedProse,
};
pub use shard::{Digest, Encoding, ShardEntry, ShardKind};
#[cfg(not(target_arch = "wasm32"))]
pub use write::{BundleWriter, ORIGINALS, WriteError, Written};
