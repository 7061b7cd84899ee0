//! The folder of parts: written by the machine that has the documents, and read by the one that assembles the site.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Component, Path, PathBuf};

use campanile_build::documents::Documents;
use campanile_build::parts::{self, BroughtVectors, Collected, identity};
use campanile_build::{Observer, Plan, Stage, config};
use campanile_bundle::EmbeddingDevice;
use campanile_corpus::Document;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::facts::{Facts, generator, hexadecimal};
use crate::{PartsError, VERSION, texts, vectors};

const HEAD: &str = "parts.json";
const DOCUMENTS: &str = "documents.jsonl";
const SOURCE: &str = "source";
/// Files that the settings name by a path out of the documents' folder, in [`SOURCE`].
const OUTSIDE: &str = "taken-along";
/// The way out of a folder whose own files are not as they were written.
const WRITE_ANEW: &str =
    "`campanile passages DOCS -o PARTS` writes it anew, with the same version of `campanile`";

/// The head of a folder of parts.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    generator: String,
    facts: Facts,
    texts: usize,
    documents_sha256: String,
    /// The outcome of reading the documents.
    read: Documents,
}

/// The parts that were written, and what went into them.
pub struct Written {
    /// Parts.
    pub parts: u32,
    /// The outcome of reading and cutting.
    pub collected: Collected,
}

/// Reads the documents of a plan and writes them in parts of at most `rows` texts into `folder`. Parts that were there before
/// are replaced; vectors stay, and are found out where they are of other texts.
///
/// # Errors
/// Where there is no document, a model cannot be loaded, or the folder holds something else or cannot be written.
pub fn write(
    plan: &Plan,
    settings: Option<&Path>,
    folder: &Path,
    rows: usize,
) -> Result<Written, PartsError> {
    make_room(folder, plan.docs)?;
    let documents = parts::read(plan)?;
    let documents_sha256 = write_documents(&folder.join(DOCUMENTS), &documents.documents)?;
    let mut collected = parts::collect(plan, documents)?;
    let count = collected.texts.len().div_ceil(rows.max(1));
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    let facts = Facts::of_set(plan, &collected.texts, count)?;
    let stage =
        Stage { name: "Writing", total: Some(count as usize), pieces: "parts", is_slow: false };
    let writing = plan.observer.begin(&stage);
    for part in 1..=count {
        texts::write(folder, &Facts { part, ..facts.clone() }, &collected.texts)?;
        writing.advance(1);
    }
    drop(writing);
    let read = std::mem::take(&mut collected.read);
    let source = Source { docs: plan.docs, to: folder.join(SOURCE) };
    if let Some(settings) = settings {
        source.take_settings(settings, plan.config)?;
    }
    for file in read.sidecars.iter().map(PathBuf::as_path) {
        source.take(file, file)?;
    }
    for file in collected.originals.iter().map(Path::new) {
        source.take(file, file)?;
    }
    let head = Head {
        version: VERSION,
        generator: generator(),
        facts,
        texts: collected.texts.len(),
        documents_sha256,
        read,
    };
    // Last, and whole or not at all: without it the folder is none.
    let path = folder.join(HEAD);
    let text = serde_json::to_vec_pretty(&head).map_err(std::io::Error::from);
    let unfinished = folder.join(format!("{HEAD}.unfinished"));
    text.and_then(|text| fs::write(&unfinished, text))
        .and_then(|()| fs::rename(&unfinished, &path))
        .map_err(PartsError::write(&path))?;
    Ok(Written { parts: count, collected })
}

/// Makes the folder, or takes away the texts that an earlier run wrote into it.
fn make_room(folder: &Path, docs: &Path) -> Result<(), PartsError> {
    fs::create_dir_all(folder).map_err(PartsError::write(folder))?;
    if let (Ok(folder), Ok(docs)) = (folder.canonicalize(), docs.canonicalize())
        && folder.starts_with(docs)
    {
        return Err(PartsError::AmongDocuments(folder));
    }
    let entries = || -> std::io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let entries = entries().map_err(PartsError::read(folder))?;
    let name = |path: &Path| {
        path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let is_texts = |name: &str| name.starts_with("passages-") && name.contains(".parquet");
    let is_vectors = |name: &str| name.starts_with("vectors-") && name.contains(".parquet");
    let is_own = |name: &str| name.starts_with(HEAD) || [DOCUMENTS, SOURCE].contains(&name);
    for path in &entries {
        let name = name(path);
        if !(is_texts(&name) || is_vectors(&name) || is_own(&name)) {
            return Err(PartsError::Occupied(folder.to_owned()));
        }
    }
    // What a worker that was lost left unfinished is of no use to anybody.
    let is_kept = |name: &str| is_vectors(name) && name.ends_with(".parquet");
    for path in entries.iter().filter(|path| !is_kept(&name(path))) {
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        removed.map_err(PartsError::write(path))?;
    }
    Ok(())
}

/// Writes documents, one a line, and gives the file's hash.
fn write_documents(path: &Path, documents: &[Document]) -> Result<String, PartsError> {
    let mut hash = Sha256::new();
    let mut written = || -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for document in documents {
            let mut line = serde_json::to_vec(document)?;
            line.push(b'\n');
            hash.update(&line);
            file.write_all(&line)?;
        }
        file.flush()
    };
    written().map_err(PartsError::write(path))?;
    Ok(hexadecimal(&hash.finalize()))
}

