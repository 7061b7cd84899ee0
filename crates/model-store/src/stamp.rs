//! The stamp in a model's folder: these files were checked, and where they
//! came from.

use crate::catalogue::Model;
use crate::error::StoreError;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// The stamp's file name.
pub const STAMP_NAME: &str = "campanile-model.json";

/// Version of the stamp's own layout.
const FORMAT: u32 = 1;

/// No stamp is near this size; a bigger file is not one.
const MOST_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub(crate) format: u32,
    pub(crate) name: String,
    pub(crate) licence: String,
    pub(crate) home: String,
    /// The hub's commit these bytes belong to, whichever source they came from.
    pub(crate) revision: Option<String>,
    pub(crate) files: Vec<StampedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StampedFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    /// The source that the file came from, in words for people.
    pub(crate) source: String,
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
        fs::write(&part, text)
            .and_then(|()| fs::rename(&part, &path))
            .map_err(|error| StoreError::io("write", &path, error))
    }
}
