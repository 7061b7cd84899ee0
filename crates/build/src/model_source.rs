//! Where a model's files are on this machine: a GGUF file, a folder, or a model of the store.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};

use campanile_model::gguf::{GgufFile, Value};
use campanile_model::{Published, Shards, WeightsFile};
use campanile_model_store::Store;
use campanile_model_store::catalogue::MODELS;
use serde::Deserialize;

use crate::LoadError;

/// Lists the files of a model that was cut into several.
const INDEX: &str = "model.safetensors.index.json";

/// A model's files, of which only the headers have been read.
pub enum ModelSource {
    /// One file of llama.cpp's.
    Gguf(GgufFile),
    /// A folder as Hugging Face's libraries write it, or as `campanile model convert` does.
    Folder(PathBuf),
}

impl ModelSource {
    /// Opens a path; a name that is none is looked up in the store.
    ///
    /// # Errors
    /// Where there is nothing of that name, or it is damaged.
    pub fn open(what: &Path, store: &Store) -> Result<(PathBuf, Self), LoadError> {
        let path = if what.exists() { what.to_owned() } else { in_store(what, store)? };
        if path.is_dir() {
            // The store keeps a GGUF file in a folder of its own.
            return match only_gguf(&path)? {
                Some(file) => Ok((file.clone(), Self::Gguf(open_gguf(&file)?))),
                None => Ok((path.clone(), Self::Folder(path))),
            };
        }
        let file = open_gguf(&path)?;
        Ok((path, Self::Gguf(file)))
    }

    /// The model, ready to be written.
    ///
    /// # Errors
    /// Where it is of a kind that is not run, or a part is missing or damaged.
    pub fn published(&self) -> Result<Published<'_>, LoadError> {
        Ok(match self {
            Self::Gguf(file) => file.published()?,
            Self::Folder(folder) => Published::from_folder(
                |name| fs::read(folder.join(name)).ok(),
                open_weights(folder)?,
            )?,
        })
    }
}

fn in_store(what: &Path, store: &Store) -> Result<PathBuf, LoadError> {
    let name = what.to_string_lossy();
    if store.model(&name).is_err() {
        return Err(LoadError::Unknown(name.into_owned()));
    }
    Ok(store.find(&name)?.folder)
}

/// The GGUF file of a folder that holds one, and no safetensors file.
fn only_gguf(folder: &Path) -> Result<Option<PathBuf>, LoadError> {
    let files = with_extension(folder, "gguf")?;
    if !with_extension(folder, "safetensors")?.is_empty() {
        return Ok(None);
    }
    match files.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(only.clone())),
        several => Err(LoadError::Several(folder.to_owned(), several.len())),
    }
}

fn open_gguf(path: &Path) -> Result<GgufFile, LoadError> {
    let file = FileOnDisk::open(path)?;
    GgufFile::open(Box::new(file)).map_err(|error| LoadError::Gguf(path.to_owned(), error))
}

/// All weights of a folder.
///
/// # Errors
/// Where there are none, or they are damaged.
pub fn open_weights(folder: &Path) -> Result<Shards, LoadError> {
    let mut shards = Shards::default();
    for path in weight_files(folder)? {
        let label = path.display().to_string();
        shards.add_file(&label, Box::new(FileOnDisk::open(&path)?))?;
    }
    Ok(shards)
}

fn weight_files(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: std::collections::BTreeMap<String, String>,
    }
    let index = folder.join(INDEX);
    if index.is_file() {
        let read = || -> io::Result<Index> { Ok(serde_json::from_slice(&fs::read(&index)?)?) };
        let index = read().map_err(|error| LoadError::Read(index, error))?;
        let mut names: Vec<String> = index.weight_map.into_values().collect();
        names.sort_unstable();
        names.dedup();
        return Ok(names.into_iter().map(|name| folder.join(name)).collect());
    }
    let single = folder.join("model.safetensors");
    if single.is_file() {
        return Ok(vec![single]);
    }
    let files = with_extension(folder, "safetensors")?;
    if files.is_empty() {
        return Err(LoadError::NoWeights(folder.to_owned()));
    }
    Ok(files)
}

/// The files of a folder that end so, sorted.
fn with_extension(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, LoadError> {
    let listed = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
    };
    let mut paths = listed().map_err(|error| LoadError::Read(folder.to_owned(), error))?;
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    Ok(paths)
}

/// A file that is read where it lies, range by range: models are larger than memory should be.
struct FileOnDisk {
    file: Mutex<File>,
    len_bytes: usize,
}

impl FileOnDisk {
    fn open(path: &Path) -> Result<Self, LoadError> {
        let open = || -> io::Result<Self> {
            let file = File::open(path)?;
            let len_bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
            Ok(Self { file: Mutex::new(file), len_bytes })
        };
        open().map_err(|error| LoadError::Read(path.to_owned(), error))
    }
}

impl WeightsFile for FileOnDisk {
    fn len_bytes(&self) -> usize {
        self.len_bytes
    }

    fn read(&self, range: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        let mut file = self.file.lock().map_err(|_| io::Error::other("another reader failed"))?;
        file.seek(SeekFrom::Start(range.start as u64))?;
        let mut bytes = vec![0; range.len()];
        file.read_exact(&mut bytes)?;
        Ok(Cow::Owned(bytes))
    }
}

/// The file beside the weights in which a model's authors describe it.
pub const MODEL_CARD: &str = "README.md";

/// The licence from the catalogue (by the file's name and length), a GGUF file's metadata, or the
/// front matter of a model card beside the weights.
pub fn licence(path: &Path, source: &ModelSource, store: &Store) -> Option<String> {
    from_catalogue(path, store).or_else(|| match source {
        ModelSource::Gguf(file) => {
            file.get("general.license").and_then(Value::as_text).map(str::to_owned)
        }
        ModelSource::Folder(folder) => {
            from_card(&fs::read_to_string(folder.join(MODEL_CARD)).ok()?)
        }
    })
}

fn from_catalogue(path: &Path, store: &Store) -> Option<String> {
    let known = MODELS.iter().find(|model| {
        let same_file = |file: &campanile_model_store::ModelFile| {
            let weights = if path.is_dir() { path.join(file.name) } else { path.to_owned() };
            weights.file_name().is_some_and(|name| name == file.name)
                && fs::metadata(&weights).is_ok_and(|found| found.len() == file.bytes)
        };
        store.folder().join(model.name) == path || model.files.iter().all(same_file)
    })?;
    Some(known.licence.to_owned())
}

/// The entry `license` of a card's front matter, which stands between two lines of `---`.
fn from_card(card: &str) -> Option<String> {
    let (front, _) = card.strip_prefix("---")?.split_once("\n---")?;
    let value = front.lines().find_map(|line| line.strip_prefix("license:"))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::from_card;

    #[test]
    fn a_model_card_tells_its_licence() {
        let cases = [
            ("---\nlanguage: en\nlicense: apache-2.0\n---\n# Model\n", Some("apache-2.0")),
            ("---\nlicense: \"mit\"\n---\n", Some("mit")),
            ("---\nlicense:\n- mit\n---\n", None),
            ("# Model\nlicense: mit\n", None),
            ("---\nlicense: mit\n", None),
            ("", None),
        ];
        for (card, expected) in cases {
            assert_eq!(from_card(card).as_deref(), expected, "{card:?}");
        }
    }
}
