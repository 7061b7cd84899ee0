//! A site in a folder.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::{Fetch, FetchError, Freshness, check_path};

/// Reads a site's files from disk.
#[derive(Debug, Clone)]
pub struct DirectoryFetch {
    root: PathBuf,
}

impl DirectoryFetch {
    /// The site in the folder `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl Fetch for DirectoryFetch {
    /// A disk has no cache of ours: both kinds of freshness read the file.
    async fn fetch(&self, path: &str, _: Freshness) -> Result<Vec<u8>, FetchError> {
        check_path(path).map_err(failed)?;
        std::fs::read(self.root.join(path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => FetchError::NotFound,
            _ => failed(error),
        })
    }
}

fn failed(reason: impl std::fmt::Display) -> FetchError {
    FetchError::Failed { reason: reason.to_string() }
}
