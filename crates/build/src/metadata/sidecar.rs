//! Files beside the documents that say something about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use super::rules::{json_fields, with_files};

/// The name, without its extension, of a file that speaks for its folder and all below.
const FOLDER_STEM: &str = "_metadata";

/// Larger sidecars are not read.
const MOST_BYTES: u64 = 1_000_000;

/// What sidecars say, by what they say it about.
#[derive(Debug, Default)]
pub struct Sidecars {
    /// By folder (empty for the documents' folder): the file, and its fields.
    folders: BTreeMap<String, (String, BTreeMap<String, Value>)>,
    /// By document.
    documents: BTreeMap<String, (String, BTreeMap<String, Value>)>,
    /// The files that could not be used.
    pub errors: Vec<SidecarError>,
}

/// Why a sidecar was left out.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{path}` was left out: {reason}")]
pub struct SidecarError {
    /// The file.
    pub path: String,
    /// What is wrong, and what is expected.
    pub reason: String,
}

impl Sidecars {
    /// Reads the sidecars that were found in the documents' folder.
    pub fn read(docs: &Path, paths: &[PathBuf]) -> Self {
        let mut sidecars = Self::default();
        for path in paths {
            let name = path.to_string_lossy().replace('\\', "/");
            match fields(&docs.join(path), &name) {
                Ok(fields) => sidecars.add(&name, fields),
                Err(reason) => sidecars.errors.push(SidecarError { path: name, reason }),
            }
        }
        sidecars
    }

    /// Adds a sidecar by its path. The first of two about the same thing holds.
    pub fn add(&mut self, name: &str, fields: BTreeMap<String, Value>) {
        let Some((about, _)) = name.rsplit_once('.') else {
            return;
        };
        let (folder, stem) = about.rsplit_once('/').unwrap_or(("", about));
        let (kept, about) = if stem == FOLDER_STEM {
            (&mut self.folders, folder)
        } else {
            (&mut self.documents, about)
        };
        if let Some((first, _)) = kept.get(about) {
            let reason = format!("`{first}` speaks about the same: keep one of them");
            self.errors.push(SidecarError { path: name.to_owned(), reason });
            return;
        }
        kept.insert(about.to_owned(), (name.to_owned(), fields));
    }

    /// The sidecars that speak about a document, the weakest first: those of its folders from the
    /// top down, then its own. The sidecar of a file of records speaks about each of them.
    pub fn about<'a>(
        &'a self,
        document: &'a str,
    ) -> impl Iterator<Item = &'a (String, BTreeMap<String, Value>)> {
        let ends = document.match_indices('/').map(|(end, _)| end);
        let folders = std::iter::once("").chain(ends.filter_map(|end| document.get(..end)));
        let own = with_files(document).find_map(|path| self.documents.get(path));
        folders.filter_map(|folder| self.folders.get(folder)).chain(own)
    }

    /// The sidecars of documents that are not there.
    pub fn orphans<'a>(&'a self, documents: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let is_about = |about: &str, path: &str| with_files(path).any(|file| file == about);
        let is_orphan = move |about: &str| !documents.iter().any(|path| is_about(about, path));
        let orphans = self.documents.iter().filter(move |(about, _)| is_orphan(about));
        orphans.map(|(_, (path, _))| path.as_str())
    }

    /// The names of all fields that sidecars state, with the file.
    pub fn field_names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.folders.values().chain(self.documents.values()).flat_map(|(path, fields)| {
            fields.keys().map(move |name| (path.as_str(), name.as_str()))
        })
    }
}

fn fields(path: &Path, name: &str) -> Result<BTreeMap<String, Value>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err("it is larger than 1 MB; a sidecar has a few lines".to_owned());
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    parse(name, &text)
}

/// Reads a sidecar's text by the end of its name.
pub fn parse(name: &str, text: &str) -> Result<BTreeMap<String, Value>, String> {
    let extension = name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    match extension.as_deref() {
        Some("toml") => {
            toml::from_str(text).map(|table| json_fields(&table)).map_err(|error| error.to_string())
        }
        Some("json") => serde_json::from_str(text)
            .map_err(|error| format!("it must be one JSON object ({error})")),
        _ if text.trim().is_empty() => Ok(BTreeMap::new()),
        _ => serde_yaml_ng::from_str(text)
            .map_err(|error| format!("it must be `name: value` lines of YAML ({error})")),
    }
}
