//! The files of a set, from a folder or a zip.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::ImportError;

/// Larger files are refused: a set that large needs a reader that streams.
const LARGEST_FILE_BYTES: u64 = 2 << 30;

/// The files of a set, from a folder, a zip file, or a single file.
#[derive(Debug)]
pub struct SetFiles {
    root: PathBuf,
    places: BTreeMap<String, Place>,
}

/// The place of a file.
#[derive(Debug)]
enum Place {
    OnDisk(PathBuf),
    InZip(usize),
}

impl SetFiles {
    /// Lists the files below a folder or in a zip file; any other file is a set of one.
    ///
    /// # Errors
    /// Where the folder or the zip file cannot be read.
    pub fn open(root: &Path) -> Result<Self, ImportError> {
        let mut places = BTreeMap::new();
        let is_zip = root.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
        if root.is_dir() {
            walk(root, "", &mut places)?;
        } else if is_zip {
            let archive = archive(root)?;
            for index in 0..archive.len() {
                let Some(Ok(name)) = archive.name_for_index(index) else { continue };
                if !name.ends_with('/') {
                    places.insert(name.into_owned(), Place::InZip(index));
                }
            }
        } else {
            let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
            places.insert(name, Place::OnDisk(root.to_owned()));
        }
        Ok(Self { root: root.to_owned(), places })
    }

    /// The files' paths in the set, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The first file of this name, in whatever folder.
    pub(super) fn named(&self, file: &str) -> Option<&str> {
        self.names().find(|name| name.rsplit('/').next() == Some(file))
    }

    /// As [`SetFiles::named`]; a set of that layout has it.
    pub(super) fn need(
        &self,
        layout: &'static str,
        file: &'static str,
    ) -> Result<&str, ImportError> {
        self.named(file).ok_or_else(|| ImportError::MissingFile {
            layout,
            expected: file,
            found: self.found(),
        })
    }

    /// Returns the names of the files that are there, for a message.
    pub(super) fn found(&self) -> String {
        const SHOWN: usize = 8;
        let mut found: Vec<&str> = self.names().take(SHOWN).collect();
        if self.places.len() > SHOWN {
            found.push("…");
        }
        if found.is_empty() { "no file".to_owned() } else { found.join(", ") }
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// Where it cannot be read, or is larger than 2 GB.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, ImportError> {
        // A byte more than is allowed tells a file that is too large, whatever size the zip states for it.
        let mut bytes = Vec::new();
        let read_error = |source| ImportError::Read { path: self.root.join(name), source };
        match self.places.get(name) {
            Some(Place::OnDisk(path)) => {
                let file = fs::File::open(path).map_err(read_error)?;
                file.take(LARGEST_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(read_error)?;
            }
            Some(Place::InZip(index)) => {
                let mut archive = archive(&self.root)?;
                let zip_error = |error: zip::result::ZipError| ImportError::Zip {
                    path: self.root.clone(),
                    reason: error.to_string(),
                };
                let file = archive.by_index(*index).map_err(zip_error)?;
                file.take(LARGEST_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(read_error)?;
            }
            None => return Err(read_error(std::io::ErrorKind::NotFound.into())),
        }
        if bytes.len() as u64 > LARGEST_FILE_BYTES {
            return Err(ImportError::content(name, None, "it is larger than 2 GB"));
        }
        Ok(bytes)
    }

    /// A file's text, without a byte order mark.
    ///
    /// # Errors
    /// As [`SetFiles::bytes`], and where it is no UTF-8.
    pub fn text(&self, name: &str) -> Result<String, ImportError> {
        let text = String::from_utf8(self.bytes(name)?).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            ImportError::content(
                name,
                None,
                format!("UTF-8 is expected, found another byte at {place}"),
            )
        })?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

fn archive(path: &Path) -> Result<zip::ZipArchive<fs::File>, ImportError> {
    let file = fs::File::open(path)
        .map_err(|source| ImportError::Read { path: path.to_owned(), source })?;
    zip::ZipArchive::new(file)
        .map_err(|error| ImportError::Zip { path: path.to_owned(), reason: error.to_string() })
}

fn walk(
    folder: &Path,
    prefix: &str,
    places: &mut BTreeMap<String, Place>,
) -> Result<(), ImportError> {
    let error = |source| ImportError::Read { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(error)? {
        let entry = entry.map_err(error)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        // Links are not followed: they may lead round in a circle.
        let kind = entry.file_type().map_err(error)?;
        if kind.is_dir() {
            walk(&entry.path(), &format!("{name}/"), places)?;
        } else if kind.is_file() {
            places.insert(name, Place::OnDisk(entry.path()));
        }
    }
    Ok(())
}
