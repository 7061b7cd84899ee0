//! Records of earlier builds, so that a rebuild makes only those of what changed.
//!
//! As with the vectors beside it, a missing, foreign or damaged file only costs time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use campanile_index::late::{Codec, Record};
use campanile_model_store::cache_folder;
use sha2::{Digest, Sha256};

use crate::vector_cache::Key;

const MAGIC: &[u8; 8] = b"CMPLAT01";
const DIGEST: usize = 32;

/// What is known from earlier builds, and what this one adds.
pub struct RecordCache {
    path: Option<PathBuf>,
    records: BTreeMap<Key, Record>,
}

impl RecordCache {
    /// Opens the cache of a documents' folder and a way of coding; empty where there is none.
    pub fn open(docs: &Path, identity: &str, codec: Codec, fresh: bool) -> Self {
        let path =
            cache_folder().map(|cache| cache.join("vectors").join(file_name(docs, identity)));
        let records = match &path {
            Some(path) if !fresh => {
                fs::read(path).ok().and_then(|bytes| decode(&bytes, codec)).unwrap_or_default()
            }
            _ => BTreeMap::new(),
        };
        Self { path, records }
    }

    /// The record of an earlier build, or of this one.
    pub fn get(&self, key: &Key) -> Option<&Record> {
        self.records.get(key)
    }

    /// Remembers a record.
    pub fn insert(&mut self, key: Key, record: Record) {
        self.records.insert(key, record);
    }

    /// Writes what is known; with `only`, keeps just those keys.
    ///
    /// # Errors
    /// What the file system said.
    pub fn save(&mut self, only: Option<&[Key]>) -> io::Result<()> {
        if let Some(only) = only {
            let wanted: BTreeSet<&Key> = only.iter().collect();
            self.records.retain(|key, _| wanted.contains(key));
        }
        let Some(path) = &self.path else { return Ok(()) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = path.with_extension(format!("{}.late-part", std::process::id()));
        fs::write(&temporary, encode(&self.records))?;
        fs::rename(&temporary, path)
    }
}

fn file_name(docs: &Path, identity: &str) -> String {
    let docs = docs.canonicalize().unwrap_or_else(|_| docs.to_owned());
    let digest = Sha256::digest(format!("{}\0{identity}", docs.display()).as_bytes());
    let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("{name}.late")
}

fn encode(records: &BTreeMap<Key, Record>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for (key, record) in records {
        bytes.extend(key);
        bytes.extend((record.as_bytes().len() as u32).to_le_bytes());
        bytes.extend(record.as_bytes());
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

fn decode(bytes: &[u8], codec: Codec) -> Option<BTreeMap<Key, Record>> {
    let (content, digest) = bytes.split_last_chunk::<DIGEST>()?;
    if Sha256::digest(content).as_slice() != digest {
        return None;
    }
    let mut rest = content.strip_prefix(MAGIC)?;
    let mut records = BTreeMap::new();
    while let Some((key, after)) = rest.split_first_chunk::<DIGEST>() {
        let (length, after) = after.split_first_chunk::<4>()?;
        let (codes, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        records.insert(*key, Record::from_bytes(codec, codes.to_vec())?);
        rest = after;
    }
    rest.is_empty().then_some(records)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::vector_cache::VectorCache;

    #[test]
    fn round_trip_and_damage() {
        let codec = Codec::new(8, 2).unwrap();
        let records = BTreeMap::from([
            (VectorCache::key("a"), Record::from_bytes(codec, vec![1, 2, 3, 4]).unwrap()),
            (VectorCache::key("b"), Record::default()),
        ]);
        let bytes = encode(&records);
        assert_eq!(decode(&bytes, codec), Some(records));
        assert_eq!(decode(&bytes, Codec::new(24, 2).unwrap()), None, "another codec");
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert_eq!(decode(&damaged, codec), None, "byte {index}");
            assert_eq!(decode(&bytes[..index], codec), None, "cut at {index}");
        }
    }
}
