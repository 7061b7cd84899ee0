//! Files on this machine: in a folder, by themselves, or in a wheel or another zip archive.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{Failure, Provider};
use crate::catalogue::ModelFile;
use crate::install::Report;
use crate::part::Part;

/// Folders below the given one that are looked into: enough for an unpacked
/// wheel (`package/model/FILE`) and for the hub's own cache
/// (`snapshots/REVISION/FILE`).
const DEPTH: usize = 3;

/// A folder with the files, at its top or a few folders down.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// The file's best candidate: right length first, then nearest the top.
    fn locate(&self, file: &ModelFile) -> Result<PathBuf, Failure> {
        let mut candidates = Vec::new();
        gather(&self.path, file.name, 0, &mut candidates);
        // The right length first: an older file of that name may lie nearer.
        candidates.sort_by_key(|candidate| (candidate.bytes != file.bytes, candidate.depth));
        match candidates.into_iter().next() {
            Some(best) if best.bytes == file.bytes => Ok(best.path),
            Some(other) => Err(Failure::Source(format!(
                "`{}` has {} bytes where {} are expected",
                other.path.display(),
                other.bytes,
                file.bytes
            ))),
            None => {
                Err(Failure::Source(format!("`{}` holds no {}", self.path.display(), file.name)))
            }
        }
    }
}

impl Provider for Folder {
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
        copy(&self.locate(&part.file)?, part, report)
    }

    fn origin(&self) -> String {
        self.path.display().to_string()
    }
}

struct Candidate {
    depth: usize,
    bytes: u64,
    path: PathBuf,
}

/// Finds files called `name` in `folder` and below, in order of path within each
/// folder. A folder that cannot be read counts as empty: if the file was in it,
/// the message says which folder held none.
fn gather(folder: &Path, name: &str, depth: usize, candidates: &mut Vec<Candidate>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        // Follows links: the hub's cache is made of them.
        let Ok(metadata) = fs::metadata(&path) else {
            continue;
        };
        if metadata.is_dir() {
            if depth < DEPTH {
                gather(&path, name, depth + 1, candidates);
            }
        } else if path.file_name().is_some_and(|found| found == name) {
            candidates.push(Candidate { depth, bytes: metadata.len(), path });
        }
    }
}

/// The only file of a model, whatever its name: the hash decides.
pub(super) struct SingleFile {
    path: PathBuf,
}

impl SingleFile {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }
}

impl Provider for SingleFile {
    fn provide(&mut self, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
        copy(&self.path, part, report)
    }

    fn origin(&self) -> String {
        self.path.display().to_string()
    }
}

fn copy(path: &Path, part: &Part, report: &mut Report<'_>) -> Result<(), Failure> {
    let origin = path.display().to_string();
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    part.copy(file, &origin, report)
}

/// An open archive. Entries are found by file name and never unpacked by their
/// own path, so that a hostile archive cannot write elsewhere.
pub(super) struct Archive {
    path: PathBuf,
    archive: ZipArchive<File>,
}

impl Archive {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
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
    unreadable(path, error)
}

pub(super) fn unreadable(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::Source(format!("`{}` could not be read: {reason}", path.display()))
}