/// Files that a site needs besides documents and vectors, copied so that the folder is enough by itself.
struct Source<'a> {
    docs: &'a Path,
    to: PathBuf,
}

impl Source<'_> {
    /// Copies a file or folder of the documents' folder to this place.
    fn take(&self, from: &Path, to: &Path) -> Result<(), PartsError> {
        let (from, to) = (self.docs.join(from), self.to.join(to));
        if from.is_dir() {
            let entries = fs::read_dir(&from).map_err(PartsError::read(&from))?;
            for entry in entries {
                let name = entry.map_err(PartsError::read(&from))?.file_name();
                self.take(&from.join(&name), &to.join(&name))?;
            }
            return Ok(());
        }
        let folder = to.parent().unwrap_or(&self.to);
        fs::create_dir_all(folder).map_err(PartsError::write(folder))?;
        fs::copy(&from, &to).map_err(PartsError::read(&from))?;
        Ok(())
    }

    /// Copies the settings and the files that they name. One that lies outside of the documents' folder gets a place inside,
    /// and the settings name it there.
    fn take_settings(&self, path: &Path, config: &config::Config) -> Result<(), PartsError> {
        let failed = |reason: String| PartsError::Settings { path: path.to_owned(), reason };
        let mut text = fs::read_to_string(path).map_err(PartsError::read(path))?;
        let mut table: toml::Table =
            toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
        for (number, ([section, key], named)) in (1..).zip(config.named_files()) {
            let is_inside = named
                .components()
                .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
            if is_inside {
                self.take(named, named)?;
                continue;
            }
            let name = named.file_name().unwrap_or_default().to_string_lossy();
            let place = format!("{OUTSIDE}/{number}-{name}");
            self.take(named, Path::new(&place))?;
            let known = table.get_mut(section).and_then(toml::Value::as_table_mut);
            let known = known.ok_or_else(|| failed(format!("there is no table [{section}]")))?;
            known.insert(key.to_owned(), toml::Value::String(place));
            text = table.to_string();
        }
        let to = self.to.join(config::FILE_NAME);
        fs::create_dir_all(&self.to).map_err(PartsError::write(&self.to))?;
        fs::write(&to, text).map_err(PartsError::write(&to))
    }
}

/// A folder of parts that were written to their end.
pub struct Folder {
    path: PathBuf,
    head: Head,
}

