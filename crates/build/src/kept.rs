//! Results of earlier builds, kept in the user's cache folder so that a rebuild makes only what changed.
//!
//! It is only ever an optimisation: a file that is missing, damaged or of another form counts as not there, one
//! that cannot be written costs time in the next build, and a file is replaced as a whole, so that an interrupted
//! build leaves a good one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use campanile_bundle::Digest;
use campanile_model_store::cache_folder;
use sha2::{Digest as _, Sha256};

use crate::observer::Observer;

const DIGEST: usize = 32;

/// The hash of an indexed text.
pub type Key = [u8; DIGEST];

/// The hash of a text.
pub fn key(text: &str) -> Key {
    Sha256::digest(text.as_bytes()).into()
}

/// The first 24 hexadecimal digits of a text's hash: the name of a file that belongs to it.
pub fn name_of(text: &str) -> String {
    let mut name = Digest::of(text.as_bytes()).to_string();
    name.truncate(24);
    name
}

/// The file in `folder` of the cache for a documents' folder and what else its content depends on.
pub fn place(folder: &str, docs: &Path, identity: &str, ending: &str) -> Option<PathBuf> {
    let docs = docs.canonicalize().unwrap_or_else(|_| docs.to_owned());
    let name = name_of(&format!("{}\0{identity}", docs.display()));
    Some(cache_folder()?.join(folder).join(format!("{name}.{ending}")))
}

/// Writes a file that appears whole or not at all, and the folder that it is in.
///
/// # Errors
/// Fails where the file system does.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&temporary, bytes)?;
    fs::rename(&temporary, path)
}

/// Says that something could not be kept; this build does without.
pub fn remark(what: &str, error: &io::Error, observer: &dyn Observer) {
    observer.remark(&format!("warning: {what} could not be kept for the next build: {error}"));
}

/// A file of some parts, with a hash of them at its end.
pub struct Kept {
    /// `None` where the environment names no cache folder.
    pub path: Option<PathBuf>,
    /// Its content in a warning, such as `the vectors`.
    pub what: &'static str,
}

impl Kept {
    /// The parts that an earlier build wrote.
    pub fn read(&self) -> Option<Vec<Vec<u8>>> {
        decode(&fs::read(self.path.as_ref()?).ok()?)
    }

    /// Writes the parts for the next build.
    pub fn write(&self, parts: &[&[u8]], observer: &dyn Observer) {
        let Some(path) = &self.path else { return };
        if let Err(error) = replace(path, &encode(parts)) {
            remark(self.what, &error, observer);
        }
    }
}

fn encode(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

fn decode(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut rest, digest) = bytes.split_last_chunk::<DIGEST>()?;
    if Sha256::digest(rest).as_slice() != digest {
        return None;
    }
    let mut parts = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<8>() {
        let (part, after) = after.split_at_checked(u64::from_le_bytes(*length).try_into().ok()?)?;
        parts.push(part.to_vec());
        rest = after;
    }
    rest.is_empty().then_some(parts)
}

/// The parts of a file by turns as key and value; `None` where they are of another form.
fn known(parts: Vec<Vec<u8>>) -> Option<BTreeMap<Key, Vec<u8>>> {
    let mut known = BTreeMap::new();
    let mut parts = parts.into_iter();
    while let Some(key) = parts.next() {
        known.insert(key.as_slice().try_into().ok()?, parts.next()?);
    }
    Some(known)
}

/// Values by the hash of their text: those of earlier builds, and those that this one adds.
pub struct Cache {
    kept: Kept,
    known: BTreeMap<Key, Vec<u8>>,
}

impl Cache {
    /// Opens the cache in a file; empty where there is none, or with `fresh`.
    pub fn open(kept: Kept, fresh: bool) -> Self {
        let parts = if fresh { None } else { kept.read() };
        Self { kept, known: parts.and_then(known).unwrap_or_default() }
    }

    /// The value for a text.
    pub fn get(&self, key: &Key) -> Option<&[u8]> {
        self.known.get(key).map(Vec::as_slice)
    }

    /// Remembers something of a text.
    pub fn insert(&mut self, key: Key, value: Vec<u8>) {
        self.known.insert(key, value);
    }

    /// Writes what is known; with `only`, keeps just those keys.
    pub fn save(&mut self, only: Option<&[Key]>, observer: &dyn Observer) {
        if let Some(only) = only {
            let wanted: BTreeSet<&Key> = only.iter().collect();
            self.known.retain(|key, _| wanted.contains(key));
        }
        let parts = self.known.iter().flat_map(|(key, value)| [key.as_slice(), value]);
        self.kept.write(&parts.collect::<Vec<_>>(), observer);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::Silent;

    #[test]
    fn round_trip_and_damage() {
        let parts: [&[u8]; 3] = [b"one", b"", &[0, 255]];
        let bytes = encode(&parts);
        assert_eq!(decode(&bytes).unwrap(), parts);
        assert_eq!(decode(&encode(&[])), Some(Vec::new()));
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert_eq!(decode(&damaged), None, "byte {index}");
            assert_eq!(decode(&bytes[..index]), None, "cut at {index}");
        }
    }

    #[test]
    fn a_cache_keeps_what_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("a.vectors");
        let open = |fresh| Cache::open(Kept { path: Some(path.clone()), what: "it" }, fresh);
        let [a, b] = ["a", "b"].map(key);
        let mut cache = open(false);
        cache.insert(a, vec![1, 2]);
        cache.insert(b, Vec::new());
        cache.save(None, &Silent);
        assert_eq!((open(false).get(&a), open(false).get(&b)), (Some(&[1, 2][..]), Some(&[][..])));
        assert_eq!(open(true).get(&a), None);
        cache.save(Some(&[b]), &Silent);
        assert_eq!((open(false).get(&a), open(false).get(&b)), (None, Some(&[][..])));
        fs::write(&path, encode(&[b"no key", b"x"])).unwrap();
        assert_eq!(open(false).get(&b), None, "of another form");
    }
}
