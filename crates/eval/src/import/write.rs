//! A set as a folder: documents that a build reads, and the questions beside them.

use std::fs;
use std::path::Path;

use campanile_questions::write_questions;

use super::{ImportError, ImportedSet};

/// The folder of the documents, in the set's folder.
pub const DOCUMENTS_FOLDER: &str = "documents";
/// The file of the questions, in the set's folder.
pub const QUESTIONS_FILE: &str = "questions.jsonl";

/// A benchmark's documents are judged one by one, so each has to stay as it is.
const BENCHMARK_SETTINGS: &str = "\
# The documents of a benchmark are judged one by one: none is folded, replaced or cut.
[quality]
duplicates = false
editions = false

[quality.noise]
page_furniture = false
bibliographies = false
citations = false
symbols = false
repeated = false
contents = false
";

/// Writes a set into a folder that is new or empty: `documents/`, where the set has some, and
/// `questions.jsonl`.
///
/// # Errors
/// Where the folder holds something, or cannot be written.
pub fn write_set(set: &ImportedSet, folder: &Path) -> Result<(), ImportError> {
    create(folder)?;
    let mut entries = fs::read_dir(folder)
        .map_err(|source| ImportError::Read { path: folder.to_owned(), source })?;
    if entries.next().is_some() {
        return Err(ImportError::NotEmpty { path: folder.to_owned() });
    }
    let documents = folder.join(DOCUMENTS_FOLDER);
    for document in &set.documents {
        let path = documents.join(&document.path);
        if let Some(parent) = path.parent() {
            create(parent)?;
        }
        write(&path, &document.bytes())?;
    }
    if set.is_benchmark && !set.documents.is_empty() {
        write(&documents.join("campanile.toml"), BENCHMARK_SETTINGS.as_bytes())?;
    }
    write(&folder.join(QUESTIONS_FILE), write_questions(&set.questions).as_bytes())
}

fn create(folder: &Path) -> Result<(), ImportError> {
    fs::create_dir_all(folder)
        .map_err(|source| ImportError::Write { path: folder.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ImportError> {
    fs::write(path, bytes).map_err(|source| ImportError::Write { path: path.to_owned(), source })
}