impl Folder {
    /// Opens a folder of parts.
    ///
    /// # Errors
    /// Where it holds none, or those of another version.
    pub fn open(folder: &Path) -> Result<Self, PartsError> {
        let path = folder.join(HEAD);
        let none = |reason: String| PartsError::NoFolder { folder: folder.to_owned(), reason };
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let reason = match folder.join(DOCUMENTS).exists() {
                    true => format!("`{HEAD}`, which is written last, is not there"),
                    false => format!("there is no `{HEAD}`"),
                };
                return Err(none(reason));
            }
            Err(source) => return Err(PartsError::Read { path, source }),
        };
        let version =
            || serde_json::from_slice::<serde_json::Value>(&text).ok()?["version"].as_u64();
        let version = version().unwrap_or_default();
        if version != u64::from(VERSION) {
            return Err(none(format!(
                "`{HEAD}` is of version {version}, and this command knows {VERSION}"
            )));
        }
        let head = serde_json::from_slice(&text)
            .map_err(|error| none(format!("`{HEAD}` cannot be understood: {error}")))?;
        Ok(Self { path: folder.to_owned(), head })
    }

    /// The documents as they were read; the observer is told what was noticed then.
    ///
    /// # Errors
    /// Where the plan's encoder is not the parts', or the documents are cut off or others.
    pub fn documents(&mut self, plan: &Plan) -> Result<Documents, PartsError> {
        let path = self.path.join(DOCUMENTS);
        let facts = &self.head.facts;
        if identity(plan)? != facts.identity {
            let encoder = facts.encoder.clone();
            return Err(PartsError::OtherForm { path: self.path.join(HEAD), encoder });
        }
        let damaged = |reason: String| PartsError::Damaged {
            path: path.clone(),
            reason,
            way_out: WRITE_ANEW,
        };
        let mut file = BufReader::new(File::open(&path).map_err(PartsError::read(&path))?);
        let (mut hash, mut line, mut documents) = (Sha256::new(), Vec::new(), Vec::new());
        loop {
            line.clear();
            file.read_until(b'\n', &mut line).map_err(PartsError::read(&path))?;
            if line.is_empty() {
                break;
            }
            hash.update(&line);
            let document: Document = serde_json::from_slice(&line)
                .map_err(|error| damaged(format!("line {}: {error}", documents.len() + 1)))?;
            documents.push(document);
        }
        if hexadecimal(&hash.finalize()) != self.head.documents_sha256 {
            return Err(damaged("its bytes are not those that were written".to_owned()));
        }
        let mut read = std::mem::take(&mut self.head.read);
        let noticed = read.files.iter().flat_map(|file| &file.findings);
        let noticed: Vec<_> = read.passed_over.iter().chain(noticed).collect();
        plan.observer.findings(&noticed);
        read.documents = documents;
        Ok(read)
    }

    /// The vectors of all parts.
    ///
    /// # Errors
    /// Where a part has none or two of them, or a file is none of these parts'.
    pub fn vectors(&self, observer: &dyn Observer) -> Result<BroughtVectors, PartsError> {
        let facts = &self.head.facts;
        let files = self.files()?;
        let total = Some(files.len());
        let stage = Stage { name: "Reading", total, pieces: "parts", is_slow: false };
        let reading = observer.begin(&stage);
        let mut known: BTreeMap<u32, (PathBuf, Option<EmbeddingDevice>)> = BTreeMap::new();
        let mut brought: Option<BroughtVectors> = None;
        for path in files {
            let found = vectors::read(&path)?;
            self.check(&found)?;
            let device = found.device();
            if let Some((first, _)) = known.get(&found.facts.part) {
                let (first, part) = (first.clone(), found.facts.part);
                return Err(PartsError::Twice { part, first, second: path });
            }
            if let Some((other, expected)) = known.values().find(|(_, other)| *other != device) {
                return Err(PartsError::Devices {
                    path,
                    found: device_words(device.as_ref()),
                    other: other.clone(),
                    expected: device_words(expected.as_ref()),
                });
            }
            let brought = brought.get_or_insert_with(|| BroughtVectors::new(device.clone()));
            for (role, key, vector) in found.rows {
                brought.add(role, key, vector);
            }
            known.insert(found.facts.part, (path, device));
            reading.advance(1);
        }
        let missing: Vec<u32> = (1..=facts.of).filter(|part| !known.contains_key(part)).collect();
        if !missing.is_empty() {
            return Err(PartsError::Missing { folder: self.path.clone(), missing, of: facts.of });
        }
        Ok(brought.unwrap_or_default())
    }

    /// Fails where vectors are of another encoder or of other texts.
    fn check(&self, found: &vectors::Vectors) -> Result<(), PartsError> {
        let facts = &self.head.facts;
        if found.facts.identity != facts.identity {
            return Err(PartsError::Encoders {
                path: found.path.clone(),
                found: encoder_words(&found.facts),
                other: self.path.join(HEAD),
                expected: encoder_words(facts),
                way_out: vectors::WAY_OUT,
            });
        }
        if found.facts.set != facts.set {
            let folder = self.path.clone();
            return Err(PartsError::OtherSet { path: found.path.clone(), folder });
        }
        Ok(())
    }

    /// The Parquet files of the folder but the parts' texts, by name: whatever they are called, so that a copy is found out.
    fn files(&self) -> Result<Vec<PathBuf>, PartsError> {
        let entries = || -> std::io::Result<Vec<PathBuf>> {
            fs::read_dir(&self.path)?.map(|entry| Ok(entry?.path())).collect()
        };
        let mut files = entries().map_err(PartsError::read(&self.path))?;
        files.retain(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".parquet") && !name.starts_with("passages-")
        });
        files.sort();
        Ok(files)
    }
}

/// The folder that takes the place of the documents' folder: settings, sidecars and originals.
pub fn source(folder: &Path) -> PathBuf {
    folder.join(SOURCE)
}

/// The files of parts' texts that are meant: those themselves, and all of a folder.
///
/// # Errors
/// Where a folder cannot be read or has none.
pub fn text_files(named: &[PathBuf]) -> Result<Vec<PathBuf>, PartsError> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).map_err(PartsError::read(path))?;
        let mut inside = Vec::new();
        for entry in entries {
            let entry = entry.map_err(PartsError::read(path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("passages-") && name.ends_with(".parquet") {
                inside.push(entry.path());
            }
        }
        if inside.is_empty() {
            let reason = "no file is called `passages-….parquet`".to_owned();
            return Err(PartsError::NoFolder { folder: path.clone(), reason });
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// An encoder's name, with the beginning of its identity: two versions have one name.
pub fn encoder_words(facts: &Facts) -> String {
    let short: String = facts.identity.chars().take(8).collect();
    format!("{} ({short})", facts.encoder)
}

fn device_words(device: Option<&EmbeddingDevice>) -> String {
    device.map_or_else(|| "the processor".to_owned(), ToString::to_string)
}
