//! A model in the store, and the stamp that says its files were checked and where they came from.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::catalogue::{Model, ModelKind};
use crate::error::StoreError;
use crate::install::{Progress, Report};
use crate::part::{length_of, sha256_of_file};

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
        // A folder without any of the files is no damage: nothing was ever fetched.
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
                // The stamp names every file: it was read against the catalogue.
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

/// The stamp's file name.
pub const STAMP_NAME: &str = "campanile-model.json";

/// Version of the stamp's own layout.
const FORMAT: u32 = 1;

/// No stamp is near this size; a bigger file is not one.
const MOST_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    format: u32,
    name: String,
    licence: String,
    home: String,
    /// The hub's commit these bytes belong to, whichever source they came from.
    revision: Option<String>,
    files: Vec<StampedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StampedFile {
    name: String,
    bytes: u64,
    sha256: String,
    /// The source that the file came from, in words for people.
    source: String,
}

impl Stamp {
    /// The stamp of `model`, each of whose files came from `source_of` its name.
    pub(crate) fn new(model: &Model, source_of: impl Fn(&str) -> String) -> Self {
        Self {
            format: FORMAT,
            name: model.name.to_owned(),
            licence: model.licence.to_owned(),
            home: model.home.to_owned(),
            revision: model.hub.map(|hub| hub.revision.to_owned()),
            files: model
                .files
                .iter()
                .map(|file| StampedFile {
                    name: file.name.to_owned(),
                    bytes: file.bytes,
                    sha256: file.sha256.to_owned(),
                    source: source_of(file.name),
                })
                .collect(),
        }
    }

    /// Returns the source that the file `name` came from.
    pub(crate) fn source_of(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|file| file.name == name).map(|file| file.source.as_str())
    }

    /// Reads the stamp in `folder` and holds it against the catalogue.
    pub(crate) fn read(folder: &Path, model: &Model) -> Result<Self, StoreError> {
        let path = folder.join(STAMP_NAME);
        let bad = |reason: String| StoreError::BadStamp {
            name: model.name.to_owned(),
            path: path.clone(),
            reason,
        };
        let reading = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                bad("the stamp is missing, so these files were never checked".to_owned())
            }
            _ => StoreError::io("read", &path, error),
        };
        // Before it is read: a folder that somebody names may hold a large file of this name.
        let bytes = fs::metadata(&path).map_err(reading)?.len();
        if bytes > MOST_BYTES {
            return Err(bad(format!("a stamp is small, this file has {bytes} bytes")));
        }
        let text = fs::read(&path).map_err(reading)?;
        let stamp: Self = serde_json::from_slice(&text)
            .map_err(|error| bad(format!("the stamp is not readable: {error}")))?;
        stamp.check(model).map_err(bad)?;
        Ok(stamp)
    }

    fn check(&self, model: &Model) -> Result<(), String> {
        if self.format != FORMAT || self.name != model.name {
            return Err(format!(
                "it is stamp format {} of model `{}`, expected format {FORMAT} of `{}`",
                self.format, self.name, model.name
            ));
        }
        for wanted in model.files {
            let known = self.files.iter().find(|file| file.name == wanted.name);
            if known.is_none_or(|file| file.sha256 != wanted.sha256) {
                return Err(format!(
                    "{} was checked against another hash than this version of Campanile pins",
                    wanted.name
                ));
            }
        }
        Ok(())
    }

    /// Writes the stamp into `folder`, under another name first.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(STAMP_NAME);
        let part = folder.join(format!("{STAMP_NAME}.part"));
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|error| StoreError::io("write", &path, error.into()))?;
        text.push('\n');
        // Under another name first, so that a stamp is there as a whole or not at all.
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, &path))
            .map_err(|error| StoreError::io("write", &path, error))
    }
}
