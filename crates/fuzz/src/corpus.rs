use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::Target;

/// The inputs that are kept for a target, by name: those written by hand and those the fuzzer found.
pub struct Corpus {
    /// The inputs by name.
    pub inputs: BTreeMap<String, Vec<u8>>,
}

/// Why a corpus cannot be read or kept: the file, and what is wrong with it.
#[derive(Debug)]
pub struct CorpusError {
    path: PathBuf,
    source: io::Error,
}

impl std::fmt::Display for CorpusError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "the corpus `{}`: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for CorpusError {}

impl Corpus {
    /// The seeds of a target, which are written by hand, and what the fuzzer found in earlier runs.
    ///
    /// # Errors
    /// Where the target has no seeds, or a file cannot be read.
    pub fn load(target: Target) -> Result<Self, CorpusError> {
        let mut inputs = folder(&seeds(target))?;
        let found = found(target);
        if found.exists() {
            inputs.extend(unpacked(&found).map_err(|source| CorpusError { path: found, source })?);
        }
        Ok(Self { inputs })
    }

    /// Keeps the files of a folder as what the fuzzer found for a target: the same bytes for the same
    /// files.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn keep(target: Target, files: &Path) -> Result<usize, CorpusError> {
        let inputs = folder(files)?;
        let path = found(target);
        pack(&path, &inputs).map_err(|source| CorpusError { path, source })?;
        Ok(inputs.len())
    }

    /// Writes the inputs into a folder, a file each.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), CorpusError> {
        let failed = |source| CorpusError { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        for (name, bytes) in &self.inputs {
            fs::write(folder.join(name), bytes).map_err(failed)?;
        }
        Ok(())
    }
}

fn seeds(target: Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target.name())
}

fn found(target: Target) -> PathBuf {
    let name = format!("{}.zip", target.name());
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora").join(name)
}

fn folder(path: &Path) -> Result<BTreeMap<String, Vec<u8>>, CorpusError> {
    let failed = |source| CorpusError { path: path.to_owned(), source };
    let mut inputs = BTreeMap::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        inputs.insert(name, fs::read(entry.path()).map_err(failed)?);
    }
    Ok(inputs)
}

fn unpacked(path: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut archive = ZipArchive::new(File::open(path)?)?;
    let mut inputs = BTreeMap::new();
    for number in 0..archive.len() {
        let mut file = archive.by_index(number)?;
        let name = file.name()?.into_owned();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        inputs.insert(name, bytes);
    }
    Ok(inputs)
}

fn pack(path: &Path, inputs: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut writer = ZipWriter::new(File::create(path)?);
    let write = |writer: &mut ZipWriter<File>| -> Result<(), ZipError> {
        for (name, bytes) in inputs {
            writer.start_file(name.as_str(), SimpleFileOptions::default())?;
            writer.write_all(bytes)?;
        }
        Ok(())
    };
    write(&mut writer)?;
    writer.finish()?;
    Ok(())
}
