//! A model in the store.

use crate::catalogue::{Model, ModelKind};
use crate::error::StoreError;
use crate::hash::sha256_of_file;
use crate::progress::{Progress, Report};
use crate::stamp::Stamp;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A model whose files are all in the store, of the right lengths, and checked
/// when they came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledModel {
    /// The model's name in the catalogue.
    pub name: String,
    /// The model's purpose.
    pub kind: ModelKind,
    /// SPDX expression of the licence of the weights.
    pub licence: String,
    /// The address where the model is described and its licence is stated.
    pub home: String,
    /// The hub's commit these bytes belong to.
    pub revision: Option<String>,
    /// The folder that holds the files.
    pub folder: PathBuf,
    /// The files, in the catalogue's order.
    pub files: Vec<InstalledFile>,
}

/// One file of an installed model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledFile {
    /// Its name.
    pub name: String,
    /// The file's path.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: String,
    /// The source that it came from, in words for people.
    pub source: String,
}

impl InstalledModel {
    /// The SHA-256 of its `model.safetensors`, where it has one.
    #[must_use]
    pub fn weights_sha256(&self) -> Option<&str> {
        let weights = self.files.iter().find(|file| file.name == "model.safetensors");
        weights.map(|file| file.sha256.as_str())
    }

    /// Looks at `model` in `folder` without hashing: every length, then the stamp.
    pub(crate) fn find(model: &Model, folder: PathBuf) -> Result<Self, StoreError> {
        let lengths: Vec<Option<u64>> = model
            .files
            .iter()
            .map(|file| length_of(&folder.join(file.name)))
            .collect::<Result<_, _>>()?;
        if lengths.iter().all(Option::is_none) {
            return Err(StoreError::NotInstalled { name: model.name.to_owned(), folder });
        }
        for (file, length) in model.files.iter().zip(lengths) {
            let (name, path) = (model.name.to_owned(), folder.join(file.name));
            match length {
                None => return Err(StoreError::MissingFile { name, path }),
                Some(found_bytes) if found_bytes != file.bytes => {
                    return Err(StoreError::WrongLength {
                        name,
                        path,
                        expected_bytes: file.bytes,
                        found_bytes,
                    });
                }
                Some(_) => {}
            }
        }
        let stamp = Stamp::read(&folder, model)?;
        Ok(Self::of(model, folder, &stamp))
    }

    fn of(model: &Model, folder: PathBuf, stamp: &Stamp) -> Self {
        let files = model
            .files
            .iter()
            .map(|file| InstalledFile {
                name: file.name.to_owned(),
                path: folder.join(file.name),
                bytes: file.bytes,
                sha256: file.sha256.to_owned(),
                source: stamp.source_of(file.name).unwrap_or_default().to_owned(),
            })
            .collect();
        Self {
            name: model.name.to_owned(),
            kind: model.kind,
            licence: model.licence.to_owned(),
            home: model.home.to_owned(),
            revision: model.hub.map(|hub| hub.revision.to_owned()),
            folder,
            files,
        }
    }

    /// Returns the path of the file `name`.
    ///
    /// # Errors
    /// [`StoreError::NoSuchFile`] where the model has no file of that name.
    pub fn path(&self, name: &str) -> Result<&Path, StoreError> {
        self.files.iter().find(|file| file.name == name).map(|file| file.path.as_path()).ok_or_else(
            || StoreError::NoSuchFile {
                name: self.name.clone(),
                file: name.to_owned(),
                known: self.files.iter().map(|file| file.name.clone()).collect(),
            },
        )
    }

    /// Length of all files together, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Hashes every file and compares with the catalogue.
    ///
    /// # Errors
    /// [`StoreError::WrongHash`] for the first damaged file, or
    /// [`StoreError::Io`] where a file cannot be read.
    pub fn verify(&self, progress: &mut dyn FnMut(Progress<'_>)) -> Result<(), StoreError> {
        self.files.iter().try_for_each(|file| file.verify(&self.name, progress))
    }
}

impl InstalledFile {
    fn verify(&self, model: &str, report: &mut Report<'_>) -> Result<(), StoreError> {
        let found = sha256_of_file(&self.path, |bytes| {
            report(Progress::Checking { file: &self.name, bytes, total_bytes: self.bytes });
        })?;
        if found == self.sha256 {
            return Ok(());
        }
        Err(StoreError::WrongHash {
            name: model.to_owned(),
            path: self.path.clone(),
            expected: self.sha256.clone(),
            found,
        })
    }
}

/// The length of the file at `path`, or none where there is no file.
fn length_of(path: &Path) -> Result<Option<u64>, StoreError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", path, error)),
    }
}
