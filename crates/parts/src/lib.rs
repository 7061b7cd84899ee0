//! A build in parts: what one machine hands to many, and what they hand back.
//!
//! A build is quick but for the encoder. So its middle can be done elsewhere: a *part* is a file of texts, and embedding it
//! needs that file and the encoder, and nothing else. What comes of a part depends on the part alone, so that the site has
//! the same bytes whether one machine did it or a thousand, in which order, and how often a part was begun anew.
//!
//! ```text
//! PARTS/passages-00001.parquet …   the texts: written by `campanile passages`, read by `campanile embed`
//! PARTS/vectors-00001.parquet …    their vectors: written by `campanile embed`, read by `campanile build --from`
//! PARTS/documents.jsonl            the documents as they were read, one a line
//! PARTS/source/                    settings, sidecars, originals: what else a site is made from
//! PARTS/parts.json                 how many parts there are, and what they belong to; written last
//! ```
//!
//! Vectors get a file of their own, and are no further columns of the texts': the texts can lie where a worker may only read,
//! what travels back is only new bytes, and nothing that a worker does can damage its own input.
//!
//! [`texts::schema`] and [`vectors::schema`] are the columns; [`Facts`] are what a file says about itself in its metadata.
//! `docs/guide/parts.md` is the guide. Files from elsewhere are read with distrust: each has its rows' hash, and a
//! [`PartsError`] names the file and a way out.

mod error;
mod facts;
pub mod folder;
mod reading;
pub mod texts;
pub mod vectors;

pub use error::PartsError;
pub use facts::Facts;

/// The version of the columns, which each file states in its metadata as `campanile.parts`. It rises when a column goes or
/// means something else.
pub const VERSION: u32 = 2;
