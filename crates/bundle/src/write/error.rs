//! The errors of writing a site.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{BundleError, PathError};

/// A site that could not be written. The site that was there before is untouched, unless the
/// disk failed in the very last step; then a build started again completes it.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The folder holds something that no build of ours left there.
    #[error(
        "`{path}` is not empty and holds no `campanile.json` of ours, so nothing is written \
         there; give another folder, or empty this one"
    )]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },

    /// The path has no last part to name a folder by, or names a file.
    #[error("`{path}` cannot be a site's folder; give the path of a folder, new or built before")]
    NoFolder {
        /// The path.
        path: PathBuf,
    },

    /// Another build of the same site is under way.
    #[error(
        "another build is writing `{path}`; wait for it to end, or give this one another folder"
    )]
    Busy {
        /// The site's folder.
        path: PathBuf,
    },

    /// The disk refused.
    #[error("could not {action} `{path}`: {source}; check permissions and free space")]
    Io {
        /// The step that was tried: `write`, `create` or the like.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// The system's own error.
        source: io::Error,
    },

    /// A page's file that would leave the site.
    #[error(transparent)]
    Path(#[from] PathError),

    /// A page's file where only the bundle's may be.
    #[error("`{path}` is a name that the bundle keeps for itself; give the file another")]
    Reserved {
        /// The file's path.
        path: String,
    },

    /// A manifest that a reader would refuse.
    #[error("the manifest does not add up: {0}")]
    Manifest(#[from] BundleError),

    /// A manifest that names a shard of another build.
    #[error("the manifest names `{path}`, which was not added; add every shard before `finish`")]
    NotAdded {
        /// The shard's path.
        path: String,
    },

    /// A part that a reader would refuse to unpack.
    #[error(
        "the site's {what} would take {bytes} bytes in one file, more than a page can load; \
         split the documents into two sites"
    )]
    TooLarge {
        /// Which part.
        what: &'static str,
        /// Its length.
        bytes: u64,
    },

    /// A part that could not be encoded.
    #[error("the site's {what} could not be encoded: {reason}")]
    Encode {
        /// Which part.
        what: &'static str,
        /// In the words of the library below.
        reason: String,
    },
}

impl WriteError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    pub(super) fn encode(what: &'static str, reason: impl std::fmt::Display) -> Self {
        Self::Encode { what, reason: reason.to_string() }
    }
}
