//! The errors of reading a bundle.

use campanile_index::IndexError;
use thiserror::Error;

use crate::{Digest, FetchError, PathError};

/// A bundle, or a part of it, that cannot be used. Parts are independent: an error about one
/// leaves the others working.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BundleError {
    /// The manifest did not arrive.
    #[error(
        "the site's `campanile.json` cannot be read: {0}; \
         check the address, or build the site with `campanile build`"
    )]
    NoManifest(FetchError),

    /// The manifest is not one.
    #[error("the site's `campanile.json` is damaged: {reason}; build the site again")]
    Manifest {
        /// The fault: what was expected, found and where.
        reason: String,
    },

    /// The manifest is of a format this program has not learnt.
    #[error(
        "the site has bundle format {found}, and this program knows formats up to {known}; \
         reload the page, or use the `campanile` that built the site"
    )]
    TooNew {
        /// The manifest's format.
        found: u32,
        /// The newest this program knows.
        known: u32,
    },

    /// The manifest is of a format this program has forgotten.
    #[error(
        "the site has bundle format {found}, and this program knows format {known}; \
         build the site again"
    )]
    TooOld {
        /// The manifest's format.
        found: u32,
        /// The oldest this program knows.
        known: u32,
    },

    /// The manifest names a file outside of the site.
    #[error("the site's `campanile.json` is not to be trusted: {0}")]
    Path(#[from] PathError),

    /// A shard did not arrive whole, twice.
    #[error(
        "the shard `{path}` cannot be used: {problem}, also when fetched again; \
         if it stays so, build and publish the site again"
    )]
    Shard {
        /// The shard's path.
        path: String,
        /// The fault in the shard's bytes.
        problem: Problem,
    },

    /// A shard arrived as it was written, but holds something else than the manifest says.
    #[error("the shard `{path}` does not hold what the site needs: {reason}; build the site again")]
    Content {
        /// The shard's path.
        path: String,
        /// The fault: what was expected and found.
        reason: String,
    },

    /// The site was built without this part.
    #[error("the site was built without {part}")]
    Absent {
        /// `vectors`, `a graph` or `a static encoder`.
        part: &'static str,
    },

    /// A chunk, document or shard that the site does not have.
    #[error("the site has no {what} {number}: it has {count}, counted from 0")]
    NoSuch {
        /// `chunk`, `document` or the like.
        what: &'static str,
        /// The number asked for.
        number: u32,
        /// The number of those that there are.
        count: u32,
    },
}

impl BundleError {
    pub(crate) fn content(path: &str, reason: impl std::fmt::Display) -> Self {
        Self::Content { path: path.to_owned(), reason: reason.to_string() }
    }

    /// An index that could not be decoded. The index's own words already say to build again.
    pub fn index(path: &str, error: &IndexError) -> Self {
        let reason = error.to_string();
        let reason = reason.strip_suffix("; build the site again").unwrap_or(&reason);
        Self::content(path, reason)
    }
}

/// A fault in a shard's bytes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// They did not arrive.
    #[error("{0}")]
    Fetch(#[from] FetchError),
    /// They are too few or too many.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// As in the manifest.
        expected: u64,
        /// As fetched.
        found: u64,
    },
    /// They are others.
    #[error("expected the SHA-256 {expected}, found {found}")]
    Digest {
        /// As in the manifest.
        expected: Digest,
        /// As fetched.
        found: Digest,
    },
    /// They do not inflate to what the manifest says.
    #[error("expected deflated data of {expected} bytes, found {found}")]
    Inflate {
        /// As in the manifest.
        expected: u64,
        /// A description of what came out instead.
        found: String,
    },
}
