//! A site's passages as tables that other search engines read: for a department that has outgrown a static site.
//!
//! [Parquet](https://parquet.apache.org/docs/file-format/) is what LanceDB, DuckDB, Spark, pandas and the loaders of
//! PostgreSQL and Qdrant have in common. Two files are written: [`passages`], with a row for each passage (its text, its
//! place, whom it is for, its vector), and [`questions`], with the vectors of questions and what the site found for them,
//! by which another engine is compared with it. [`passages::schema`] and [`questions::schema`] are the columns, and
//! `docs/guide/export.md` is the guide.
//!
//! An export leaves out what the site knows beyond its passages: the reader that finds the words that answer, the
//! calibration behind a refusal, and the token vectors of late interaction.
//!
//! ```no_run
//! use campanile_bundle::{Bundle, DirectoryFetch};
//! use futures_lite::future::block_on;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let site = block_on(Bundle::open(DirectoryFetch::new("site")))?;
//! let written = block_on(campanile_export::passages::write(&site, "passages.parquet".as_ref(), &mut |_| ()))?;
//! println!("{written} passages");
//! # Ok(())
//! # }
//! ```

pub mod file;
pub mod passages;
pub mod questions;

use campanile_bundle::BundleError;
use campanile_retrieve::RetrieveError;
use thiserror::Error;

use crate::file::TableError;

/// The version of the columns, which each file states in its metadata as `campanile.columns`. It rises when a column
/// goes or means something else, not when one is added.
pub const COLUMNS_VERSION: u32 = 1;

/// The reason why a table was not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A part of the site cannot be read.
    #[error(transparent)]
    Site(#[from] BundleError),
    /// The site's parts do not fit each other.
    #[error("passage {number} of `{path}` is not whole in the site; build it again")]
    Passage {
        /// The passage's number in its document, from 0.
        number: u32,
        /// The path of the document's file.
        path: String,
    },
    /// A question could not be searched.
    #[error("the question `{id}` could not be searched")]
    Question {
        /// The question's name in its set.
        id: String,
        /// The reason.
        source: RetrieveError,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The fact that states the version of a table's columns.
pub(crate) fn version() -> (&'static str, String) {
    ("campanile.columns", COLUMNS_VERSION.to_string())
}
