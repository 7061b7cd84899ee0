//! The inputs that are kept for each target, and packages written as text, since a zip file's checksums survive no
//! mutation.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::Target;

/// The inputs that are kept for a target, by name: those written by hand and those the fuzzer found.
pub struct Corpus {
    /// The inputs by name.
    pub inputs: BTreeMap<String, Vec<u8>>,
}

/// The reason why a corpus cannot be read or kept: the file, and what is wrong with it.
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

/// Begins a line that names the part that follows.
const MARK: &[u8] = b"@@ ";

/// The parts of a package written as text: each behind a line `@@ name`, without its last line break.
/// Lines in front of the first such line belong to no part.
pub(crate) fn parts(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(MARK) {
            Some(name) => {
                let name = String::from_utf8_lossy(name).trim().to_owned();
                parts.push((name, Vec::new()));
            }
            None => {
                if let Some((_, part)) = parts.last_mut() {
                    part.extend_from_slice(line);
                }
            }
        }
    }
    for (_, part) in &mut parts {
        if part.last() == Some(&b'\n') {
            part.pop();
        }
    }
    parts
}

/// A zip file of parts, uncompressed; of two with one name the first counts.
pub(crate) fn zipped(parts: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ZipError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (number, (name, bytes)) in parts.iter().enumerate() {
        let earlier = parts.iter().take(number);
        if earlier.map(|(name, _)| name).any(|earlier| earlier == name) {
            continue;
        }
        writer.start_file(name.as_str(), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn parts_stand_behind_their_names() {
        let package = b"nobody's\n@@ a.xml\n<a/>\n\n@@ b/c.xml \n@@ d";
        let named: Vec<_> = parts(package)
            .into_iter()
            .map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned()))
            .collect();
        let expected = [("a.xml", "<a/>\n"), ("b/c.xml", ""), ("d", "")];
        assert_eq!(named, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    }
}
