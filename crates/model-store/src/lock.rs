//! One process at a time fills a model's folder.

use crate::error::StoreError;
use crate::progress::{Progress, Report};
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// Holds the lock until dropped, or until the process ends, however it ends.
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Waits for the lock at `path`; the file stays there, empty, afterwards.
    pub(crate) fn acquire(path: &Path, report: &mut Report<'_>) -> Result<Self, StoreError> {
        let locking = |source| StoreError::io("lock", path, source);
        let file = File::create(path).map_err(locking)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                report(Progress::Waiting { lock: path });
                file.lock().map_err(locking)?;
            }
            // Some network file systems have no locks. Two processes at once can
            // then spoil each other's download, which the hash brings to light,
            // but never put a wrong file in place.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(locking(error)),
        }
        Ok(Self { _file: file })
    }
}
