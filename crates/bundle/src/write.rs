//! Writing a site, so that it is either the old one or the new one.

mod folder;
mod parts;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{
    BundleError, Digest, Encoding, MANIFEST_PATH, Manifest, PathError, ShardEntry, ShardKind,
    check_path,
};
use folder::BuildFolder;

/// The folder of a site that holds documents as they were, where they are published.
pub const ORIGINALS: &str = "campanile/originals";

/// Writes a bundle into a site's folder.
///
/// Everything goes into a folder beside the site first. [`BundleWriter::finish`] then moves it
/// over: shards, which have new names and disturb nobody; the page's files, each in one step; the
/// manifest last; and removes the shards that it no longer names. A build that stops before
/// `finish` leaves the site untouched, and the next one clears up after it. A site that is not yet
/// there appears whole, in one step. Files that are not ours (`CNAME`, `.git`) stay; a file in
/// [`ORIGINALS`] that this build does not add goes, for it may have been withdrawn.
#[derive(Debug)]
pub struct BundleWriter {
    folder: BuildFolder,
    shards: BTreeSet<String>,
    files: BTreeSet<String>,
    bytes: u64,
}

/// A summary of what [`BundleWriter::finish`] did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The shards' number.
    pub shards: usize,
    /// The length of all files together, the page's included.
    pub bytes: u64,
    /// The shards and originals of the site before that were removed.
    pub removed: Vec<String>,
    /// Those that could not be removed, with the reason. The site is whole all the same.
    pub left: Vec<String>,
}

impl BundleWriter {
    /// Starts a build of the site in the folder `site`, which need not exist.
    ///
    /// # Errors
    /// [`WriteError::NotOurs`] when the folder holds other files than a site, [`WriteError::Busy`]
    /// when another build of it is under way, [`WriteError::Io`].
    pub fn begin(site: &Path) -> Result<Self, WriteError> {
        Ok(Self {
            folder: BuildFolder::begin(site)?,
            shards: BTreeSet::new(),
            files: BTreeSet::new(),
            bytes: 0,
        })
    }

    /// Adds a shard. With [`Encoding::Deflate`] it is packed unless that makes it longer. The same
    /// content twice is one file.
    ///
    /// # Errors
    /// [`WriteError::Io`], or [`WriteError::TooLarge`] beyond what is read back.
    pub fn add(
        &mut self,
        kind: ShardKind,
        bytes: &[u8],
        encoding: Encoding,
    ) -> Result<ShardEntry, WriteError> {
        let packed = match encoding {
            Encoding::Raw => None,
            Encoding::Deflate => Some(miniz_oxide::deflate::compress_to_vec(bytes, 9))
                .filter(|packed| packed.len() < bytes.len()),
        };
        let file = packed.as_deref().unwrap_or(bytes);
        let sha256 = Digest::of(file);
        let entry = ShardEntry {
            path: kind.path(&sha256),
            bytes: file.len() as u64,
            sha256,
            encoding: match packed {
                Some(_) => Encoding::Deflate,
                None => Encoding::Raw,
            },
            raw_bytes: bytes.len() as u64,
        };
        if entry.raw_bytes > crate::shard::LARGEST {
            return Err(WriteError::TooLarge { what: kind.name(), bytes: entry.raw_bytes });
        }
        if self.shards.insert(entry.path.clone()) {
            self.folder.write(&entry.path, file)?;
            self.bytes += entry.bytes;
        }
        Ok(entry)
    }

    /// Adds a file of the page, such as `index.html`, at `path` from the site's root.
    ///
    /// # Errors
    /// [`WriteError::Path`] for a path that leaves the site, that is the manifest's, or that lies
    /// among the shards; [`WriteError::Io`].
    pub fn add_file(&mut self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        check_path(path)?;
        if path == MANIFEST_PATH || path.starts_with("shards/") || folder::is_private(path) {
            return Err(WriteError::Reserved { path: path.to_owned() });
        }
        self.folder.write(path, bytes)?;
        self.bytes += bytes.len() as u64;
        self.files.insert(path.to_owned());
        Ok(())
    }

    /// Puts the site in place.
    ///
    /// # Errors
    /// [`WriteError::Manifest`] for a manifest that would not be read back,
    /// [`WriteError::NotAdded`] for one that names a shard this writer has not written, and
    /// [`WriteError::Io`].
    pub fn finish(mut self, manifest: &Manifest) -> Result<Written, WriteError> {
        let encoded = manifest.encode()?;
        for entry in manifest.entries() {
            if !self.shards.contains(&entry.path) {
                return Err(WriteError::NotAdded { path: entry.path.clone() });
            }
        }
        self.folder.write_durably(MANIFEST_PATH, &encoded)?;
        // The order of the moves: whatever the manifest names is there before it is.
        let paths: Vec<&str> = (self.shards.iter())
            .chain(&self.files)
            .map(String::as_str)
            .chain([MANIFEST_PATH])
            .collect();
        self.folder.put_in_place(&paths)?;
        let (mut removed, mut left) = self.folder.remove_stale_shards(&self.shards)?;
        let (originals, kept) = self.folder.remove_stale_originals(&self.files)?;
        removed.extend(originals);
        left.extend(kept);
        Ok(Written {
            shards: self.shards.len(),
            bytes: self.bytes + encoded.len() as u64,
            removed,
            left,
        })
    }
}

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

    /// A manifest that would not be read back.
    #[error("the manifest does not add up: {0}")]
    Manifest(#[from] BundleError),

    /// A manifest that names a shard of another build.
    #[error("the manifest names `{path}`, which was not added; add every shard before `finish`")]
    NotAdded {
        /// The shard's path.
        path: String,
    },

    /// A part that would not be unpacked.
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
