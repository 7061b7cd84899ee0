//! The folder beside the site in which a build takes place.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ORIGINALS, WriteError};
use crate::{MANIFEST_PATH, ShardKind};

/// The file whose lock says that a build is under way. The system takes the lock back when the
/// build ends in whatever way, so a folder left behind is told from one in use.
const LOCK: &str = ".campanile-lock";

/// A locked folder `.SITE.campanile-build` beside the site: on the same disk, so that files move
/// in one step.
#[derive(Debug)]
pub(super) struct BuildFolder {
    site: PathBuf,
    path: PathBuf,
    lock: Option<File>,
}

/// Returns `true` if a file at `path` is for this module alone.
pub(super) fn is_private(path: &str) -> bool {
    path == LOCK
}

impl BuildFolder {
    pub(super) fn begin(site: &Path) -> Result<Self, WriteError> {
        let site = std::path::absolute(site).map_err(WriteError::io("find", site))?;
        let (Some(parent), Some(name)) = (site.parent(), site.file_name()) else {
            return Err(WriteError::NoFolder { path: site });
        };
        check_ours(&site)?;
        let path = parent.join(format!(".{}.campanile-build", name.to_string_lossy()));
        fs::create_dir_all(parent).map_err(WriteError::io("create", parent))?;
        remove_leftover(&site, &path)?;
        fs::create_dir(&path).map_err(WriteError::io("create", &path))?;
        let lock = lock(&site, &path)?;
        Ok(Self { site, path, lock: Some(lock) })
    }

    /// Writes a file of the new site.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        self.create(path, bytes).map(drop)
    }

    /// Writes a file and waits until the disk has it.
    pub(super) fn write_durably(&self, path: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let file = self.create(path, bytes)?;
        file.sync_all().map_err(WriteError::io("write", &self.path.join(path)))
    }

    fn create(&self, path: &str, bytes: &[u8]) -> Result<File, WriteError> {
        let path = self.path.join(path);
        create_parent(&path)?;
        let mut file = File::create(&path).map_err(WriteError::io("create", &path))?;
        file.write_all(bytes).map_err(WriteError::io("write", &path))?;
        Ok(file)
    }

    /// Moves the files at `paths` into the site, in their order.
    pub(super) fn put_in_place(&mut self, paths: &[&str]) -> Result<(), WriteError> {
        self.unlock()?;
        if self.become_site() {
            return Ok(());
        }
        for path in paths {
            let (from, to) = (self.path.join(path), self.site.join(path));
            create_parent(&to)?;
            fs::rename(&from, &to).map_err(WriteError::io("replace", &to))?;
        }
        fs::remove_dir_all(&self.path).map_err(WriteError::io("remove", &self.path))
    }

    /// A site that was not there, or an empty folder, takes a single step. Where the system will
    /// not have it (a mount point, a link), the files are moved one by one instead.
    fn become_site(&self) -> bool {
        let free = match fs::remove_dir(&self.site) {
            Ok(()) => true,
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        free && fs::rename(&self.path, &self.site).is_ok()
    }

    /// Gives the lock up and takes its file away, for it is no part of a site.
    fn unlock(&mut self) -> Result<(), WriteError> {
        self.lock = None;
        let lock = self.path.join(LOCK);
        fs::remove_file(&lock).map_err(WriteError::io("remove", &lock))
    }

    /// Removes what looks like a shard and is not among `shards`. Returns what went and what
    /// would not.
    pub(super) fn remove_stale_shards(
        &self,
        shards: &BTreeSet<String>,
    ) -> Result<(Vec<String>, Vec<String>), WriteError> {
        self.remove(self.files_in("shards", is_shard_name)?.difference(shards))
    }

    /// Removes the originals that are not among `files`. Returns what went and what would not.
    pub(super) fn remove_stale_originals(
        &self,
        files: &BTreeSet<String>,
    ) -> Result<(Vec<String>, Vec<String>), WriteError> {
        self.remove(self.files_in(ORIGINALS, |_| true)?.difference(files))
    }

    fn remove<'a>(
        &self,
        paths: impl Iterator<Item = &'a String>,
    ) -> Result<(Vec<String>, Vec<String>), WriteError> {
        let (mut removed, mut left) = (Vec::new(), Vec::new());
        for path in paths {
            match fs::remove_file(self.site.join(path)) {
                Ok(()) => removed.push(path.clone()),
                Err(error) => left.push(format!("{path}: {error}")),
            }
        }
        Ok((removed, left))
    }

    /// The paths of the files of the site that lie in a folder and have such names, sorted.
    fn files_in(
        &self,
        folder: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<BTreeSet<String>, WriteError> {
        let (name, folder) = (folder, self.site.join(folder));
        let mut paths = BTreeSet::new();
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(paths),
            entries => entries.map_err(WriteError::io("list", &folder))?,
        };
        for entry in entries {
            let entry = entry.map_err(WriteError::io("list", &folder))?;
            let file = entry.file_name();
            if let Some(file) = file.to_str().filter(|file| is_wanted(file)) {
                paths.insert(format!("{name}/{file}"));
            }
        }
        Ok(paths)
    }
}

impl Drop for BuildFolder {
    /// Clears up after a build that was given up. Should that fail, there is nobody to tell, and
    /// the next build tries again and tells.
    fn drop(&mut self) {
        if self.lock.take().is_some() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// `<kind>-<16 hexadecimal digits>.bin`: only such files are ever removed from a site.
fn is_shard_name(name: &str) -> bool {
    let Some((kind, digits)) = name.strip_suffix(".bin").and_then(|name| name.rsplit_once('-'))
    else {
        return false;
    };
    let hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    ShardKind::ALL.iter().any(|known| known.name() == kind)
        && digits.len() == 16
        && digits.bytes().all(hexadecimal)
}

fn create_parent(path: &Path) -> Result<(), WriteError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(WriteError::io("create", parent))
}

/// Refuses a folder with somebody's files in it.
fn check_ours(site: &Path) -> Result<(), WriteError> {
    let mut entries = match fs::read_dir(site) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(WriteError::NoFolder { path: site.to_owned() });
        }
        Err(error) => return Err(WriteError::io("list", site)(error)),
    };
    if entries.next().is_none() || has_our_manifest(site)? {
        return Ok(());
    }
    Err(WriteError::NotOurs { path: site.to_owned() })
}

/// The fields that every manifest has had and will have, of whatever format.
#[derive(Deserialize)]
struct OurManifest {
    #[serde(rename = "format")]
    _format: u32,
    generator: String,
}

fn has_our_manifest(site: &Path) -> Result<bool, WriteError> {
    let path = site.join(MANIFEST_PATH);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(WriteError::io("read", &path)(error)),
    };
    Ok(serde_json::from_slice::<OurManifest>(&bytes)
        .is_ok_and(|manifest| manifest.generator.starts_with("campanile")))
}

/// Removes what an interrupted build left, unless that build is still running.
fn remove_leftover(site: &Path, path: &Path) -> Result<(), WriteError> {
    if !path.exists() {
        return Ok(());
    }
    // Held only to see that nobody else does: some systems remove no open file.
    drop(lock(site, path)?);
    fs::remove_dir_all(path).map_err(WriteError::io("remove", path))
}

fn lock(site: &Path, path: &Path) -> Result<File, WriteError> {
    let lock = path.join(LOCK);
    let file = File::create(&lock).map_err(WriteError::io("create", &lock))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(WriteError::Busy { path: site.to_owned() }),
        Err(TryLockError::Error(error)) => Err(WriteError::io("lock", &lock)(error)),
    }
}
