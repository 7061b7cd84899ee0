//! Indexes that find chunks by words and by meaning, as plain files that a browser can fetch.
//!
//! **Words.** [`LexicalBuilder`] counts the terms of each chunk and writes an inverted index in two
//! parts. A small [`LexicalHead`] has the chunk lengths, and says which shard holds which stretch
//! of the alphabet. Many [`PostingsShard`]s have the rest. A page loads the head once, and then
//! only the shards of the terms asked for. [`bm25`] ranks with Robertson and Spärck Jones's Okapi
//! BM25. Words of titles and headings may count more than others ([`FieldWeights`]).
//!
//! **Meaning, exactly.** [`VectorTable`] keeps one vector a chunk, in eight bits a number, and
//! compares a question with every row. Scores are whole-number sums, so a browser and a server
//! agree to the last bit. For ten thousand chunks that takes some milliseconds.
//!
//! **Meaning, small.** [`ReducedTable`] has four bits a number and few numbers a row. A page
//! compares these before its encoder is there.
//!
//! **Meaning, quickly.** [`Graph`] is a hierarchical navigable small world (HNSW; Malkov and
//! Yashunin, 2016) over the rows of a [`VectorTable`], for sites where the scan takes too long. It
//! stores links only; the vectors stay in the table.
//!
//! **Meaning, in parts.** [`Partitions`] divide a table that is too large to be fetched whole. A page
//! fetches a few bits of each row near the question, and then the vectors of the best.
//!
//! **Meaning, word by word.** [`late::LateIndex`] keeps several short vectors a chunk, for late
//! interaction. A page compares them only for those chunks that the other searches put forward: see
//! [`late`].
//!
//! **Which site.** A [`Sketch`] says in a few kilobytes what a site is about, and [`beliefs`] which of many sites a question
//! is for.
//!
//! All encoded parts are untrusted bytes. Each decoder checks everything that a later search relies
//! on, and returns an [`IndexError`] that says where it stumbled. Nothing here reads a disk or a
//! network.
//!
//! ```
//! use campanile_index::{Bm25Parameters, LexicalBuilder, LexicalHead, PostingsShard, bm25};
//!
//! let mut builder = LexicalBuilder::new(Bm25Parameters::default());
//! builder.add_chunk(["exam", "register"].map(String::from));
//! builder.add_chunk(["library", "hour"].map(String::from));
//! let index = builder.finish(16 * 1024);
//!
//! let head = LexicalHead::decode(&index.head)?;
//! let number = head.shard_of("library").ok_or("no such term")?;
//! let shard = PostingsShard::decode(&index.shards[number], head.chunk_count())?;
//! let postings = shard.get("library").ok_or("no such term")?;
//! let hits = bm25(&head, &[postings], 10, &|_| true);
//! assert_eq!(hits[0].id, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod error;
mod graph;
mod hits;
pub mod late;
mod lexical;
mod partitions;
mod reduced;
mod sketch;
mod vectors;

pub use error::IndexError;
pub use graph::Graph;
pub use hits::{Hit, sort_short};
pub use lexical::{
    Bm25Parameters, Field, FieldWeightError, FieldWeights, LexicalBuilder, LexicalHead,
    LexicalIndex, Posting, PostingsShard, bm25, bm25_of, bm25_weighted, highest_bm25,
};
#[cfg(not(target_arch = "wasm32"))]
pub use partitions::partition;
pub use partitions::{BitsQuery, Partition, Partitions};
pub use reduced::ReducedTable;
#[cfg(not(target_arch = "wasm32"))]
pub use sketch::sketch;
pub use sketch::{Candidate, Sketch, beliefs};
pub use vectors::{QueryVector, VectorTable};
